//! Finds secrets in `NAME=value`, `name: value` and every other notation that assigns a value to a name.
//!
//! The detector starts at a characteristic piece of a name (`pass`, `token`, `key`), reads the whole name,
//! the separator and the value; [`super::plausibility`] decides whether the value is a secret. The separator
//! also determines the form of the value: after `(` or `,` only a quoted value belongs to the name.

use super::ascii::{self, ALPHA, LOWER, NAME};
use super::next_lines;
use super::passphrases;
use super::placeholders;
use super::plausibility::{self, Notation};
use super::secret_names::{self, NameClass, SecretName};
use super::separators::{self, Separator};
use super::spans::{self, Span};
use super::tables;
use super::value_shape;
use super::value_span::{self, ValueSpan};
use std::ops::Range;

/// Maximum length of a name.
const MAX_NAME_BYTES: usize = 100;
/// Maximum number of bytes read before a name to find out whether it begins a line.
const MAX_MARGIN_BYTES: usize = 40;

/// Maximum length of a passphrase of several words.
const MAX_PHRASE_BYTES: usize = 240;

/// Maximum number of bytes of a key that is written as a list of numbers.
const MAX_NUMBERS_BYTES: usize = 600;
/// Minimum number of bytes of such a key.
const MIN_KEY_NUMBERS: usize = 16;
/// Minimum length of each key of a list.
const MIN_LISTED_KEY_BYTES: usize = 16;

/// Words of the parameters with which a password was hashed.
const DERIVATIONS: &[&str] = &["iteration", "scram", "pbkdf2", "argon2", "scrypt"];

/// Texts that may precede a name on its line.
#[rustfmt::skip]
const LINE_OPENERS: &[&str] = &[
    "", "-", "export", "set", "setx", "env", "arg", "-e", "--env", "declare -x", "--from-literal=",
];

/// Finds the secret that is assigned to the name around `at`.
pub fn find(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let name = name_around(bytes, at);
    let end = name.end.max(at + 1);
    if name.len() > MAX_NAME_BYTES || spans::is_in_marker(bytes, name.start) {
        return end;
    }
    let Some(secret_name) = classify(bytes, &name) else { return end };
    if is_public_parameter(bytes, &name, secret_name) {
        return end;
    }
    next_lines::after_name(bytes, &name, secret_name, found);
    tables::column(bytes, at, &name, secret_name, found);
    let Some((separator, start)) = separators::separator_after(bytes, &name) else { return end };
    let value = match separator {
        Separator::Tag => value_span::element_text_at(bytes, start),
        _ => value_span::value_at(bytes, start, separator == Separator::Argument),
    };
    let Some(value) = value else { return end };
    if secret_name.class == NameClass::ShortPassword
        && matches!(separator, Separator::Argument | Separator::Prose)
        && !is_constant(bytes, &name)
    {
        return end;
    }
    let notation = notation(bytes, &name, separator, &value);
    if separator == Separator::Column && notation != Notation::OwnLine {
        return end;
    }
    if let Some(phrase) = phrase_at(bytes, secret_name, separator, &value) {
        found.push(Span::new(phrase.start, phrase.end, secret_name.kind));
        return phrase.end;
    }
    if let Some(stop) = push_numbers(bytes, secret_name, start, found) {
        return stop;
    }
    let Some(stop) = push_if_secret(bytes, secret_name, notation, &value, found) else { return end };
    let stop = push_further_keys(bytes, value.range.start..stop, found);
    push_new_value(bytes, secret_name, stop, found).unwrap_or(stop)
}

/// Returns whether the name is that of a parameter which is published with what it protects: a signature that
/// is not the key of an address, and the salt and the derived keys beside a number of iterations.
fn is_public_parameter(bytes: &[u8], name: &Range<usize>, secret: SecretName) -> bool {
    let is_parameter = || name.start > 0 && matches!(bytes[name.start - 1], b'?' | b'&' | b';');
    let is_derived = || {
        let before = &bytes[name.start.saturating_sub(2 * MAX_NAME_BYTES)..name.start];
        DERIVATIONS.iter().any(|word| ascii::contains(before, word.as_bytes()))
    };
    match secret.class {
        NameClass::Ambiguous if secret_names::is_signature(secret) => !is_parameter(),
        NameClass::Ambiguous | NameClass::RawKey => is_derived(),
        _ => false,
    }
}

/// Returns whether the name is written like a constant, as in `#define DB_PASS "…"`.
fn is_constant(bytes: &[u8], name: &Range<usize>) -> bool {
    let name = &bytes[name.clone()];
    name.contains(&b'_') && !ascii::has_any(name, LOWER)
}

