//! Recognizes placeholders for a secret: blanks, variables, examples, words of prose, names of secrets.
//!
//! `password = ` is followed by one of these far more often than by a password. They are recognized without
//! regard to the name before them; [`super::value_shape`] describes real values.

use super::ascii::{self, ALNUM, DIGIT, LOWER, NAME};
use super::secret_names;
use super::value_shape::{MAX_JUDGED_BYTES, mixing_ratio};

/// Ordinary words at the position of a secret: types, states, and words of a sentence.
#[rustfmt::skip]
const ORDINARY_WORDS: &[&str] = &[
    "any", "argument", "arguments", "array", "authenticate", "auto", "base64", "base64url", "basic",
    "bcrypt", "bearer", "boolean", "buffer", "bytes", "changed", "changeit", "changeme", "char", "class",
    "const", "credentials", "default", "deleted", "disabled", "empty", "enabled", "encrypted", "example",
    "expired", "failed", "false", "file", "flag", "flags", "from", "hashed", "hidden", "incorrect", "input",
    "instead", "integer", "invalid", "literal", "login", "masked", "md5", "mismatch", "missing", "mock",
    "never", "nil", "none", "null", "number", "oauth2", "object", "optional", "option", "options",
    "placeholder", "plain", "plaintext", "prompt", "protected", "public", "random", "read", "readonly",
    "redacted", "rejected", "removed", "required", "reset", "self", "sha1", "sha256", "sha512", "static",
    "stdin", "str", "string", "struct", "test", "text", "this", "todo", "true", "type", "undefined",
    "unknown", "unset", "unused", "utf-8", "utf8", "uuid", "value", "varchar", "void", "when", "with",
    "wrong",
];

/// Words that identify a quoted text as a sentence.
#[rustfmt::skip]
const PROSE_WORDS: &[&str] = &[
    "a", "an", "and", "are", "be", "can", "cannot", "did", "do", "does", "enter", "for", "forgot", "has",
    "have", "if", "in", "incorrect", "invalid", "is", "least", "must", "new", "not", "of", "on",
    "or", "please", "required", "should", "the", "to", "too", "was", "with", "wrong", "you", "your",
];

/// Beginnings of references to a secret that is stored elsewhere.
#[rustfmt::skip]
const REFERENCES: &[&str] = &[
    "process.env", "os.environ", "os.getenv", "import.meta", "env.", "env:", "secrets.", "vars.", "var.",
    "local.", "vault:", "keyvault:", "secret:", "secrets:", "sm://", "secret://", "op://", "ssm:", "arn:",
    "file:", "keyring:", "projects/", "system.getenv", "data.",
];

/// Beginnings of keys that their providers call public: they stand in pages that everybody can read.
const PUBLIC_PREFIXES: &[&str] =
    &["pk.", "pk_", "sb_publishable_", "phc_", "pub_", "pub-", "client-side-", "public-"];

/// Returns whether the value represents a secret without being one: blanks, a variable, a template, an
/// example, a reference.
pub fn is_placeholder(value: &[u8]) -> bool {
    value.iter().all(is_blank)
        || is_variable(value)
        || is_slot(value)
        || has_example(value)
        || is_encrypted(value)
        || is_foreign_words(value)
        || PUBLIC_PREFIXES.iter().any(|prefix| value.starts_with(prefix.as_bytes()))
        || REFERENCES.iter().any(|start| ascii::has_word_at(value, 0, start.as_bytes()))
}

/// Returns whether the key is already replaced: `xxxx`, `****`, `your-key`.
pub fn is_blanked(key: &[u8]) -> bool {
    let key = &key[..key.len().min(MAX_JUDGED_BYTES)];
    key.iter().all(is_blank)
        || ["xxxxx", "your-", "your_"].iter().any(|piece| ascii::contains(key, piece.as_bytes()))
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'#' | b'?' | b'0')
}

