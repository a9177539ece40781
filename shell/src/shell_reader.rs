//! Reads a shell line once, from left to right, into simple commands: their words, their input and their
//! output files.
//!
//! The reader handles quotes, escapes, comments, redirections, here-documents and substitutions; it does not
//! interpret the words. It never fails: after a quote that is never closed, it reads the rest again as if the
//! quote were not there. A library such as `brush-parser` rejects a broken line, so it does not fit here.

use crate::ansi_quotes;

/// Maximum depth of substitutions; deeper ones are read as ordinary text, and the line says so.
const MAX_SUBSTITUTION_DEPTH: usize = 16;

/// The operator before a simple command.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `;`, a line break, `&`, a bracket, or the beginning of the line.
    #[default]
    Sequence,
    /// `&&`: it runs if the command before it succeeded.
    And,
    /// `||`: it runs if the command before it failed.
    Or,
    /// `|`: it reads what the command before it prints.
    Pipe,
}

/// A simple command as it was written.
#[derive(Debug, Default)]
pub struct SimpleCommand {
    /// Its words, without quotes and redirections. A substitution leaves `$()`.
    pub words: Vec<String>,
    /// The text of its here-documents and here-strings.
    pub input: String,
    /// The operator before it.
    pub operator: Operator,
    /// Whether it stands inside a substitution.
    pub is_nested: bool,
    /// Whether the shell does not wait for it: `make &`.
    pub is_in_background: bool,
    /// Whether it gets the output of commands as a file: `<(…)`.
    pub has_process_substitution: bool,
}

/// The commands and output files of a shell line.
#[derive(Debug, Default)]
pub struct ShellLine {
    /// Its commands; those inside a substitution follow the command around it.
    pub commands: Vec<SimpleCommand>,
    /// The files that output is redirected to.
    pub output_files: Vec<String>,
    /// Whether substitutions were too deep to be read.
    pub is_too_deep: bool,
}

/// Reads a line.
pub fn read(line: &str) -> ShellLine {
    let mut reader = Reader { text: line, ..Reader::default() };
    reader.list(None);
    let mut found = reader.found;
    if let Some(at) = reader.unclosed {
        // A shell would wait for more input. The rest is read as if the quote were not there, so that an
        // unclosed quote cannot hide a command.
        let mut rest = Reader { text: &line[at..], is_loose: true, ..Reader::default() };
        rest.list(None);
        found.commands.append(&mut rest.found.commands);
        found.output_files.append(&mut rest.found.output_files);
        found.is_too_deep |= rest.found.is_too_deep;
    }
    found
}

