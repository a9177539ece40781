//! The signatures of all recorded episodes, in a small file beside the record. A hook reads it first, because
//! to open a database takes more than half a millisecond, and most failures are in no episode.
//!
//! The file is a list of numbers of 8 bytes, little-endian. The database decides: a signature too many costs
//! a look into it, and without the file every failure is looked up there.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rusqlite::Connection;

use super::Record;
use crate::dirs::{cannot_write, read_file, remove_if_there, with_suffix, write_atomically};
use crate::error::Result;

/// What the file's name has more than that of the database.
pub(super) const SUFFIX: &str = "-signatures";

/// Length of a signature, in bytes.
const SIGNATURE_BYTES: usize = size_of::<u64>();

/// Maximum number of signatures in the file. With more there is no file.
const MAX_SIGNATURES: usize = 8_000;

impl Record {
    /// Tells whether an episode may have this signature.
    pub(super) fn may_hold(&self, signature: u64) -> bool {
        let Some(known) = self.signatures_in_file() else { return true };
        known.chunks_exact(SIGNATURE_BYTES).any(|known| known == signature.to_le_bytes())
    }

    /// Writes the file if it is not what the database has.
    pub(super) fn write_signatures(&self) -> Result<()> {
        let Some(file) = self.signature_file() else { return Ok(()) };
        let Some(known) = self.database.read(signatures)? else { return Ok(()) };
        if self.signatures_in_file() == file_content(&known) {
            return Ok(());
        }
        // The lock keeps another process from finding episodes between the reading and the writing.
        self.database.write(|tx| {
            let written = match file_content(&signatures(tx)?) {
                Some(content) => write_atomically(&file, &content),
                None => remove_if_there(&file),
            };
            written.map_err(|error| cannot_write(&file, &error))
        })
    }

    /// Returns the content of the file; none if there is no valid one.
    fn signatures_in_file(&self) -> Option<Vec<u8>> {
        let max_bytes = (MAX_SIGNATURES * SIGNATURE_BYTES) as u64;
        let content = read_file(&self.signature_file()?, max_bytes).ok()??;
        content.len().is_multiple_of(SIGNATURE_BYTES).then_some(content)
    }

    fn signature_file(&self) -> Option<PathBuf> {
        Some(with_suffix(self.file()?, SUFFIX))
    }
}

fn signatures(db: &Connection) -> Result<BTreeSet<u64>> {
    let mut statement = db.prepare_cached("SELECT DISTINCT signature FROM episodes")?;
    let signatures = statement.query_map([], |row| row.get(0).map(i64::cast_unsigned))?;
    Ok(signatures.collect::<rusqlite::Result<_>>()?)
}

/// Returns what stands in the file; none if there are too many.
fn file_content(signatures: &BTreeSet<u64>) -> Option<Vec<u8>> {
    let content = || signatures.iter().flat_map(|signature| signature.to_le_bytes()).collect();
    (signatures.len() <= MAX_SIGNATURES).then(content)
}
