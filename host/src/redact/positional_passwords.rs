//! Finds passwords by their position instead of a name: piped into a program that reads one, after a slash
//! for Oracle, second in a pair, last on a line of `.pgpass`.

use super::ascii::{self, NAME};
use super::base64;
use super::command_lines::{self, after_sign, is_plausible_password};
use super::next_lines;
use super::plausibility::{self, Notation};
use super::rule_tables::Kind;
use super::secret_names::NameClass;
use super::spans::Span;
use super::value_shape;
use super::value_span::{self, ValueSpan};
use std::ops::Range;

/// Maximum number of bytes between the start of a pipeline and the program that reads its output.
const MAX_PIPELINE_BYTES: usize = 200;
/// Maximum length of a user, a database and a password.
const MAX_FIELD_BYTES: usize = 64;
/// Maximum number of flags between `sqlplus` and its user.
const MAX_FLAGS: usize = 4;

/// Calls whose first argument is an address or an identity, before the user and the password.
const FIRST_ARGUMENTS: &[&str] =
    &["getConnection(", "PlainAuth(", "PDO(", "PDO->__construct(", "DBI->connect(", "mysqli_connect("];

const PASSWORD: Kind = Kind::of("password");

/// Finds the password that is piped into the program at `at`: `echo … | docker login --password-stdin`.
pub fn piped(bytes: &[u8], at: usize, program: &str, found: &mut Vec<Span>) -> usize {
    let end = at + program.len();
    let floor = at.saturating_sub(MAX_PIPELINE_BYTES);
    let line = &bytes[floor..at];
    let line = &line[line.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)..];
    here_string(bytes, end, found);
    let Some(pipe) = line.iter().rposition(|&byte| byte == b'|') else { return end };
    let Some(arguments) = printer_end(&line[..pipe]) else { return end };
    let line_start = at - line.len();
    let mut word = command_lines::next_word(bytes, line_start + arguments);
    let is_before_pipe = |word: &Range<usize>| word.end <= line_start + pipe;
    let is_skipped = |word: &Range<usize>| is_before_pipe(word) && is_flag_or_format(&bytes[word.clone()]);
    while let Some(flag) = word.clone().filter(is_skipped) {
        word = command_lines::next_word(bytes, flag.end);
    }
    let Some(word) = word.filter(is_before_pipe) else { return end };
    let value = match program {
        "chpasswd" => after_sign(bytes, word, b':'),
        "base64" => encoded_value(bytes, word),
        _ => Some(command_lines::unquoted(bytes, word)),
    };
    if let Some(value) = value.filter(|value| is_plausible_password(&bytes[value.clone()])) {
        found.push(Span::new(value.start, value.end, PASSWORD));
    }
    if program == "base64" {
        next_lines::after_command(bytes, at, program.len(), found);
    }
    end
}

/// Returns the password that is encoded or decoded: after a user, or the whole word, if it is mixed like one.
fn encoded_value(bytes: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    let whole = command_lines::unquoted(bytes, word.clone());
    let value = after_sign(bytes, word, b':').unwrap_or(whole);
    let text = &bytes[value.clone()];
    let is_mixed = match base64::decoded_text(text) {
        Some(decoded) => !decoded.contains(&b' ') && value_shape::is_mixed(&decoded),
        None => value_shape::is_mixed(text),
    };
    (is_mixed && text.len() >= 8 && !value_shape::is_digest(text)).then_some(value)
}

/// Finds the password that a here-string passes to the program before `from`: `kinit ada <<< '…'`.
fn here_string(bytes: &[u8], from: usize, found: &mut Vec<Span>) {
    let reach = &bytes[from..bytes.len().min(from + MAX_PIPELINE_BYTES)];
    let line = &reach[..reach.iter().position(|&byte| byte == b'\n').unwrap_or(reach.len())];
    let Some(at) = line.windows(3).position(|sign| sign == b"<<<") else { return };
    let start = from + at + 3;
    let word = match bytes.get(start) {
        Some(b' ') => command_lines::next_word(bytes, start),
        _ => value_span::value_at(bytes, start, false).map(|value| value.range),
    };
    let word = word.map(|word| command_lines::unquoted(bytes, word));
    if let Some(word) = word.filter(|word| is_plausible_password(&bytes[word.clone()])) {
        found.push(Span::new(word.start, word.end, PASSWORD));
    }
}

/// Returns the end of the last `echo` or `printf` that is followed by a space, at which its arguments begin.
fn printer_end(command: &[u8]) -> Option<usize> {
    let ends_printer = |end: &usize| {
        let name = &command[..*end];
        command[*end] == b' ' && (name.ends_with(b"echo") || name.ends_with(b"printf"))
    };
    (0..command.len()).rev().find(ends_printer)
}

fn is_flag_or_format(word: &[u8]) -> bool {
    word.starts_with(b"-") || word.contains(&b'%')
}

