//! `NAME=value`, `name: value` and every other way in which a name is given a secret.
//!
//! It starts at a telling piece of a name (`pass`, `token`, `key`), reads the whole name, what joins it to a value,
//! and the value; whether that is a secret is for [`super::judge`] to say.

use super::extents::{self, Extent};
use super::judge::{self, Form};
use super::letters::{self, ALPHA, LOWER, NAME};
use super::links::{self, Link};
use super::names::{self, Class, Name};
use super::spans::{self, Span};
use std::ops::Range;

/// Names longer than this are no names.
const LONGEST_NAME: usize = 100;

/// A secret given to the name of which a piece stands at `at`.
pub fn find(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let name = whole_name(bytes, at);
    let end = name.end.max(at + 1);
    if name.len() > LONGEST_NAME || spans::is_in_mark(bytes, name.start) {
        return end;
    }
    let Some(announced) = announced(bytes, &name) else { return end };
    let Some(link) = links::after(bytes, &name) else { return end };
    let extent = match link {
        Link::Tag(value) => extents::of_element(bytes, value),
        _ => extents::of_value(bytes, link.value(), link.wants_quote()),
    };
    let Some(extent) = extent else { return end };
    if announced.class == Class::Pass && matches!(link, Link::Near(_) | Link::Prose(_)) {
        return end;
    }
    let form = form(bytes, &name, link, &extent);
    if matches!(link, Link::Column(_)) && form != Form::Line {
        return end;
    }
    take(bytes, announced, form, extent, found).unwrap_or(end)
}

/// What the name announces: alone, or with the word before it, as people write `API key`.
fn announced(bytes: &[u8], name: &Range<usize>) -> Option<Name> {
    let of_two = || {
        let end = name.start.checked_sub(1).filter(|&end| bytes[end] == b' ')?;
        let key = bytes[name.clone()].eq_ignore_ascii_case(b"key");
        key.then(|| names::key_of(&bytes[letters::run_back(bytes, end, ALPHA, 20)..end]))?
    };
    names::read(&bytes[name.clone()]).or_else(of_two)
}

/// The password that an SQL statement sets with the words at `at`: `IDENTIFIED BY '…'`.
pub fn identified(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "identified by".len();
    if !bytes[at..].starts_with(b"IDENTIFIED") || bytes.get(end + 1) == Some(&b'`') {
        return end;
    }
    let Some(extent) = extents::of_value(bytes, letters::past_blanks(bytes, end), true) else { return end };
    take(bytes, names::PASSWORD, Form::Quoted, extent, found).unwrap_or(end)
}

/// Takes the value if it is a secret, and says where it ends.
fn take(bytes: &[u8], name: Name, form: Form, extent: Extent, found: &mut Vec<Span>) -> Option<usize> {
    judge::is_secret(name.class, form, &bytes[extent.range.clone()]).then(|| {
        let range = extents::whole(bytes, &extent);
        found.push(Span::new(range.start, range.end, name.kind));
        range.end
    })
}

/// The name around a piece of it, without the full stop behind it.
fn whole_name(bytes: &[u8], at: usize) -> Range<usize> {
    let start = letters::run_back(bytes, at, NAME, LONGEST_NAME);
    let mut end = letters::run(bytes, at, NAME);
    while end > at && matches!(bytes[end - 1], b'.' | b'-') {
        end -= 1;
    }
    start..end
}

/// How surely the value stands there as itself.
fn form(bytes: &[u8], name: &Range<usize>, link: Link, extent: &Extent) -> Form {
    if extent.quoted {
        return match link {
            Link::Near(_) => Form::Near,
            _ if extent.closed => Form::Quoted,
            _ => Form::Loose,
        };
    }
    // A line begins once, so to read its value to the end costs no more than the line is long.
    let alone = begins_line(bytes, name.start) && {
        let end = extents::whole(bytes, extent).end;
        ends_value(bytes, name.start, end)
    };
    let capitals = !bytes[name.clone()].iter().any(|&byte| letters::is(byte, LOWER));
    let plain = capitals || bytes[name.start] == b'-' || in_query(bytes, name.start, extent.range.end);
    match link {
        Link::Flag(_) | Link::Tag(_) | Link::Pair(_) => Form::Literal,
        Link::Tight(_) if plain => Form::Literal,
        Link::Equals(_) if capitals && alone => Form::Line,
        Link::Tight(_) | Link::Colon(_) | Link::Below(_) | Link::Column(_) if alone => Form::Line,
        _ => Form::Loose,
    }
}

/// Whether it is one of several in an address or a connection string.
fn in_query(bytes: &[u8], start: usize, end: usize) -> bool {
    let before = start > 0 && matches!(bytes[start - 1], b'?' | b'&' | b';');
    before || (matches!(bytes.get(end), Some(b'&' | b';')) && letters::is_at(bytes, end + 1, ALPHA))
}

/// What may stand before a name at the beginning of its line.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "", "-", "export", "set", "setx", "env", "arg", "-e", "--env", "declare -x", "--from-literal=",
];

/// Whether nothing but indentation, a list sign, a quote, a line number or `export` stands before it on its line.
fn begins_line(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(40)..start];
    let quoted = before.last().is_some_and(|&byte| letters::is_quote(byte));
    quoted || letters::ends_escape(before) || line_before(bytes, start).is_some_and(is_margin)
}

/// The beginning of the line in which this place lies, if it lies near.
fn line_before(bytes: &[u8], start: usize) -> Option<&[u8]> {
    let floor = start.saturating_sub(40);
    let before = &bytes[floor..start];
    match before.iter().rposition(|&byte| byte == b'\n') {
        Some(last) => Some(&before[last + 1..]),
        None => (floor == 0).then_some(before),
    }
}

/// Whether it is what stands left of a text: a word before a name, or a line number and its sign.
fn is_margin(line: &[u8]) -> bool {
    let number = |byte: &u8| byte.is_ascii_digit() || *byte >= 0x80 || matches!(byte, b'|' | b':');
    // A number may stand before a word, as in the history of a shell.
    let line = line.trim_ascii();
    let numbers = line.iter().take_while(|byte| number(byte)).count();
    let line = line[numbers..].trim_ascii();
    BEFORE.iter().any(|word| line.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether nothing but a comment stands after the value, or the quote that opened before its name.
fn ends_value(bytes: &[u8], start: usize, end: usize) -> bool {
    let next = letters::past_blanks(bytes, end);
    let quote = start > 0 && letters::is_quote(bytes[start - 1]) && bytes.get(end) == Some(&bytes[start - 1]);
    quote || letters::ends_line(bytes, next) || (next > end && matches!(bytes[next], b'#'))
}
