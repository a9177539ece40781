//! The fields of a memory that are written one by one, and their merge.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use super::stamp::Stamp;
use crate::error::{Error, Result};
use crate::memory::record::{Change, MAX_CHANGES, Memory};

/// Each field that has a time of its own, with the parts of a record that belong to it.
const FIELDS: [(&str, &[&str]); 15] = [
    ("title", &["title"]),
    ("text", &["text"]),
    ("content", &["content"]),
    ("tags", &["tags"]),
    ("related_files", &["related_files"]),
    ("asked_as", &["asked_as"]),
    ("citations", &["citations"]),
    ("confidence", &["confidence"]),
    ("importance", &["importance"]),
    (ORIGIN, &["origin"]),
    ("source", &["source"]),
    (STATUS, &["status", "status_since", "status_reason", "superseded_by"]),
    ("confirmed_at", &["confirmed_at"]),
    ("supersedes", &["supersedes"]),
    ("schema_version", &["schema_version", "created_at", "category"]),
];

/// The field that says whose words a memory holds.
pub const ORIGIN: &str = "origin";
/// The field that says whether a memory is in use.
pub const STATUS: &str = "status";

/// The names of the fields.
pub const FIELD_NAMES: [&str; FIELDS.len()] = {
    let mut names = [""; FIELDS.len()];
    let mut at = 0;
    while at < FIELDS.len() {
        names[at] = FIELDS[at].0;
        at += 1;
    }
    names
};

/// Fields whose words are shown or decide what is shown. Who writes one of them is an author of the memory.
const WORDS: [&str; 8] =
    ["title", "text", "content", "tags", "related_files", "asked_as", "importance", "confidence"];

/// When each field was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamps {
    /// The time of all fields that are not listed.
    pub written: Stamp,
    /// The time of those that were written again.
    pub fields: BTreeMap<String, Stamp>,
}

impl Stamps {
    /// Returns the time of a field.
    pub fn of(&self, field: &str) -> &Stamp {
        self.fields.get(field).unwrap_or(&self.written)
    }

    /// Returns the time of the latest write.
    pub fn latest(&self) -> &Stamp {
        self.fields.values().fold(&self.written, |latest, stamp| latest.max(stamp))
    }

    /// Returns all times.
    pub fn all(&self) -> impl Iterator<Item = &Stamp> {
        std::iter::once(&self.written).chain(self.fields.values())
    }

    /// Returns the times at which the words were written.
    pub fn of_words(&self) -> impl Iterator<Item = &Stamp> {
        WORDS.into_iter().map(|field| self.of(field))
    }

    /// Removes what says no more than `written`, and fields that a record does not have.
    fn simplify(&mut self) {
        let written = &self.written;
        self.fields.retain(|field, stamp| stamp != written && FIELD_NAMES.contains(&field.as_str()));
    }
}

/// Returns the names of the fields in which two records differ.
///
/// # Errors
/// `invalid` if a record cannot be converted to JSON.
pub fn changed_fields(old: &Memory, new: &Memory) -> Result<Vec<&'static str>> {
    let (old, new) = (parts(old)?, parts(new)?);
    let differs = |keys: &[&str]| keys.iter().any(|key| old.get(*key) != new.get(*key));
    Ok(FIELDS.into_iter().filter(|(_, keys)| differs(keys)).map(|(field, _)| field).collect())
}

/// Merges two states of a memory: of each field the later one, and the histories of both.
///
/// # Errors
/// `invalid` if a record cannot be converted to JSON.
pub fn merge(
    (one, one_stamps): (&Memory, &Stamps),
    (other, other_stamps): (&Memory, &Stamps),
) -> Result<(Memory, Stamps)> {
    let (mut merged, others) = (parts(one)?, parts(other)?);
    let written = one_stamps.written.clone().min(other_stamps.written.clone());
    let mut stamps = Stamps { written, fields: BTreeMap::new() };
    for (field, keys) in FIELDS {
        let (own, theirs) = (one_stamps.of(field), other_stamps.of(field));
        // Redaction may have left two devices with different values of one write.
        let is_later = || values(&others, keys) > values(&merged, keys);
        if theirs > own || theirs == own && is_later() {
            keys.iter().for_each(|key| take(&mut merged, &others, key));
        }
        stamps.fields.insert(field.to_owned(), own.max(theirs).clone());
    }
    stamps.simplify();
    let mut memory: Memory = serde_json::from_value(merged.into()).map_err(unconvertible)?;
    memory.changes = united(&one.changes, &other.changes);
    memory.updated_at = one.updated_at.max(other.updated_at);
    Ok((memory, stamps))
}

/// Unites two histories, in the order of time. The newest entries are kept.
fn united(one: &[Change], other: &[Change]) -> Vec<Change> {
    let key = |change: &Change| {
        (change.at, change.by.clone(), change.what.clone(), change.was.clone(), change.author.clone())
    };
    let mut united: Vec<Change> = one.iter().chain(other).cloned().collect();
    united.sort_by_cached_key(key);
    united.dedup();
    // What several devices found by themselves, such as the edit of a file, is one change.
    let mut keyed = BTreeSet::new();
    united.retain(|change| match (&change.key, &change.author) {
        (Some(key), Some(author)) => keyed.insert((key.clone(), author.device.clone())),
        _ => true,
    });
    let surplus = united.len().saturating_sub(MAX_CHANGES);
    united.split_off(surplus)
}

fn take(into: &mut Map<String, Value>, from: &Map<String, Value>, key: &str) {
    match from.get(key) {
        Some(value) => into.insert(key.to_owned(), value.clone()),
        None => into.remove(key),
    };
}

fn values(parts: &Map<String, Value>, keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| parts.get(*key).map(Value::to_string).unwrap_or_default()).collect()
}

fn parts(memory: &Memory) -> Result<Map<String, Value>> {
    match to_value(memory)? {
        Value::Object(parts) => Ok(parts),
        _ => Ok(Map::new()),
    }
}

/// Converts a value to JSON.
///
/// # Errors
/// `invalid` if it cannot be converted.
pub fn to_value(value: &impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(unconvertible)
}

fn unconvertible(error: serde_json::Error) -> Error {
    Error::invalid(format!("a memory cannot be converted to JSON: {error}"))
}