#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    found: ShellLine,
    /// Here-documents whose text begins on the next line: the command, the delimiter, whether tabs are
    /// dropped.
    waiting: Vec<(usize, String, bool)>,
    /// Whether quotes and here-documents are read as ordinary text.
    is_loose: bool,
    /// Position of the first quote or here-document that is never closed.
    unclosed: Option<usize>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn eat(&mut self, token: &str) -> bool {
        let is_next = self.text[self.at..].starts_with(token);
        if is_next {
            self.at += token.len();
        }
        is_next
    }

    fn note_unclosed(&mut self, opened: usize) {
        self.unclosed = Some(self.unclosed.map_or(opened, |first| first.min(opened)));
    }

    /// Reads commands up to `close` or the end.
    fn list(&mut self, close: Option<char>) {
        let (mut current, mut open, mut operator) = (None, 0_usize, Operator::Sequence);
        while let Some(c) = self.peek() {
            match c {
                // A backtick ends its substitution even inside an open bracket.
                _ if Some(c) == close && (open == 0 || c == '`') => {
                    self.at += 1;
                    return;
                }
                ' ' | '\t' | '\r' | '\0' => self.at += 1,
                '#' => self.comment(),
                '&' if self.text[self.at..].starts_with("&>") => self.at += 1,
                '<' | '>' => self.redirection(&mut current, close),
                ';' | '&' | '|' | '(' | ')' | '\n' => {
                    self.at += 1;
                    operator = match c {
                        '|' => self.pipe_or_or(),
                        '&' => self.and_or_background(current),
                        // A group reads the pipe, and a line may end after it.
                        '(' | '\n' if current.is_none() => operator,
                        _ => Operator::Sequence,
                    };
                    current = None;
                    match c {
                        '(' => open += 1,
                        ')' => open = open.saturating_sub(1),
                        '\n' => self.documents(),
                        _ => {}
                    }
                }
                _ => self.argument(&mut current, operator, close),
            }
        }
    }

    /// Reads the rest of `|`, `|&` or `||`.
    fn pipe_or_or(&mut self) -> Operator {
        let is_or = self.eat("|");
        let _ = !is_or && self.eat("&");
        if is_or { Operator::Or } else { Operator::Pipe }
    }

    /// Reads the rest of `&` or `&&`. After `&`, the shell does not wait for the current command.
    fn and_or_background(&mut self, current: Option<usize>) -> Operator {
        if self.eat("&") {
            return Operator::And;
        }
        if let Some(command) = current {
            self.found.commands[command].is_in_background = true;
        }
        Operator::Sequence
    }

    fn comment(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// Returns the index of the current command, and starts one if there is none.
    fn command(&mut self, current: &mut Option<usize>) -> usize {
        let is_nested = self.depth > 0;
        *current.get_or_insert_with(|| {
            self.found.commands.push(SimpleCommand { is_nested, ..SimpleCommand::default() });
            self.found.commands.len() - 1
        })
    }

    fn argument(&mut self, current: &mut Option<usize>, operator: Operator, close: Option<char>) {
        let fresh = current.is_none();
        let command = self.command(current);
        if fresh {
            self.found.commands[command].operator = operator;
        }
        let from = self.at;
        let Some(word) = self.word(close) else { return };
        let digits = self.text[from..self.at].bytes().all(|byte| byte.is_ascii_digit());
        if !(digits && matches!(self.peek(), Some('<' | '>'))) {
            self.found.commands[command].words.push(word);
        }
    }
}

/// Redirections.
impl Reader<'_> {
    /// Reads a redirection. It is never an argument; a here-document or here-string is input of the command.
    fn redirection(&mut self, current: &mut Option<usize>, close: Option<char>) {
        if self.eat("<<<") {
            let command = self.command(current);
            let word = self.target(close);
            self.found.commands[command].input.push_str(&word);
        } else if !self.is_loose && self.eat("<<") {
            let tabs = self.eat("-");
            let delimiter = self.target(close);
            // `<<` followed by a number is arithmetic.
            if delimiter.starts_with(|c: char| !c.is_ascii_digit()) {
                let command = self.command(current);
                self.waiting.push((command, delimiter, tabs));
            }
        } else {
            self.output_or_input_file(*current, close);
        }
    }

    /// Reads `<file`, `>file`, `>>file`, `>|file`, `&>file`, `2>&1` or `<(command)`. After `>&`, a number or
    /// `-` is a descriptor.
    fn output_or_input_file(&mut self, current: Option<usize>, close: Option<char>) {
        let start = self.at;
        while matches!(self.peek(), Some('<' | '>' | '&' | '|')) {
            self.at += 1;
        }
        let operator = &self.text[start..self.at];
        let (is_output, is_duplicate) = (operator.contains('>'), operator.ends_with('&'));
        if self.peek() == Some('(') && self.may_descend() {
            self.at += 1;
            if let Some(command) = current.filter(|_| !is_output) {
                self.found.commands[command].has_process_substitution = true;
            }
            return self.substitution(')');
        }
        let file = self.target(close);
        let is_descriptor = is_duplicate && file.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_output && !is_descriptor && !file.is_empty() {
            self.found.output_files.push(file);
        }
    }

    fn target(&mut self, close: Option<char>) -> String {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        self.word(close).unwrap_or_default()
    }

    /// Reads the here-documents that begin on this line.
    fn documents(&mut self) {
        for (command, delimiter, tabs) in std::mem::take(&mut self.waiting) {
            let start = self.at;
            let mut is_closed = false;
            while !is_closed && self.at < self.text.len() {
                let rest = &self.text[self.at..];
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                let text = if tabs { line.trim_start_matches('\t') } else { line };
                is_closed = text.trim_end_matches('\r') == delimiter;
                if !is_closed {
                    self.found.commands[command].input.push_str(line);
                    self.found.commands[command].input.push('\n');
                }
                self.at += line.len() + usize::from(line.len() < rest.len());
            }
            if !is_closed {
                self.note_unclosed(start);
            }
        }
    }
}

