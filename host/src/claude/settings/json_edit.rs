//! A JSON file that belongs to somebody else, edited in place.
//!
//! People keep settings in their own order, indentation and number formats, and review them in pull requests.
//! So the text is never parsed and printed again: a change inserts or removes exactly the characters of one
//! value, and removing an insertion restores the same bytes. Own code, because `jsonc-parser`'s CST reformats
//! objects on one line, refuses a byte order mark and accepts comments and control characters that JSON does
//! not have.

use std::ops::Range;

use serde::Serialize;
use serde::de::Deserialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::value::RawValue;

use crate::claude::payload::JsonObject;
use crate::error::{Error, Result};

/// Indentation of a file that has none yet.
const DEFAULT_INDENTATION: &str = "  ";

/// One step of a path to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathStep<'a> {
    /// The member with this name: the last one of several, which is the one that counts in JavaScript.
    Key(&'a str),
    /// The item with this index of a list.
    Index(usize),
}

/// The text of a JSON file whose outermost value is an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Document {
    text: String,
}

/// One value inside an object or a list.
struct Entry {
    /// Its name in an object.
    key: Option<String>,
    /// Its byte range in the text.
    range: Range<usize>,
}

impl Document {
    /// Parses the text of a file. An empty file counts as `{}`.
    ///
    /// # Errors
    /// `Invalid`, with line and column, if it is not a JSON object.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let text = if text.trim().is_empty() { "{}\n" } else { text };
        let document = Self { text: text.to_owned() };
        parse::<JsonObject<'_>>(document.without_byte_order_mark()).map_err(|cause| {
            Error::invalid(format!("not valid JSON: {cause}")).hint("fix or remove the file, then try again")
        })?;
        Ok(document)
    }

    /// Returns the whole text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the JSON text at `path`.
    pub(super) fn get(&self, path: &[PathStep<'_>]) -> Option<&str> {
        self.find(path).map(|range| &self.text[range])
    }

    /// Returns the names of an object's members in their order; `None` if `path` does not lead to an object.
    pub(super) fn keys(&self, path: &[PathStep<'_>]) -> Option<Vec<String>> {
        let range = self.find(path).filter(|range| self.text[range.clone()].starts_with('{'))?;
        Some(self.entries(&range).into_iter().filter_map(|entry| entry.key).collect())
    }

    /// Returns the number of items of a list; `None` if `path` does not lead to a list.
    pub(super) fn length(&self, path: &[PathStep<'_>]) -> Option<usize> {
        let range = self.find(path).filter(|range| self.text[range.clone()].starts_with('['))?;
        Some(self.entries(&range).len())
    }

    /// Adds a value at the end of the object (with `key`) or list (without) at `path`, in the style of its
    /// neighbors. Does nothing if `path` leads nowhere.
    pub(super) fn append(&mut self, path: &[PathStep<'_>], key: Option<&str>, value: &str) {
        let Some(container) = self.find(path) else { return };
        let Layout { before_entry, line_start, before_close } = Layout::of(&self.text, &container);
        let key = key.map(|key| self.styled_key(key)).unwrap_or_default();
        let value = value.replace('\n', &line_start);
        match self.entries(&container).last() {
            Some(last) => self.text.insert_str(last.range.end, &format!(",{before_entry}{key}{value}")),
            None => {
                let inside = format!("{before_entry}{key}{value}{before_close}");
                self.text.replace_range(container.start + 1..container.end - 1, &inside);
            }
        }
    }

    /// Removes the value at `index` of the object or list at `path`, with its key and comma.
    pub(super) fn remove(&mut self, path: &[PathStep<'_>], index: usize) {
        let Some(container) = self.find(path) else { return };
        let entries = self.entries(&container);
        let inside = container.start + 1..container.end - 1;
        let range = match (index, entries.len()) {
            (_, length) if index >= length => return,
            (0, 1) => inside,
            (0, _) => {
                let comma = self.skip_whitespace(entries[0].range.end);
                self.skip_whitespace(inside.start)..self.skip_whitespace(comma + 1)
            }
            _ => entries[index - 1].range.end..entries[index].range.end,
        };
        self.text.replace_range(range, "");
    }

    /// Serializes a value in the indentation of this file, for [`Self::append`].
    pub(super) fn to_styled_json(&self, value: &impl Serialize) -> String {
        let Some(unit) = indentation_unit(&self.text) else {
            return serde_json::to_string(value).expect("strings and numbers always serialize");
        };
        let mut json = Vec::new();
        let formatter = PrettyFormatter::with_indent(unit.as_bytes());
        let mut serializer = Serializer::with_formatter(&mut json, formatter);
        value.serialize(&mut serializer).expect("strings and numbers always serialize");
        String::from_utf8(json).expect("JSON is UTF-8")
    }

    /// Returns a key with its colon in the style of this file.
    fn styled_key(&self, key: &str) -> String {
        let is_spaced = indentation_unit(&self.text).is_some() || self.text.contains("\": ");
        format!("{}:{}", serde_json::Value::from(key), if is_spaced { " " } else { "" })
    }

    /// Returns the text that is JSON.
    pub(super) fn without_byte_order_mark(&self) -> &str {
        self.text.trim_start_matches('\u{feff}')
    }

    fn find(&self, path: &[PathStep<'_>]) -> Option<Range<usize>> {
        let start = self.skip_whitespace(self.text.len() - self.without_byte_order_mark().len());
        let end = self.text.trim_end().len();
        path.iter().try_fold(start..end, |range, step| {
            let mut entries = self.entries(&range).into_iter();
            let entry = match *step {
                PathStep::Key(name) => entries.rfind(|entry| entry.key.as_deref() == Some(name)),
                PathStep::Index(index) => entries.nth(index).filter(|entry| entry.key.is_none()),
            };
            entry.map(|entry| entry.range)
        })
    }

    /// Returns the entries of an object or a list; none for any other value.
    fn entries(&self, range: &Range<usize>) -> Vec<Entry> {
        let json = &self.text[range.clone()];
        let range_of = |value: &RawValue| {
            let start = value.get().as_ptr().addr() - self.text.as_ptr().addr();
            start..start + value.get().len()
        };
        if let Ok(JsonObject { members }) = parse::<JsonObject<'_>>(json) {
            let entries = members.iter();
            entries.map(|(key, value)| Entry { key: Some(key.to_string()), range: range_of(value) }).collect()
        } else {
            let items = parse::<Vec<&RawValue>>(json).unwrap_or_default();
            items.iter().map(|value| Entry { key: None, range: range_of(value) }).collect()
        }
    }

    /// Returns the first offset from `offset` on that is not white space.
    fn skip_whitespace(&self, offset: usize) -> usize {
        self.text.len() - self.text[offset..].trim_start().len()
    }
}

fn parse<'a, T: Deserialize<'a>>(json: &'a str) -> serde_json::Result<T> {
    serde_json::from_str(json)
}

/// The white space around the entries of one object or list.
#[derive(Default)]
struct Layout {
    /// The text between a comma, or the opening bracket, and an entry.
    before_entry: String,
    /// The text between the last entry and the closing bracket.
    before_close: String,
    /// The start of each further line of an entry, line break included.
    line_start: String,
}

impl Layout {
    fn of(text: &str, container: &Range<usize>) -> Self {
        let inside = &text[container.start + 1..container.end - 1];
        let leading = &inside[..inside.len() - inside.trim_start().len()];
        let outer = format!("{}{}", line_break(text), indentation(text, container.start));
        if leading.len() < inside.len() {
            let Some(at) = leading.rfind('\n') else {
                let before_entry = leading.to_owned();
                return Self { before_entry, line_start: outer, ..Self::default() };
            };
            let line_start = format!("{}{}", line_break(text), &leading[at + 1..]);
            return Self { before_entry: line_start.clone(), line_start, ..Self::default() };
        }
        let Some(unit) = indentation_unit(text) else { return Self::default() };
        let line_start = format!("{outer}{unit}");
        Self { before_entry: line_start.clone(), before_close: outer, line_start }
    }
}

fn line_break(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns the white space that the line around `offset` begins with.
fn indentation(text: &str, offset: usize) -> &str {
    let line = &text[text[..offset].rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns one step of the file's indentation, the default if it has none yet, and `None` for a file on one
/// line.
fn indentation_unit(text: &str) -> Option<&str> {
    let text = text.trim();
    let leading = |line: &'_ str| line.len() - line.trim_start().len();
    match text.lines().skip(1).find(|line| leading(line) > 0) {
        Some(line) => Some(&line[..leading(line)]),
        None if text.contains('\n') || text.len() <= "{ }".len() => Some(DEFAULT_INDENTATION),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::PathStep::{Index, Key};
    use super::*;

    /// Appends `{"c": [1]}` in the style of the file.
    fn appended(text: &str, path: &[PathStep<'_>], key: Option<&str>) -> Document {
        let mut document = Document::parse(text).unwrap();
        let value = document.to_styled_json(&serde_json::json!({"c": [1]}));
        document.append(path, key, &value);
        document
    }

    #[test]
    fn an_addition_follows_the_style_of_the_file() {
        let cases = [
            ("{}\n", "{\n  \"x\": {\n    \"c\": [\n      1\n    ]\n  }\n}\n"),
            ("{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"x\": {\n\t\t\"c\": [\n\t\t\t1\n\t\t]\n\t}\n}"),
            ("{\r\n \"a\": 1\r\n}", "{\r\n \"a\": 1,\r\n \"x\": {\r\n  \"c\": [\r\n   1\r\n  ]\r\n }\r\n}"),
            ("{\"a\":1}", "{\"a\":1,\"x\":{\"c\":[1]}}"),
            ("{ \"a\": 1 }", "{ \"a\": 1, \"x\": {\"c\":[1]} }"),
            ("\u{feff}{\"a\":{}}", "\u{feff}{\"a\":{},\"x\":{\"c\":[1]}}"),
        ];
        for (before, after) in cases {
            assert_eq!(appended(before, &[], Some("x")).text(), after);
        }
    }

    #[test]
    fn removing_an_addition_restores_the_same_bytes() {
        let texts = [
            "{}",
            "{}\n",
            "{\"a\": {}, \"b\": []}",
            "{\n  \"b\": [],\n\n  \"a\": {\n    \"k\": 1e5\n  }\n}\n",
            "{\r\n\t\"a\": { \"k\" : [ 1 ,\r\n\t2 ] },\r\n\t\"b\": [{\"x\": \"\\u00e9 }\"}]\r\n}\r\n",
            "\u{feff}{\"a\":{\"a\":1,\"a\":2},\"b\":[[],[]]}\n\n",
        ];
        for text in texts {
            for (path, key) in [(vec![], Some("x")), (vec![Key("a")], Some("x")), (vec![Key("b")], None)] {
                let mut document = appended(text, &path, key);
                let last =
                    document.keys(&path).map_or_else(|| document.length(&path), |keys| Some(keys.len()));
                if let Some(last) = last {
                    document.remove(&path, last - 1);
                }
                assert_eq!(document.text(), text);
            }
        }
    }

    #[test]
    fn removing_any_entry_keeps_the_others() {
        let text = "{\n  \"a\": [ 1 , {\"b\": [2]},\n  3 ],\n  \"c\": 4\n}";
        let without = |path: &[PathStep<'_>], index| {
            let mut document = Document::parse(text).unwrap();
            document.remove(path, index);
            document.text().to_owned()
        };

        assert_eq!(without(&[], 0), "{\n  \"c\": 4\n}");
        assert_eq!(without(&[], 1), "{\n  \"a\": [ 1 , {\"b\": [2]},\n  3 ]\n}");
        assert_eq!(without(&[Key("a")], 0), "{\n  \"a\": [ {\"b\": [2]},\n  3 ],\n  \"c\": 4\n}");
        assert_eq!(without(&[Key("a")], 1), "{\n  \"a\": [ 1,\n  3 ],\n  \"c\": 4\n}");
        assert_eq!(without(&[Key("a"), Index(1), Key("b")], 0), text.replace("[2]", "[]"));
        assert_eq!(without(&[Key("a")], 3), text);
        assert_eq!(without(&[Key("nowhere")], 0), text);
    }

    #[test]
    fn anything_but_a_json_object_is_refused_with_its_position() {
        for (text, position) in
            [("{\n  // no\n}", "line 2 column 3"), ("[]", "line 1"), ("{\"a\": 1,}", "column 9")]
        {
            let error = Document::parse(text).unwrap_err();
            assert!(error.message.contains(position), "{error}");
        }
        assert_eq!(Document::parse(" \n").unwrap().text(), "{}\n");
    }
}
