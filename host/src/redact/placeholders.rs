//! What stands in a secret's place: a blank, a variable, an example, a word of prose, the name of the thing itself.
//!
//! `password = ` is followed by one of these far more often than by a password. They are known by what they are,
//! whoever's name stands before; what a real value looks like is for [`super::values`].

use super::letters::{self, ALNUM, DIGIT, LOWER, NAME};
use super::names;
use super::values::{LOOK, holds, jumble};

/// What is written where a secret would be: types, states, and words of the sentence.
#[rustfmt::skip]
const ORDINARY: &[&str] = &[
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

/// Words that make a sentence of what stands in quotes.
#[rustfmt::skip]
const PROSE: &[&str] = &[
    "a", "an", "and", "are", "be", "can", "cannot", "did", "do", "does", "enter", "for", "forgot", "has",
    "have", "if", "in", "incorrect", "invalid", "is", "least", "must", "new", "not", "of", "on",
    "or", "please", "required", "should", "the", "to", "too", "was", "with", "wrong", "you", "your",
];

/// Beginnings of what names a secret kept elsewhere.
#[rustfmt::skip]
const REFERENCES: &[&str] = &[
    "process.env", "os.environ", "os.getenv", "import.meta", "env.", "env:", "secrets.", "vars.", "var.",
    "local.", "vault:", "op://", "ssm:", "arn:", "file:", "keyring:", "projects/", "system.getenv", "data.",
];

/// Whether the value stands for a secret without being one: nothing, a variable, a template, a blank.
pub fn is_placeholder(value: &[u8]) -> bool {
    value.iter().all(is_blank)
        || is_variable(value)
        || is_slot(value)
        || has_example(value)
        || REFERENCES.iter().any(|start| letters::has(value, 0, start.as_bytes()))
}

/// Whether somebody has already put something else in a key's place: `xxxx`, `****`, `your-key`.
pub fn is_blanked(key: &[u8]) -> bool {
    let key = &key[..key.len().min(LOOK)];
    key.iter().all(is_blank) || ["xxxxx", "your-", "your_"].iter().any(|piece| holds(key, piece.as_bytes()))
}

fn is_blank(byte: &u8) -> bool {
    matches!(byte, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'#' | b'?' | b'0')
}

/// Whether it is the name of a variable: `$NAME`, `${…}`, `$(…)`, `%NAME%`, `$env:NAME`.
fn is_variable(value: &[u8]) -> bool {
    match value {
        [b'$', b'{' | b'(' | b'[', ..] => true,
        [b'$', rest @ ..] => {
            let name = letters::run(rest, 0, NAME);
            !letters::is_at(rest, 0, DIGIT)
                && matches!(rest.get(name), None | Some(b':' | b'/' | b'@' | b'[' | b'-'))
        }
        [b'%', name @ .., b'%'] => letters::run(name, 0, NAME) == name.len(),
        _ => false,
    }
}

/// Whether it is a place to be filled in: `<name>`, `{name}`, `[name]`.
fn is_slot(value: &[u8]) -> bool {
    matches!(value, [b'<', .., b'>'] | [b'{', .., b'}'] | [b'[', .., b']'] | [b'<', _, _, ..])
}

/// Whether a piece stands somewhere in it that no secret holds, but examples, templates and marks do.
fn has_example(value: &[u8]) -> bool {
    let piece =
        |at: usize| example_pieces(value[at]).iter().any(|piece| letters::has(value, at, piece.as_bytes()));
    (0..value.len()).any(|at| piece(at) || is_format(value, at))
}

/// Whether `%s` stands here by itself.
fn is_format(value: &[u8], at: usize) -> bool {
    let alone = !letters::is_at(value, at + 2, ALNUM) && (at == 0 || !letters::is(value[at - 1], ALNUM));
    alone && value[at..].starts_with(b"%s")
}

/// Such pieces by their first byte, so that looking for all of them takes one pass.
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

/// Whether it is one of the words that stand where a value could.
pub fn is_ordinary(value: &[u8]) -> bool {
    let word = value.strip_suffix(b".").unwrap_or(value);
    ORDINARY.iter().any(|ordinary| word.eq_ignore_ascii_case(ordinary.as_bytes()))
}

/// Whether it is a word of a sentence, where a value could stand: `--password is …`.
pub fn is_stop_word(value: &[u8]) -> bool {
    PROSE.iter().any(|prose| value.eq_ignore_ascii_case(prose.as_bytes()))
}

/// Whether it is a sentence about the secret rather than the secret.
pub fn is_prose(value: &[u8]) -> bool {
    let mut words = value.split(|byte| !letters::is(*byte, ALNUM)).filter(|word| !word.is_empty());
    value.contains(&b' ')
        && words.any(|word| PROSE.iter().any(|prose| word.eq_ignore_ascii_case(prose.as_bytes())))
}

/// Whether it says what it is instead of being it: `userPassword`, `my-app-secret`, `api_key_2`.
///
/// A capital at the start or digits without a separator are how people make a password of the word (`MySecret`,
/// `Password123`), so those do not count.
pub fn names_itself(value: &[u8]) -> bool {
    let joined = value.iter().any(|&byte| letters::is(byte, letters::DASH | letters::DOT));
    let digits = value.iter().any(|&byte| letters::is(byte, DIGIT));
    let single = letters::run(value, 1.min(value.len()), LOWER) == value.len();
    let name = joined || single || (letters::is_at(value, 0, LOWER) && !digits);
    let end = letters::run(value, 0, NAME);
    name && end == value.len() && jumble(value) < 0.2 && names::words(value).any(names::is_secret_word)
}
