//! What joins a name to its value: `=`, `:`, `=>`, a flag's space, a tag's bracket, the word `is`.
//!
//! A link also says how the value must be written to count: after `(` or `,` only a quoted one is the name's own.

use super::letters::{self, ALPHA, WORD};
use std::ops::Range;

/// What joins a name to the value that starts at this place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// `name=value`
    Tight(usize),
    /// `name = value`
    Equals(usize),
    /// `name: value`
    Colon(usize),
    /// `name: |`, and the value on the next line
    Below(usize),
    /// `name: NAME` and `value: …`, as lists of variables are written
    Pair(usize),
    /// `--name value`
    Flag(usize),
    /// `<name>value<`
    Tag(usize),
    /// `name is value`, `name for user: value`, `| name | value |`, `login user name value`
    Prose(usize),
    /// `name    value`, as tables without lines have them, and `NAME value`
    Column(usize),
    /// `name("value"`, `"name", "value"`, `NAME 'value'`
    Near(usize),
}

impl Link {
    /// Where the value starts.
    pub fn value(self) -> usize {
        match self {
            Self::Tight(at) | Self::Equals(at) | Self::Colon(at) | Self::Below(at) => at,
            Self::Pair(at) | Self::Flag(at) | Self::Tag(at) | Self::Prose(at) | Self::Near(at) => at,
            Self::Column(at) => at,
        }
    }

    /// Whether only a quoted value counts.
    pub fn wants_quote(self) -> bool {
        matches!(self, Self::Near(_))
    }
}

/// What joins this name to a value, if anything does.
pub fn after(bytes: &[u8], name: &Range<usize>) -> Option<Link> {
    let closed = past_closing(bytes, name.end);
    let quoted = bytes[name.end..closed].iter().any(|&byte| letters::is_quote(byte));
    if let Some(value) = of_pair(bytes, closed) {
        return Some(value);
    }
    let next = letters::past_blanks(bytes, closed);
    match bytes.get(next..)? {
        [b':', ..] => after_colon(bytes, next + 1),
        [b'!' | b'+' | b'?' | b'|' | b'~', b'=', ..] => after_equals(bytes, name.end, next + 1),
        [b'=', ..] => after_equals(bytes, name.end, next),
        [b'>', ..] if name.start > 0 && bytes[name.start - 1] == b'<' => Some(Link::Tag(next + 1)),
        [b'|', b' ', ..] if next > closed => Some(Link::Prose(letters::past_blanks(bytes, next + 1))),
        [b',', ..] if quoted => Some(Link::Near(letters::past_blanks(bytes, next + 1))),
        [b'(', ..] => Some(Link::Near(next + 1)),
        [b'"' | b'\'' | b'`' | b'\\', ..] if next > closed => Some(Link::Near(next)),
        _ if next > closed => after_space(bytes, name, next),
        _ => None,
    }
}

/// Past what can close a name: a quote with its backslashes, a bracket, a mark of emphasis, `?` of an optional one.
fn past_closing(bytes: &[u8], end: usize) -> usize {
    let mut at = end;
    while at < end + 8 && closes(bytes, at) {
        at += 1;
    }
    at
}

fn closes(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at..).unwrap_or_default() {
        [b'\\', next, ..] => letters::is_quote(*next) || *next == b'\\',
        [b'?' | b'!', next, ..] => *next == b':',
        [byte, ..] => letters::is_quote(*byte) || matches!(byte, b']' | b')' | b'}' | b'*'),
        [] => false,
    }
}

/// After a colon: not a path (`token::next`), and not the type that stands before the value.
fn after_colon(bytes: &[u8], at: usize) -> Option<Link> {
    match bytes.get(at..)? {
        [b':', ..] | [b'/', b'/', ..] => return None,
        [b'=', ..] => return Some(Link::Equals(letters::past_blanks(bytes, at + 1))),
        _ => {}
    }
    let mut value = at;
    while matches!(bytes.get(value), Some(b'*')) {
        value += 1;
    }
    value = letters::past_blanks(bytes, value);
    Some(
        past_type(bytes, value)
            .map(Link::Equals)
            .or_else(|| below(bytes, value))
            .unwrap_or(Link::Colon(value)),
    )
}

/// Past a type between a colon and ` = `, as in `token: &str = "…"`.
fn past_type(bytes: &[u8], at: usize) -> Option<usize> {
    let reach = bytes.len().min(at + 60);
    let end = at + bytes[at..reach].iter().position(|&byte| matches!(byte, b'=' | b'\n' | b'"' | b','))?;
    let joined = bytes[end..].starts_with(b"= ") && bytes[at..end].ends_with(b" ");
    (joined && end > at + 1).then(|| letters::past_blanks(bytes, end + 1))
}

