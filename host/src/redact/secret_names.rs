//! Recognizes the names of secrets.
//!
//! A name is read word by word, however its words are joined (`DB_PASSWORD`, `x-api-key`, `clientSecret`),
//! and the last word decides: `token_type`, `password-file` and `secretName` do not name a secret.

use super::ascii::{self, ALNUM, DIGIT, LOWER, UPPER};
use super::rule_tables::Kind;

/// The class of secret that a name names. It determines how much the value must look like a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameClass {
    /// A secret chosen by a person, which may look like any word.
    Password,
    /// A short word for a password, which has other meanings too (`pass`, `pw`).
    ShortPassword,
    /// A generated secret, which has digits.
    Token,
    /// A user and a password in base64.
    CredentialPair,
    /// A generated value that may be only an identifier.
    Session,
    /// Four to eight digits that a person types.
    Pin,
    /// Bytes from which keys are made: only as many hexadecimal digits as a key has, or a long random value.
    RawKey,
    /// A key of some kind: only a long random value counts as a secret.
    Ambiguous,
}

/// The secret that a name names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretName {
    /// The class, which decides how the value is checked.
    pub class: NameClass,
    /// The kind in the marker.
    pub kind: Kind,
}

/// A password.
pub const PASSWORD: SecretName = SecretName { class: NameClass::Password, kind: Kind::of("password") };
const SHORT_PASSWORD: SecretName = SecretName { class: NameClass::ShortPassword, kind: Kind::of("password") };
const TOKEN: SecretName = SecretName { class: NameClass::Token, kind: Kind::of("token") };
const SECRET: SecretName = SecretName { class: NameClass::Token, kind: Kind::of("secret") };
const API_KEY: SecretName = SecretName { class: NameClass::Token, kind: Kind::of("api-key") };
const CREDENTIAL_PAIR: SecretName =
    SecretName { class: NameClass::CredentialPair, kind: Kind::of("basic-auth") };
const SESSION: SecretName = SecretName { class: NameClass::Session, kind: Kind::of("session") };
const SIGNATURE: SecretName = SecretName { class: NameClass::Ambiguous, kind: Kind::of("session") };
const PIN: SecretName = SecretName { class: NameClass::Pin, kind: Kind::of("password") };
/// The parameter `key` of an address.
pub const QUERY_KEY: SecretName = SecretName { class: NameClass::RawKey, kind: Kind::of("api-key") };
/// The key of a router, encoded.
pub const ROUTER_KEY: SecretName = API_KEY;
const RAW_KEY: SecretName = SecretName { class: NameClass::RawKey, kind: Kind::of("secret") };
const AMBIGUOUS_KEY: SecretName = SecretName { class: NameClass::Ambiguous, kind: Kind::of("api-key") };

/// Endings of the last word of a name.
const ENDINGS: &[(&str, SecretName)] = &[
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
    ("passwords", PASSWORD),
    ("passphrases", PASSWORD),
    ("passwort", PASSWORD),
    ("kennwort", PASSWORD),
    ("wachtwoord", PASSWORD),
    ("contrasena", PASSWORD),
    ("passkey", API_KEY),
    ("sessid", SESSION),
    ("sessionid", SESSION),
];

/// Last words of a name.
const LAST_WORDS: &[(&str, SecretName)] = &[
    ("pwd", PASSWORD),
    ("mdp", PASSWORD),
    ("clave", SHORT_PASSWORD),
    ("senha", PASSWORD),
    ("haslo", PASSWORD),
    ("parola", PASSWORD),
    ("sifre", PASSWORD),
    ("heslo", PASSWORD),
    ("pass", SHORT_PASSWORD),
    ("pw", SHORT_PASSWORD),
    ("credential", TOKEN),
    ("credentials", TOKEN),
    ("creds", TOKEN),
    ("auth", CREDENTIAL_PAIR),
    ("jwt", TOKEN),
    ("pin", PIN),
    ("psk", PASSWORD),
    ("puk", PIN),
    ("mnemonic", PASSWORD),
    ("master", RAW_KEY),
    ("otp", RAW_KEY),
    ("seed", RAW_KEY),
    ("totp", RAW_KEY),
    ("salt", RAW_KEY),
    ("pat", AMBIGUOUS_KEY),
    ("signature", SIGNATURE),
    ("sig", SIGNATURE),
];

