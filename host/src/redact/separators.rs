//! Reads what stands between a name and its value: signs, quotes, types, words of a sentence.

use super::ascii::{self, ALPHA, LOWER, NAME, WORD};
use super::value_shape;
use std::ops::Range;

/// Maximum number of characters that close a name.
const MAX_CLOSING_BYTES: usize = 8;

/// Maximum length of a remark between a name and its colon.
const MAX_REMARK_BYTES: usize = 60;

/// Words that introduce `NAME value`, with the space after them.
const SETTERS: [&[u8]; 4] = [b"ENV ", b"setx ", b"configure set ", b"config set "];

/// The separator between a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// `name=value`
    TightEquals,
    /// `name = value`
    Equals,
    /// `name: value`
    Colon,
    /// `name: |`, and the value on the next line
    Block,
    /// `name: NAME` and `value: …`, as in lists of variables
    NameValuePair,
    /// `--name value`
    Flag,
    /// `<name>value<`
    Tag,
    /// `name is value`, `name for user: value`, `| name | value |`, `login user name value`
    Prose,
    /// `name    value`, as in tables without lines, and `NAME value`
    Column,
    /// `name("value"`, `"name", "value"`, `NAME 'value'`
    Argument,
}

/// A separator, and the start of the value after it.
type Separated = Option<(Separator, usize)>;

/// Returns the separator after this name.
pub fn separator_after(bytes: &[u8], name: &Range<usize>) -> Separated {
    let closed = skip_closing(bytes, name.end);
    let is_quoted = bytes[name.end..closed].iter().any(|&byte| ascii::is_quote(byte));
    if let Some(value) = named_pair(bytes, closed) {
        return Some((Separator::NameValuePair, value));
    }
    if let Some(value) = filled_field(bytes, closed) {
        return Some((Separator::NameValuePair, value));
    }
    if let Some(value) = next_element(bytes, name) {
        return Some((Separator::Tag, value));
    }
    let closed = skip_number(bytes, name, closed);
    let next = ascii::skip_blanks(bytes, closed);
    let next = skip_remark(bytes, closed, next);
    match bytes.get(next..)? {
        [b':', ..] => after_colon(bytes, next + 1),
        [b'!' | b'+' | b'?' | b'|' | b'~', b'=', ..] => after_equals(bytes, name.end, next + 1),
        [b'=', ..] => after_equals(bytes, name.end, next),
        [b'>', ..] if name.start > 0 && bytes[name.start - 1] == b'<' => Some((Separator::Tag, next + 1)),
        [b'|', b' ', ..] if next > closed => Some((Separator::Prose, ascii::skip_blanks(bytes, next + 1))),
        [b',', ..] if is_quoted => Some((Separator::Argument, ascii::skip_blanks(bytes, next + 1))),
        [b'(', ..] => Some((Separator::Argument, next + 1)),
        [b'"' | b'\'' | b'`' | b'\\', ..] if next > closed => Some((Separator::Argument, next)),
        _ if next > closed => after_space(bytes, name, next),
        _ => None,
    }
}

/// Returns the start of the text in the element after the one that contains the name:
/// `<key>Password</key><string>…`.
fn next_element(bytes: &[u8], name: &Range<usize>) -> Option<usize> {
    let is_text = name.start > 0 && bytes[name.start - 1] == b'>' && bytes[name.end..].starts_with(b"</");
    let reach = &bytes[..bytes.len().min(name.end + 120)];
    let end_of_tag = |from: usize| Some(from + reach.get(from..)?.iter().position(|&byte| byte == b'>')? + 1);
    let next = end_of_tag(is_text.then_some(name.end)?)?;
    let next = ascii::run_end_where(reach, next, |byte| byte <= b' ');
    let is_element = reach.get(next) == Some(&b'<') && reach.get(next + 1) != Some(&b'/');
    let text = end_of_tag(is_element.then_some(next)?)?;
    // KeePass writes so what is encrypted.
    (!ascii::contains(&reach[next..text], b" protected=")).then_some(text)
}

/// Returns the start of the string with which a test fills the field of this name:
/// `getByLabel('Password').fill('…')`.
fn filled_field(bytes: &[u8], closed: usize) -> Option<usize> {
    const FILLERS: [&[u8]; 6] =
        [b".fill(", b".type(", b".sendKeys(", b".send_keys(", b".setValue(", b".set("];
    let filler = FILLERS.iter().find(|filler| bytes[closed..].starts_with(filler))?;
    let value = closed + filler.len();
    ascii::is_quote(*bytes.get(value)?).then_some(value)
}

