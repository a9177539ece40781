//! Tests of redaction. The source contains no secret, not even a fake one: prefixes are joined to generated
//! bodies when a test runs, so that no scanner mistakes this repository for a leak.

mod carriers;
mod contexts;
mod corpus;
mod corpus_secrets;
mod corpus_texts;
mod false_alarms;
mod hidden_secrets;
mod hostile_texts;
mod independent_samples;
mod json_values;
mod labelled_secrets;
mod private_key_blocks;
mod rules_file;
mod samples;
mod sentences;

use super::{Redactor, redact};

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE64_URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";
const DIGITS: &str = "0123456789";

/// Random numbers that are the same in every run (xorshift).
struct Rng(u64);

impl Rng {
    fn seeded(seed: u64) -> Self {
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

/// Returns generated text of this length; another seed yields another text.
fn random_text(alphabet: &str, length: usize, seed: u64) -> String {
    let mut rng = Rng::seeded(seed + length as u64);
    (0..length).map(|_| char::from(alphabet.as_bytes()[rng.below(alphabet.len())])).collect()
}

/// Returns the base64 of a text. Implemented here, so that the tests do not depend on the tested code.
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

/// Asserts that redaction leaves the text unchanged.
#[track_caller]
fn assert_unchanged(text: &str) {
    let redacted = redact(text);
    assert_eq!(redacted, text);
    assert!(matches!(redacted, std::borrow::Cow::Borrowed(_)), "an unchanged text is borrowed");
}

/// Asserts that redacting yields exactly this text, and that redacting again changes nothing.
#[track_caller]
fn assert_redacted(text: &str, expected: &str) {
    let redacted = redact(text);
    assert_eq!(redacted, expected, "from {text:?}");
    assert_eq!(redact(&redacted), redacted, "a second time");
}
