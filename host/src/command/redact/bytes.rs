//! Any bytes as text and back: what is no UTF-8 stands, byte by byte, as a character that nobody uses.

use std::borrow::Cow;

/// The first of 128 characters at the very end of the last private plane, for the bytes from 0x80 on.
const FIRST: u32 = 0x10_ff80;

/// The bytes as text.
pub(super) fn as_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(stands_in) => Cow::Borrowed(text),
        _ => Cow::Owned(bytes.utf8_chunks().fold(String::with_capacity(bytes.len()), |mut text, chunk| {
            chunk.valid().chars().for_each(|letter| push(&mut text, letter));
            text.extend(chunk.invalid().iter().copied().map(stand_in));
            text
        })),
    }
}

/// A character that is used for a byte and stands in the text itself is written as its bytes.
fn push(text: &mut String, letter: char) {
    if stands_in(letter) {
        text.extend(letter.encode_utf8(&mut [0; 4]).bytes().map(stand_in));
    } else {
        text.push(letter);
    }
}

/// The bytes that the text was made of.
pub(super) fn of_text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        match stands_in(letter) {
            true => bytes.push((u32::from(letter) - FIRST) as u8 | 0x80),
            false => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

fn stands_in(letter: char) -> bool {
    u32::from(letter) >= FIRST
}

/// Only bytes from 0x80 on can be no UTF-8.
fn stand_in(byte: u8) -> char {
    char::from_u32(FIRST + u32::from(byte & 0x7f)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_come_back_as_they_were() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&all[..], "ü😀\u{10ff80}\u{10ffff}".as_bytes(), b"\xf4\x8f\xbe", b"a\xffb\xc3", b""]
        {
            assert_eq!(of_text(&as_text(bytes)), bytes);
        }
    }
}
