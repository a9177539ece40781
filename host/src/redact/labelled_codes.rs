//! Finds codes of digits that open something, lists of codes that let in once, and keys in groups that people
//! copy by hand. A number is a code only if its label says so.

use super::ascii::{self, ALPHA, DIGIT, UPPER};
use super::labels::{MAX_REACH_BYTES, is_letter, is_separate};
use super::rule_tables::Kind;
use super::spans::Span;
use super::value_shape;
use std::ops::Range;

/// Maximum number of bytes between the label of a code and its digits.
const MAX_CODE_GAP_BYTES: usize = 24;

/// Maximum length of a group of a key.
const MAX_GROUP_BYTES: usize = 8;
/// Maximum number of bytes of a list of codes.
const MAX_LIST_BYTES: usize = 600;

const PASSWORD: Kind = Kind::of("password");
const SECRET: Kind = Kind::of("secret");

/// Words before the label of a code that say that the code opens something.
#[rustfmt::skip]
const CODE_OWNERS: &[&str] = &[
    "2fa", "access", "activation", "alarm", "authenticator", "backup", "confirmation", "dial", "door",
    "duress",
    "entry", "garage", "gate", "homekit", "host", "invite", "key", "lock", "login", "mfa", "office",
    "one-time",
    "otp", "pairing", "parental", "passcode", "pickup", "pin", "recovery", "safe", "security", "setup", "sms",
    "totp", "unlock", "verification", "voicemail",
];

/// Finds the digits after the label of a code: `door code: 4711`, `PIN 4711`.
pub fn digits(bytes: &[u8], at: usize, label: &str, found: &mut Vec<Span>) -> usize {
    let end = at + label.len();
    let is_word = label.is_ascii();
    let is_pin = ascii::is_one_of(label.trim().as_bytes(), &["pin", "pin:", "puk", "puk:", "pincode"]);
    // In small letters and without a colon, `pin` is one of a chip.
    let is_named =
        !is_pin || label.ends_with(':') || ascii::has_any(&bytes[at..at + 3], UPPER) && bytes[at + 1] != b'i';
    let is_plain = ascii::is_one_of(label.trim().as_bytes(), &["code", "code:"]);
    let is_code =
        is_separate(bytes, at, label) && if is_plain { has_code_owner(bytes, at) } else { is_named };
    if is_word && !is_code {
        return end;
    }
    if let Some(value) = (!is_word).then(|| short_word(bytes, end)).flatten() {
        found.push(Span::new(value.start, value.end, PASSWORD));
        return value.end;
    }
    if let Some(value) = digits_after(bytes, end, if is_pin { 5 } else { 2 }) {
        found.push(Span::new(value.start, value.end, PASSWORD));
    }
    end
}

/// Returns the four to eight letters and digits after a colon, as with a code for a shared folder.
fn short_word(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let rest = bytes.get(from..)?;
    let colon = rest.strip_prefix(b":").or_else(|| rest.strip_prefix("：".as_bytes()))?;
    let start = ascii::skip_blanks(bytes, bytes.len() - colon.len());
    let word = start..ascii::run_end(bytes, start, ALPHA | DIGIT);
    let is_mixed = ascii::has_any(&bytes[word.clone()], DIGIT) && ascii::has_any(&bytes[word.clone()], ALPHA);
    (is_mixed && (4..=8).contains(&word.len())).then_some(word)
}

/// Finds the groups of a key that people copy by hand, after a word for a key at `at`: five or more groups of
/// as many characters each.
pub fn grouped_key(bytes: &[u8], at: usize, label: &str, found: &mut Vec<Span>) -> usize {
    let end = at + label.len();
    let reach = &bytes[..bytes.len().min(end + MAX_REACH_BYTES)];
    let mut read = end;
    for dash in memchr::memchr_iter(b'-', &reach[end..]).map(|dash| end + dash) {
        if dash < read || !ascii::is(bytes[dash - 1], UPPER | DIGIT) {
            continue;
        }
        let start = ascii::run_start(bytes, dash, UPPER | DIGIT, MAX_GROUP_BYTES);
        let word = start..ascii::run_end(reach, start, UPPER | DIGIT | ascii::DASH);
        if is_grouped_key(&bytes[word.clone()]) {
            found.push(Span::new(word.start, word.end, SECRET));
            return word.end;
        }
        read = word.end;
    }
    end
}

