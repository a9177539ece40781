//! A memory as a file in the format of claude-memory, and back.
//!
//! What that format has no place for stands in one more field, `interleaf`, with a digest of each field of
//! the rest. A field whose digest no longer fits was edited: written at the time of the file, by the author
//! [`FILES`], whom each user trusts or not.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::file_content::{content, rendered};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::memory::{Author, Category, Entry, SCHEMA_VERSION, Stamp, id_of_key};

/// The author of what stands in files without a time of its own.
pub const FILES: &str = "files";

/// The field with what the format has no place for.
const OURS: &str = "interleaf";
const DIGESTS: &str = "digests";
const STAMPS: &str = "stamps";
const CHANGES: &str = "changes";

/// Fields of an entry that a file shows.
const SHOWN: [&str; 8] =
    ["title", "text", "content", "tags", "related_files", "confidence", "status", "schema_version"];

/// Number of bytes of a digest: enough to notice an edit, and no protection against a forger, who could as
/// well write what they like.
const DIGEST_BYTES: usize = 4;

/// The categories with the folders that claude-memory gives them.
const FOLDERS: [(Category, &str); 9] = [
    (Category::SessionSummary, "sessions"),
    (Category::Decision, "decisions"),
    (Category::Runbook, "runbooks"),
    (Category::Constraint, "constraints"),
    (Category::TechDebt, "tech-debt"),
    (Category::Preference, "preferences"),
    (Category::Learning, "learnings"),
    (Category::Context, "context"),
    (Category::Blocker, "blockers"),
];

/// Returns who wrote what a file shows without a time of its own.
pub fn author() -> Author {
    Author { device: FILES.to_owned(), name: "files of this project".to_owned() }
}

/// Returns the folder of a category.
pub fn folder_of(category: Category) -> &'static str {
    FOLDERS.iter().find(|(known, _)| *known == category).map_or("other", |(_, folder)| folder)
}

/// Returns the names of all folders.
pub fn folders() -> impl Iterator<Item = &'static str> {
    FOLDERS.iter().map(|(_, folder)| *folder)
}

/// Returns the text of the file of an entry. `slug` is the name of the file.
///
/// # Errors
/// `Invalid` if the entry cannot be converted to JSON.
pub fn write(entry: &Entry, slug: &str) -> Result<String> {
    let (mut file, mut hidden) = split(entry, slug)?;
    hidden.insert(DIGESTS.to_owned(), digests(&entry_fields(&file)?).into());
    file.insert(OURS.to_owned(), hidden.into());
    let mut text = serde_json::to_string_pretty(&file)
        .map_err(|error| Error::invalid(format!("a memory cannot be converted to JSON: {error}")))?;
    text.push('\n');
    Ok(text)
}

/// Returns what the field `interleaf` of an entry's file holds that nothing else in the file shows.
///
/// # Errors
/// `Invalid` if the entry cannot be converted to JSON.
pub fn hidden(entry: &Entry) -> Result<Map<String, Value>> {
    let (_, mut hidden) = split(entry, "")?;
    hidden.retain(|name, _| !SHOWN.contains(&name.as_str()));
    Ok(hidden)
}

/// Splits an entry into what its file shows, and what it does not.
fn split(entry: &Entry, slug: &str) -> Result<(Map<String, Value>, Map<String, Value>)> {
    let Value::Object(mut fields) = entry.to_json()? else { return Err(no_object()) };
    let shown = shown(&fields, slug);
    let read = entry_fields(&shown)?;
    fields.retain(|name, value| name == "id" || read.get(name) != Some(value));
    Ok((shown, fields))
}

/// A file of a memory.
pub struct FileSource<'a> {
    /// The folder of its category.
    pub folder: &'a str,
    /// Its name without the extension.
    pub slug: &'a str,
    /// When it was last changed.
    pub changed: Millis,
    /// Returns the [`hidden`] fields of a file that no longer has them, if it was known before. The argument
    /// is the time at which its memory was created.
    pub known: &'a dyn Fn(Option<Millis>) -> Option<Map<String, Value>>,
}

/// Reads a file. Of one that git could not merge, both sides count.
///
/// # Errors
/// `Invalid`, which names the field that is missing or wrong.
pub fn read(text: &str, file: &FileSource) -> Result<Entry> {
    match sides(text) {
        None => read_one(text, file, Some(file.changed)),
        // Git joins the lines on which both agree, so the digest of neither side fits.
        Some((ours, theirs)) => read_one(&ours, file, None)?.merge(&read_one(&theirs, file, None)?),
    }
}

