//! Finds `user:password@host` without a scheme: in configurations of proxies and brokers, and in sentences.

use super::ascii::{self, ALPHA, DIGIT, LOWER, NAME, UPPER};
use super::placeholders;
use super::rule_tables::Kind;
use super::spans::Span;

/// Maximum length of the user or the password.
const MAX_FIELD_BYTES: usize = 64;
/// Minimum length of the password.
const MIN_PASSWORD_BYTES: usize = 6;

/// Words before a colon that are not users: schemes of addresses, fields of messages, package managers.
#[rustfmt::skip]
const NOT_USERS: &[&str] = &[
    "acct", "bcc", "by", "cc", "contact", "email", "from", "git", "jsr", "mail", "mailto", "message-id",
    "npm", "pkg", "sip", "ssh", "tel", "to", "uid", "urn", "workspace", "xmpp",
];

const URL_PASSWORD: Kind = Kind::of("url-password");

/// Finds the passwords before all at signs of the text.
pub fn find(bytes: &[u8], found: &mut Vec<Span>) {
    for at in memchr::memchr_iter(b'@', bytes) {
        if let Some(start) = password_start(bytes, at).filter(|_| is_host_at(bytes, at + 1)) {
            found.push(Span::new(start, at, URL_PASSWORD));
        }
    }
}

/// Returns the start of the password that ends at `end`: after a user and a colon.
fn password_start(bytes: &[u8], end: usize) -> Option<usize> {
    let floor = end.saturating_sub(MAX_FIELD_BYTES);
    let is_stop =
        |&byte: &u8| byte <= b' ' || ascii::is_quote(byte) || matches!(byte, b'/' | b',' | b'<' | b'(');
    let from = match bytes[floor..end].iter().rposition(is_stop) {
        Some(stop) => floor + stop + 1,
        // The user is at the start of the text.
        None if floor == 0 => 0,
        None => return None,
    };
    let colon = from + bytes[from..end].iter().position(|&byte| byte == b':')?;
    let user = &bytes[from..colon];
    let user = &user[user.iter().rposition(|&byte| byte == b'=').map_or(0, |last| last + 1)..];
    let is_user = !user.is_empty() && ascii::is_all(user, NAME) && !ascii::is_one_of(user, NOT_USERS);
    // After `//`, the password is one of an address.
    let is_url = from > 0 && bytes[from - 1] == b'/';
    (is_user && !is_url && is_password(&bytes[colon + 1..end])).then_some(colon + 1)
}

/// Returns whether the text is mixed as passwords are, and neither a version nor a path.
fn is_password(text: &[u8]) -> bool {
    let has = |class| ascii::has_any(text, class);
    let has_sign = text.iter().any(|byte| b"!#$%^&*+?~".contains(byte));
    let is_mixed = has(DIGIT) && has(ALPHA) && (has(UPPER) || has_sign || ascii::is_all(text, LOWER | DIGIT))
        || has_sign && has(ALPHA);
    text.len() >= MIN_PASSWORD_BYTES
        && is_mixed
        && !text.contains(&b':')
        && !placeholders::is_placeholder(text)
        && !placeholders::names_itself(text)
}

/// Returns whether a host begins at `at`: a name with a domain or a port, or an address.
fn is_host_at(bytes: &[u8], at: usize) -> bool {
    let end = ascii::run_end(&bytes[..bytes.len().min(at + 253)], at, NAME);
    let host = &bytes[at..end];
    let host = host.strip_suffix(b".").unwrap_or(host);
    let is_address = ascii::is_all(host, DIGIT | ascii::DOT) && host.split(|&byte| byte == b'.').count() == 4;
    let last = host.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let is_domain = host.contains(&b'.') && last.len() >= 2 && ascii::is_all(last, LOWER);
    let is_socket = matches!(host, b"tcp" | b"udp" | b"unix") && bytes.get(end) == Some(&b'(');
    let has_port = bytes.get(end) == Some(&b':') && ascii::is_at(bytes, end + 1, DIGIT);
    let is_name = ascii::is_at(bytes, at, ALPHA) && (is_domain || has_port);
    is_name || is_address || is_socket || host.eq_ignore_ascii_case(b"localhost")
}
