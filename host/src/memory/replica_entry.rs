//! An entry of a replica: a memory with the times of its fields, or the end of one. Two entries of a memory
//! can be merged. As JSON, an entry is the
//! record of the memory with the fields `stamps` and `author`, or an object with the fields `id`, `end` and
//! `stamp`.

mod field_merge;
mod stamp;

pub use field_merge::{FIELD_NAMES, ORIGIN, STATUS, Stamps, changed_fields};
pub use stamp::{Stamp, is_device};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::record::{Author, Memory};
use crate::error::{Error, Result};
use field_merge::{merge, to_value};

/// Fields of a record that each store keeps for itself.
const LOCAL_FIELDS: [&str; 3] = ["version", "uses", "followed"];

/// The name of the field with the times, and of the stamp of all fields that are not listed in it.
const STAMPS: &str = "stamps";
const WRITTEN: &str = "written";
const AUTHOR: &str = "author";

/// What a replica says about one memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The id of the memory.
    pub id: String,
    /// What it says.
    pub kind: EntryKind,
}

/// The kinds of entries.
#[derive(Debug, Clone, PartialEq)]
pub enum EntryKind {
    /// The memory, which may be retired.
    Live(Box<Live>),
    /// It was retired at this time, and its text is not kept any more.
    Retired(Stamp),
    /// It is to be deleted everywhere, with its history, for good.
    Purged(Stamp),
}

/// A memory with the times of its fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Live {
    /// The memory, with the origin that its author states.
    pub memory: Memory,
    /// When its fields were written.
    pub stamps: Stamps,
    /// Who wrote it first.
    pub author: Author,
}

/// An entry with its number in the change log.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedEntry {
    /// The number, which grows with every write.
    pub number: i64,
    /// The entry.
    pub entry: Entry,
}

/// The end of a memory as JSON.
#[derive(Serialize, Deserialize)]
struct End {
    id: String,
    end: EndWord,
    stamp: Stamp,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EndWord {
    Retired,
    Purged,
}

impl Live {
    /// Merges another state of the same memory.
    ///
    /// # Errors
    /// `invalid` if a record cannot be converted to JSON.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        let (memory, stamps) = merge((&self.memory, &self.stamps), (&other.memory, &other.stamps))?;
        // The author is the one whose stamp is the first.
        let author = if other.stamps.written < self.stamps.written { &other.author } else { &self.author };
        Ok(Self { memory, stamps, author: author.clone() })
    }
}

impl Entry {
    /// Returns the entry of a memory.
    pub fn live(live: Live) -> Self {
        Self { id: live.memory.id.clone(), kind: EntryKind::Live(Box::new(live)) }
    }

    /// Returns the latest time of the entry.
    pub fn latest(&self) -> &Stamp {
        match &self.kind {
            EntryKind::Live(live) => live.stamps.latest(),
            EntryKind::Retired(stamp) | EntryKind::Purged(stamp) => stamp,
        }
    }

    /// Returns the devices that wrote it.
    pub fn devices(&self) -> Vec<&str> {
        let mut devices: Vec<&str> = match &self.kind {
            EntryKind::Live(live) => live.stamps.all().map(|stamp| stamp.device.as_str()).collect(),
            EntryKind::Retired(stamp) | EntryKind::Purged(stamp) => vec![&stamp.device],
        };
        devices.sort_unstable();
        devices.dedup();
        devices
    }

    /// Merges what another replica says about the same memory.
    ///
    /// # Errors
    /// `invalid` if a record cannot be converted to JSON.
    pub fn merge(&self, other: &Self) -> Result<Self> {
        use EntryKind::{Live, Purged, Retired};
        let kind = match (&self.kind, &other.kind) {
            (Purged(one), Purged(two)) => Purged(one.max(two).clone()),
            (Purged(end), _) | (_, Purged(end)) => Purged(end.clone()),
            (Retired(one), Retired(two)) => Retired(one.max(two).clone()),
            (Live(one), Live(two)) => Live(Box::new(one.merge(two)?)),
            (Live(live), Retired(end)) | (Retired(end), Live(live)) => match live.stamps.of(STATUS) > end {
                true => Live(live.clone()),
                false => Retired(end.clone()),
            },
        };
        Ok(Self { id: self.id.clone(), kind })
    }

    /// Returns the entry as JSON.
    ///
    /// # Errors
    /// `invalid` if it cannot be converted.
    pub fn to_json(&self) -> Result<Value> {
        let end = |end, stamp: &Stamp| End { id: self.id.clone(), end, stamp: stamp.clone() };
        match &self.kind {
            EntryKind::Live(live) => live.to_json(),
            EntryKind::Retired(stamp) => to_value(&end(EndWord::Retired, stamp)),
            EntryKind::Purged(stamp) => to_value(&end(EndWord::Purged, stamp)),
        }
    }

    /// Reads an entry.
    ///
    /// # Errors
    /// `invalid`, which names the field that is missing or wrong.
    pub fn from_json(value: Value) -> Result<Self> {
        if value.get("end").is_none() {
            return Ok(Self::live(Live::from_json(value)?));
        }
        let End { id, end, stamp } = serde_json::from_value(value).map_err(unreadable)?;
        let kind = match end {
            EndWord::Retired => EntryKind::Retired(stamp),
            EndWord::Purged => EntryKind::Purged(stamp),
        };
        Ok(Self { id, kind })
    }
}

impl Live {
    fn to_json(&self) -> Result<Value> {
        let mut value = to_value(&self.memory)?;
        if let Value::Object(fields) = &mut value {
            LOCAL_FIELDS.iter().for_each(|field| drop(fields.remove(*field)));
            let mut stamps = self.stamps.fields.clone();
            stamps.insert(WRITTEN.to_owned(), self.stamps.written.clone());
            fields.insert(STAMPS.to_owned(), to_value(&stamps)?);
            // As a 64-bit number, 0.8 would be written 0.800000011920929.
            for (name, share) in
                [("confidence", self.memory.confidence), ("importance", self.memory.importance)]
            {
                fields.insert(name.to_owned(), share.to_string().parse::<f64>().unwrap_or_default().into());
            }
            fields.insert(AUTHOR.to_owned(), to_value(&self.author)?);
        }
        Ok(value)
    }

    fn from_json(value: Value) -> Result<Self> {
        let Value::Object(mut fields) = value else {
            return Err(Error::invalid("an entry of a replica is not a JSON object"));
        };
        let mut stamps: BTreeMap<String, Stamp> = field(&mut fields, STAMPS)?;
        let author = field(&mut fields, AUTHOR)?;
        let written = stamps.remove(WRITTEN).ok_or_else(|| missing("stamps.written"))?;
        LOCAL_FIELDS.iter().for_each(|field| drop(fields.insert((*field).to_owned(), 0.into())));
        let memory = serde_json::from_value(fields.into()).map_err(unreadable)?;
        Ok(Self { memory, stamps: Stamps { written, fields: stamps }, author })
    }
}

fn field<T: serde::de::DeserializeOwned>(fields: &mut Map<String, Value>, name: &str) -> Result<T> {
    let value = fields.remove(name).ok_or_else(|| missing(name))?;
    serde_json::from_value(value)
        .map_err(|error| Error::invalid(format!("the field `{name}` of a memory: {error}")))
}

fn missing(name: &str) -> Error {
    Error::invalid(format!("the field `{name}` of a memory is missing"))
}

fn unreadable(error: serde_json::Error) -> Error {
    Error::invalid(format!("this is no memory: {error}"))
}
