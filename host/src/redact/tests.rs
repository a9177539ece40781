//! What goes and what stays, as tables. No secret is written down here, not even a false one: prefixes are joined to
//! bodies that are made up when the test runs, so that no scanner stumbles over this repository.

mod corpus;
mod documented;
mod hostile;
mod keys;
mod kinds;
mod names;
mod objects;
mod ordinary;
mod prose;

use super::{Redactor, redact};

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";
const DIGITS: &str = "0123456789";

/// Numbers that look random and are the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn from(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A made-up body of so many letters of an alphabet; another seed, another body.
fn made(alphabet: &str, length: usize, seed: u64) -> String {
    let mut numbers = Numbers::from(seed + length as u64);
    (0..length).map(|_| char::from(alphabet.as_bytes()[numbers.below(alphabet.len())])).collect()
}

/// Base64 of a text, written here so that the tests do not trust the code they test.
fn base64(text: &str) -> String {
    let letters = BASE64.as_bytes();
    let mut out = String::new();
    for group in text.as_bytes().chunks(3) {
        let bits =
            group.iter().fold(0usize, |bits, &byte| bits << 8 | usize::from(byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = letters[bits >> (18 - 6 * place) & 63];
            out.push(if place > group.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

/// Nothing of it is taken for a secret.
#[track_caller]
fn stays(text: &str) {
    let clean = redact(text);
    assert_eq!(clean, text);
    assert!(matches!(clean, std::borrow::Cow::Borrowed(_)), "clean text is handed back as it came");
}

/// Redacting gives exactly this, and redacting again changes nothing.
#[track_caller]
fn becomes(text: &str, expected: &str) {
    let clean = redact(text);
    assert_eq!(clean, expected, "from {text:?}");
    assert_eq!(redact(&clean), clean, "a second time");
}