/// Returns the passphrase of several words without quotes that begins with this value and ends its line.
fn phrase_at(
    bytes: &[u8],
    name: SecretName,
    separator: Separator,
    value: &ValueSpan,
) -> Option<Range<usize>> {
    let is_labelled = matches!(separator, Separator::Colon | Separator::Equals | Separator::TightEquals);
    let start = value.range.start;
    let before = &bytes[start.saturating_sub(24)..start];
    let is_of_phrase = ascii::contains(before, b"passphrase");
    if value.is_quoted || !is_labelled || name.class != NameClass::Password {
        return None;
    }
    let reach = &bytes[start..bytes.len().min(start + MAX_PHRASE_BYTES)];
    let length = reach.iter().position(|&byte| matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'\\' | b'#'));
    let phrase = reach[..length.unwrap_or(reach.len())].trim_ascii_end();
    let is_named = is_of_phrase && passphrases::is_passphrase(phrase) && !placeholders::is_prose(phrase);
    (is_named || passphrases::is_drawn(phrase)).then_some(start..start + phrase.len())
}

/// Adds the numbers of a key that is written as a list of bytes.
fn push_numbers(bytes: &[u8], name: SecretName, start: usize, found: &mut Vec<Span>) -> Option<usize> {
    let is_key = matches!(name.class, NameClass::Token | NameClass::RawKey | NameClass::Ambiguous);
    (is_key && bytes.get(start) == Some(&b'[')).then_some(())?;
    let is_list = |byte: u8| ascii::is(byte, ascii::HEX) || matches!(byte, b',' | b' ' | b'x' | b'\n');
    let reach = &bytes[..bytes.len().min(start + MAX_NUMBERS_BYTES)];
    let end = ascii::run_end_where(reach, start + 1, is_list);
    let list = bytes[start + 1..end].trim_ascii();
    let count = list.split(|&byte| byte == b',').filter(|number| number.trim_ascii().len() <= 4).count();
    let is_varied = list.iter().filter(|&&byte| byte == list[0]).count() < list.len() / 2;
    (count >= MIN_KEY_NUMBERS && is_varied).then(|| {
        found.push(Span::new(start + 1, end, name.kind));
        end
    })
}

/// Adds the keys that follow the first one in a list with commas, as for keys that are replaced one after the
/// other, and returns the end of the last.
fn push_further_keys(bytes: &[u8], first: Range<usize>, found: &mut Vec<Span>) -> usize {
    let (mut stop, kind) = (first.end, found.last().map_or(secret_names::PASSWORD.kind, |span| span.kind));
    while bytes.get(stop) == Some(&b',') && first.len() >= MIN_LISTED_KEY_BYTES {
        let word = stop + 1..ascii::run_end(bytes, stop + 1, ascii::BASE64 | ascii::PAD | ascii::DOT);
        let is_named = bytes.get(word.end) == Some(&b':') && word.len() <= 8;
        let start = if is_named { word.end + 1 } else { word.start };
        let end = ascii::run_end(bytes, start, ascii::BASE64 | ascii::PAD | ascii::DOT);
        let is_key = end - start >= MIN_LISTED_KEY_BYTES && ascii::has_any(&bytes[start..end], ascii::DIGIT);
        if !is_key || value_shape::mixing_ratio(&bytes[start..end]) < 0.15 {
            break;
        }
        found.push(Span::new(start, end, kind));
        stop = end;
    }
    stop
}

/// Adds the new value of a change, as in a plan: `password = "old" -> "new"`.
fn push_new_value(bytes: &[u8], name: SecretName, end: usize, found: &mut Vec<Span>) -> Option<usize> {
    let arrow =
        ascii::skip_blanks(bytes, end + usize::from(bytes.get(end).is_some_and(|&b| ascii::is_quote(b))));
    bytes[arrow..].starts_with(b"-> ").then_some(())?;
    let value = value_span::value_at(bytes, arrow + 3, true)?;
    push_if_secret(bytes, name, Notation::Quoted, &value, found)
}

/// Finds the password that an SQL statement sets with the words at `at`: `IDENTIFIED BY '…'`.
pub fn sql_identified_by(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let end = at + "identified by".len();
    if bytes.get(end + 1) == Some(&b'`') {
        return end;
    }
    let Some(value) = value_span::value_at(bytes, ascii::skip_blanks(bytes, end), true) else { return end };
    push_if_secret(bytes, secret_names::PASSWORD, Notation::Quoted, &value, found).unwrap_or(end)
}

