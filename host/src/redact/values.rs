//! What a value looks like: a secret, or one of the many things that stand in a secret's place.
//!
//! `password = ` is followed by a placeholder, a variable, a type, a word of prose or a piece of code far more often
//! than by a password. These questions are asked of the first bytes of a value only, so they cost the same
//! whatever its length; who weighs the answers is [`super::judge`].

use super::letters::{self, ALNUM, ALPHA, DIGIT, HEX, LOWER, NAME, UPPER};
use super::names;

/// How many bytes of a value are looked at.
pub const LOOK: usize = 64;

/// What is written where a secret would be: types, states, and words of the sentence.
const ORDINARY: &[&str] = &[
    "any",
    "argument",
    "arguments",
    "array",
    "authenticate",
    "auto",
    "base64",
    "base64url",
    "basic",
    "bcrypt",
    "bearer",
    "boolean",
    "buffer",
    "bytes",
    "changed",
    "changeit",
    "changeme",
    "char",
    "class",
    "const",
    "credentials",
    "default",
    "deleted",
    "disabled",
    "empty",
    "enabled",
    "encrypted",
    "example",
    "expired",
    "failed",
    "false",
    "file",
    "flag",
    "flags",
    "from",
    "hashed",
    "hidden",
    "incorrect",
    "input",
    "instead",
    "integer",
    "invalid",
    "literal",
    "login",
    "masked",
    "md5",
    "mismatch",
    "missing",
    "mock",
    "never",
    "nil",
    "none",
    "null",
    "number",
    "oauth2",
    "object",
    "optional",
    "option",
    "options",
    "placeholder",
    "plain",
    "plaintext",
    "prompt",
    "protected",
    "public",
    "random",
    "read",
    "readonly",
    "redacted",
    "rejected",
    "removed",
    "required",
    "reset",
    "self",
    "sha1",
    "sha256",
    "sha512",
    "static",
    "stdin",
    "str",
    "string",
    "struct",
    "test",
    "text",
    "this",
    "todo",
    "true",
    "type",
    "undefined",
    "unknown",
    "unset",
    "unused",
    "utf-8",
    "utf8",
    "uuid",
    "value",
    "varchar",
    "void",
    "when",
    "with",
    "wrong",
];

/// Words that make a sentence of what stands in quotes.
const PROSE: &[&str] = &[
    "a",
    "an",
    "and",
    "are",
    "be",
    "can",
    "cannot",
    "did",
    "do",
    "does",
    "enter",
    "for",
    "forgot",
    "has",
    "have",
    "if",
    "in",
    "incorrect",
    "invalid",
    "is",
    "least",
    "must",
    "new",
    "not",
    "of",
    "on",
    "one",
    "or",
    "please",
    "required",
    "should",
    "the",
    "to",
    "too",
    "was",
    "with",
    "wrong",
    "you",
    "your",
];

/// Beginnings of what names a secret kept elsewhere.
const REFERENCES: &[&str] = &[
    "process.env",
    "os.environ",
    "os.getenv",
    "import.meta",
    "env.",
    "env:",
    "secrets.",
    "vars.",
    "var.",
    "local.",
    "vault:",
    "op://",
    "ssm:",
    "arn:",
    "file:",
    "keyring:",
    "projects/",
    "system.getenv",
    "data.",
];

/// Whether the value stands for a secret without being one: nothing, a variable, a template, a blank.
pub fn is_placeholder(value: &[u8]) -> bool {
    value.is_empty()
        || value
            .iter()
            .all(|&byte| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'#' | b'?' | b'0'))
        || is_variable(value)
        || is_slot(value)
        || has_example(value)
        || REFERENCES.iter().any(|start| letters::has(value, 0, start.as_bytes()))
}

/// Whether somebody has already put something else in the secret's place: `xxxx`, `****`, `your-key`.
pub fn is_blanked(value: &[u8]) -> bool {
    let value = &value[..value.len().min(LOOK)];
    let blank = |byte: &u8| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'-' | b'_' | b'#' | b'?' | b'0');
    value.iter().all(blank) || ["xxxxx", "your-", "your_"].iter().any(|piece| holds(value, piece.as_bytes()))
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

/// Whether it is a path to a file rather than a secret that holds slashes, which would be more of a jumble.
pub fn is_path(value: &[u8]) -> bool {
    let rooted = matches!(value, [b'/', ..] | [b'~', b'/', ..] | [b'.', b'/', ..] | [b'.', b'.', b'/', ..]);
    let drive = matches!(value, [letter, b':', b'\\' | b'/', ..] if letters::is(*letter, ALPHA));
    (rooted || drive) && jumble(value) < 0.25
}