/// Reads a file that was last edited at `edited`, if that is known.
fn read_one(text: &str, file: &FileSource, edited: Option<Millis>) -> Result<Entry> {
    let object: Value = serde_json::from_str(text)
        .map_err(|error| Error::invalid(format!("it is not valid JSON: {error}")))?;
    let Value::Object(mut shown) = object else { return Err(no_object()) };
    let ours = shown.remove(OURS);
    let mut fields = entry_fields(&shown)?;
    let hidden = match ours {
        Some(Value::Object(hidden)) => Some(hidden),
        _ => (file.known)(fields.get("created_at").and_then(Value::as_i64)),
    };
    let Some(mut hidden) = hidden else {
        let foreign = foreign(fields, file, edited.unwrap_or_default())?;
        return Entry::from_json(foreign.into());
    };
    let written = hidden.remove(DIGESTS).unwrap_or_default();
    if let Some(at) = edited {
        take_edits(&fields, &written, at, &mut hidden)?;
    }
    fields.extend(hidden);
    Entry::from_json(fields.into())
}

/// Stamps the fields that no longer have the digests with which they were written, and notes the edit in the
/// history.
fn take_edits(
    fields: &Map<String, Value>,
    written: &Value,
    at: Millis,
    hidden: &mut Map<String, Value>,
) -> Result<()> {
    let now = digests(fields);
    let is_edited = |name: &&&str| now.get(**name) != written.get(**name);
    let edited: Vec<&str> = SHOWN.iter().filter(is_edited).copied().collect();
    let stamps = hidden.get_mut(STAMPS).and_then(Value::as_object_mut).ok_or_else(|| missing(STAMPS))?;
    let edit = digest(&json!([edited, now, stamps]));
    stamps.extend(edited.iter().map(|name| ((*name).to_owned(), stamp(at).into())));
    hidden.retain(|name, _| !edited.contains(&name.as_str()));
    if !edited.is_empty() {
        let entry = match written.is_object() {
            true => history_entry(&format!("changed {}: its file was edited", edited.join(", ")), at, &edit),
            // claude-memory dropped the digests, and wrote when it updated the file.
            false => {
                let updated = fields.get("updated_at").and_then(Value::as_i64);
                history_entry("its file was edited", updated.unwrap_or(at), &edit)
            }
        };
        add_to_history(entry, fields, hidden);
    }
    Ok(())
}

fn add_to_history(entry: Value, fields: &Map<String, Value>, hidden: &mut Map<String, Value>) {
    let known = hidden.remove(CHANGES).or(fields.get(CHANGES).cloned());
    let mut changes = known.and_then(|changes| changes.as_array().cloned()).unwrap_or_default();
    changes.push(entry);
    hidden.insert(CHANGES.to_owned(), changes.into());
}

/// Returns the entry of an edit in the history. Its key says which edit it is, because a checkout changes the
/// time of a file.
fn history_entry(what: &str, at: Millis, edit: &str) -> Value {
    json!({ "at": at, "what": what, "by": FILES, "author": author(), "key": format!("file-edit-{edit}") })
}

/// Returns an entry for a file of another program.
fn foreign(mut fields: Map<String, Value>, file: &FileSource, changed: Millis) -> Result<Map<String, Value>> {
    let at = fields.get("updated_at").and_then(Value::as_i64).unwrap_or(changed);
    for (name, value) in [
        ("id", id_of_key(FILES, &format!("{}/{}", file.folder, file.slug)).into()),
        ("importance", json!(0.5)),
        ("origin", "assistant".into()),
        ("source", json!({})),
        ("updated_at", at.into()),
        (STAMPS, json!({ "written": stamp(at) })),
        ("author", json!(author())),
    ] {
        fields.insert(name.to_owned(), value);
    }
    for name in ["title", "category"] {
        fields.get(name).ok_or_else(|| missing(name))?;
    }
    let created = fields.get("created_at").cloned().unwrap_or_else(|| at.into());
    fields.insert("created_at".to_owned(), created);
    Ok(fields)
}

fn stamp(at: Millis) -> String {
    Stamp { millis: at.max(0), counter: 0, device: FILES.to_owned() }.to_string()
}

