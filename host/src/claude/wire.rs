//! The payload as it lies on the wire: one JSON object, read without building a tree.
//!
//! Payloads reach 600 kB, nearly all of it tool input and output that most layers never look at. So only the
//! outermost object is taken apart; every value stays a slice of the text until somebody asks for it. Strict
//! in one thing only: it must be an object. Which fields an event needs is not known here.

use std::borrow::Cow;

use serde::de::Deserialize;

use crate::error::{Error, Result};

use super::members::Members;

/// The fields of the payload, each value as its JSON text.
pub(super) struct Fields<'a>(Members<'a>);

impl<'a> Fields<'a> {
    /// Takes the outermost object apart. [`Error::invalid`] where `text` is not exactly one JSON object.
    pub(super) fn read(text: &'a str) -> Result<Self> {
        serde_json::from_str(text).map(Self).map_err(|cause| {
            Error::invalid(format!("the event is not a JSON object: {cause}"))
                .hint("`interleaf hook` reads on standard input what Claude Code sends to a hook")
        })
    }

    /// The JSON text of a field.
    pub(super) fn json(&self, name: &str) -> Option<&'a str> {
        self.0.get(name)
    }

    /// The JSON text of a field that the event makes no sense without.
    pub(super) fn needed_json(&self, name: &str) -> Result<String, String> {
        self.json(name).map(str::to_owned).ok_or_else(|| format!("`{name}` is missing"))
    }

    /// A text that the event makes no sense without; the error says what is odd about it.
    pub(super) fn needed_text(&self, name: &str) -> Result<String, String> {
        let json = self.json(name).ok_or_else(|| format!("`{name}` is missing"))?;
        serde_json::from_str(json).map_err(|_| format!("`{name}` is {} instead of a text", sort(json)))
    }

    /// A text that may be absent; anything but a text counts as absent.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        self.value(name)
    }

    /// A count that may be absent; anything but a whole number counts as absent.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        self.value(name)
    }

    /// A switch that is off when absent. Of another type it is an oddity: guessing `stop_hook_active` wrong
    /// loops.
    pub(super) fn switch(&self, name: &str) -> Result<bool, String> {
        match self.json(name) {
            None | Some("null") => Ok(false),
            Some(json) => serde_json::from_str(json)
                .map_err(|_| format!("`{name}` is {} instead of true or false", sort(json))),
        }
    }

    fn value<T: Deserialize<'a>>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.json(name)?).ok()
    }
}

/// What sort of JSON value this is, in a word for people.
fn sort(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'"') => "a text",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// The payload as text that every JSON parser takes.
///
/// JavaScript strings may hold half a surrogate pair (a prompt cut in the middle of an emoji), which
/// `JSON.stringify` writes as a lone `\ud83d` and Rust's strings cannot hold. Such halves and bytes that are
/// not UTF-8 become U+FFFD, so that a single broken character does not lose the event.
pub(super) fn text(bytes: &[u8]) -> String {
    // Checking alone takes a tenth of the time of checking while repairing.
    let text = str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.contains("\\ud") || text.contains("\\uD") { mend_surrogates(text) } else { text.to_owned() }
}

/// Replaces escaped lone surrogates. A backslash only occurs inside strings, so no grammar is needed.
fn mend_surrogates(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let (length, lone) = escape(rest.as_bytes());
        mended.push_str(if lone { "\\ufffd" } else { &rest[..length] });
        rest = &rest[length..];
    }
    mended + rest
}

/// The length in bytes of the escape (or pair of escapes) that `text` begins with, and whether it is half a
/// pair.
fn escape(text: &[u8]) -> (usize, bool) {
    match code_unit(text) {
        Some(0xd800..=0xdbff) => match code_unit(&text[6..]) {
            Some(0xdc00..=0xdfff) => (12, false),
            _ => (6, true),
        },
        Some(0xdc00..=0xdfff) => (6, true),
        Some(_) => (6, false),
        // `\n`, `\\` and the like. What follows may be any character of a broken text: keep to its boundary.
        None if text.get(1).is_some_and(u8::is_ascii) => (2, false),
        None => (1, false),
    }
}

/// The UTF-16 unit of the `\uXXXX` that `text` begins with.
fn code_unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_surrogate_pair_becomes_the_replacement_character_and_whole_pairs_stay() {
        let cases = [
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uDE00 x""#, r#""\ufffd x""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud83d\n""#, r#""\ufffd\n""#),
        ];

        for (sent, mended) in cases {
            assert_eq!(text(sent.as_bytes()), mended);
            serde_json::from_str::<String>(mended).unwrap();
        }
    }

    #[test]
    fn broken_escapes_at_the_end_are_left_as_they_are() {
        for broken in ["\\ud83d\\", "\\ud83d\\u", "\\ud83d\\ude0", "\\udé", "\\é \\ud83d"] {
            text(broken.as_bytes());
        }
        assert_eq!(text(b"\\ud83d\\ude0"), "\\ufffd\\ude0");
    }

    #[test]
    fn a_byte_order_mark_and_bytes_that_are_no_utf8_are_survived() {
        assert_eq!(text(b"\xef\xbb\xbf{}"), "{}");
        assert_eq!(text(b"{\"a\":\"\xff\"}"), "{\"a\":\"\u{fffd}\"}");
    }

    #[test]
    fn of_a_repeated_field_the_last_counts() {
        let fields = Fields::read(r#"{"a": 1, "\u0061": "two"}"#).unwrap();

        assert_eq!(fields.needed_text("a"), Ok("two".to_owned()));
    }

    #[test]
    fn anything_but_one_object_is_refused() {
        for text in ["", " ", "null", "[]", "3", "\"x\"", "{", "{} {}", "{}x", "{\"a\"}", "\0", "{\"a\":\0}"]
        {
            assert!(Fields::read(text).is_err(), "{text:?}");
        }
    }
}