/// First parts of joined names of a password that end in `pass` or `pwd` (unlike `bypass`).
#[rustfmt::skip]
const PASS_OWNERS: &[&str] = &[
    "admin", "ap", "archive", "bind", "broker", "cert", "db", "enc", "ftp", "imap", "key", "ldap", "login",
    "mail", "mqtt", "my", "mysql", "pfx", "pg", "pop", "postgres", "proxy", "rabbit", "redis", "root", "sftp",
    "smtp", "sql", "ssh", "sta", "store", "svc", "user", "vpn", "web", "wifi", "wlan", "zip",
];

/// Words that together with a following `key` name a secret.
#[rustfmt::skip]
const KEY_QUALIFIERS: &[&str] = &[
    "access", "account", "agent", "api", "app", "application", "auth", "bot", "certificate", "client",
    "consumer", "crypt", "crypto", "decryption", "deploy", "developer", "encryption", "enrollment",
    "function",
    "hmac", "ingest", "ingestion", "integration", "join", "jwt", "licence", "license", "master", "network",
    "preshared", "private", "push", "recovery", "registration", "root", "rpc", "secret", "security",
    "service",
    "session", "shared", "signing", "ssh", "storage", "subscription", "unseal", "vault", "wallet", "webhook",
    "wep", "wifi", "wpa",
];

/// Words after which `key` or `token` is harmless: it names a position or a page, not access.
#[rustfmt::skip]
const HARMLESS_QUALIFIERS: &[&str] = &[
    "bos", "cache", "cancel", "cancellation", "column", "continuation", "cursor", "dedupe", "encrypted",
    "eos", "first", "foreign", "group", "hash", "hashed", "host", "idempotency", "index", "last",
    "lookup", "map", "mask", "max", "next", "object", "pad", "page", "pagination", "partition", "primary",
    "public", "publishable", "query", "range", "resume", "route", "row", "sep", "sort", "stop", "sync",
    "unk", "unique",
];

/// Words of a name that say that the value is stored in a form that reveals nothing.
const ENCRYPTED_WORDS: &[&str] = &["cipher", "ciphertext", "encrypted", "hashed", "sealed"];

/// Returns the secret that a name names, if any.
pub fn classify(name: &[u8]) -> Option<SecretName> {
    let mut words = words_reversed(name);
    let last = words.next()?;
    let before = words.next().unwrap_or_default();
    let found = classify_words(last, before).or_else(|| is_rails_key_base(name).then_some(SECRET))?;
    let is_password = matches!(found.class, NameClass::Password | NameClass::ShortPassword);
    let is_public = || words_reversed(name).any(|word| ascii::is_one_of(word, &["public", "publishable"]));
    if words_reversed(name).any(|word| ascii::is_one_of(word, ENCRYPTED_WORDS)) {
        return None;
    }
    if !is_password && (ascii::is_one_of(before, HARMLESS_QUALIFIERS) || is_public()) {
        return None;
    }
    Some(SecretName { kind: vendor_kind(name).unwrap_or(found.kind), ..found })
}

fn classify_words(last: &[u8], before: &[u8]) -> Option<SecretName> {
    if last.eq_ignore_ascii_case(b"data") && before.eq_ignore_ascii_case(b"key") {
        return Some(API_KEY);
    }
    if last.eq_ignore_ascii_case(b"value") {
        let is_secret = ascii::is_one_of(before, &["secret", "password", "passphrase"]);
        return is_secret.then_some(PASSWORD);
    }
    if last.eq_ignore_ascii_case(b"keys") {
        return key_of(before);
    }
    if last.eq_ignore_ascii_case(b"key") {
        return if before.is_empty() { None } else { key_of(before).or(Some(AMBIGUOUS_KEY)) };
    }
    if last.eq_ignore_ascii_case(b"pass") && ascii::is_one_of(before, PASS_OWNERS) {
        return Some(PASSWORD);
    }
    let exact = LAST_WORDS.iter().find(|(word, _)| last.eq_ignore_ascii_case(word.as_bytes()));
    let ending = || ENDINGS.iter().find(|(ending, _)| ascii::has_suffix(last, ending.as_bytes()));
    exact.or_else(ending).map(|(_, name)| *name).or_else(|| classify_joined(last))
}

