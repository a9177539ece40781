//! Passwords that somebody tells in a sentence: `log in with password …`, `mit dem Passwort …`, `the login admin / …`.
//!
//! A sentence says *password* far more often than it holds one, so what follows must look as only a password does:
//! letters with digits and a sign, or with capitals in the middle. A plain word with a digit (`hunter2`, but also
//! `argon2`) counts only where something leads to it. Names in programs and files are for [`super::assignments`].

use super::extents;
use super::judge;
use super::kinds::Kind;
use super::letters::{self, ALPHA, DIGIT, LOWER, NAME, UPPER};
use super::names::Class;
use super::placeholders;
use super::spans::Span;
use super::values;
use std::ops::Range;

const PASSWORD: Kind = Kind::of("password");

/// What a password is called, and the pair of a user and a password.
pub const WORDS: &[&str] = &[
    "password",
    "passwort",
    "kennwort",
    "wachtwoord",
    "contraseña",
    "contrasena",
    "mot de passe",
    "senha",
    "пароль",
    "パスワード",
    "密码",
    "密碼",
];
pub const PAIRS: &[&str] =
    &["login", "logon", "credentials", "zugangsdaten", "identifiants", "account", "user"];

/// What may stand between such a word and the password.
const LINKS: &[&str] =
    &["is", "ist", "lautet", "es", "est", "é", "to", "auf", "は", "是", "为", "：", ":", "=", "—", "->"];

/// Words before *password* behind which it is given, not spoken of.
const LEADING: &[&str] = &["with", "mit", "dem", "con", "avec", "com", "using", "met", "und", "and"];

/// How words with a digit begin that go with *password* and are none.
const TERMS: &[&str] = &[
    "argon2", "pbkdf2", "scrypt", "bcrypt", "sha", "md", "base", "oauth", "utf", "ldap", "http", "ntlm",
    "tls",
];

/// The shortest password that is known in a sentence.
const SHORTEST: usize = 6;

/// A user is no longer than this.
const LONGEST_USER: usize = 64;

/// The password behind the word that stands at `at`.
pub fn told(bytes: &[u8], at: usize, word: &str, found: &mut Vec<Span>) -> usize {
    let end = at + word.len();
    let (start, linked) = past_link(bytes, end);
    let led = linked || LEADING.iter().any(|lead| is_before(bytes, at, lead));
    let apart = start > end && (at == 0 || !letters::is(bytes[at - 1], NAME));
    let Some(value) = value(bytes, start).filter(|_| apart) else { return end };
    let here = &bytes[value.clone()];
    if is_plain(here) && (is_strong(here) || led && is_weak(here)) {
        found.push(Span::new(value.start, value.end, PASSWORD));
        return value.end;
    }
    end
}

/// The password of a pair behind the word that stands at `at`: `login admin / …`.
pub fn pair(bytes: &[u8], at: usize, word: &str, found: &mut Vec<Span>) -> usize {
    let end = at + word.len();
    let (start, _) = past_link(bytes, end);
    let reach = &bytes[..bytes.len().min(start + LONGEST_USER)];
    let user =
        start + reach[start..].iter().take_while(|&&byte| letters::is(byte, NAME) || byte == b'@').count();
    let slash = letters::past_blanks(bytes, user);
    if user == start || start == end || bytes.get(slash) != Some(&b'/') || !letters::starts_word(bytes, at) {
        return end;
    }
    let after = letters::past_blanks(bytes, slash + 1);
    let spaced = slash > user && after > slash + 1;
    let Some(value) = value(bytes, after) else { return end };
    let here = &bytes[value.clone()];
    if is_plain(here) && is_strong(here) && (spaced || has_sign(here)) && !here.contains(&b'/') {
        found.push(Span::new(value.start, value.end, PASSWORD));
        return value.end;
    }
    end
}

/// Where the value may begin, and whether a link stood before it.
fn past_link(bytes: &[u8], end: usize) -> (usize, bool) {
    let at = letters::past_blanks(bytes, end);
    let link = LINKS.iter().find(|link| {
        let ends = at + link.len();
        // A word ends where it is over, a sign wherever it stands.
        letters::has(bytes, at, link.as_bytes())
            && !(link.bytes().all(|byte| letters::is(byte, ALPHA)) && letters::is_at(bytes, ends, NAME))
    });
    match link {
        Some(link) => (letters::past_blanks(bytes, at + link.len()), true),
        None => (at, false),
    }
}

/// The word that stands here, without quotes and the signs of the sentence.
fn value(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let extent = extents::of_value(bytes, at, false).filter(|extent| !extent.quoted)?;
    let range = extents::whole(bytes, &extent);
    // Chinese and Japanese go on without a space.
    let foreign = bytes[range.clone()].iter().position(|&byte| byte >= 0xe3);
    Some(range.start..foreign.map_or(range.end, |length| range.start + length))
}

/// Whether nothing says that it is something else: a path, code, an example, a term.
fn is_plain(value: &[u8]) -> bool {
    let term = TERMS.iter().any(|term| letters::has(value, 0, term.as_bytes()));
    value.len() >= SHORTEST
        && !term
        && !placeholders::names_itself(value)
        && judge::is_secret(Class::Password, judge::Form::Loose, value)
        && !values::is_digest(value)
}

/// Whether only a password looks like this: digits among letters, and a sign or capitals and small letters.
fn is_strong(value: &[u8]) -> bool {
    let has = |class| value.iter().any(|&byte| letters::is(byte, class));
    has(ALPHA) && has(DIGIT) && !is_measure(value) && (has_sign(value) || has(UPPER) && has(LOWER))
}

/// A word with digits behind it.
fn is_weak(value: &[u8]) -> bool {
    let word = letters::run(value, 0, LOWER);
    word >= 4 && word < value.len() && letters::run(value, word, DIGIT) == value.len()
}

/// A sign that people put into passwords, and that no name, date or version has.
fn has_sign(value: &[u8]) -> bool {
    value.iter().any(|byte| b"!@#$%^&*+=?".contains(byte))
}

/// A number with its unit, and what begins like one: `12-character`, `500ms`.
fn is_measure(value: &[u8]) -> bool {
    let digits = letters::run(value, 0, DIGIT);
    digits > 0 && !has_sign(value) && letters::run(value, digits, ALPHA | letters::DASH) == value.len()
}

/// Whether this word stands right before the place.
fn is_before(bytes: &[u8], at: usize, word: &str) -> bool {
    let Some(start) = at.checked_sub(word.len() + 1) else { return false };
    bytes[at - 1] == b' ' && letters::has(bytes, start, word.as_bytes()) && letters::starts_word(bytes, start)
}
