//! Reads the labels of secrets: whether a word is a label of its own, and where it ends.

use super::ascii::{self, ALPHA, DIGIT};

/// Maximum number of bytes between a label and its value.
pub const MAX_REACH_BYTES: usize = 110;

/// Last words of a label before which other words may be joined to it, as in `Startpasswort`.
const COMPOUNDS: &[&str] = &["passwort", "kennwort", "wachtwoord", "lösenord", "passord", "schlüssel"];

/// Labels of inflecting languages, to which a few letters may be joined: `şifresi`.
const INFLECTED: &[&str] = &["şifre", "parola", "hasł", "hesl", "парол", "kod", "salasana", "jelsz", "код"];

/// Returns whether the label is a word of its own, or the last part of one.
pub fn is_separate(bytes: &[u8], at: usize, label: &str) -> bool {
    let is_compound = ascii::is_one_of(label.as_bytes(), COMPOUNDS);
    let is_start = at == 0 || !is_letter(bytes[at - 1]) || label.as_bytes()[0] >= 0xe3;
    let is_code =
        ascii::has_word_at(label.as_bytes(), 0, b"pin") || ascii::has_word_at(label.as_bytes(), 0, b"puk");
    let is_joined = at > 0
        && matches!(bytes[at - 1], b'_' | b'.' | b'-' | b'$' | b'/' | b'@')
        && !(is_code && bytes[at - 1] == b'-');
    let end = label_end(bytes, at, label);
    let is_end = !is_letter(*label.as_bytes().last().unwrap_or(&b' '))
        || label.as_bytes()[0] >= 0xe3
        || bytes
            .get(end)
            .is_none_or(|&byte| !is_letter(byte) && !ascii::is(byte, ascii::DASH | DIGIT) && byte != b'(');
    (is_start && !is_joined || is_compound && at > 0 && is_letter(bytes[at - 1])) && is_end
}

/// Returns the end of the label with the letters of its case.
pub fn label_end(bytes: &[u8], at: usize, label: &str) -> usize {
    let end = at + label.len();
    let is_inflected = INFLECTED.iter().any(|stem| label.starts_with(stem)) && !label.ends_with(' ');
    if is_inflected { ascii::run_end_where(&bytes[..bytes.len().min(end + 6)], end, is_letter) } else { end }
}

/// Returns whether the byte is a letter, or a part of one outside ASCII.
pub fn is_letter(byte: u8) -> bool {
    ascii::is(byte, ALPHA) || byte >= 0x80
}
