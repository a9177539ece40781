//! The text of a git note: entries between other people's text. An entry begins like a document with front
//! matter, so that `git notes show` prints something that one can read:
//!
//! ```text
//! ---
//! id: "54pwyj2thj"
//! category: "decision"
//! title: "Payments are idempotent by order id"
//! lines: 1
//! ---
//! Payments are idempotent by order id, because webhooks come twice.
//! ```
//!
//! The value of each field is JSON, which is also YAML. `lines` is the number of lines of the text, so the
//! text may contain anything.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::memory::{Entry, EntryKind};

/// The line before and behind the fields.
const FENCE: &str = "---";
/// Fields that come first, in this order. The text stands behind the fields.
const FIRST: [&str; 4] = ["id", "end", "category", "title"];
const TEXT: &str = "text";
const LINES: &str = "lines";

/// Fields that an entry in a note has beside its own, for other programs.
pub type MoreFields = Vec<(&'static str, Value)>;

/// What a note holds.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Note {
    /// Text that is not ours.
    pub other: String,
    /// Entries by the id of their memory.
    pub entries: BTreeMap<String, Entry>,
    /// Entries that cannot be read, as they stand there, with the reason. They are kept.
    pub unreadable: Vec<(String, String)>,
    /// Entries that another program's documents say, with their lines in [`Note::other`].
    pub foreign: BTreeMap<String, (Entry, Range<usize>)>,
    /// Why documents of another program cannot be read.
    pub broken_documents: Vec<String>,
}

impl Note {
    /// Reads a note. Nothing in it is lost: what is no entry is other text.
    pub fn parse(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let (mut note, mut other, mut at) = (Self::default(), Vec::new(), 0);
        while at < lines.len() {
            match entry_lines(&lines[at..]) {
                Some((fields, length)) => {
                    note.take(fields, &lines[at..at + length]);
                    at += length;
                }
                None => {
                    other.push(lines[at]);
                    at += 1;
                }
            }
        }
        note.other = other.join("\n").trim().to_owned();
        note
    }

    fn take(&mut self, fields: Map<String, Value>, lines: &[&str]) {
        match Entry::from_json(fields.into()) {
            // Somebody may have joined two notes, so that an entry stands there twice.
            Ok(entry) => match self.entries.get(&entry.id).map(|known| known.merge(&entry)) {
                Some(Ok(merged)) => drop(self.entries.insert(merged.id.clone(), merged)),
                Some(Err(error)) => self.unreadable.push((lines.join("\n"), error.to_string())),
                None => drop(self.entries.insert(entry.id.clone(), entry)),
            },
            Err(error) => self.unreadable.push((lines.join("\n"), error.to_string())),
        }
    }

    /// Unites two states of a note.
    ///
    /// # Errors
    /// `Invalid` if an entry cannot be converted to JSON.
    pub fn united(mut self, other: &Self) -> Result<Self> {
        for (id, entry) in &other.entries {
            self.merge(id, entry)?;
        }
        let is_new = |lines: &&(String, String)| !self.unreadable.contains(lines);
        let added: Vec<(String, String)> = other.unreadable.iter().filter(is_new).cloned().collect();
        self.unreadable.extend(added);
        self.unite_documents(other);
        let in_document = |at: &usize| other.foreign.values().any(|(_, lines)| lines.contains(at));
        let lines = other.other.lines().enumerate().filter(|(at, _)| !in_document(at));
        let known: Vec<&str> = self.other.lines().collect();
        let mut added: Vec<&str> = lines.map(|(_, line)| line).collect();
        // The lines of a broken document stay together, although each may be known.
        if other.broken_documents.is_empty() || self.other.contains(&added.join("\n")) {
            added.retain(|line| !known.contains(line));
        }
        self.other = [&known[..], &added[..]].concat().join("\n").trim_end().to_owned();
        Ok(self)
    }

    /// Adds the documents of another program that this note does not have, each as a whole.
    fn unite_documents(&mut self, other: &Self) {
        let theirs: Vec<&str> = other.other.lines().collect();
        for (id, (entry, lines)) in &other.foreign {
            if self.knows(id) {
                continue;
            }
            let mut known: Vec<&str> = self.other.lines().collect();
            let start = known.len();
            known.extend(theirs.get(lines.clone()).unwrap_or_default());
            let range = start..known.len();
            self.other = known.join("\n");
            self.foreign.insert(id.clone(), (entry.clone(), range));
        }
    }

    /// Merges an entry. Tells whether it changes the note.
    ///
    /// # Errors
    /// `Invalid` if an entry cannot be converted to JSON.
    pub fn merge(&mut self, id: &str, entry: &Entry) -> Result<bool> {
        if self.has_document_of(id, entry) {
            return Ok(false);
        }
        let known = self.entries.get(id).or(self.foreign.get(id).map(|(entry, _)| entry));
        let merged = match known {
            Some(known) => known.merge(entry)?,
            None => entry.clone(),
        };
        if known == Some(&merged) {
            return Ok(false);
        }
        if let (EntryKind::Purged(_), Some((_, lines))) = (&merged.kind, self.foreign.remove(id)) {
            self.remove_lines(&lines);
        }
        self.entries.insert(id.to_owned(), merged);
        Ok(true)
    }

    /// Tells whether the entry is a document of another program that nobody changed since. The store has its
    /// fields as the write rules want them, so they may differ.
    fn has_document_of(&self, id: &str, entry: &Entry) -> bool {
        let stamps = |entry: &Entry| match &entry.kind {
            EntryKind::Live(live) => Some(live.stamps.clone()),
            _ => None,
        };
        let document = self.foreign.get(id).filter(|_| !self.entries.contains_key(id));
        document.is_some_and(|(document, _)| stamps(entry).is_some_and(|own| stamps(document) == Some(own)))
    }

