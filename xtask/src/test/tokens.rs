//! Reads Rust source as tokens, each with its line. The checks need no more of the language, and this takes a
//! fraction of a parser's time.

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword.
    Word,
    /// A string, a character or a number.
    Literal,
    /// A lifetime.
    Lifetime,
    /// One character of punctuation.
    Punctuation,
}

/// A token and the number of its first line, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// Its kind.
    pub kind: TokenKind,
    /// Its text.
    pub text: &'a str,
    /// Its line.
    pub line: usize,
}

impl Token<'_> {
    /// Tells whether it is this word or this character of punctuation.
    pub fn is(&self, text: &str) -> bool {
        self.kind != TokenKind::Literal && self.text == text
    }
}

/// Returns the tokens of a source text, without comments.
pub fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut reader = Reader { source, at: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(token) = reader.next_token() {
        tokens.push(token);
    }
    tokens
}

struct Reader<'a> {
    source: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Reader<'a> {
    fn next_token(&mut self) -> Option<Token<'a>> {
        self.skip_blanks_and_comments();
        let rest = &self.source[self.at..];
        let first = rest.chars().next()?;
        let (kind, length) = match first {
            '\'' => quote_length(rest),
            '"' => (TokenKind::Literal, string_length(rest)),
            _ if first.is_ascii_digit() => (TokenKind::Literal, number_length(rest)),
            _ if is_word_char(first) => word_or_prefixed_string(rest),
            _ => (TokenKind::Punctuation, first.len_utf8()),
        };
        let token = Token { kind, text: &rest[..length], line: self.line };
        self.advance(length);
        Some(token)
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = &self.source[self.at..];
            let blanks = rest.len() - rest.trim_start().len();
            let comment = comment_length(&rest[blanks..]);
            if blanks + comment == 0 {
                return;
            }
            self.advance(blanks + comment);
        }
    }

    fn advance(&mut self, length: usize) {
        self.line += self.source[self.at..self.at + length].matches('\n').count();
        self.at += length;
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the length of the comment that a text begins with; 0 if there is none. Block comments nest.
fn comment_length(text: &str) -> usize {
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if !text.starts_with("/*") {
        return 0;
    }
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        match &text.as_bytes()[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Measures a character literal or a lifetime.
fn quote_length(text: &str) -> (TokenKind, usize) {
    let mut chars = text.char_indices().skip(1);
    let (_, first) = chars.next().unwrap_or((0, '\''));
    let (second_at, second) = chars.next().unwrap_or((text.len(), ' '));
    match (first, second) {
        ('\\', _) => {
            // The escaped character may be a quotation mark itself.
            let behind = second_at + second.len_utf8();
            let end = text[behind.min(text.len())..].find('\'').map_or(text.len(), |end| behind + end + 1);
            (TokenKind::Literal, end)
        }
        (_, '\'') => (TokenKind::Literal, second_at + 1),
        _ => {
            let name = text[1..].find(|c| !is_word_char(c)).map_or(text.len(), |end| 1 + end);
            (TokenKind::Lifetime, name.max(1))
        }
    }
}

/// Returns the length of a string with escapes, including its quotation marks.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

fn number_length(text: &str) -> usize {
    let end = |text: &str| text.find(|c| !is_word_char(c)).unwrap_or(text.len());
    let whole = end(text);
    let fraction =
        text[whole..].strip_prefix('.').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    fraction.map_or(whole, |rest| whole + 1 + end(rest))
}

/// Measures a word, or a string that begins with one, such as `b"…"` and `r#"…"#`.
fn word_or_prefixed_string(text: &str) -> (TokenKind, usize) {
    let word = text.find(|c| !is_word_char(c)).unwrap_or(text.len());
    let rest = &text[word..];
    match &text[..word] {
        "r" | "br" | "cr" => {
            let hashes = rest.len() - rest.trim_start_matches('#').len();
            if let Some(content) = rest[hashes..].strip_prefix('"') {
                let close = format!("\"{}", "#".repeat(hashes));
                let end = content.find(&close).map_or(content.len(), |end| end + close.len());
                return (TokenKind::Literal, word + hashes + 1 + end);
            }
            // `r#type` is a name.
            let name = rest
                .strip_prefix('#')
                .map_or(0, |name| 1 + name.find(|c| !is_word_char(c)).unwrap_or(name.len()));
            (TokenKind::Word, word + name)
        }
        "b" | "c" if rest.starts_with('"') => (TokenKind::Literal, word + string_length(rest)),
        "b" if rest.starts_with('\'') => (TokenKind::Literal, word + quote_length(rest).1),
        _ => (TokenKind::Word, word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_are_left_out_and_block_comments_nest() {
        assert_eq!(texts("a // b\n/* c /* d */ e */ f"), ["a", "f"]);
        assert_eq!(texts("\"// no comment\""), ["\"// no comment\""]);
    }

    #[test]
    fn escapes_and_prefixes_of_strings_are_understood() {
        assert_eq!(texts(r#""a\"b" c"#), [r#""a\"b""#, "c"]);
        assert_eq!(texts(r##"r#"a"b"# c"##), [r##"r#"a"b"#"##, "c"]);
        assert_eq!(texts("br\"\\\" b'\\'' c\"x\""), ["br\"\\\"", "b'\\''", "c\"x\""]);
    }

    #[test]
    fn a_lifetime_is_not_a_character() {
        let kinds = |source| tokens(source).iter().map(|token| token.kind).collect::<Vec<_>>();

        assert_eq!(texts("&'a 'b' '\\'' 'ü' '_"), ["&", "'a", "'b'", "'\\''", "'ü'", "'_"]);
        assert_eq!(kinds("'a 'b'"), [TokenKind::Lifetime, TokenKind::Literal]);
    }

    #[test]
    fn a_range_is_not_a_fraction() {
        assert_eq!(texts("0..5 1.5 1.max(2)"), ["0", ".", ".", "5", "1.5", "1", ".", "max", "(", "2", ")"]);
    }

    #[test]
    fn each_token_knows_its_line() {
        let lines = tokens("a\n\"b\n\"\nc").iter().map(|token| token.line).collect::<Vec<_>>();

        assert_eq!(lines, [1, 2, 4]);
    }

    #[test]
    fn a_raw_name_is_one_word() {
        assert_eq!(texts("r#type r"), ["r#type", "r"]);
    }
}