/// Skips a remark in brackets before the colon: `seed (the same for both): …`.
fn skip_remark(bytes: &[u8], closed: usize, next: usize) -> usize {
    if next == closed || bytes.get(next) != Some(&b'(') {
        return next;
    }
    let reach = &bytes[next..bytes.len().min(next + MAX_REMARK_BYTES)];
    match memchr::memchr2(b')', b'\n', reach) {
        Some(end) if reach[end..].starts_with(b"):") => next + end + 1,
        _ => next,
    }
}

/// Skips the number between `Unseal Key` and its colon.
fn skip_number(bytes: &[u8], name: &Range<usize>, closed: usize) -> usize {
    let end = ascii::run_end(bytes, ascii::skip_blanks(bytes, closed), ascii::DIGIT);
    let is_numbered = bytes[name.clone()].eq_ignore_ascii_case(b"key") && bytes.get(end) == Some(&b':');
    if is_numbered { end } else { closed }
}

/// Skips the characters that can close a name: a quote with its backslashes, a bracket, a mark of emphasis,
/// the `?` of an optional one.
fn skip_closing(bytes: &[u8], end: usize) -> usize {
    let mut at = end;
    while at < end + MAX_CLOSING_BYTES && is_closing(bytes, at) {
        at += 1;
    }
    at
}

fn is_closing(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at..).unwrap_or_default() {
        [b'\\', next, ..] => ascii::is_quote(*next) || *next == b'\\',
        [b'?' | b'!', next, ..] => *next == b':',
        [byte, ..] => ascii::is_quote(*byte) || matches!(byte, b']' | b')' | b'}' | b'*'),
        [] => false,
    }
}

/// Reads the separator after a colon, which must not be part of a path (`token::next`). A type before the
/// value is skipped.
fn after_colon(bytes: &[u8], at: usize) -> Separated {
    match bytes.get(at..)? {
        // LDIF: the value is base64.
        [b':', b' ', ..] => return Some((Separator::Colon, ascii::skip_blanks(bytes, at + 1))),
        [b':', ..] | [b'/', b'/', ..] => return None,
        [b'=', ..] => return Some((Separator::Equals, ascii::skip_blanks(bytes, at + 1))),
        _ => {}
    }
    let mut value = at;
    while bytes.get(value) == Some(&b'*') {
        value += 1;
    }
    value = ascii::skip_blanks(bytes, value);
    let after_type = || Some((Separator::Equals, skip_type(bytes, value)?));
    let in_block = || Some((Separator::Block, block_start(bytes, value)?));
    after_type().or_else(in_block).or(Some((Separator::Colon, value)))
}

/// Skips the type between a colon and ` = `, as in `token: &str = "…"`.
fn skip_type(bytes: &[u8], at: usize) -> Option<usize> {
    let reach = bytes.len().min(at + 60);
    let end = at + bytes[at..reach].iter().position(|&byte| matches!(byte, b'=' | b'\n' | b'"' | b','))?;
    let is_assigned = bytes[end..].starts_with(b"= ") && bytes[at..end].ends_with(b" ");
    (is_assigned && end > at + 1).then(|| ascii::skip_blanks(bytes, end + 1))
}

/// Returns the start of the line after `|` or `>`, which holds a long value in YAML.
fn block_start(bytes: &[u8], at: usize) -> Option<usize> {
    matches!(bytes.get(at)?, b'|' | b'>').then_some(())?;
    let mut next = at + 1;
    while matches!(bytes.get(next), Some(b'-' | b'+' | b'\r')) {
        next += 1;
    }
    (bytes.get(next)? == &b'\n').then(|| ascii::skip_blanks(bytes, next + 1))
}

/// Reads the separator at `=`, `==` or `=>`. It is tight if it has no space on either side.
fn after_equals(bytes: &[u8], name_end: usize, at: usize) -> Separated {
    let mut end = at;
    while end < at + 3 && matches!(bytes.get(end), Some(b'=' | b'>' | b'~')) {
        end += 1;
    }
    let value = ascii::skip_blanks(bytes, end);
    let is_tight = value == at + 1 && !matches!(bytes[at - 1], b' ' | b'\t' | b'!' | b'+') && at >= name_end;
    Some((if is_tight { Separator::TightEquals } else { Separator::Equals }, value))
}