/// Whether it is a piece of a program: a call, an index, a generic type, a dotted name.
pub fn is_code(value: &[u8]) -> bool {
    matches!(value, [b'(' | b'[' | b'{', ..])
        || is_pointer(value)
        || is_constant(value)
        || value.iter().any(|byte| matches!(byte, b'(' | b'[' | b'<' | b'>'))
        || holds(value, b"::")
        || is_dotted(value)
}

/// Whether it is a word with a sign before it that programs give a meaning: `&str`, `*const`, `!secret`.
fn is_pointer(value: &[u8]) -> bool {
    let word = &value[1.min(value.len())..];
    matches!(value.first(), Some(b'&' | b'*' | b'@' | b'!' | b'%'))
        && letters::run(word, 0, ALPHA) == word.len()
}

/// Whether it is a number as programs write them: `0x8007052B`, `1326u32`.
fn is_constant(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"-").unwrap_or(value);
    let digits = letters::run(value, 0, DIGIT);
    let typed = matches!(value.get(digits), Some(b'u' | b'i' | b'_')) && value.len() - digits <= 6;
    letters::has(value, 0, b"0x") || (digits > 0 && typed)
}

/// Whether it is a dotted name like `self.token` or `config.db.password`.
fn is_dotted(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b'.');
    value.contains(&b'.')
        && parts.all(|part| letters::is_at(part, 0, ALPHA) && is_name(part))
        && jumble(value) < 0.3
}

fn is_name(part: &[u8]) -> bool {
    letters::run(part, 0, letters::WORD) == part.len()
}

/// Whether it consists of digits only.
pub fn is_number(value: &[u8]) -> bool {
    value.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b',' | b'_' | b'-' | b'+' | b'%'))
}

/// Whether it has letters, and digits or such signs as people put into passwords.
pub fn is_mixed(value: &[u8]) -> bool {
    let sign = |byte: &u8| {
        letters::is(*byte, DIGIT)
            || matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'=' | b'~')
    };
    value.iter().any(|&byte| letters::is(byte, ALPHA) || byte >= 0x80) && value.iter().any(sign)
}

/// Whether a machine made it: long, without spaces, and a jumble of cases and digits.
pub fn is_random(value: &[u8]) -> bool {
    let solid = value.iter().all(|&byte| byte > b' ' && byte < 0x7f);
    let has = |class| value.iter().any(|&byte| letters::is(byte, class));
    // The longer it is and the more kinds of letters it has, the less of a jumble is enough.
    let digits = value.iter().filter(|&&byte| letters::is(byte, DIGIT)).count();
    let rich = (value.len() >= 24 && has(LOWER) && has(UPPER)) || (value.len() >= 20 && digits >= 3);
    let enough = if rich { 0.2 } else { 0.3 };
    solid && value.len() >= 16 && (digits > 0 || is_jumbled_case(value)) && jumble(value) >= enough
}

/// Whether capitals and small letters are mixed as no name mixes them: in both directions, again and again.
pub fn is_jumbled_case(value: &[u8]) -> bool {
    let capitals = value.windows(2).filter(|pair| pair.iter().all(|&byte| letters::is(byte, UPPER))).count();
    value.len() >= 12 && capitals >= 2 && jumble(value) >= 0.2
}

/// Whether it has the shape of a digest or an identifier, which are long jumbles without being secret.
pub fn is_digest(value: &[u8]) -> bool {
    let groups = value.split(|&byte| byte == b'-').all(|group| letters::run(group, 0, HEX) == group.len());
    groups && matches!(value.len(), 32 | 36 | 40 | 56 | 64 | 96 | 128)
}

/// How much of a jumble it is: the share of neighbouring letters and digits that are of different kinds.
///
/// Random base64 has about 0.45, hexadecimal digits 0.47, lower-case letters with digits 0.4; words and camel case
/// stay under 0.25, because a capital that begins a word does not count twice.
pub fn jumble(value: &[u8]) -> f32 {
    let value = &value[..value.len().min(LOOK)];
    let changes = value.windows(2).filter(|pair| changes(pair[0], pair[1])).count();
    let pairs = value.len().saturating_sub(1).max(1);
    changes as f32 / pairs as f32
}

fn changes(one: u8, next: u8) -> bool {
    let digit = |byte| letters::is(byte, DIGIT);
    let letter = |byte| letters::is(byte, ALPHA);
    (digit(one) && letter(next))
        || (letter(one) && digit(next))
        || (letters::is(one, LOWER) && letters::is(next, UPPER))
}

/// Whether the piece is somewhere in the value, in whatever case.
pub fn holds(value: &[u8], piece: &[u8]) -> bool {
    value.windows(piece.len()).any(|window| window.eq_ignore_ascii_case(piece))
}
