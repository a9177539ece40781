//! One word, with its quotes, escapes and substitutions.

use super::{DEEPEST, Reader};

impl Reader<'_> {
    /// One word; none where only a continued line or nothing stood.
    pub(super) fn word(&mut self, close: Option<char>) -> Option<String> {
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

    pub(super) fn substitution(&mut self, close: char) {
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
