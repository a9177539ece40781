//! Finds passwords in URLs. Only the password is redacted; scheme, user, host and path stay.

use super::ascii::{self, ALNUM, DIGIT};
use super::placeholders;
use super::rule_tables::Kind;
use super::secret_names;
use super::spans::Span;
use super::value_shape;

/// Maximum length of user, password, host and port together.
const MAX_AUTHORITY_BYTES: usize = 512;
/// Maximum number of bytes searched for the `@` after a password with unescaped signs.
const MAX_UNESCAPED_BYTES: usize = 64;

/// Words that are placeholders for a password.
const PASSWORD_WORDS: &[&str] = &["pass", "passwd", "pw", "pwd"];

/// Minimum length of the token of a link.
const MIN_LINK_TOKEN: usize = 20;

const URL_PASSWORD: Kind = Kind::of("url-password");

/// Finds the password in the URL whose `://` is at `at`.
pub fn find(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let start = at + "://".len();
    if at == 0 || !ascii::is(bytes[at - 1], ALNUM) {
        return start;
    }
    found.extend(fragment_key(bytes, start));
    if let Some((from, to)) = password_range(bytes, start)
        && is_plausible(&bytes[from..to])
    {
        found.push(Span::new(from, to, URL_PASSWORD));
    }
    start
}

/// Returns the key after `#`, which a link to something encrypted carries because browsers do not send it.
fn fragment_key(bytes: &[u8], start: usize) -> Option<Span> {
    let reach = &bytes[..bytes.len().min(start + MAX_AUTHORITY_BYTES)];
    let end = ascii::run_end_where(reach, start, |byte| !ends_url(byte) && byte != b'#');
    (reach.get(end) == Some(&b'#')).then_some(())?;
    // After another name than that of a key, a fragment says which part of a page is meant.
    let is_in_fragment = |&at: &usize| {
        let follows_name =
            reach[at - 1] == b'=' && (reach[..at].ends_with(b"key=") || reach[..at].ends_with(b"#k="));
        ascii::is(reach[at], ascii::WORD) && (follows_name || matches!(reach[at - 1], b'#' | b'!' | b'/'))
    };
    let stop = ascii::run_end_where(reach, end, |byte| !ends_url(byte));
    (end + 1..stop).filter(is_in_fragment).find_map(|start| {
        let end = ascii::run_end(reach, start, ascii::WORD);
        let key = &bytes[start..end];
        let is_key =
            key.len() >= MIN_LINK_TOKEN && value_shape::is_random(key) && !value_shape::is_digest(key);
        is_key.then(|| Span::new(start, end, Kind::of("secret")))
    })
}

/// Finds the token of a link that lets in whoever has it, after a word of its path at `at`.
pub fn link_token(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let start = at + anchor_len;
    let reach = &bytes[..bytes.len().min(start + MAX_AUTHORITY_BYTES)];
    let end = ascii::run_end_where(reach, start, |byte| !ends_url(byte));
    let mut from = start;
    while from < end {
        let stop = ascii::run_end_where(&reach[..end], from, |byte| ascii::is(byte, ascii::WORD));
        let part = &bytes[from..stop];
        if part.len() >= MIN_LINK_TOKEN && value_shape::is_random(part) && !value_shape::is_uuid(part) {
            found.push(Span::new(from, stop, Kind::of("token")));
        }
        from = stop + 1;
    }
    end
}

/// Returns the range between the first colon and the `@`, or the user if it is a token.
fn password_range(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    let end = authority_end(bytes, start);
    let authority = &bytes[start..end];
    let colon = authority.iter().position(|&byte| byte == b':');
    let at = authority.iter().rposition(|&byte| byte == b'@');
    match (colon, at) {
        (Some(colon), Some(at)) if colon < at => Some((start + colon + 1, start + at)),
        (_, Some(at)) if is_token(&authority[..at]) => Some((start, start + at)),
        (Some(colon), None) => Some((start + colon + 1, unescaped_end(bytes, start + colon + 1, end)?)),
        _ => None,
    }
}

fn authority_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..bytes.len().min(start + MAX_AUTHORITY_BYTES)];
    let is_end = |&byte: &u8| matches!(byte, b'/' | b'?' | b'#') || ends_url(byte);
    start + rest.iter().position(is_end).unwrap_or(rest.len())
}

fn ends_url(byte: u8) -> bool {
    byte <= b' ' || ascii::is_quote(byte) || matches!(byte, b'<' | b'>' | b'\\' | 0x7f)
}

/// Returns the position of the `@` after a password that contains an unescaped `/`, `?` or `#`.
fn unescaped_end(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let is_port = ascii::run_end(bytes, start, DIGIT) == end;
    let rest = &bytes[end..bytes.len().min(end + MAX_UNESCAPED_BYTES)];
    let rest = &rest[..rest.iter().position(|&byte| ends_url(byte)).unwrap_or(rest.len())];
    let at = end + rest.iter().position(|&byte| byte == b'@')?;
    let password = &bytes[start..at];
    let is_likely = ascii::has_any(password, DIGIT) && !ascii::contains(password, b"://");
    (!is_port && is_likely && ascii::is_at(bytes, at + 1, ALNUM)).then_some(at)
}

/// Returns whether the user is long and random, and therefore a token.
fn is_token(user: &[u8]) -> bool {
    user.len() >= 20 && value_shape::is_random(user)
}

/// Returns whether the text is a password and not a word for one.
fn is_plausible(password: &[u8]) -> bool {
    let is_word = ascii::is_one_of(password, PASSWORD_WORDS);
    let is_secret_word = secret_names::words_reversed(password).next() == Some(password)
        && secret_names::is_secret_word(password);
    let is_slot = matches!(password.first(), Some(b'{' | b'<' | b'['));
    !is_word && !is_secret_word && !is_slot && !placeholders::is_placeholder(password)
}
