//! What a value looks like: made by a machine, thought of by a person, or a piece of a program.
//!
//! These questions are asked of the first bytes of a value only, so they cost the same whatever its length; who
//! weighs the answers is [`super::judge`].

use super::letters::{self, ALPHA, DIGIT, HEX, LOWER, UPPER};

/// How many bytes of a value are looked at.
pub const LOOK: usize = 64;

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
    let hex = letters::has(value, 0, b"0x")
        && letters::run(value, 2, letters::HEX | letters::DASH) >= value.len().saturating_sub(4);
    hex || (digits > 0 && typed)
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

/// Whether it is a number of many parts: a version, an address, an object's identifier.
pub fn is_parts(value: &[u8]) -> bool {
    value.iter().filter(|&&byte| byte == b'.').count() >= 3
        && value.iter().all(|&byte| letters::is(byte, DIGIT | letters::DOT))
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

/// Whether it has the shape of an identifier that nobody keeps secret.
pub fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36 && value.contains(&b'-') && is_digest(value)
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