/// Finds the password in `WIFI:T:WPA;S:name;P:password;;`, the text of a QR code for a wireless network.
pub fn wifi_code(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let start = at + anchor_len;
    let reach = &bytes[start..bytes.len().min(start + 4 * MAX_FIELD_BYTES)];
    let line = &reach[..reach.iter().position(|&byte| byte == b'\n').unwrap_or(reach.len())];
    let fields =
        || line.windows(3).position(|field| field == b";P:").or(line.starts_with(b"P:").then_some(0));
    if bytes[at..].starts_with(b"WIFI:")
        && let Some(field) = fields()
    {
        let from = start + field + if line.starts_with(b"P:") && field == 0 { 2 } else { 3 };
        let rest = &bytes[from..start + line.len()];
        let stop = rest.iter().position(|&byte| byte == b';').unwrap_or(0);
        if is_plausible_password(&rest[..stop]) {
            found.push(Span::new(from, from + stop, PASSWORD));
        }
    }
    start
}

/// Finds the password of `user/password@database` after the anchor at `at`.
pub fn oracle(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let mut start = ascii::skip_blanks(bytes, at + anchor_len);
    for _ in 0..MAX_FLAGS {
        if bytes.get(start) == Some(&b'-') {
            start = ascii::skip_blanks(bytes, ascii::run_end(bytes, start, NAME));
        }
    }
    let reach = &bytes[..bytes.len().min(start.saturating_add(2 * MAX_FIELD_BYTES))];
    let user_end = ascii::run_end(reach, start, NAME);
    if user_end > start && reach.get(user_end) == Some(&b'/') {
        let rest = &reach[user_end + 1..];
        let stop = rest.iter().position(|&byte| byte <= b' ' || ascii::is_quote(byte) || byte == b'@');
        let stop = stop.filter(|&stop| rest[stop] == b'@' && is_plausible_password(&rest[..stop]));
        found.extend(stop.map(|stop| Span::new(user_end + 1, user_end + 1 + stop, PASSWORD)));
    }
    at + anchor_len
}

/// Finds the second string of `auth=("user", "password")`.
pub fn pair_call(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let anchor = at + anchor_len;
    // The address, or an empty identity, is the first argument.
    let has_first = FIRST_ARGUMENTS.iter().any(|call| bytes[..anchor].ends_with(call.as_bytes()));
    let start = if has_first { after_argument(bytes, anchor) } else { anchor };
    let second = || {
        let comma = ascii::skip_blanks(bytes, after_closing_quote(bytes, &string_at(bytes, start)?));
        (bytes.get(comma) == Some(&b',')).then(|| string_at(bytes, ascii::skip_blanks(bytes, comma + 1)))?
    };
    let Some(value) = second() else { return start };
    if plausibility::is_secret(NameClass::Password, Notation::Quoted, &bytes[value.range.clone()]) {
        found.push(Span::new(value.range.start, value.range.end, PASSWORD));
    }
    start
}

/// Returns the start of the next argument of a call.
fn after_argument(bytes: &[u8], from: usize) -> usize {
    let reach = &bytes[from..bytes.len().min(from + MAX_PIPELINE_BYTES)];
    let comma = reach.windows(2).position(|signs| signs == b", ");
    comma.map_or(from, |comma| from + comma + 2)
}

/// Returns the closed string at `at`. The limit on its length keeps the time linear.
fn string_at(bytes: &[u8], at: usize) -> Option<ValueSpan> {
    let bytes = &bytes[..bytes.len().min(at.saturating_add(2 * MAX_FIELD_BYTES))];
    value_span::value_at(bytes, at, true).filter(|value| value.is_closed)
}

fn after_closing_quote(bytes: &[u8], value: &ValueSpan) -> usize {
    (command_lines::skip_backslashes(bytes, value.range.end) + 1).min(bytes.len())
}

/// Finds the password of a user in a list of access rules, after the sign at the end of the anchor.
pub fn access_rule(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let start = at + anchor_len;
    let reach = &bytes[..bytes.len().min(start + MAX_FIELD_BYTES)];
    let end = ascii::run_end_where(reach, start, |byte| byte > b' ' && !ascii::is_quote(byte));
    if is_plausible_password(&bytes[start..end]) {
        found.push(Span::new(start, end, PASSWORD));
    }
    start
}

/// Finds the last field of `host:5432:database:user:password`.
pub fn pgpass(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let start = at + anchor_len;
    let has_host = at > 0 && (ascii::is(bytes[at - 1], NAME) || bytes[at - 1] == b'*');
    let fields_end = field_end(bytes, start).and_then(|end| field_end(bytes, end + 1));
    let Some(from) = fields_end.filter(|_| has_host).map(|end| end + 1) else { return start };
    let rest = &bytes[from..bytes.len().min(from + MAX_FIELD_BYTES)];
    let is_end = |&byte: &u8| byte <= b' ' || ascii::is_quote(byte) || byte == b'\\';
    let stop = rest.iter().position(is_end).unwrap_or(rest.len());
    if is_plausible_password(&rest[..stop]) {
        found.push(Span::new(from, from + stop, PASSWORD));
    }
    start
}

/// Returns the colon that ends the field at `from`.
fn field_end(bytes: &[u8], from: usize) -> Option<usize> {
    let reach = &bytes[..bytes.len().min(from.saturating_add(MAX_FIELD_BYTES))];
    let end = match reach.get(from)? {
        b'*' => from + 1,
        _ => ascii::run_end(reach, from, NAME),
    };
    (end > from && reach.get(end) == Some(&b':')).then_some(end)
}
