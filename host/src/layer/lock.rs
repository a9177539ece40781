//! The lock: which layers this user has accepted, by digest, and with which rights.
//!
//! One file for each project, and one for the layers of the user's own, both in the user's data folder: a project
//! cannot bring a lock along. Of each layer the last few digests stay accepted, so that changing between branches asks
//! nothing again.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::AcceptedLayer;
use super::digest::is_digest;
use crate::dirs::{lock_for_update, read_file, write_json_atomically};
use crate::error::{Error, Result};

/// Digests of one layer that stay accepted.
const KEPT: usize = 8;
/// A lock of this many bytes would name some thousand layers.
const MOST: u64 = 4 << 20;

/// A lock file, as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerApprovals {
    #[serde(skip)]
    file: PathBuf,
    /// The newest first.
    layers: Vec<AcceptedLayer>,
}

impl LayerApprovals {
    /// Reads a lock. One that is not there accepts nothing; neither does one that cannot be understood, and the sentence
    /// says why.
    pub fn read(file: &Path) -> (Self, Option<String>) {
        match Self::try_read(file) {
            Ok(lock) => (lock, None),
            Err(error) => (Self { file: file.to_owned(), layers: Vec::new() }, Some(error.full())),
        }
    }

    fn try_read(file: &Path) -> Result<Self> {
        let empty = Self { file: file.to_owned(), layers: Vec::new() };
        let content = read_file(file, MOST).map_err(|error| unreadable(file, &error))?;
        let Some(content) = content else { return Ok(empty) };
        let read: Self = serde_json::from_slice(&content).map_err(|error| unreadable(file, &error))?;
        // The digest becomes part of a file's name.
        let layers = read.layers.into_iter().filter(|layer| is_digest(&layer.digest)).collect();
        Ok(Self { layers, ..empty })
    }

    /// This layer with this digest, if it was accepted.
    pub fn find(&self, name: &str, digest: &str) -> Option<&AcceptedLayer> {
        self.layers.iter().find(|layer| layer.name == name && layer.digest == digest)
    }

    /// What was accepted last under this name.
    pub fn latest(&self, name: &str) -> Option<&AcceptedLayer> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// What was accepted last under each name, by name.
    pub fn newest(&self) -> Vec<&AcceptedLayer> {
        let mut newest: Vec<&AcceptedLayer> = self.layers.iter().collect();
        newest.sort_by_key(|layer| &layer.name);
        newest.dedup_by_key(|layer| &layer.name);
        newest
    }

    /// Accepts a layer, in place of what this digest was accepted with before.
    ///
    /// # Errors
    /// `Unavailable` when the lock cannot be read or written; likewise below.
    pub fn accept(&mut self, layer: AcceptedLayer) -> Result<()> {
        let _alone = self.read_again()?;
        let name = layer.name.clone();
        self.layers.retain(|known| known.name != layer.name || known.digest != layer.digest);
        self.layers.insert(0, layer);
        let mut kept = 0;
        self.layers.retain(|known| {
            kept += usize::from(known.name == name);
            known.name != name || kept <= KEPT
        });
        self.write()
    }

    /// Takes back every acceptance of this name; how many there were.
    ///
    /// # Errors
    /// As for [`LayerApprovals::accept`].
    pub fn revoke(&mut self, name: &str) -> Result<usize> {
        let _alone = self.read_again()?;
        let before = self.layers.len();
        self.layers.retain(|layer| layer.name != name);
        let revoked = before - self.layers.len();
        if revoked > 0 {
            self.write()?;
        }
        Ok(revoked)
    }

    /// What the file says now, which nobody else changes while the answer is held.
    fn read_again(&mut self) -> Result<File> {
        let alone = lock_for_update(&self.file)?;
        *self = Self::try_read(&self.file)?;
        Ok(alone)
    }

    fn write(&self) -> Result<()> {
        write_json_atomically(&self.file, self)
    }
}

fn unreadable(file: &Path, error: &impl std::fmt::Display) -> Error {
    Error::unavailable(format!("{} cannot be read: {error}; no layer of a team's runs", file.display()))
        .hint("remove the file and accept the layers again")
}

#[cfg(test)]
mod tests;
