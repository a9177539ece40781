//! Finds long random values under names that say little: private headers (`X-Vault: …`), connections.

use super::ascii::{self, NAME};
use super::rule_tables::Kind;
use super::spans::Span;
use super::value_shape;

/// Maximum length of a name.
const MAX_NAME_BYTES: usize = 48;
/// Minimum length of a value.
const MIN_VALUE_BYTES: usize = 20;
/// Maximum number of bytes of a value that are judged. In a list of values that equals signs join, each value
/// reaches to the end of the list.
const MAX_JUDGED_VALUE_BYTES: usize = 4 << 10;

const DISCORD: Kind = Kind::of("app-token");
const SECRET: Kind = Kind::of("secret");

/// Words of private headers whose values are random without being secret.
#[rustfmt::skip]
const PUBLIC_WORDS: &[&str] = &[
    "amz", "cache", "cf", "checksum", "content", "correlation", "digest", "etag", "goog", "guid", "hash",
    "id", "integrity", "ms", "nonce", "request", "sha", "signature", "trace", "uuid", "version",
];

/// Names that say only that something is connected.
const CONNECTIONS: &[&str] = &["conn", "connection", "connstr", "dsn", "vault"];

/// Finds the token of a Discord bot whose first part begins at `start`: the account in base64, the time, and
/// the signature.
pub fn discord_token(bytes: &[u8], start: usize, found: &mut Vec<Span>) {
    let mut end = start;
    for (index, length) in [23..=28, 6..=7, 27..=45].into_iter().enumerate() {
        let from = if index == 0 { start } else { end + 1 };
        let stop = ascii::run_end(bytes, from, ascii::WORD);
        if !length.contains(&(stop - from)) || (index > 0 && bytes[end] != b'.') {
            return;
        }
        end = stop;
    }
    if matches!(bytes[start], b'M' | b'N' | b'O') {
        found.push(Span::new(start, end, DISCORD));
    }
}

/// Finds the value whose run of letters begins at `start`, if a name before it is one of these. Returns the
/// end of what was examined.
pub fn find(bytes: &[u8], start: usize, found: &mut Vec<Span>) -> usize {
    if !name_before(bytes, start).is_some_and(is_opaque) {
        return start;
    }
    let value_end = |bytes| ascii::run_end(bytes, start, ascii::BASE64 | ascii::PAD | ascii::DOT);
    let judged = &bytes[start..value_end(&bytes[..bytes.len().min(start + MAX_JUDGED_VALUE_BYTES)])];
    let is_generated =
        judged.len() >= MIN_VALUE_BYTES && value_shape::is_random(judged) && !value_shape::is_digest(judged);
    if !is_generated {
        return start;
    }
    let end = value_end(bytes);
    if ascii::has_any(&bytes[start..end], ascii::DIGIT) {
        found.push(Span::new(start, end, SECRET));
    }
    end
}

/// Returns whether the name is a private header, or a connection.
fn is_opaque(name: &[u8]) -> bool {
    let is_header = ascii::has_word_at(name, 0, b"x-")
        && !name[2..].split(|&byte| byte == b'-').any(|word| ascii::is_one_of(word, PUBLIC_WORDS));
    is_header || ascii::is_one_of(name, CONNECTIONS)
}

/// Returns the name before a value: in front of a colon or an equals sign, perhaps with quotes.
fn name_before(bytes: &[u8], start: usize) -> Option<&[u8]> {
    let before = &bytes[start.saturating_sub(MAX_NAME_BYTES)..start];
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"\"").unwrap_or(before).trim_ascii_end();
    let before = before.strip_suffix(b":").or_else(|| before.strip_suffix(b"="))?.trim_ascii_end();
    let before = before.strip_suffix(b"\"").unwrap_or(before);
    let name = ascii::run_start(before, before.len(), NAME, MAX_NAME_BYTES);
    (name < before.len()).then_some(&before[name..])
}