fn is_grouped_key(word: &[u8]) -> bool {
    let mut groups = word.split(|&byte| byte == b'-');
    let first = groups.next().unwrap_or_default().len();
    let count = word.split(|&byte| byte == b'-').count();
    let is_mixed = ascii::has_any(word, UPPER) || first == 6;
    (4..=8).contains(&first)
        && count >= 4
        && count * first >= 20
        && groups.all(|group| group.len() == first)
        && is_mixed
        && ascii::has_any(word, DIGIT)
}

/// Finds the codes that follow the label at `at`, each of which lets in once.
pub fn list(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let end = at + anchor_len;
    let stop = bytes.len().min(end + MAX_LIST_BYTES);
    let mut from = end;
    while from < stop {
        let word = from..ascii::run_end(&bytes[..stop], from, ascii::WORD);
        let text = &bytes[word.clone()];
        let is_mixed = ascii::has_any(text, DIGIT) && ascii::has_any(text, ALPHA);
        let is_code = (8..=24).contains(&text.len()) && is_mixed && value_shape::mixing_ratio(text) >= 0.15;
        if is_code || is_digits(text) {
            found.push(Span::new(word.start, word.end, PASSWORD));
        } else if text.len() > 3 {
            break;
        }
        from = word.end + 1;
    }
    end
}

fn is_digits(text: &[u8]) -> bool {
    (8..=12).contains(&text.len()) && ascii::is_all(text, DIGIT | ascii::DASH)
}

/// Returns the four to twelve digits after a label and at most as many words, perhaps in groups.
pub fn digits_after(bytes: &[u8], from: usize, max_words: usize) -> Option<Range<usize>> {
    let reach = &bytes[from..bytes.len().min(from + MAX_CODE_GAP_BYTES)];
    let gap = reach.iter().position(|&byte| ascii::is(byte, DIGIT) || byte == b'\n')?;
    let is_gap =
        reach[..gap].iter().all(|&byte| is_letter(byte) || matches!(byte, b' ' | b':' | b'=' | b'-' | b'*'));
    let is_short =
        reach[..gap].split(|&byte| byte == b' ').filter(|word| !word.is_empty()).count() <= max_words;
    let is_error = [&b"err"[..], b"fehl", b"hata", b"post", b"stat", "ошиб".as_bytes(), "błęd".as_bytes()]
        .iter()
        .any(|word| ascii::contains(&reach[..gap], word));
    let start = from + gap;
    let is_digit = |byte: u8| ascii::is(byte, DIGIT) || matches!(byte, b' ' | b'-');
    let mut end = ascii::run_end_where(&bytes[..bytes.len().min(start + 16)], start, is_digit);
    while end > start && !ascii::is(bytes[end - 1], DIGIT) {
        end -= 1;
    }
    let count = ascii::count(&bytes[start..end], |byte| ascii::is(byte, DIGIT));
    let is_number =
        bytes.get(end).is_none_or(|&byte| !ascii::is(byte, ALPHA) && !matches!(byte, b'%' | b'/' | b'_'));
    (is_gap
        && is_short
        && !is_error
        && (4..=12).contains(&count)
        && is_number
        && bytes[start..].first() != Some(&b'\n'))
    .then_some(start..end)
}

/// Returns whether one of the three words before `at` says that a code opens something.
fn has_code_owner(bytes: &[u8], at: usize) -> bool {
    let floor = at.saturating_sub(40);
    let line = bytes[floor..at].rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let words = line.rsplit(|&byte| !ascii::is(byte, ascii::WORD)).filter(|word| !word.is_empty());
    words.take(3).any(|word| ascii::is_one_of(word, CODE_OWNERS))
}
