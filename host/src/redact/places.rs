//! Passwords that no name announces but the place: piped into a program that waits for one, behind a slash for Oracle,
//! second of a pair, last of a line of `.pgpass`.

use super::arguments;
use super::commands::{is_real, past};
use super::extents::{self, Extent};
use super::judge::{self, Form};
use super::kinds::Kind;
use super::letters::{self, NAME};
use super::names::Class;
use super::spans::Span;

const PASSWORD: Kind = Kind::of("password");

/// How far before a program the words may stand that are piped into it.
const REACH: usize = 200;
/// A user, a database and a password are no longer than this.
const LONGEST: usize = 64;

/// The password that is echoed into the program that reads it at `at`: `echo … | docker login --password-stdin`.
pub fn piped(bytes: &[u8], at: usize, program: &str, found: &mut Vec<Span>) -> usize {
    let end = at + program.len();
    let floor = at.saturating_sub(REACH);
    let line = &bytes[floor..at];
    let line = &line[line.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)..];
    let Some(pipe) = line.iter().rposition(|&byte| byte == b'|') else { return end };
    let Some(echo) = line[..pipe].windows(5).rposition(|window| window == b"echo " || window == b"intf ")
    else {
        return end;
    };
    // The words are read from the space before them.
    let (start, pipe) = (at - line.len() + echo + 4, at - line.len() + pipe);
    let mut word = arguments::next(bytes, start);
    while let Some(flag) = word.clone().filter(|word| is_flag(&bytes[word.clone()])) {
        word = arguments::next(bytes, flag.end);
    }
    let Some(word) = word.filter(|word| word.end <= pipe) else { return end };
    let value = match program {
        "chpasswd" => past(bytes, word, b':'),
        _ => Some(arguments::unquoted(bytes, word)),
    };
    if let Some(value) = value.filter(|value| is_real(&bytes[value.clone()])) {
        found.push(Span::new(value.start, value.end, PASSWORD));
    }
    end
}

/// A flag of `echo`, or the format of `printf`.
fn is_flag(word: &[u8]) -> bool {
    word.starts_with(b"-") || word.contains(&b'%')
}

/// The password in `user/password@place`.
pub fn slashed(bytes: &[u8], at: usize, lure: usize, found: &mut Vec<Span>) -> usize {
    let mut start = letters::past_blanks(bytes, at + lure);
    // `-s` and its like; no more of them than anybody gives.
    for _ in 0..4 {
        if bytes.get(start) == Some(&b'-') {
            start = letters::past_blanks(bytes, letters::run(bytes, start, NAME));
        }
    }
    let reach = &bytes[..bytes.len().min(start.saturating_add(2 * LONGEST))];
    let user = letters::run(reach, start, NAME);
    if user > start && reach.get(user) == Some(&b'/') {
        let rest = &reach[user + 1..];
        let stop = rest.iter().position(|&byte| byte <= b' ' || letters::is_quote(byte) || byte == b'@');
        let stop = stop.filter(|&stop| rest[stop] == b'@' && is_real(&rest[..stop]));
        found.extend(stop.map(|stop| Span::new(user + 1, user + 1 + stop, PASSWORD)));
    }
    at + lure
}

/// The second string of `auth=("user", "password")`.
pub fn pair(bytes: &[u8], at: usize, lure: usize, found: &mut Vec<Span>) -> usize {
    let start = at + lure;
    let second = || {
        let comma = letters::past_blanks(bytes, behind(bytes, &string(bytes, start)?));
        (bytes.get(comma) == Some(&b',')).then(|| string(bytes, letters::past_blanks(bytes, comma + 1)))?
    };
    let Some(extent) = second() else { return start };
    if judge::is_secret(Class::Password, Form::Quoted, &bytes[extent.range.clone()]) {
        found.push(Span::new(extent.range.start, extent.range.end, PASSWORD));
    }
    start
}

/// The string that opens here and is closed. No user is so long that a pair of them would cost anything.
fn string(bytes: &[u8], at: usize) -> Option<Extent> {
    let bytes = &bytes[..bytes.len().min(at.saturating_add(2 * LONGEST))];
    extents::of_value(bytes, at, true).filter(|extent| extent.closed)
}

/// Behind the quote that closes the string.
fn behind(bytes: &[u8], extent: &Extent) -> usize {
    let quote = letters::run_of(bytes, extent.range.end, b'\\');
    (quote + 1).min(bytes.len())
}

/// The last field of `host:5432:database:user:password`.
pub fn pgpass(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let start = at + ":5432:".len();
    let password = field_end(bytes, start).and_then(|end| field_end(bytes, end + 1)).map(|end| end + 1);
    let Some(from) =
        password.filter(|_| at > 0 && (letters::is(bytes[at - 1], NAME) || bytes[at - 1] == b'*'))
    else {
        return start;
    };
    let rest = &bytes[from..bytes.len().min(from + LONGEST)];
    let stop = rest.iter().position(|&byte| byte <= b' ' || letters::is_quote(byte) || byte == b'\\');
    let stop = stop.unwrap_or(rest.len());
    if is_real(&rest[..stop]) {
        found.push(Span::new(from, from + stop, PASSWORD));
    }
    start
}

/// The colon that ends the field which begins here.
fn field_end(bytes: &[u8], from: usize) -> Option<usize> {
    let reach = &bytes[..bytes.len().min(from.saturating_add(LONGEST))];
    let end = match reach.get(from)? {
        b'*' => from + 1,
        _ => letters::run(reach, from, NAME),
    };
    (end > from && reach.get(end) == Some(&b':')).then_some(end)
}
