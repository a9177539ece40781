//! Which names are the names of secrets.
//!
//! A name is read as its words, whatever joins them (`DB_PASSWORD`, `x-api-key`, `clientSecret`), and the last word
//! decides: a `token_type`, a `password-file` and a `secretName` hold no secret.

use super::kinds::Kind;
use super::letters::{self, ALNUM, DIGIT, LOWER, UPPER};

/// What kind of secret a name announces, and so how much its value must look like one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// People choose it: it may look like any word.
    Password,
    /// A short word for a password, which also means other things.
    Pass,
    /// A machine made it: it has digits.
    Token,
    /// User and password in base64.
    Pair,
    /// A machine made it, and it may be no more than an identifier.
    Session,
    /// A key of some kind: only a long jumble is taken for a secret.
    Vague,
}

/// What a name announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    /// How its value is judged.
    pub class: Class,
    /// What its value is called.
    pub kind: Kind,
}

/// A password, whatever it is called.
pub const PASSWORD: Name = Name { class: Class::Password, kind: Kind::of("password") };
const PASS: Name = Name { class: Class::Pass, kind: Kind::of("password") };
const TOKEN: Name = Name { class: Class::Token, kind: Kind::of("token") };
const SECRET: Name = Name { class: Class::Token, kind: Kind::of("secret") };
const API_KEY: Name = Name { class: Class::Token, kind: Kind::of("api-key") };
const PAIR: Name = Name { class: Class::Pair, kind: Kind::of("basic-auth") };
const SESSION: Name = Name { class: Class::Session, kind: Kind::of("session") };
const SIGNATURE: Name = Name { class: Class::Vague, kind: Kind::of("session") };
const VAGUE: Name = Name { class: Class::Vague, kind: Kind::of("api-key") };

/// Names whose last word ends like this.
const ENDINGS: &[(&str, Name)] = &[
    ("password", PASSWORD),
    ("passwd", PASSWORD),
    ("passphrase", PASSWORD),
    ("passcode", PASSWORD),
    ("secret", SECRET),
    ("token", TOKEN),
    ("apikey", API_KEY),
    ("accesskey", API_KEY),
    ("secretkey", API_KEY),
    ("privatekey", API_KEY),
    ("authkey", API_KEY),
    ("accountkey", API_KEY),
    ("encryptionkey", API_KEY),
    ("sessid", SESSION),
    ("sessionid", SESSION),
];

/// Names whose last word is exactly this.
const WORDS: &[(&str, Name)] = &[
    ("pwd", PASSWORD),
    ("pass", PASS),
    ("pw", PASS),
    ("credential", TOKEN),
    ("credentials", TOKEN),
    ("creds", TOKEN),
    ("auth", PAIR),
    ("jwt", TOKEN),
    ("pat", VAGUE),
    ("signature", SIGNATURE),
    ("sig", SIGNATURE),
];

/// Run-together names of a password that end in `pass` or `pwd`; `bypass` and `compass` do not.
#[rustfmt::skip]
const PASS_OF: &[&str] = &[
    "db", "user", "root", "admin", "mysql", "pg", "smtp", "ssh", "my", "redis", "login", "mail", "key",
    "store",
];

/// What makes a secret of a word `key`.
#[rustfmt::skip]
const KEY_OF: &[&str] = &[
    "access", "account", "api", "app", "application", "auth", "client", "consumer", "deploy", "encryption",
    "function", "license", "master", "private", "secret", "service", "session", "shared", "signing", "ssh",
    "storage", "subscription",
];

/// What makes a `key` or a `token` harmless: it names a place or a page, not a right.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "bos", "cache", "cancel", "cancellation", "column", "continuation", "cursor", "dedupe", "eos", "first",
    "foreign", "group", "hash", "host", "idempotency", "index", "last", "lookup", "map", "mask", "max",
    "next", "object", "pad", "page", "pagination", "partition", "primary", "public", "publishable", "query",
    "range", "resume", "route", "row", "sep", "sort", "stop", "sync", "unk", "unique",
];

