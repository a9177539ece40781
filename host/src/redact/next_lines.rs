//! Finds secrets that stand alone on the line after the one that says what they are: a label with a colon, a
//! file or a variable that is printed, a command that makes or decrypts a secret.

use super::ascii::{self, ALPHA, DIGIT, LOWER, UPPER};
use super::passphrases;
use super::placeholders;
use super::rule_tables::Kind;
use super::secret_names::{NameClass, SecretName};
use super::spans::Span;
use super::value_shape;
use std::ops::Range;

/// Maximum number of bytes of the line before the secret.
const MAX_LINE_BYTES: usize = 240;
/// Maximum number of bytes of the line with the secret.
const MAX_SECRET_BYTES: usize = 4096;
/// Minimum length of a secret that is recognized by its look.
const MIN_SECRET_BYTES: usize = 8;

const PASSWORD: Kind = Kind::of("password");
const SECRET: Kind = Kind::of("secret");

/// Beginnings of a line on which a person typed a command.
const PROMPTS: &[&[u8]] = &[b"$ ", b"# ", b"% ", b"> ", b"+ ", b"PS> ", b"In [", b">>> "];

/// Finds the secret on the line after the one that ends with this name, or that prints it.
pub fn after_name(bytes: &[u8], name: &Range<usize>, secret: SecretName, found: &mut Vec<Span>) {
    let Some(line) = line_around(bytes, name.start) else { return };
    let rest = bytes[name.end..line.end].trim_ascii();
    let is_label = rest.ends_with(b":") && !rest[..rest.len() - 1].contains(&b':');
    let is_name_only = rest.iter().all(|&byte| ascii::is_quote(byte) || matches!(byte, b')' | b']' | b'}'));
    let is_command = PROMPTS.iter().any(|prompt| bytes[line.clone()].trim_ascii_start().starts_with(prompt))
        || memchr::memchr_iter(b'$', &bytes[line.clone()]).any(|at| bytes[line.start + at + 1] == b' ');
    if !(is_label || is_name_only && rest.len() < 8 || is_command) || is_cut_down(rest) {
        return;
    }
    let Some(value) = next_line(bytes, line.end) else { return };
    let text = &bytes[value.clone()];
    let is_phrase = is_label
        && secret.class == NameClass::Password
        && value.start > line.end + 2
        && passphrases::is_passphrase(text);
    let is_identifier = secret.class == NameClass::Ambiguous && value_shape::is_digest(text);
    let is_word = is_generated(text) && !is_identifier
        || (is_command || is_label) && is_password_like(secret.class, text);
    if is_phrase || is_word {
        found.push(Span::new(value.start, value.end, secret.kind));
    }
}

/// Returns whether the rest of a command shows only a part or a digest of the secret.
fn is_cut_down(rest: &[u8]) -> bool {
    let pipes = memchr::memchr_iter(b'|', rest).map(|at| rest[at + 1..].trim_ascii_start());
    pipes
        .into_iter()
        .any(|next| ["cut", "head", "wc", "sha", "md5"].iter().any(|word| next.starts_with(word.as_bytes())))
}

/// Finds the secret that the command at `at` prints, on the next line.
pub fn after_command(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let end = at + anchor_len;
    let Some(line) = line_around(bytes, at) else { return end };
    let is_program = ascii::is_word_start(bytes, at) && !bytes[line.start..at].contains(&b'=');
    let is_stored = bytes[end..line.end].iter().any(|byte| matches!(byte, b'>' | b'|'))
        && !ascii::contains(&bytes[end..line.end], b"privatekey");
    let Some(value) = next_line(bytes, line.end).filter(|_| is_program && !is_stored) else { return end };
    let text = &bytes[value.clone()];
    if is_generated(text) || is_password_like(NameClass::Password, text) {
        let kind = if is_generated(text) { SECRET } else { PASSWORD };
        found.push(Span::new(value.start, value.end, kind));
    }
    end
}

/// Returns the line around `at`, without its line break, unless it is too long.
fn line_around(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let floor = at.saturating_sub(MAX_LINE_BYTES);
    let reach = &bytes[at..bytes.len().min(at + MAX_LINE_BYTES)];
    let length = memchr::memchr(b'\n', reach)?;
    let before = memchr::memrchr(b'\n', &bytes[floor..at]);
    let start = before.map_or(floor, |last| floor + last + 1);
    (before.is_some() || floor == 0).then_some(start..at + length)
}

/// Returns the text of the next line without indentation, quotes, and the label of an interpreter.
fn next_line(bytes: &[u8], line_end: usize) -> Option<Range<usize>> {
    let start = ascii::skip_blanks(bytes, line_end + 1);
    let reach = bytes.get(start..bytes.len().min(start + MAX_SECRET_BYTES))?;
    let stop = start + reach.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(reach.len());
    let mut from = start;
    if bytes[from..stop].starts_with(b"Out[") {
        from += bytes[from..stop].iter().position(|&byte| byte == b' ')? + 1;
    }
    let mut to = stop;
    while to > from && bytes[to - 1] == b' ' {
        to -= 1;
    }
    let is_quoted = to > from + 1 && ascii::is_quote(bytes[from]) && bytes[from] == bytes[to - 1];
    let range = if is_quoted { from + 1..to - 1 } else { from..to };
    (range.len() >= MIN_SECRET_BYTES && !bytes[range.clone()].starts_with(b"[SECRET:")).then_some(range)
}

/// Returns whether the line is one generated word, also of hexadecimal digits.
fn is_generated(text: &[u8]) -> bool {
    let is_hex = value_shape::is_digest(text) && !value_shape::is_uuid(text);
    let is_long = text.len() >= 40 && value_shape::mixing_ratio(text) >= 0.15;
    let is_random = value_shape::is_random(text) || value_shape::has_random_case(text);
    (is_hex || is_long || is_random) && is_one_word(text)
}

/// Returns whether the line is one word as a person or a generator makes passwords.
fn is_password_like(class: NameClass, text: &[u8]) -> bool {
    let has = |class| ascii::has_any(text, class);
    let is_rich = has(ALPHA) && has(DIGIT) && (has(UPPER) && has(LOWER) || has_sign(text));
    let is_mixed = is_rich || value_shape::mixing_ratio(text) > 0.25;
    class != NameClass::Ambiguous && is_mixed && is_one_word(text)
}

fn has_sign(text: &[u8]) -> bool {
    text.iter().any(|byte| b"!@#$%^&*+?~".contains(byte))
}

fn is_one_word(text: &[u8]) -> bool {
    let is_word = text.iter().all(|&byte| byte > b' ' && byte < 0x7f && !matches!(byte, b'(' | b'<' | b'{'));
    is_word
        && !placeholders::is_placeholder(text)
        && !placeholders::names_itself(text)
        && !value_shape::is_path(text)
        && !value_shape::is_number(text)
        && !matches!(text.last(), Some(b':' | b',' | b'.' | b';'))
        && !ascii::contains(text, b"://")
        && !ascii::contains(text, b":$")
        && !text[..text.len() - 1].contains(&b'=')
}