/// Adds the value if it is a secret, and returns its end.
fn push_if_secret(
    bytes: &[u8],
    name: SecretName,
    notation: Notation,
    value: &ValueSpan,
    found: &mut Vec<Span>,
) -> Option<usize> {
    plausibility::is_secret(name.class, notation, &bytes[value.range.clone()]).then(|| {
        let range = value_span::full_range(bytes, value);
        found.push(Span::new(range.start, range.end, name.kind));
        range.end
    })
}

/// Returns the name around a piece of it, without the full stop after it.
fn name_around(bytes: &[u8], at: usize) -> Range<usize> {
    let start = ascii::run_start(bytes, at, NAME, MAX_NAME_BYTES);
    let mut end = ascii::run_end(bytes, at, NAME);
    while end > at && matches!(bytes[end - 1], b'.' | b'-') {
        end -= 1;
    }
    start..end
}

/// Returns the class of secret that the name names: alone, or `key` together with the word before it, as in
/// `API key`.
fn classify(bytes: &[u8], name: &Range<usize>) -> Option<SecretName> {
    let of_two_words = || {
        let end = name.start.checked_sub(1).filter(|&end| bytes[end] == b' ')?;
        let is_key = ascii::is_one_of(&bytes[name.clone()], &["key", "phrase"]);
        is_key.then(|| secret_names::key_of(&bytes[ascii::run_start(bytes, end, ALPHA, 20)..end]))?
    };
    // A secret of a manager's is named by an address.
    let is_resource = name.start > 0 && bytes[name.start - 1] == b':' && is_arn(bytes, name.start);
    let of_query = || {
        let is_parameter = name.start > 0 && matches!(bytes[name.start - 1], b'?' | b'&');
        let is_key = bytes[name.clone()].eq_ignore_ascii_case(b"key");
        (is_parameter && is_key).then_some(secret_names::QUERY_KEY)
    };
    let of_router = || {
        let is_key = ascii::is_one_of(&bytes[name.clone()], &["key", "key-string"]);
        (is_key && bytes[name.end..].starts_with(b" 7 ")).then_some(secret_names::ROUTER_KEY)
    };
    let of_account = || {
        let is_key = &bytes[name.clone()] == b"key" && bytes.get(name.end) == Some(&b'"');
        let before = &bytes[name.start.saturating_sub(MAX_NAME_BYTES)..name.start];
        (is_key && ascii::contains(before, b"\"username\"")).then_some(secret_names::QUERY_KEY)
    };
    let found = secret_names::classify(&bytes[name.clone()])
        .or_else(of_account)
        .or_else(of_two_words)
        .or_else(of_query)
        .or_else(of_router);
    found.filter(|_| !is_resource)
}

/// Returns whether the word before `at` begins with `arn:`.
fn is_arn(bytes: &[u8], at: usize) -> bool {
    let start =
        ascii::run_start_where(bytes, at, MAX_NAME_BYTES, |byte| byte > b' ' && !ascii::is_quote(byte));
    bytes[start..].starts_with(b"arn:")
}

/// Returns the notation of the value.
fn notation(bytes: &[u8], name: &Range<usize>, separator: Separator, value: &ValueSpan) -> Notation {
    if value.is_quoted {
        return match separator {
            Separator::Argument if bytes[name.start] == b'-' || is_constant(bytes, name) => Notation::Quoted,
            Separator::Argument if value.is_closed && is_statement(bytes, name, value) => Notation::Quoted,
            Separator::Argument => Notation::QuotedNearby,
            _ if value.is_closed => Notation::Quoted,
            _ => Notation::Embedded,
        };
    }
    // A line begins once, so reading its value to the end costs at most the length of the line.
    let is_alone = begins_line(bytes, name.start)
        && ends_line(bytes, name.start, value_span::full_range(bytes, value).end);
    let is_capitals = !ascii::has_any(&bytes[name.clone()], LOWER);
    let is_literal = is_listed(bytes, name.start, value.range.end)
        || is_capitals
        || bytes[name.start] == b'-'
        || is_in_query(bytes, name.start, value.range.end);
    match separator {
        Separator::Flag | Separator::Tag | Separator::NameValuePair => Notation::Literal,
        Separator::Column if is_cookie_line(bytes, name) => Notation::OwnLine,
        Separator::TightEquals if is_literal => Notation::Literal,
        Separator::Equals
            if is_alone
                && (is_capitals
                    || is_in_section(bytes, name.start)
                    || value_shape::is_composed(&bytes[value.range.clone()])) =>
        {
            Notation::OwnLine
        }
        Separator::TightEquals | Separator::Colon | Separator::Block | Separator::Column if is_alone => {
            Notation::OwnLine
        }
        _ => Notation::Embedded,
    }
}

