//! The JSON payload of a hook event, read without building a tree.
//!
//! Payloads reach 600 kB, nearly all of it tool input and output that most layers never read. So only the
//! outermost object is split into fields; each value stays a slice of the text until it is asked for. Which
//! fields an event requires is decided in `event`.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{Error, Result};

/// The fields of a payload, each value as its JSON text.
pub(super) struct Payload<'a>(JsonObject<'a>);

impl<'a> Payload<'a> {
    /// Splits the outermost object into its fields.
    ///
    /// # Errors
    /// `Invalid` if `text` is not exactly one JSON object.
    pub(super) fn parse(text: &'a str) -> Result<Self> {
        serde_json::from_str(text).map(Self).map_err(|cause| {
            Error::invalid(format!("the event is not a JSON object: {cause}"))
                .hint("`interleaf hook` expects on standard input what Claude Code sends to a hook")
        })
    }

    /// Returns the JSON text of a field.
    pub(super) fn json(&self, name: &str) -> Option<&'a str> {
        self.0.get(name)
    }

    /// Returns the names of all fields with their JSON text.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.members.iter().map(|(name, value)| (name.as_ref(), value.get()))
    }

    /// Returns the JSON text of a field that the event requires, or a message that names the field.
    pub(super) fn required_json(&self, name: &str) -> Result<String, String> {
        self.json(name).map(str::to_owned).ok_or_else(|| format!("`{name}` is missing"))
    }

    /// Returns a string that the event requires, or a message that names the field and its actual type.
    pub(super) fn required_string(&self, name: &str) -> Result<String, String> {
        let json = self.json(name).ok_or_else(|| format!("`{name}` is missing"))?;
        serde_json::from_str(json).map_err(|_| format!("`{name}` is {} instead of a string", json_type(json)))
    }

    /// Returns an optional string. A value of another type counts as absent.
    pub(super) fn string(&self, name: &str) -> Option<String> {
        self.value(name)
    }

    /// Returns an optional count. Anything but a whole number counts as absent.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        self.value(name)
    }

    /// Returns a Boolean that is false when absent. Another type is an error: a wrong guess for
    /// `stop_hook_active` would make the session loop.
    pub(super) fn boolean(&self, name: &str) -> Result<bool, String> {
        match self.json(name) {
            None | Some("null") => Ok(false),
            Some(json) => serde_json::from_str(json)
                .map_err(|_| format!("`{name}` is {} instead of true or false", json_type(json))),
        }
    }

    /// Returns the parsed value of a field; null if there is none.
    pub(super) fn tree(&self, name: &str) -> serde_json::Value {
        self.value(name).unwrap_or_default()
    }

    fn value<T: Deserialize<'a>>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.json(name)?).ok()
    }
}

/// Names the type of a JSON value for an error message.
fn json_type(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'"') => "a string",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// The members of a JSON object in the order of the text, each value as a slice of the text. Values are
/// checked to be well-formed at any depth, but not parsed further.
pub(super) struct JsonObject<'a> {
    /// Names and values. A repeated name occurs as often as in the text.
    pub(super) members: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> JsonObject<'a> {
    /// Returns the value of a name: the last one of several, as in JavaScript.
    fn get(&self, name: &str) -> Option<&'a str> {
        self.members.iter().rfind(|(key, _)| key == name).map(|(_, value)| value.get())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for JsonObject<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(JsonObjectVisitor)
    }
}

struct JsonObjectVisitor;

impl<'de> Visitor<'de> for JsonObjectVisitor {
    type Value = JsonObject<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        #[derive(serde::Deserialize)]
        struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

        let mut members = Vec::new();
        while let Some((Name(name), value)) = map.next_entry()? {
            members.push((name, value));
        }
        Ok(JsonObject { members })
    }
}

/// Decodes a payload into text that every JSON parser accepts.
///
/// JavaScript strings may hold half a surrogate pair (a prompt cut in the middle of an emoji), which
/// `JSON.stringify` writes as a lone `\ud83d` and Rust's strings cannot hold. Such halves and bytes that are
/// not UTF-8 become U+FFFD, so that a single broken character does not lose the event.
pub(crate) fn decode(bytes: &[u8]) -> String {
    // Checking alone takes a tenth of the time of a lossy conversion.
    let text = str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let may_hold_surrogates = text.contains("\\ud") || text.contains("\\uD");
    if may_hold_surrogates { replace_lone_surrogates(text) } else { text.to_owned() }
}

/// Replaces escaped lone surrogates. A backslash only occurs inside strings, so no grammar is needed.
fn replace_lone_surrogates(text: &str) -> String {
    let mut repaired = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        repaired.push_str(&rest[..at]);
        rest = &rest[at..];
        let (length, is_lone) = measure_escape(rest.as_bytes());
        repaired.push_str(if is_lone { "\\ufffd" } else { &rest[..length] });
        rest = &rest[length..];
    }
    repaired + rest
}

/// Returns the length in bytes of the escape, or pair of escapes, that `text` begins with, and whether it is
/// half of a pair.
fn measure_escape(text: &[u8]) -> (usize, bool) {
    match utf16_escape(text) {
        Some(0xd800..=0xdbff) => match utf16_escape(&text[6..]) {
            Some(0xdc00..=0xdfff) => (12, false),
            _ => (6, true),
        },
        Some(0xdc00..=0xdfff) => (6, true),
        Some(_) => (6, false),
        // `\n`, `\\` and the like. In a malformed text any character may follow; stay on a character
        // boundary.
        None if text.get(1).is_some_and(u8::is_ascii) => (2, false),
        None => (1, false),
    }
}

/// Returns the UTF-16 unit of the `\uXXXX` that `text` begins with.
fn utf16_escape(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_surrogate_becomes_the_replacement_character_and_pairs_stay() {
        let cases = [
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uDE00 x""#, r#""\ufffd x""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud83d\n""#, r#""\ufffd\n""#),
        ];

        for (sent, repaired) in cases {
            assert_eq!(decode(sent.as_bytes()), repaired);
            serde_json::from_str::<String>(repaired).unwrap();
        }
    }

    #[test]
    fn incomplete_escapes_at_the_end_are_left_unchanged() {
        for broken in ["\\ud83d\\", "\\ud83d\\u", "\\ud83d\\ude0", "\\udé", "\\é \\ud83d"] {
            decode(broken.as_bytes());
        }
        assert_eq!(decode(b"\\ud83d\\ude0"), "\\ufffd\\ude0");
    }

    #[test]
    fn a_byte_order_mark_is_removed_and_invalid_utf8_is_replaced() {
        assert_eq!(decode(b"\xef\xbb\xbf{}"), "{}");
        assert_eq!(decode(b"{\"a\":\"\xff\"}"), "{\"a\":\"\u{fffd}\"}");
    }

    #[test]
    fn the_last_of_several_fields_with_one_name_counts() {
        let payload = Payload::parse(r#"{"a": 1, "\u0061": "two"}"#).unwrap();

        assert_eq!(payload.required_string("a"), Ok("two".to_owned()));
    }

    #[test]
    fn anything_but_exactly_one_object_is_refused() {
        for text in ["", " ", "null", "[]", "3", "\"x\"", "{", "{} {}", "{}x", "{\"a\"}", "\0", "{\"a\":\0}"]
        {
            assert!(Payload::parse(text).is_err(), "{text:?}");
        }
    }
}