/// Words, with their quotes, escapes and substitutions.
impl Reader<'_> {
    /// Reads one word; none if there is only a line continuation.
    fn word(&mut self, close: Option<char>) -> Option<String> {
        let mut word = None::<String>;
        while let Some(c) = self.peek() {
            if matches!(c, ' ' | '\t' | '\r' | '\0' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>')
                || (c == '`' && close == Some('`'))
            {
                break;
            }
            self.at += c.len_utf8();
            match c {
                '\\' => match self.next() {
                    Some('\n') => continue,
                    Some(escaped) => word.get_or_insert_default().push(escaped),
                    None => {}
                },
                '\'' | '"' if self.is_loose => {}
                '$' if !self.is_loose && self.eat("'") => self.ansi_quoted(word.get_or_insert_default()),
                '$' if self.peek() == Some('"') => {}
                '\'' => self.single_quoted(word.get_or_insert_default()),
                '"' => self.double_quoted(word.get_or_insert_default()),
                _ => self.character(c, word.get_or_insert_default()),
            }
        }
        word
    }

    /// Reads a character outside quotes, or inside double ones.
    fn character(&mut self, c: char, word: &mut String) {
        match c {
            '$' if self.peek() == Some('(') && self.may_descend() => {
                self.at += 1;
                self.substitution(')');
                word.push_str("$()");
            }
            '`' if self.may_descend() => {
                self.substitution('`');
                word.push_str("$()");
            }
            _ => word.push(c),
        }
    }

    /// Tells whether a substitution is read; if it is too deep, notes that it is not.
    fn may_descend(&mut self) -> bool {
        let may_descend = self.depth < MAX_SUBSTITUTION_DEPTH;
        self.found.is_too_deep |= !may_descend;
        may_descend
    }

    fn substitution(&mut self, close: char) {
        self.depth += 1;
        self.list(Some(close));
        self.depth -= 1;
    }

    fn single_quoted(&mut self, word: &mut String) {
        let rest = &self.text[self.at..];
        match rest.find('\'') {
            Some(end) => {
                word.push_str(&rest[..end]);
                self.at += end + 1;
            }
            None => {
                self.note_unclosed(self.at);
                word.push_str(rest);
                self.at = self.text.len();
            }
        }
    }

    /// Reads the rest of `$'…'`.
    fn ansi_quoted(&mut self, word: &mut String) {
        let start = self.at;
        let (text, length) = ansi_quotes::read(&self.text[start..]);
        word.push_str(&text);
        self.at += length.unwrap_or(self.text.len() - start);
        if length.is_none() {
            self.note_unclosed(start);
        }
    }

    fn double_quoted(&mut self, word: &mut String) {
        let start = self.at;
        while let Some(c) = self.next() {
            match c {
                '"' => return,
                '\\' => match self.next() {
                    Some('\n') | None => {}
                    Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                    Some(other) => word.extend(['\\', other]),
                },
                _ => self.character(c, word),
            }
        }
        self.note_unclosed(start);
    }
}
