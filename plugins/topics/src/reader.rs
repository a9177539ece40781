//! A shell line read once from left to right into simple commands: words, and what is fed to them.
//!
//! It knows quotes, escapes, comments, redirections, here-documents and substitutions, and nothing of what the words
//! mean. It never fails: what is opened and not closed is remembered, so that the rest can be read again loosely.

/// How deep substitutions are looked into; deeper ones are ordinary text.
const DEEPEST: usize = 16;

/// A simple command as it was written.
#[derive(Debug, Default)]
pub struct Simple {
    /// Its words, without quotes and redirections. A substitution leaves `$()`.
    pub words: Vec<String>,
    /// The text of its here-documents and here-strings.
    pub input: String,
    /// Whether the command before it writes into this one.
    pub piped: bool,
}

/// Reads all commands of `line`; those inside a substitution follow the command that they stand in.
pub fn read(line: &str) -> Vec<Simple> {
    let mut reader = Reader { text: line, ..Reader::default() };
    reader.list(None);
    let mut found = reader.found;
    if let Some(at) = reader.unclosed {
        // A shell would wait for more. What follows is read as if the mark were not there: nothing hides behind it.
        let mut rest = Reader { text: &line[at..], loose: true, ..Reader::default() };
        rest.list(None);
        found.append(&mut rest.found);
    }
    found
}

#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    found: Vec<Simple>,
    /// Here-documents whose text begins on the next line: the command, the delimiter, whether tabs are dropped.
    waiting: Vec<(usize, String, bool)>,
    /// Quotes and here-documents mean nothing.
    loose: bool,
    /// Behind the first quote or here-document that never ends.
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

    fn eat(&mut self, wanted: &str) -> bool {
        let there = self.text[self.at..].starts_with(wanted);
        if there {
            self.at += wanted.len();
        }
        there
    }

    fn never_closed(&mut self, opened: usize) {
        self.unclosed = Some(self.unclosed.map_or(opened, |first| first.min(opened)));
    }

    /// Commands up to `close` or the end.
    fn list(&mut self, close: Option<char>) {
        let (mut current, mut open, mut piped) = (None, 0_usize, false);
        while let Some(c) = self.peek() {
            match c {
                _ if Some(c) == close && open == 0 => {
                    self.at += 1;
                    return;
                }
                ' ' | '\t' | '\r' | '\0' => self.at += 1,
                '#' => self.comment(),
                '&' if self.text[self.at..].starts_with("&>") => self.at += 1,
                '<' | '>' => self.redirection(&mut current, close),
                ';' | '&' | '|' | '(' | ')' | '\n' => {
                    self.at += 1;
                    piped = c == '|' && self.peek() != Some('|') && current.is_some();
                    current = None;
                    match c {
                        '(' => open += 1,
                        ')' => open = open.saturating_sub(1),
                        '\n' => self.documents(),
                        _ => {}
                    }
                }
                _ => self.argument(&mut current, piped, close),
            }
        }
    }

    fn comment(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// The command that words belong to now; a new one where none has begun.
    fn command(&mut self, current: &mut Option<usize>) -> usize {
        *current.get_or_insert_with(|| {
            self.found.push(Simple::default());
            self.found.len() - 1
        })
    }

    fn argument(&mut self, current: &mut Option<usize>, piped: bool, close: Option<char>) {
        let fresh = current.is_none();
        let command = self.command(current);
        if fresh {
            self.found[command].piped = piped;
        }
        let from = self.at;
        let Some(word) = self.word(close) else { return };
        let digits = self.text[from..self.at].bytes().all(|byte| byte.is_ascii_digit());
        if !(digits && matches!(self.peek(), Some('<' | '>'))) {
            self.found[command].words.push(word);
        }
    }

    /// `<file`, `2>&1`, `<<END`, `<<<word`, `<(command)`: none of it is an argument.
    fn redirection(&mut self, current: &mut Option<usize>, close: Option<char>) {
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
    fn documents(&mut self) {
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

    /// One word; none where only a continued line or nothing stood.
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
                '\'' | '"' if self.loose => {}
                '\'' => self.single(word.get_or_insert_default()),
                '"' => self.double(word.get_or_insert_default()),
                _ => self.plain(c, word.get_or_insert_default()),
            }
        }
        word
    }

    /// A character outside quotes, or inside double ones.
    fn plain(&mut self, c: char, word: &mut String) {
        match c {
            '$' if self.depth < DEEPEST && self.eat("(") => {
                self.substitution(')');
                word.push_str("$()");
            }
            '`' if self.depth < DEEPEST => {
                self.substitution('`');
                word.push_str("$()");
            }
            _ => word.push(c),
        }
    }

    fn substitution(&mut self, close: char) {
        self.depth += 1;
        self.list(Some(close));
        self.depth -= 1;
    }

    fn single(&mut self, word: &mut String) {
        let rest = &self.text[self.at..];
        match rest.find('\'') {
            Some(end) => {
                word.push_str(&rest[..end]);
                self.at += end + 1;
            }
            None => {
                self.never_closed(self.at);
                word.push_str(rest);
                self.at = self.text.len();
            }
        }
    }

    fn double(&mut self, word: &mut String) {
        let start = self.at;
        while let Some(c) = self.next() {
            match c {
                '"' => return,
                '\\' => match self.next() {
                    Some('\n') | None => {}
                    Some(escaped @ ('"' | '\\' | '$' | '`')) => word.push(escaped),
                    Some(other) => word.extend(['\\', other]),
                },
                _ => self.plain(c, word),
            }
        }
        self.never_closed(start);
    }
}
