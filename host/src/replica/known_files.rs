//! What the files of a folder were known by when they were last read or written.
//!
//! claude-memory drops a field that it does not know when it updates a file, and renames the file with the
//! title of its memory; it keeps the time at which the memory was created. By that and by its name a file is
//! known again, so that an update is not taken for a second memory.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::memory_file;
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::{Entry, EntryKind};

/// The known files of a folder, by their paths within it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KnownFiles(BTreeMap<String, KnownFile>);

#[derive(Debug, Serialize, Deserialize)]
struct KnownFile {
    created_at: Millis,
    /// What the file held besides what claude-memory knows.
    fields: Map<String, Value>,
}

impl KnownFiles {
    /// Reads them from the state of an exchange. Without one, no file is known.
    pub fn from_state(state: &str) -> Self {
        serde_json::from_str(state).unwrap_or_default()
    }

    /// Returns them as the state of an exchange.
    pub fn to_state(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Adds the file at a path.
    ///
    /// # Errors
    /// `Invalid` if the entry cannot be converted to JSON.
    pub fn add(&mut self, path: String, entry: &Entry) -> Result<()> {
        if let EntryKind::Live(live) = &entry.kind {
            let created_at = live.memory.created_at;
            self.0.insert(path, KnownFile { created_at, fields: memory_file::hidden(entry)? });
        }
        Ok(())
    }

    /// Returns what a file without the field was known by: the one at its path, or one of its folder that is
    /// gone and whose memory was created at the same time.
    pub fn find(
        &self,
        path: &str,
        created_at: Option<Millis>,
        is_there: &dyn Fn(&str) -> bool,
    ) -> Option<Map<String, Value>> {
        let same_time = |file: &&KnownFile| Some(file.created_at) == created_at;
        let same_path = self.0.get(path).filter(same_time);
        let folder = |path: &str| path.split_once('/').map(|(folder, _)| folder.to_owned());
        let mut renamed =
            self.0.iter().filter(|(known, _)| folder(known) == folder(path) && !is_there(known.as_str()));
        let renamed = || renamed.find(|(_, file)| same_time(file)).map(|(_, file)| file);
        same_path.or_else(renamed).map(|file| file.fields.clone())
    }
}