/// Returns whether the value is the name of a variable: `$NAME`, `${…}`, `$(…)`, `%NAME%`, `$env:NAME`.
fn is_variable(value: &[u8]) -> bool {
    match value {
        [b'$', b'{' | b'(' | b'[', ..] => true,
        [b'$', rest @ ..] => {
            let name = ascii::run_end(rest, 0, NAME);
            !ascii::is_at(rest, 0, DIGIT)
                && matches!(rest.get(name), None | Some(b':' | b'/' | b'@' | b'[' | b'-'))
        }
        [b'%', name @ .., b'%'] => ascii::is_all(name, NAME),
        _ => false,
    }
}

/// Returns whether the value is a slot to be filled in: `<name>`, `{name}`, `[name]`.
fn is_slot(value: &[u8]) -> bool {
    is_expression(value)
        || is_mask(value)
        || matches!(value, [b'<', .., b'>'] | [b'{', .., b'}'] | [b'[', .., b']'] | [b'<', _, _, ..])
}

/// Returns whether the value is the beginning of an expression in braces: `{password` of `{password}`.
fn is_expression(value: &[u8]) -> bool {
    value
        .strip_prefix(b"{")
        .is_some_and(|name| !name.is_empty() && ascii::is_all(name, ascii::ALPHA | ascii::DOT))
}

/// Returns whether the value is the mask that a program prints: `[MASKED` of `[MASKED]`.
fn is_mask(value: &[u8]) -> bool {
    value.strip_prefix(b"[").is_some_and(|word| word.len() > 2 && ascii::is_all(word, ascii::ALPHA))
}

/// Returns whether the value is words of another script, as a translation has at the name of a label. Escapes
/// of JSON stand for the letters.
fn is_foreign_words(value: &[u8]) -> bool {
    let is_letter = |escape: &[u8]| {
        escape.starts_with(b"\\u") && !escape.starts_with(b"\\u00") && ascii::is_all(&escape[2..], ascii::HEX)
    };
    let whole = value.len() - value.len() % 6;
    let is_cut = value.len() == MAX_JUDGED_BYTES;
    whole >= 12 && value[..whole].chunks(6).all(is_letter) && (is_cut || whole == value.len())
}

/// Returns whether the value is encrypted: it is stored like this on purpose.
fn is_encrypted(value: &[u8]) -> bool {
    let is_sealed = matches!(value, [b'A', b'g', b'A' | b'B' | b'C', ..]) && value.len() == MAX_JUDGED_BYTES;
    let marks: [&[u8]; 36] = [
        b"secure:",
        b"SCRAM-SHA-256$",
        b"$argon2",
        b"$2a$",
        b"$2b$",
        b"$2y$",
        b"$apr1$",
        b"$1$",
        b"$5$",
        b"$6$",
        b"$8$",
        b"$9$",
        b"$y$",
        b"$pbkdf2",
        b"{CRYPT}",
        b"{AES",
        b"{SHA",
        b"{SMD5}",
        b"{PBKDF2",
        b"{ARGON2",
        b"encrypted:",
        b"enc:",
        b"AQICAH",
        b"pbkdf2:",
        b"scrypt:",
        b"argon2",
        b"$7$",
        b"pbkdf2_",
        b"{SSHA",
        b"{bcrypt}",
        b"ENC[",
        b"ENC(",
        b"{cipher}",
        b"vault:v",
        b"$ANSIBLE_VAULT",
        b"!vault",
    ];
    is_sealed || is_stored_hash(value) || marks.iter().any(|mark| value.starts_with(mark))
}

/// Returns whether the value is the hash of a password as PostgreSQL or MySQL stores it.
fn is_stored_hash(value: &[u8]) -> bool {
    let is_hex = |digits: Option<&[u8]>, count| {
        digits.is_some_and(|digits| digits.len() == count && ascii::is_all(digits, ascii::HEX))
    };
    is_hex(value.strip_prefix(b"md5"), 32) || is_hex(value.strip_prefix(b"*"), 40)
}

/// Returns whether the value contains a piece of an example, a template or a marker, which no secret
/// contains.
fn has_example(value: &[u8]) -> bool {
    let has_piece = |at: usize| {
        example_pieces(value[at]).iter().any(|piece| ascii::has_word_at(value, at, piece.as_bytes()))
    };
    (0..value.len()).any(|at| has_piece(at) || is_format_at(value, at))
}