/// Returns what a file shows of the fields of an entry.
fn shown(fields: &Map<String, Value>, slug: &str) -> Map<String, Value> {
    let value = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let date = |name: &str| fields.get(name).and_then(Value::as_i64).map(iso_date).unwrap_or_default();
    let changes = fields.get(CHANGES).and_then(Value::as_array).into_iter().flatten();
    let changes: Vec<Value> = changes
        .map(|change| {
            let at = change["at"].as_i64().map(iso_date).unwrap_or_default();
            json!({ "date": at, "summary": change["what"] })
        })
        .collect();
    let status = value("status");
    let mut shown = Map::new();
    let mut add = |name: &str, value: Value| drop(shown.insert(name.to_owned(), value));
    add("schema_version", SCHEMA_VERSION.into());
    add("category", value("category"));
    add("id", slug.into());
    add("title", value("title"));
    add("record_status", status.clone());
    add("created_at", date("created_at").into());
    add("updated_at", date("updated_at").into());
    add("tags", value("tags"));
    add("related_files", value("related_files"));
    add("confidence", value("confidence"));
    add("content", content(fields));
    add("times_updated", changes.len().saturating_sub(1).into());
    add(CHANGES, changes.into());
    if matches!(status.as_str(), Some("retired" | "archived")) {
        let status = status.as_str().unwrap_or_default();
        add(&format!("{status}_at"), date("status_since").into());
        add(&format!("{status}_reason"), value("status_reason"));
    }
    shown
}

