//! Recognizes secrets of several words: passphrases, and the word lists from which wallets are restored.

use super::ascii::{self, ALPHA, LOWER};
use super::placeholders;

/// Numbers of words of a passphrase that a person makes up or draws.
const PASSPHRASE_WORDS: std::ops::RangeInclusive<usize> = 3..=12;
/// Numbers of words of a phrase that encodes a key (BIP 39).
const KEY_PHRASE_WORDS: [usize; 5] = [12, 15, 18, 21, 24];
/// Maximum length of a word of such a phrase.
pub const MAX_KEY_WORD_BYTES: usize = 8;
/// Maximum length of one word.
const MAX_WORD_BYTES: usize = 16;

/// Returns whether the text is several words that a label calls a passphrase.
pub fn is_passphrase(text: &[u8]) -> bool {
    let words: Vec<&[u8]> = words_of(text).collect();
    let is_wordlike = |word: &&[u8]| {
        word.len() <= MAX_WORD_BYTES && word.iter().all(|&byte| ascii::is(byte, ascii::WORD) || byte >= 0x80)
    };
    let is_list = KEY_PHRASE_WORDS.contains(&words.len());
    (PASSPHRASE_WORDS.contains(&words.len()) || is_list)
        && words.iter().all(is_wordlike)
        && !words.iter().any(|word| placeholders::is_ordinary_word(word))
        && words.iter().filter(|word| **word == words[0]).count() <= words.len().div_ceil(2)
}

/// Returns whether a passphrase without a label's certainty is one: no word of an ordinary sentence is in it.
pub fn is_drawn(text: &[u8]) -> bool {
    let is_plain = |word: &[u8]| ascii::is_all(word, LOWER) && word.len() >= 3;
    is_passphrase(text)
        && words_of(text).count() >= 4
        && words_of(text).all(is_plain)
        && !words_of(text).any(placeholders::is_prose_word)
}

/// Returns whether a text that a sentence introduces as a password is a phrase, and not what the sentence
/// says about the password.
pub fn is_spoken(text: &[u8]) -> bool {
    let words = || text.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let is_wordlike = |word: &[u8]| {
        word.len() <= MAX_WORD_BYTES
            && word.iter().all(|&byte| ascii::is(byte, ALPHA | ascii::DIGIT) || byte >= 0x80 || byte == b'\'')
    };
    let opens_statement = |word: &[u8]| {
        ascii::is_one_of(word, STATEMENT_OPENERS)
            || placeholders::is_prose_word(word)
            || placeholders::is_ordinary_word(word)
            || [&b"ed"[..], b"lich", b"iert", b"ado", b"ada", b"able"].iter().any(|end| word.ends_with(end))
    };
    let small = words().filter(|word| placeholders::is_prose_word(word)).count();
    (3..=8).contains(&words().count())
        && words().all(is_wordlike)
        && !words().take(1).any(opens_statement)
        && !words().any(|word| ascii::is_one_of(word, STATEMENT_WORDS))
        && small <= 2
}

/// Words with which a sentence about a password continues.
#[rustfmt::skip]
const STATEMENT_OPENERS: &[&str] = &[
    "also", "always", "ask", "at", "au", "aussi", "bei", "case", "chez", "currently", "dans", "das", "der",
    "die",
    "different", "du", "eine", "einem", "el", "en", "falsch", "from", "gone", "held", "hier", "il", "im",
    "its",
    "kept", "known", "la", "le", "less", "longer", "more", "my", "nicht", "no", "noch", "now", "on", "only",
    "our",
    "pas", "per", "plus", "same", "see", "set", "sent", "sicher", "still", "sur", "that", "there", "tot",
    "un", "une",
    "und", "under", "up", "via", "vom", "von", "weak", "what", "zu",
];

/// Words that occur in sentences about passwords, but hardly in passphrases.
#[rustfmt::skip]
const STATEMENT_WORDS: &[&str] = &[
    "account", "admin", "after", "as", "because", "before", "but", "by", "changed", "characters", "config",
    "database",
    "digits", "email", "file", "field", "hash", "it", "keychain", "length", "login", "manager", "option",
    "page",
    "password", "passwords", "passwort", "reset", "secret", "secrets", "server", "set", "store", "stored",
    "than",
    "then", "token", "user", "users", "value", "vault", "via", "which", "will", "zeichen",
];

/// Returns whether a key may be encoded in so many words.
pub fn is_key_length(words: usize) -> bool {
    KEY_PHRASE_WORDS.contains(&words)
}

/// Returns the end of the phrase of a wallet that begins at `from`: as many words of small letters as a key
/// has.
pub fn key_phrase_end(bytes: &[u8], from: usize) -> Option<usize> {
    let (mut end, mut count) = (from, 0);
    // A text with more words is no phrase, however many there are.
    while count <= KEY_PHRASE_WORDS[4] {
        let start = ascii::skip_blanks(bytes, end);
        // A long run of letters is no word, so its end does not matter.
        let stop = ascii::run_end(&bytes[..bytes.len().min(start + MAX_KEY_WORD_BYTES)], start, LOWER);
        if !(3..=MAX_KEY_WORD_BYTES).contains(&(stop - start)) || ascii::is_at(bytes, stop, ALPHA) {
            break;
        }
        (end, count) = (stop, count + 1);
    }
    let is_repeated = || {
        let first = words_of(&bytes[from..end]).next();
        words_of(&bytes[from..end]).filter(|word| Some(*word) == first).count() > count / 3
    };
    (KEY_PHRASE_WORDS.contains(&count) && !is_repeated()).then_some(end)
}

fn words_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b' ').map(|word| word.trim_suffix_signs()).filter(|word| !word.is_empty())
}

/// The punctuation at the end of a phrase's word.
trait TrimSigns {
    fn trim_suffix_signs(&self) -> &[u8];
}

impl TrimSigns for [u8] {
    fn trim_suffix_signs(&self) -> &[u8] {
        let signs = self.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?' | b',')).count();
        &self[..self.len() - signs]
    }
}
