//! The two layouts of notes: our own, with a reference for each category, and that of cs-memory, with a
//! reference for each of its ten namespaces. In the second one, an entry has the fields that cs-memory
//! requires of a document beside ours, and the documents of cs-memory are entries too.

use serde_json::{Value, json};

use super::cs_document::{cs_documents, cs_fields};
use super::note::{MoreFields, Note};
use crate::clock::{Millis, format_date_time};
use crate::error::{Error, Result};
use crate::memory::{Author, Category, Entry, EntryKind, Memory, SCHEMA_VERSION, id_of_import};

/// The device and the name of who wrote the documents of cs-memory.
const CS_MEMORY: &str = "cs-memory";

/// The namespaces of cs-memory, each with the type of its documents.
const NAMESPACES: [(&str, &str); 10] = [
    ("inception", "inception"),
    ("elicitation", "elicitation"),
    ("research", "research"),
    ("decisions", "decision"),
    ("progress", "progress"),
    ("blockers", "blocker"),
    ("reviews", "review"),
    ("learnings", "learning"),
    ("retrospective", "retrospective"),
    ("patterns", "pattern"),
];

/// The `spec` of a memory without a tag.
const NO_SPEC: &str = "general";

/// The maximum length of a summary, in characters.
const MAX_SUMMARY_CHARS: usize = 100;

/// A layout of notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteLayout {
    /// `refs/notes/interleaf/CATEGORY`
    Interleaf,
    /// `refs/notes/cs/NAMESPACE`
    CsMemory,
}

impl NoteLayout {
    /// Returns what the names of all references begin with.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Interleaf => "refs/notes/interleaf/",
            Self::CsMemory => "refs/notes/cs/",
        }
    }

    /// Returns the last part of the name of the reference to which a memory belongs.
    pub fn namespace(self, memory: &Memory) -> &'static str {
        match self {
            Self::Interleaf => memory.category.as_str(),
            Self::CsMemory => cs_namespace(memory),
        }
    }

    /// Returns the author of what stands there without a time of its own.
    pub fn author(self) -> Option<Author> {
        (self == Self::CsMemory).then(cs_author)
    }

    /// Reads the note of a commit.
    pub fn read(self, text: &str, reference: &str, commit: &str) -> Note {
        let mut note = Note::parse(text);
        if self == Self::CsMemory {
            let namespace = reference.strip_prefix(self.prefix()).unwrap_or(reference);
            for document in cs_documents(&note.other) {
                match cs_fields(namespace, commit, &document).and_then(cs_entry) {
                    Ok(entry) => drop(note.foreign.insert(entry.id.clone(), (entry, document.lines))),
                    Err(error) => note.broken_documents.push(error.to_string()),
                }
            }
        }
        note
    }

    /// Returns the text of a note.
    ///
    /// # Errors
    /// `Invalid` if an entry cannot be converted to JSON.
    pub fn write(self, note: &Note) -> Result<String> {
        note.to_text(|entry| self.more_fields(entry))
    }

    /// Returns the fields that an entry has beside ours.
    fn more_fields(self, entry: &Entry) -> MoreFields {
        match (self, &entry.kind) {
            (Self::CsMemory, EntryKind::Live(live)) => cs_header(&live.memory),
            _ => Vec::new(),
        }
    }
}

fn cs_author() -> Author {
    Author { device: CS_MEMORY.to_owned(), name: CS_MEMORY.to_owned() }
}

/// Returns the namespace that a tag names, or the one that is next to the category.
fn cs_namespace(memory: &Memory) -> &'static str {
    let named = |tag: &String| NAMESPACES.iter().find(|(name, _)| name == tag);
    if let Some((name, _)) = memory.tags.iter().find_map(named) {
        return name;
    }
    match memory.category {
        Category::Decision | Category::Preference => "decisions",
        Category::Constraint => "research",
        Category::Runbook => "patterns",
        Category::TechDebt => "reviews",
        Category::SessionSummary => "retrospective",
        Category::Learning => "learnings",
        Category::Blocker => "blockers",
        Category::Context => "progress",
    }
}

/// Returns the fields that cs-memory requires of a document.
fn cs_header(memory: &Memory) -> MoreFields {
    let namespace = cs_namespace(memory);
    let kind = NAMESPACES.iter().find(|(name, _)| *name == namespace).map_or("", |(_, kind)| kind);
    let spec = memory.tags.iter().find(|tag| *tag != namespace).map_or(NO_SPEC, String::as_str);
    let timestamp = format_date_time(memory.created_at).replace(' ', "T") + "Z";
    vec![
        ("type", kind.into()),
        ("spec", spec.into()),
        ("timestamp", timestamp.into()),
        ("summary", interleaf_text::truncate(&memory.title, MAX_SUMMARY_CHARS).into()),
    ]
}