/// What a name announces, if it announces a secret.
pub fn read(name: &[u8]) -> Option<Name> {
    let mut words = words(name);
    let last = words.next()?;
    let before = words.next().unwrap_or_default();
    let found = of_word(last, before).or_else(|| is_key_base(name).then_some(SECRET))?;
    if one_of(before, HARMLESS) {
        return None;
    }
    Some(Name { kind: maker(name).unwrap_or(found.kind), ..found })
}

fn of_word(last: &[u8], before: &[u8]) -> Option<Name> {
    if last.eq_ignore_ascii_case(b"key") {
        return of_key(before);
    }
    let exact = WORDS.iter().find(|(word, _)| last.eq_ignore_ascii_case(word.as_bytes()));
    let ending = || ENDINGS.iter().find(|(ending, _)| ends_with(last, ending));
    exact.or_else(ending).map(|(_, name)| *name).or_else(|| run_together(last))
}

fn of_key(before: &[u8]) -> Option<Name> {
    match before {
        [] => None,
        _ if one_of(before, KEY_OF) => Some(API_KEY),
        _ => Some(VAGUE),
    }
}

/// What `key` announces behind this word.
pub fn key_of(word: &[u8]) -> Option<Name> {
    one_of(word, KEY_OF).then_some(API_KEY)
}

fn run_together(word: &[u8]) -> Option<Name> {
    let cut = |ending: &str| ends_with(word, ending).then(|| &word[..word.len() - ending.len()]);
    let of = cut("pass").or_else(|| cut("pwd"))?;
    one_of(of, PASS_OF).then_some(PASSWORD)
}

/// `SECRET_KEY_BASE`, which Rails made common.
fn is_key_base(name: &[u8]) -> bool {
    ends_with(name, "secret_key_base")
}

/// Whose key it is, where the name says so.
fn maker(name: &[u8]) -> Option<Kind> {
    const AWS: Kind = Kind::of("aws-secret-key");
    const AZURE: Kind = Kind::of("azure-key");
    const DATADOG: Kind = Kind::of("datadog-key");
    let ends = |ending| ends_with(name, ending);
    if ends("secret_access_key")
        || ends("secretaccesskey")
        || (letters::has(name, 0, b"aws") && ends("secret_key"))
    {
        return Some(AWS);
    }
    if ["accountkey", "account_key", "sharedaccesskey", "storage_key"].iter().any(|ending| ends(ending)) {
        return Some(AZURE);
    }
    let datadog = (letters::has(name, 0, b"dd_") || letters::has(name, 0, b"datadog")) && ends("_key");
    datadog.then_some(DATADOG)
}

/// Whether the word alone would name a secret; a value that holds it is a name and no secret.
pub fn is_secret_word(word: &[u8]) -> bool {
    const ALSO: &[&str] =
        &["apikey", "credentials", "key", "passphrase", "passwd", "password", "pwd", "secret", "token"];
    one_of(word, ALSO)
}

/// The words of a name, the last first: separated by signs, by digits, or by a capital.
pub fn words(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = name;
    std::iter::from_fn(move || {
        let letter = rest.iter().rposition(|&byte| letters::is(byte, ALNUM) && !letters::is(byte, DIGIT))?;
        let start = word_start(rest, letter);
        let word = &rest[start..=letter];
        rest = &rest[..start];
        Some(word)
    })
}

/// Where the word that ends with this letter starts: lower case with one capital before it, or all capitals.
fn word_start(name: &[u8], last: usize) -> usize {
    if letters::is(name[last], UPPER) {
        return letters::run_back(name, last + 1, UPPER, name.len());
    }
    let start = letters::run_back(name, last + 1, LOWER, name.len());
    start - usize::from(start > 0 && letters::is(name[start - 1], UPPER))
}

fn one_of(word: &[u8], words: &[&str]) -> bool {
    words.iter().any(|other| word.eq_ignore_ascii_case(other.as_bytes()))
}

fn ends_with(word: &[u8], ending: &str) -> bool {
    word.len() >= ending.len() && word[word.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
}
