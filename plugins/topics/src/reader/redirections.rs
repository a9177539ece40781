//! What goes into and out of a command: none of it is an argument, and some of it is text that the command is fed.

use super::{DEEPEST, Reader};

impl Reader<'_> {
    /// `<file`, `2>&1`, `<<END`, `<<<word`, `<(command)`: none of it is an argument.
    pub(super) fn redirection(&mut self, current: &mut Option<usize>, close: Option<char>) {
        if self.eat("<<<") {
            let command = self.command(current);
            let word = self.target(close);
            self.found[command].input.push_str(&word);
        } else if !self.loose && self.eat("<<") {
            let tabs = self.eat("-");
            let delimiter = self.target(close);
            // A number behind `<<` is arithmetic.
            if delimiter.starts_with(|c: char| !c.is_ascii_digit()) {
                let command = self.command(current);
                self.waiting.push((command, delimiter, tabs));
            }
        } else {
            while matches!(self.peek(), Some('<' | '>' | '&' | '|')) {
                self.at += 1;
            }
            if self.depth < DEEPEST && self.peek() == Some('(') {
                self.at += 1;
                self.substitution(')');
            } else {
                self.target(close);
            }
        }
    }

    fn target(&mut self, close: Option<char>) -> String {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        self.word(close).unwrap_or_default()
    }

    /// The here-documents that begin on this line.
    pub(super) fn documents(&mut self) {
        for (command, delimiter, tabs) in std::mem::take(&mut self.waiting) {
            let start = self.at;
            let mut closed = false;
            while !closed && self.at < self.text.len() {
                let rest = &self.text[self.at..];
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                let text = if tabs { line.trim_start_matches('\t') } else { line };
                closed = text.trim_end_matches('\r') == delimiter;
                if !closed {
                    self.found[command].input.push_str(line);
                    self.found[command].input.push('\n');
                }
                self.at += line.len() + usize::from(line.len() < rest.len());
            }
            if !closed {
                self.never_closed(start);
            }
        }
    }
}
