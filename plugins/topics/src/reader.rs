//! A shell line read once from left to right into simple commands: words, and what is fed to them.
//!
//! It knows quotes, escapes, comments, redirections, here-documents and substitutions, and nothing of what the words
//! mean. It never fails: what is opened and not closed is remembered, so that the rest can be read again loosely.

mod redirections;
mod words;

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
}