/// Returns whether the name names a signature.
pub fn is_signature(name: SecretName) -> bool {
    name == SIGNATURE
}

/// Returns the secret that the word `key` names after this word.
pub fn key_of(qualifier: &[u8]) -> Option<SecretName> {
    ascii::is_one_of(qualifier, KEY_QUALIFIERS).then_some(API_KEY)
}

fn classify_joined(word: &[u8]) -> Option<SecretName> {
    let without = |ending: &[u8]| ascii::has_suffix(word, ending).then(|| &word[..word.len() - ending.len()]);
    let owner = without(b"pass").or_else(|| without(b"pwd")).or_else(|| without(b"pw"))?;
    let is_of_store = ascii::has_suffix(owner, b"store");
    (is_of_store || ascii::is_one_of(owner, PASS_OWNERS)).then_some(PASSWORD)
}

/// Returns whether the name is the `SECRET_KEY_BASE` of Rails.
fn is_rails_key_base(name: &[u8]) -> bool {
    ascii::has_suffix(name, b"secret_key_base")
}

/// Returns the kind of the vendor that the name mentions.
fn vendor_kind(name: &[u8]) -> Option<Kind> {
    const AWS: Kind = Kind::of("aws-secret-key");
    const AZURE: Kind = Kind::of("azure-key");
    const DATADOG: Kind = Kind::of("datadog-key");
    let starts = |prefix: &str| ascii::has_word_at(name, 0, prefix.as_bytes());
    let ends = |suffix: &str| ascii::has_suffix(name, suffix.as_bytes());
    if ends("secret_access_key") || ends("secretaccesskey") || (starts("aws") && ends("secret_key")) {
        return Some(AWS);
    }
    if ["accountkey", "account_key", "sharedaccesskey", "storage_key"].into_iter().any(ends) {
        return Some(AZURE);
    }
    ((starts("dd_") || starts("datadog")) && ends("_key")).then_some(DATADOG)
}

/// Returns whether the word alone names a secret. A value that contains it is a name and not a secret.
pub fn is_secret_word(word: &[u8]) -> bool {
    const SECRET_WORDS: &[&str] =
        &["apikey", "credentials", "key", "passphrase", "passwd", "password", "pwd", "secret", "token"];
    ascii::is_one_of(word, SECRET_WORDS)
}

/// Returns the words of a name, the last first. Words are separated by signs, digits or a capital.
pub fn words_reversed(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = name;
    std::iter::from_fn(move || {
        loop {
            let letter = rest.iter().rposition(|&byte| ascii::is(byte, ALNUM) && !ascii::is(byte, DIGIT))?;
            let start = word_start(rest, letter);
            if start > letter {
                // The letter belongs to an escape (`\u000b`), which is no word.
                rest = &rest[..rest[..letter].iter().rposition(|&byte| byte == b'\\').unwrap_or(letter)];
                continue;
            }
            let word = &rest[start..=letter];
            rest = &rest[..start];
            return Some(word);
        }
    })
}

/// Returns the start of the word that ends with this letter: lower case after at most one capital, or all
/// capitals.
fn word_start(name: &[u8], last: usize) -> usize {
    if ascii::is(name[last], UPPER) {
        return ascii::run_start(name, last + 1, UPPER, name.len());
    }
    let start = ascii::run_start(name, last + 1, LOWER, name.len());
    start - usize::from(start > 0 && ascii::is(name[start - 1], UPPER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_signs_digits_capitals_and_escapes() {
        for (name, words) in [
            ("DB_PASSWORD", &["PASSWORD", "DB"][..]),
            ("dbPassword2", &["Password", "db"]),
            (r"x\nsecret", &["secret", "x"]),
            (r"token\u000b", &["token"]),
            (r"\u000b\u000b", &[]),
        ] {
            let found: Vec<&[u8]> = words_reversed(name.as_bytes()).collect();
            assert_eq!(found, words.iter().map(|word| word.as_bytes()).collect::<Vec<_>>(), "{name}");
        }
    }
}
