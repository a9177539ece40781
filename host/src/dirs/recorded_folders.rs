//! The folders of Interleaf that this person has said are theirs, besides the default ones of their account.
//!
//! Variables lead to these folders, and a project can set variables. A folder beside the project may have
//! come with it and hold a configuration that switches a guard off. So the folders that a person uses are
//! recorded in the account's own home, which no variable moves, by commands that a person runs.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::write_json_atomically;
use super::{Folders, account_data_folder, account_default_folders, lock_for_update, read_file};
use crate::error::Result;

/// Maximum size of the record, in bytes: thousands of folders.
const MAX_FILE_BYTES: u64 = 1 << 20;

#[derive(Default, Serialize, Deserialize)]
struct Record {
    folders: Vec<PathBuf>,
}

/// Returns those of the folders that are neither default folders of the account nor recorded. A record that
/// is missing or cannot be read holds none.
pub(super) fn unrecorded(folders: [&Path; 2]) -> Vec<PathBuf> {
    let defaults = account_default_folders();
    let mut others: Vec<PathBuf> = folders.map(Path::to_owned).into();
    others.retain(|folder| !defaults.contains(folder));
    if !others.is_empty() {
        let record = record_file().map(|file| read(&file)).unwrap_or_default();
        others.retain(|folder| !record.folders.contains(folder));
    }
    others
}

/// Records the folders of configuration and data as this person's.
///
/// # Errors
/// `Unavailable` if the account's home cannot be written.
pub(crate) fn record_folders(folders: &Folders) -> Result<()> {
    let Some(file) = record_file().filter(|_| !folders.unrecorded.is_empty()) else { return Ok(()) };
    let _lock = lock_for_update(&file)?;
    let mut record = read(&file);
    let new = folders.unrecorded.iter().filter(|folder| !record.folders.contains(folder));
    let new: Vec<PathBuf> = new.cloned().collect();
    record.folders.extend(new);
    write_json_atomically(&file, &record)
}

/// Returns the recorded folders.
pub(crate) fn recorded_folders() -> Vec<PathBuf> {
    record_file().map(|file| read(&file).folders).unwrap_or_default()
}

fn record_file() -> Option<PathBuf> {
    account_data_folder().map(|folder| folder.join("folders.json"))
}

fn read(file: &Path) -> Record {
    let content = read_file(file, MAX_FILE_BYTES).ok().flatten();
    content.and_then(|content| serde_json::from_slice(&content).ok()).unwrap_or_default()
}