/// The line below `|` or `>`, where YAML puts long values.
fn below(bytes: &[u8], at: usize) -> Option<Link> {
    matches!(bytes.get(at)?, b'|' | b'>').then_some(())?;
    let mut next = at + 1;
    while matches!(bytes.get(next), Some(b'-' | b'+' | b'\r')) {
        next += 1;
    }
    (bytes.get(next)? == &b'\n').then(|| Link::Below(letters::past_blanks(bytes, next + 1)))
}

/// After `=`, `==`, `=>`: tight where no space stands on either side.
fn after_equals(bytes: &[u8], name_end: usize, at: usize) -> Option<Link> {
    let mut end = at;
    while end < at + 3 && matches!(bytes.get(end), Some(b'=' | b'>' | b'~')) {
        end += 1;
    }
    let value = letters::past_blanks(bytes, end);
    let tight = value == at + 1 && !matches!(bytes[at - 1], b' ' | b'\t' | b'!' | b'+') && at >= name_end;
    Some(if tight { Link::Tight(value) } else { Link::Equals(value) })
}

/// After a space: the value of a flag, of `ENV` in a Dockerfile, of `is`, or of a netrc line.
fn after_space(bytes: &[u8], name: &Range<usize>, next: usize) -> Option<Link> {
    if bytes[name.start] == b'-' {
        return (bytes.get(next)? != &b'-').then_some(Link::Flag(next));
    }
    if letters::has(bytes, next, b"is ") || letters::has(bytes, next, b"is: ") {
        return Some(Link::Prose(letters::past_blanks(bytes, letters::run(bytes, next, ALPHA) + 1)));
    }
    if let Some(value) = after_whose(bytes, next) {
        return Some(Link::Prose(value));
    }
    let before = &bytes[name.start.saturating_sub(80)..name.start];
    let sets: [&[u8]; 4] = [b"ENV ", b"setx ", b"configure set ", b"config set "];
    if sets.iter().any(|words| before.ends_with(words)) {
        return Some(Link::Flag(next));
    }
    is_netrc(before).then_some(Link::Prose(next)).or_else(|| in_column(bytes, name, next))
}

/// Whether a line of netrc, `login USER`, goes before.
fn is_netrc(before: &[u8]) -> bool {
    let Some(login) = before.windows(6).rposition(|window| window == b"login ") else { return false };
    let user = before[login + 6..].trim_ascii();
    letters::run(user, 0, letters::NAME) == user.len() && !user.is_empty()
}

/// The value behind `for app: `, as programs ask for a password.
fn after_whose(bytes: &[u8], at: usize) -> Option<usize> {
    letters::has(bytes, at, b"for ").then_some(())?;
    let reach = &bytes[..bytes.len().min(at + 64)];
    let whose = reach[at + 4..].iter().position(|&byte| matches!(byte, b':' | b'\n' | b'.' | b','))?;
    let colon = at + 4 + whose;
    (bytes[colon] == b':').then(|| letters::past_blanks(bytes, colon + 1))
}

/// The value behind a gap of more than one space, or behind the name of a variable.
fn in_column(bytes: &[u8], name: &Range<usize>, next: usize) -> Option<Link> {
    let gap = &bytes[name.end..next];
    if !gap.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
        return None;
    }
    let word = &bytes[name.clone()];
    let variable = word.contains(&b'_') && !word.iter().any(|&byte| letters::is(byte, letters::LOWER));
    (gap.len() >= 2 || gap == b"\t" || variable).then_some(Link::Column(next))
}

/// The value in `name: DB_PASSWORD` with `value: …` below or beside it.
fn of_pair(bytes: &[u8], at: usize) -> Option<Link> {
    let quoted = at > 0 && letters::is_quote(bytes[at - 1]);
    let mut next = at;
    while next < at + 64 && is_between(bytes, next, quoted) {
        next += 1;
    }
    if next == at
        || !(quoted || bytes[at..next].contains(&b'\n'))
        || !letters::has(bytes, next, b"value")
        || letters::is_at(bytes, next + 5, WORD)
    {
        return None;
    }
    let closed = past_closing(bytes, next + 5);
    let link = letters::past_blanks(bytes, closed);
    matches!(bytes.get(link)?, b':' | b'=').then(|| Link::Pair(letters::past_blanks(bytes, link + 1)))
}

/// What may stand between the two halves of a pair: space, and a comma and quotes where the name is quoted.
fn is_between(bytes: &[u8], at: usize, quoted: bool) -> bool {
    match bytes.get(at) {
        Some(b' ' | b'\t' | b'\r' | b'\n') => true,
        Some(b',' | b'"' | b'\'' | b'\\') => quoted,
        _ => false,
    }
}