    /// Tells whether a memory stands in the note.
    pub fn knows(&self, id: &str) -> bool {
        self.entries.contains_key(id) || self.foreign.contains_key(id)
    }

    /// Removes lines of the text that is not ours. The lines of other documents keep their numbers.
    fn remove_lines(&mut self, lines: &Range<usize>) {
        let keep = |(at, line)| if lines.contains(&at) { "" } else { line };
        let kept: Vec<&str> = self.other.lines().enumerate().map(keep).collect();
        self.other = kept.join("\n");
    }

    /// Returns the text of the note; empty if it holds nothing. An entry has `more_fields` beside its own.
    ///
    /// # Errors
    /// `Invalid` if an entry cannot be converted to JSON.
    pub fn to_text(&self, more_fields: impl Fn(&Entry) -> MoreFields) -> Result<String> {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(Some(self.other.trim().to_owned()).filter(|other| !other.is_empty()));
        parts.extend(self.unreadable.iter().map(|(lines, _)| lines.clone()));
        for entry in self.entries.values() {
            parts.push(entry_text(entry, &more_fields(entry))?);
        }
        Ok(if parts.is_empty() { String::new() } else { parts.join("\n\n") + "\n" })
    }
}

/// Returns the fields of the entry that begins here, and the number of its lines.
fn entry_lines(lines: &[&str]) -> Option<(Map<String, Value>, usize)> {
    if lines.first() != Some(&FENCE) || !lines.get(1)?.starts_with("id: ") {
        return None;
    }
    let end = 1 + lines[1..].iter().position(|line| *line == FENCE)?;
    let field = |line: &&str| {
        let (name, value) = line.split_once(": ")?;
        Some((name.to_owned(), serde_json::from_str(value).ok()?))
    };
    let mut fields: Map<String, Value> = lines[1..end].iter().map(field).collect::<Option<_>>()?;
    let count = match fields.remove(LINES) {
        Some(count) => usize::try_from(count.as_u64()?).ok()?,
        None => return Some((fields, end + 1)),
    };
    let text = lines.get(end + 1..(end + 1).checked_add(count)?)?;
    fields.insert(TEXT.to_owned(), text.join("\n").into());
    Some((fields, end + 1 + count))
}

fn entry_text(entry: &Entry, more: &[(&str, Value)]) -> Result<String> {
    let Value::Object(mut fields) = entry.to_json()? else {
        return Err(Error::invalid("an entry is no JSON object"));
    };
    let text = fields.remove(TEXT);
    let mut lines = vec![FENCE.to_owned()];
    for name in FIRST {
        lines.extend(fields.remove(name).map(|value| format!("{name}: {value}")));
    }
    lines.extend(more.iter().map(|(name, value)| format!("{name}: {value}")));
    lines.extend(fields.into_iter().map(|(name, value)| format!("{name}: {value}")));
    match text.as_ref().and_then(Value::as_str) {
        // A carriage return would be taken for the end of a line.
        Some(text) => {
            let text: Vec<&str> = text.lines().collect();
            lines.push(format!("{LINES}: {}", text.len()));
            lines.push(FENCE.to_owned());
            lines.extend(text.into_iter().map(str::to_owned));
        }
        None => lines.push(FENCE.to_owned()),
    }
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn entry(text: &str) -> Entry {
        let mut value = json!({
            "id": "54pwyj2thj", "category": "decision", "title": "A title: with a colon", "text": text,
            "content": { "a": "---\nid: \"x\"" }, "tags": ["decision"], "related_files": [],
            "confidence": 0.5, "importance": 0.5, "origin": "assistant", "source": {}, "created_at": 1,
            "updated_at": 1,
            "status": "active", "status_since": 1, "changes": [], "schema_version": "1.0",
        });
        value["stamps"] = json!({ "written": "1-0-abc" });
        value["author"] = json!({ "device": "abc", "name": "A B" });
        Entry::from_json(value).expect("an entry")
    }

    #[test]
    fn what_is_written_is_read_again_beside_other_text() {
        for text in
            ["one line", "two\nlines", "---\nid: \"trap\"\n---\nafter", "ends blank\n\nlast", "\n\nbegins"]
        {
            let mut note =
                Note { other: "Reviewed-by: somebody\n---\nid: no entry".to_owned(), ..Note::default() };
            note.merge("54pwyj2thj", &entry(text)).expect("merged");

            let written = note.to_text(|_| Vec::new()).expect("a text");

            assert_eq!(Note::parse(&written), note, "{written}");
        }
    }

    #[test]
    fn an_entry_that_cannot_be_read_is_kept_and_named() {
        let text = "hello\n\n---\nid: \"54pwyj2thj\"\ntitle: \"no text\"\n---\n\nbye\n";

        let note = Note::parse(text);

        assert_eq!((note.unreadable.len(), note.other.as_str()), (1, "hello\n\n\nbye"));
        assert!(note.unreadable[0].1.contains("stamps"), "{:?}", note.unreadable);
        assert!(note.to_text(|_| Vec::new()).expect("a text").contains("title: \"no text\""));
    }

    #[test]
    fn notes_of_two_people_are_united() {
        let one = Note::parse("same\nmine\n");
        let two = Note::parse("same\ntheirs\n");

        assert_eq!(one.united(&two).expect("united").other, "same\nmine\ntheirs");
    }
}