/// Returns whether a separate `%s` is at `at`.
fn is_format_at(value: &[u8], at: usize) -> bool {
    let is_alone = !ascii::is_at(value, at + 2, ALNUM) && (at == 0 || !ascii::is(value[at - 1], ALNUM));
    is_alone && value[at..].starts_with(b"%s")
}

/// Returns the pieces of examples that begin with this byte, so that one pass finds all of them.
fn example_pieces(first: u8) -> &'static [&'static str] {
    match first.to_ascii_lowercase() {
        b'y' => &["your-", "your_", "your ", "yourpass", "yourtoken", "yourkey", "yourapi", "yoursecret"],
        b'-' => &["-here"],
        b'_' => &["_here"],
        b'p' => &["placeholder"],
        b'c' => &["change_me", "change-me", "changeme"],
        b'r' => &["replace_", "replace-", "redacted"],
        b'i' => &["insert_", "insert-"],
        b'x' => &["xxxx"],
        b't' => &["test test"],
        b'.' => &["..."],
        b'*' => &["***"],
        b'$' => &["${", "$("],
        b'{' => &["{{", "{}"],
        b'#' => &["#{"],
        b'[' => &["[secret:"],
        b'<' => &["<%"],
        b'%' => &["%("],
        0xe2 => &["\u{2026}", "\u{2022}"],
        _ => &[],
    }
}

/// Returns whether the value is an ordinary word.
pub fn is_ordinary_word(value: &[u8]) -> bool {
    ascii::is_one_of(value.strip_suffix(b".").unwrap_or(value), ORDINARY_WORDS)
}

/// Returns whether the value is a word of a sentence: `--password is …`.
pub fn is_prose_word(value: &[u8]) -> bool {
    ascii::is_one_of(value, PROSE_WORDS)
}

/// The word *password* in languages into which programs are translated.
#[rustfmt::skip]
const FOREIGN_PASSWORDS: &[&str] = &[
    "passwort", "kennwort", "wachtwoord", "contraseña", "contrasena", "mot de passe", "senha",
    "palavra-passe", "пароль", "パスワード", "密码", "密碼", "비밀번호", "hasło", "salasana", "lösenord", "adgangskode",
    "passord", "şifre", "parola", "heslo", "jelszó", "lozinka", "contrasenya", "geslo", "slaptažod", "salas",
    "kodeord", "parole",
    "kata sandi", "mật khẩu", "κωδικός", "лозинка", "парола", "סיסמה", "كلمة", "รหัสผ่าน", "암호", "clave",
];

/// Returns whether the value is a sentence about the secret rather than the secret.
pub fn is_prose(value: &[u8]) -> bool {
    let is_label = || FOREIGN_PASSWORDS.iter().any(|word| ascii::contains(value, word.as_bytes()));
    !ascii::has_any(value, DIGIT) && is_label()
        || value.contains(&b' ') && value.split(|byte| !ascii::is(*byte, ALNUM)).any(is_prose_word)
}

/// Returns whether the value is a name of a secret rather than a secret: `userPassword`, `my-app-secret`,
/// `api_key_2`.
///
/// A capital at the start, or digits without a separator, do not count, because people build passwords from
/// the word in this way (`MySecret`, `Password123`).
pub fn names_itself(value: &[u8]) -> bool {
    let has_separator = ascii::has_any(value, ascii::DASH | ascii::DOT);
    let is_single_word = ascii::is_all(&value[1.min(value.len())..], LOWER);
    let is_camel_case = ascii::is_at(value, 0, LOWER) && !ascii::has_any(value, DIGIT);
    let is_metavariable = ascii::is_all(value, ascii::UPPER | DIGIT)
        && value.last().is_some_and(|&last| ascii::is(last, ascii::UPPER));
    (has_separator || is_single_word || is_camel_case || is_metavariable)
        && ascii::is_all(value, NAME)
        && mixing_ratio(value) < 0.2
        && secret_names::words_reversed(value).any(secret_names::is_secret_word)
}