/// Returns whether a line `[name]` shortly before says that this is a section of settings, not a program.
fn is_in_section(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(4 * MAX_NAME_BYTES)..start];
    before.split(|&byte| byte == b'\n').any(|line| {
        let name = line.strip_prefix(b"[").and_then(|line| line.trim_ascii_end().strip_suffix(b"]"));
        name.is_some_and(|name| !name.is_empty() && ascii::is_all(name, NAME))
    })
}

/// Returns whether the name is the sixth field of a line with tabs, as in Netscape's cookie file.
fn is_cookie_line(bytes: &[u8], name: &Range<usize>) -> bool {
    let floor = name.start.saturating_sub(MAX_NAME_BYTES);
    let line = bytes[floor..name.start].rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    line.iter().filter(|&&byte| byte == b'\t').count() == 5
}

/// Returns whether name and value are a line of their own, as in the configuration of a game server.
fn is_statement(bytes: &[u8], name: &Range<usize>, value: &ValueSpan) -> bool {
    bytes[name.clone()].contains(&b'_')
        && bytes[name.end] == b' '
        && line_before(bytes, name.start).is_some_and(|line| line.trim_ascii().is_empty())
        && ascii::is_line_end(bytes, ascii::skip_blanks(bytes, value.range.end + 1))
}

/// Returns whether the pair is one of several that spaces separate: `user=ada password=… port=1`.
fn is_listed(bytes: &[u8], start: usize, end: usize) -> bool {
    let is_pair = |word: &[u8]| {
        let name = ascii::run_end(word, 0, NAME);
        name > 0 && word.get(name) == Some(&b'=') && word.len() > name + 1 && word[name + 1] > b' '
    };
    let before = &bytes[start.saturating_sub(MAX_MARGIN_BYTES)..start];
    let last = before.strip_suffix(b" ").and_then(|before| before.rsplit(|&byte| byte <= b' ').next());
    let next =
        bytes.get(end..).filter(|rest| rest.first() == Some(&b' ')).map(|rest| &rest[1..rest.len().min(40)]);
    last.is_some_and(is_pair) || next.is_some_and(is_pair)
}

/// Returns whether the value is one of several in a URL or a connection string.
fn is_in_query(bytes: &[u8], start: usize, end: usize) -> bool {
    let follows_another = start > 0 && matches!(bytes[start - 1], b'?' | b'&' | b';');
    follows_another || (matches!(bytes.get(end), Some(b'&' | b';')) && ascii::is_at(bytes, end + 1, ALPHA))
}

/// Returns whether only indentation, a list marker, a quote, a line number or `export` precedes the name on
/// its line.
fn begins_line(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[start.saturating_sub(MAX_MARGIN_BYTES)..start];
    let follows_quote = before.last().is_some_and(|&byte| ascii::is_quote(byte));
    follows_quote || ascii::ends_with_escape(before) || line_before(bytes, start).is_some_and(is_margin)
}

/// Returns the text between the beginning of the line and `start`, if the beginning is near.
fn line_before(bytes: &[u8], start: usize) -> Option<&[u8]> {
    let floor = start.saturating_sub(MAX_MARGIN_BYTES);
    let before = &bytes[floor..start];
    match before.iter().rposition(|&byte| byte == b'\n') {
        Some(last) => Some(&before[last + 1..]),
        None => (floor == 0).then_some(before),
    }
}

/// Returns whether the text may precede a name on its line: one of [`LINE_OPENERS`], perhaps after a line
/// number.
fn is_margin(line: &[u8]) -> bool {
    let is_number = |byte: &u8| byte.is_ascii_digit() || *byte >= 0x80 || matches!(byte, b'|' | b':');
    let line = line.trim_ascii();
    let numbers = line.iter().take_while(|byte| is_number(byte)).count();
    ascii::is_one_of(line[numbers..].trim_ascii(), LINE_OPENERS)
}

/// Returns whether only a comment follows the value, or the quote that opens before its name.
fn ends_line(bytes: &[u8], start: usize, end: usize) -> bool {
    let next = ascii::skip_blanks(bytes, end);
    let is_quoted =
        start > 0 && ascii::is_quote(bytes[start - 1]) && bytes.get(end) == Some(&bytes[start - 1]);
    is_quoted || ascii::is_line_end(bytes, next) || (next > end && bytes[next] == b'#')
}