/// Reads the separator at a space: before the value of a flag, of `ENV` in a Dockerfile, of `is`, or of a
/// line of netrc.
fn after_space(bytes: &[u8], name: &Range<usize>, next: usize) -> Separated {
    if bytes[name.start] == b'-' {
        // In a synopsis, `[--key FILE] [--token TOKEN]`, a bracket closes the flag.
        let is_synopsis = bytes[name.end..next].contains(&b']');
        return (bytes.get(next)? != &b'-' && !is_synopsis).then_some((Separator::Flag, next));
    }
    if ascii::has_word_at(bytes, next, b"is ") || ascii::has_word_at(bytes, next, b"is: ") {
        let value = ascii::skip_blanks(bytes, ascii::run_end(bytes, next, ALPHA) + 1);
        return Some((Separator::Prose, value));
    }
    // Routers write how the value is encoded: 0 means not at all, 7 can be decoded by anybody.
    if matches!(bytes.get(next..), Some([b'0' | b'6' | b'7', b' ', ..])) {
        return Some((Separator::NameValuePair, ascii::skip_blanks(bytes, next + 1)));
    }
    if bytes[name.start] == b'_' && name.start > 0 && bytes[name.start - 1] == b':' {
        return Some((Separator::Flag, next));
    }
    if let Some(value) = after_owner(bytes, next) {
        return Some((Separator::Prose, value));
    }
    let before = &bytes[name.start.saturating_sub(80)..name.start];
    if SETTERS.iter().any(|words| before.ends_with(words)) {
        return Some((Separator::Flag, next));
    }
    if follows_netrc_login(before) {
        return Some((Separator::NameValuePair, next));
    }
    (is_column(bytes, name, next) || is_statement(bytes, name, next)).then_some((Separator::Column, next))
}

/// Returns whether the text before a name ends with `login USER`, as a line of netrc.
fn follows_netrc_login(before: &[u8]) -> bool {
    let Some(login) = before.windows(6).rposition(|window| window == b"login ") else { return false };
    let user = before[login + 6..].trim_ascii();
    ascii::is_all(user, NAME) && !user.is_empty()
}

/// Returns the start of the value after `for app: `, as in a program's password prompt.
fn after_owner(bytes: &[u8], at: usize) -> Option<usize> {
    ascii::has_word_at(bytes, at, b"for ").then_some(())?;
    let reach = &bytes[..bytes.len().min(at + 64)];
    let owner = reach[at + 4..].iter().position(|&byte| matches!(byte, b':' | b'\n' | b'.' | b','))?;
    let colon = at + 4 + owner;
    (bytes[colon] == b':').then(|| ascii::skip_blanks(bytes, colon + 1))
}

/// Returns whether the value follows a gap of more than one space, or the name of a variable.
fn is_column(bytes: &[u8], name: &Range<usize>, next: usize) -> bool {
    let gap = &bytes[name.end..next];
    let name = &bytes[name.clone()];
    let is_variable = name.contains(&b'_') && !ascii::has_any(name, LOWER);
    gap.iter().all(|byte| matches!(byte, b' ' | b'\t')) && (gap.len() >= 2 || gap == b"\t" || is_variable)
}

/// Returns whether the line consists of a name of several words and one word with letters and digits, as in
/// the configuration of a server: `auth_pass …`.
fn is_statement(bytes: &[u8], name: &Range<usize>, next: usize) -> bool {
    let end = ascii::run_end_where(&bytes[..bytes.len().min(next + 64)], next, |byte| byte > b' ');
    let value = &bytes[next..end];
    let is_name = bytes[name.clone()].iter().any(|&byte| ascii::is(byte, ascii::DASH));
    is_name
        && next == name.end + 1
        && ascii::is_line_end(bytes, end)
        && (value_shape::is_mixed(value) && ascii::has_any(value, ascii::DIGIT)
            || value_shape::is_composed(value))
}

/// Returns the start of the value in `name: DB_PASSWORD` with `value: …` after it, on the same or the next
/// line.
fn named_pair(bytes: &[u8], at: usize) -> Option<usize> {
    let is_quoted = at > 0 && ascii::is_quote(bytes[at - 1]);
    let mut next = at;
    while next < at + 64 && is_between_pair(bytes, next, is_quoted) {
        next += 1;
    }
    if next == at
        || !(is_quoted || bytes[at..next].contains(&b'\n'))
        || !ascii::has_word_at(bytes, next, b"value")
        || ascii::is_at(bytes, next + 5, WORD)
    {
        return None;
    }
    let separator = ascii::skip_blanks(bytes, skip_closing(bytes, next + 5));
    matches!(bytes.get(separator)?, b':' | b'=').then(|| ascii::skip_blanks(bytes, separator + 1))
}

/// Returns whether the byte may occur between the halves of a pair: white space, and if the name is quoted
/// also a comma and quotes.
fn is_between_pair(bytes: &[u8], at: usize, is_quoted: bool) -> bool {
    match bytes.get(at) {
        Some(b' ' | b'\t' | b'\r' | b'\n') => true,
        Some(b',' | b'"' | b'\'' | b'\\') => is_quoted,
        _ => false,
    }
}