/// Returns the fields of an entry as far as a file shows them.
fn entry_fields(shown: &Map<String, Value>) -> Result<Map<String, Value>> {
    let mut fields = Map::new();
    for name in ["schema_version", "category", "title", "tags", "related_files", "confidence", "content"] {
        fields.extend(shown.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    let mut add = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
    for name in ["created_at", "updated_at"] {
        if let Some(date) = shown.get(name) {
            add(name, millis(date, name)?.into());
        }
    }
    let status = shown.get("record_status").and_then(Value::as_str).unwrap_or("active");
    add("status", status.into());
    let since = shown.get(&format!("{status}_at")).or(shown.get("updated_at"));
    add(
        "status_since",
        since.map(|since| millis(since, "updated_at")).transpose()?.unwrap_or_default().into(),
    );
    if let Some(reason) = shown.get(&format!("{status}_reason")).filter(|reason| !reason.is_null()) {
        add("status_reason", reason.clone());
    }
    let changes = shown.get(CHANGES).and_then(Value::as_array).into_iter().flatten();
    let changes: Result<Vec<Value>> = changes
        .map(|change| {
            let at = millis(&change["date"], "changes.date")?;
            Ok(json!({ "at": at, "what": change["summary"], "by": FILES }))
        })
        .collect();
    add(CHANGES, changes?.into());
    add("text", rendered(shown).into());
    for (name, default) in [("tags", json!([])), ("related_files", json!([])), ("confidence", json!(0.8))] {
        fields.entry(name).or_insert(default);
    }
    // The note categories have no content but their text.
    if let Some(Value::Object(content)) = fields.get_mut("content")
        && content.len() == 1
    {
        content.remove("text");
    }
    Ok(fields)
}

/// Tells whether git could not merge a file.
pub fn is_conflict(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("<<<<<<< "))
}

/// Splits a file that git could not merge into its two sides.
fn sides(text: &str) -> Option<(String, String)> {
    if !is_conflict(text) {
        return None;
    }
    let (mut ours, mut theirs, mut side) = (String::new(), String::new(), ' ');
    for line in text.lines() {
        match line.get(..7) {
            Some("<<<<<<<") => side = '<',
            // What both had in common before, in the style diff3.
            Some("|||||||") => side = '|',
            Some("=======") if side != ' ' => side = '>',
            Some(">>>>>>>") => side = ' ',
            _ => {
                let add = |into: &mut String| into.extend([line, "\n"]);
                if matches!(side, ' ' | '<') {
                    add(&mut ours);
                }
                if matches!(side, ' ' | '>') {
                    add(&mut theirs);
                }
            }
        }
    }
    Some((ours, theirs))
}

/// Returns the digests of the fields that a file shows.
fn digests(fields: &Map<String, Value>) -> Map<String, Value> {
    let shown = SHOWN.iter().filter_map(|name| Some((*name, fields.get(*name)?)));
    shown.map(|(name, value)| (name.to_owned(), digest(value).into())).collect()
}

fn digest(value: &Value) -> String {
    let digest = Sha256::digest(value.to_string());
    digest.iter().take(DIGEST_BYTES).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn iso_date(at: Millis) -> String {
    let at = jiff::Timestamp::from_millisecond(at).unwrap_or_default();
    let format = if at.subsec_millisecond() == 0 { "%Y-%m-%dT%H:%M:%SZ" } else { "%Y-%m-%dT%H:%M:%S%.3fZ" };
    at.strftime(format).to_string()
}

fn millis(date: &Value, name: &str) -> Result<Millis> {
    let text = date.as_str().unwrap_or_default();
    let whole = if text.contains('T') { text.to_owned() } else { format!("{text}T00:00:00Z") };
    let parsed: Result<jiff::Timestamp, _> = whole.parse();
    parsed
        .map(jiff::Timestamp::as_millisecond)
        .map_err(|_| Error::invalid(format!("the field `{name}` is not a date: {date}")))
}

fn missing(name: &str) -> Error {
    Error::invalid(format!("the field `{name}` is missing"))
}

fn no_object() -> Error {
    Error::invalid("it is not a JSON object")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::EntryKind;

    fn entry(category: &str, content: &Value, text: &str) -> Entry {
        Entry::from_json(json!({
            "id": "54pwyj2thj", "category": category, "title": "A title", "text": text, "content": content,
            "tags": ["one"], "related_files": ["src/a.rs"], "asked_as": ["why?"], "confidence": 0.5,
            "importance": 0.75, "origin": "person", "source": {}, "created_at": 1_700_000_000_000_i64,
            "updated_at": 1_700_000_000_123_i64, "status": "active", "status_since": 1_700_000_000_000_i64,
            "changes": [{ "at": 1_700_000_000_000_i64, "what": "written", "by": "save" }],
            "schema_version": "1.0",
            "stamps": { "written": "1700000000000-0-abc", "text": "1700000000123-0-abc" },
            "author": { "device": "abc", "name": "Ada" },
        }))
        .expect("an entry")
    }

    fn read(text: &str, folder: &str, changed: Millis) -> Result<Entry> {
        let slug = if folder == "decisions" { "a-title" } else { "api-quota" };
        super::read(text, &FileSource { folder, slug, changed, known: &|_| None })
    }

    #[test]
    fn what_is_written_is_read_again() {
        let decision = json!({ "status": "accepted", "decision": "Use it", "rationale": ["It works"] });
        for entry in [
            entry("decision", &decision, "Use it. Because: It works."),
            entry("decision", &json!({}), "Use it, because it works."),
            entry("learning", &json!({}), "Two\nlines"),
            entry("session_summary", &json!({}), &"long ".repeat(800)),
        ] {
            let text = write(&entry, "a-title").expect("written");
            assert_eq!(read(&text, "decisions", 5).expect("read"), entry, "{text}");
        }
    }

    #[test]
    fn an_edit_by_hand_is_a_write_of_the_fields_that_were_edited() {
        let text = write(&entry("decision", &json!({}), "Use it."), "a-title").expect("written");
        let edited = text.replace("\"title\": \"A title\"", "\"title\": \"Another title\"");

        let read = read(&edited, "decisions", 1_800_000_000_000).expect("read");

        let EntryKind::Live(live) = read.kind else { panic!("{read:?}") };
        assert_eq!((live.memory.title.as_str(), live.memory.importance), ("Another title", 0.75));
        assert_eq!(live.stamps.of("title").to_string(), "1800000000000-0-files");
        assert_eq!((live.memory.text.as_str(), live.stamps.of("text").device.as_str()), ("Use it.", "abc"));
        assert_eq!(live.stamps.of("importance").device, "abc");
        let last = live.memory.changes.last().expect("a history");
        assert_eq!(
            (live.memory.changes.len(), last.at, last.what.as_str()),
            (2, 1_800_000_000_000, "changed title: its file was edited")
        );
    }

    #[test]
    fn both_sides_of_a_failed_merge_count() {
        let one = entry("decision", &json!({}), "Use it.");
        let mut two = one.clone();
        let EntryKind::Live(live) = &mut two.kind else { panic!("{two:?}") };
        live.memory.importance = 0.25;
        live.stamps.fields.insert("importance".to_owned(), "1700000000999-0-xyz".parse().expect("a stamp"));
        let (ours, theirs) =
            (write(&one, "a-title").expect("written"), write(&two, "a-title").expect("written"));
        let conflict = format!("<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> topic\n");

        assert_eq!(read(&conflict, "decisions", 5).expect("read"), one.merge(&two).expect("merged"));
    }

    #[test]
    fn a_file_of_another_program_is_read_and_a_broken_one_is_named() {
        let file = json!({
            "schema_version": "1.0", "category": "constraint", "id": "api-quota", "title": "API quota",
            "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-03", "tags": ["api"],
            "content": { "kind": "limitation", "rule": "500 calls a day", "impact": ["slow"],
                "severity": "high", "active": true },
            "changes": [{ "date": "2026-01-02T03:04:05Z", "summary": "created" }],
        });

        let one = read(&file.to_string(), "constraints", 7).expect("read");
        let EntryKind::Live(live) = one.kind else { panic!("{one:?}") };
        assert_eq!((live.memory.text.as_str(), live.author.device.as_str()), ("500 calls a day.", FILES));
        let mut broken = file;
        broken["created_at"] = "yesterday".into();
        let error = read(&broken.to_string(), "constraints", 7).expect_err("no date");
        assert!(error.to_string().contains("created_at"), "{error}");
    }
}
