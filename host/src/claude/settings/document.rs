//! A JSON file that belongs to somebody else, edited in place.
//!
//! People keep settings in their own order, indentation and number formats, and review them in pull requests.
//! So the text is never taken apart and printed again: a change inserts or removes exactly the characters of
//! one value, and removing what was inserted gives back the same bytes. What the values mean is not known
//! here.

use std::ops::Range;

use serde::Serialize;
use serde::de::Deserialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::value::RawValue;

use crate::claude::members::Members;
use crate::error::{Error, Result};

use super::layout::{Layout, indentation_unit};

/// One step from a value to a value inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// The member of this name; of several, the last, which is the one that counts in JavaScript.
    Key(&'a str),
    /// The item at this place of a list.
    At(usize),
}

/// The text of a JSON file whose outermost value is an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Document {
    text: String,
}

/// One value inside an object or a list: its place in the text, and its name in an object.
struct Entry {
    key: Option<String>,
    range: Range<usize>,
}

impl Document {
    /// Takes the text of a file; an empty one counts as `{}`. [`Error::invalid`] names line, column and
    /// cause.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let text = if text.trim().is_empty() { "{}\n" } else { text };
        let document = Self { text: text.to_owned() };
        serde_json::from_str::<Members<'_>>(document.json()).map_err(|cause| {
            Error::invalid(format!("not valid JSON: {cause}")).hint("mend or remove the file, then try again")
        })?;
        Ok(document)
    }

    /// The whole text as it now stands.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The JSON text at `path`.
    pub(super) fn get(&self, path: &[Step<'_>]) -> Option<&str> {
        self.find(path).map(|range| &self.text[range])
    }

    /// The names of an object's members in their order; `None` where `path` does not lead to an object.
    pub(super) fn keys(&self, path: &[Step<'_>]) -> Option<Vec<String>> {
        let range = self.find(path).filter(|range| self.text[range.clone()].starts_with('{'))?;
        Some(self.entries(&range).into_iter().filter_map(|entry| entry.key).collect())
    }

    /// The number of items of a list; `None` where `path` does not lead to a list.
    pub(super) fn length(&self, path: &[Step<'_>]) -> Option<usize> {
        let range = self.find(path).filter(|range| self.text[range.clone()].starts_with('['))?;
        Some(self.entries(&range).len())
    }

    /// Adds a value behind the last one of the object (with `key`) or list (without) at `path`, in the style
    /// of its neighbours. Nothing happens where `path` leads nowhere.
    pub(super) fn append(&mut self, path: &[Step<'_>], key: Option<&str>, value: &str) {
        let Some(container) = self.find(path) else { return };
        let Layout { before_entry, line, before_close } = Layout::of(&self.text, &container);
        let name = key.map(|key| self.name(key)).unwrap_or_default();
        let value = value.replace('\n', &line);
        match self.entries(&container).last() {
            Some(last) => self.text.insert_str(last.range.end, &format!(",{before_entry}{name}{value}")),
            None => {
                let inside = format!("{before_entry}{name}{value}{before_close}");
                self.text.replace_range(container.start + 1..container.end - 1, &inside);
            }
        }
    }

    /// Removes the value at `index` of the object or list at `path`, with its name and comma.
    pub(super) fn remove(&mut self, path: &[Step<'_>], index: usize) {
        let Some(container) = self.find(path) else { return };
        let entries = self.entries(&container);
        let inside = container.start + 1..container.end - 1;
        let gone = match (index, entries.len()) {
            (_, length) if index >= length => return,
            (0, 1) => inside,
            (0, _) => self.solid(inside.start)..self.solid(self.solid(entries[0].range.end) + 1),
            _ => entries[index - 1].range.end..entries[index].range.end,
        };
        self.text.replace_range(gone, "");
    }

    /// The value in the indentation of this file, to be given to [`Self::append`].
    pub(super) fn written(&self, value: &impl Serialize) -> String {
        let Some(unit) = indentation_unit(&self.text) else {
            return serde_json::to_string(value).expect("texts and numbers always serialise");
        };
        let mut json = Vec::new();
        let mut serializer =
            Serializer::with_formatter(&mut json, PrettyFormatter::with_indent(unit.as_bytes()));
        value.serialize(&mut serializer).expect("texts and numbers always serialise");
        String::from_utf8(json).expect("JSON is UTF-8")
    }

    /// `key` with its colon, in the style of this file.
    fn name(&self, key: &str) -> String {
        let spaced = indentation_unit(&self.text).is_some() || self.text.contains("\": ");
        format!("{}:{}", serde_json::Value::from(key), if spaced { " " } else { "" })
    }

    /// The JSON without a byte order mark.
    fn json(&self) -> &str {
        self.text.trim_start_matches('\u{feff}')
    }

    fn find(&self, path: &[Step<'_>]) -> Option<Range<usize>> {
        let start = self.solid(self.text.len() - self.json().len());
        let end = self.text.trim_end().len();
        path.iter().try_fold(start..end, |range, step| {
            let mut entries = self.entries(&range).into_iter();
            let entry = match *step {
                Step::Key(name) => entries.rfind(|entry| entry.key.as_deref() == Some(name)),
                Step::At(index) => entries.nth(index).filter(|entry| entry.key.is_none()),
            };
            entry.map(|entry| entry.range)
        })
    }

    /// What an object or a list holds; nothing for any other value.
    fn entries(&self, range: &Range<usize>) -> Vec<Entry> {
        let json = &self.text[range.clone()];
        let place = |value: &RawValue| {
            let start = value.get().as_ptr().addr() - self.text.as_ptr().addr();
            start..start + value.get().len()
        };
        if let Ok(Members(members)) = parse::<Members<'_>>(json) {
            members
                .iter()
                .map(|(key, value)| Entry { key: Some(key.to_string()), range: place(value) })
                .collect()
        } else {
            let items = parse::<Vec<&RawValue>>(json).unwrap_or_default();
            items.iter().map(|value| Entry { key: None, range: place(value) }).collect()
        }
    }

    /// The first place from `from` on that is not white space.
    fn solid(&self, from: usize) -> usize {
        self.text.len() - self.text[from..].trim_start().len()
    }
}

fn parse<'a, T: Deserialize<'a>>(json: &'a str) -> serde_json::Result<T> {
    serde_json::from_str(json)
}

#[cfg(test)]
mod tests;
