//! Addresses with a password in them. The password goes; scheme, user, host and path say what was connected to.

use super::kinds::Kind;
use super::letters::{self, ALNUM, DIGIT};
use super::names;
use super::placeholders;
use super::spans::Span;
use super::values;

const PASSWORD: Kind = Kind::of("url-password");

/// No user with a password is longer than this.
const REACH: usize = 512;

/// The password in the address whose `://` stands at `at`.
pub fn find(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let start = at + "://".len();
    if at == 0 || !letters::is(bytes[at - 1], ALNUM) {
        return start;
    }
    if let Some((from, to)) = password(bytes, start)
        && is_real(&bytes[from..to])
    {
        found.push(Span::new(from, to, PASSWORD));
    }
    start
}

/// What stands between the first colon and the `@`, or the whole user where a token stands in his place.
fn password(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
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
    let rest = &bytes[start..bytes.len().min(start + REACH)];
    start
        + rest
            .iter()
            .position(|&byte| matches!(byte, b'/' | b'?' | b'#') || ends_address(byte))
            .unwrap_or(rest.len())
}

fn ends_address(byte: u8) -> bool {
    byte <= b' ' || letters::is_quote(byte) || matches!(byte, b'<' | b'>' | b'\\' | 0x7f)
}

/// The `@` behind a password that has `/`, `?` or `#` in it, as people write them without escaping.
fn unescaped_end(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let port = letters::run(bytes, start, DIGIT) == end;
    let rest = &bytes[end..bytes.len().min(end + 64)];
    let rest = &rest[..rest.iter().position(|&byte| ends_address(byte)).unwrap_or(rest.len())];
    let at = end + rest.iter().position(|&byte| byte == b'@')?;
    let password = &bytes[start..at];
    let likely = password.iter().any(|&byte| letters::is(byte, DIGIT)) && !values::holds(password, b"://");
    (!port && likely && letters::is_at(bytes, at + 1, ALNUM)).then_some(at)
}

/// A long jumble before the `@` is a token, whatever the address calls it.
fn is_token(user: &[u8]) -> bool {
    user.len() >= 20 && values::is_random(user)
}

/// Whether it is a password and not the word for one.
fn is_real(password: &[u8]) -> bool {
    const WORDS: &[&str] = &["pass", "passwd", "pw", "pwd"];
    let word = WORDS.iter().any(|word| password.eq_ignore_ascii_case(word.as_bytes()));
    let spelled = names::words(password).next() == Some(password) && names::is_secret_word(password);
    let braced =
        password.first() == Some(&b'{') || password.first() == Some(&b'<') || password.first() == Some(&b'[');
    !word && !spelled && !braced && !placeholders::is_placeholder(password)
}