/// Returns the entry of a document of cs-memory with these fields.
fn cs_entry(mut fields: Value) -> Result<Entry> {
    let created: Millis = fields["created_at"].as_i64().unwrap_or_default().max(0);
    fields["id"] = id_of_import(fields["id"].as_str().unwrap_or_default()).into();
    let defaults = json!({
        "category": Category::Learning, "status": "active", "status_since": created, "updated_at": created,
        "content": {}, "related_files": [], "confidence": 0.5, "importance": 0.5, "origin": "assistant",
        "changes": [], "schema_version": SCHEMA_VERSION, "author": cs_author(),
        "stamps": { "written": format!("{created}-0-{CS_MEMORY}") },
    });
    let (Value::Object(fields), Value::Object(defaults)) = (&mut fields, defaults) else {
        return Err(Error::invalid("a document of cs-memory is no object"));
    };
    for (name, value) in defaults {
        if fields.get(&name).is_none_or(Value::is_null) {
            fields.insert(name, value);
        }
    }
    Entry::from_json(fields.clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "\
---
type: pattern
spec: user-auth
timestamp: 2025-12-14T10:30:00Z
summary: Keys rotate
tags: [jwt]
---

Keys rotate every night.
";

    fn entry_of(note: &Note) -> Entry {
        note.foreign.values().next().expect("a document").0.clone()
    }

    #[test]
    fn a_document_of_cs_memory_is_an_entry_and_stays_in_its_namespace() {
        let note = NoteLayout::CsMemory.read(DOCUMENT, "refs/notes/cs/patterns", "abc");
        let entry = entry_of(&note);

        let EntryKind::Live(live) = &entry.kind else { panic!("a memory") };
        assert_eq!(live.memory.title, "Keys rotate");
        assert_eq!(NoteLayout::CsMemory.namespace(&live.memory), "patterns");
        assert!(note.broken_documents.is_empty());
        assert!(Note::parse(DOCUMENT).foreign.is_empty(), "our own layout leaves it alone");
    }

    #[test]
    fn what_is_written_is_a_document_that_cs_memory_reads_and_an_entry_of_ours() {
        let mut note = NoteLayout::CsMemory.read(DOCUMENT, "refs/notes/cs/patterns", "abc");
        let EntryKind::Live(mut live) = entry_of(&note).kind else { panic!("a memory") };
        live.memory.id = "54pwyj2thj".to_owned();
        let entry = Entry::live(*live);
        note.merge("54pwyj2thj", &entry).expect("merged");

        let text = NoteLayout::CsMemory.write(&note).expect("a text");

        assert!(text.starts_with(DOCUMENT.trim_end()), "{text}");
        let again = NoteLayout::CsMemory.read(&text, "refs/notes/cs/patterns", "abc");
        assert_eq!(again.entries.get("54pwyj2thj"), Some(&entry));
        assert_eq!(again.foreign.len(), 1, "{text}");
        // As another program sees it, which knows nothing of our fields.
        let anonymous = text.replace("id: \"54pwyj2thj\"\n", "");
        let documents = cs_documents(&anonymous);
        let fields = cs_fields("patterns", "abc", &documents[1]).expect("a document");
        assert_eq!(fields["title"], "Keys rotate");
        assert_eq!(fields["tags"][0], "user-auth");
    }

    #[test]
    fn a_document_that_says_the_same_is_not_written_again_and_a_purge_removes_it() {
        let mut note = NoteLayout::CsMemory.read(DOCUMENT, "refs/notes/cs/patterns", "abc");
        let entry = entry_of(&note);

        assert!(!note.merge(&entry.id, &entry).expect("merged"));
        assert_eq!(NoteLayout::CsMemory.write(&note).expect("a text").trim(), DOCUMENT.trim());

        let stamp = "2000000000000-0-abc".parse().expect("a stamp");
        let purged = Entry { id: entry.id.clone(), kind: EntryKind::Purged(stamp) };
        assert!(note.merge(&entry.id, &purged).expect("merged"));
        assert!(!NoteLayout::CsMemory.write(&note).expect("a text").contains("Keys rotate"));
    }

    #[test]
    fn a_broken_document_is_named() {
        let broken = DOCUMENT.replace("spec: user-auth\n", "");
        let note = NoteLayout::CsMemory.read(&broken, "refs/notes/cs/patterns", "abc");
        assert!(note.broken_documents[0].contains("spec"), "{:?}", note.broken_documents);
    }
}
