//! Files of this user's that several processes change: held while one of them reads and writes, and replaced whole.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use serde::Serialize;

use crate::error::{Error, Result};

/// Waits until no other process changes this file. The lock lies beside it and goes with what is returned.
///
/// # Errors
/// Whatever the file system says.
pub(crate) fn lock_file(file: &Path) -> io::Result<File> {
    if let Some(folder) = file.parent() {
        create_private_folder(folder)?;
    }
    let held = OpenOptions::new().create(true).append(true).mode(0o600).open(file.with_extension("lock"))?;
    held.lock()?;
    Ok(held)
}

/// Writes a file of this user's so that a reader sees the old one or the new one, whole.
///
/// # Errors
/// Whatever the file system says; the old file is then as it was.
pub(crate) fn write_atomically(file: &Path, content: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("/"));
    create_private_folder(folder)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(format!(".{name}.{}", std::process::id()));
    let _ = fs::remove_file(&temporary);
    let mut new = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    let written = new.write_all(content).and_then(|()| new.sync_all());
    let renamed = written.and_then(|()| fs::rename(&temporary, file));
    if renamed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// As [`hold`], for who tells a person.
///
/// # Errors
/// `Unavailable`, naming the file; likewise below.
pub(crate) fn lock_for_update(file: &Path) -> Result<File> {
    lock_file(file).map_err(|error| unwritable(file, &error))
}

/// As [`write_atomically`], of a value as JSON that people can read.
pub(crate) fn write_json_atomically(file: &Path, value: &impl Serialize) -> Result<()> {
    let json = serde_json::to_vec_pretty(value).map_err(|error| unwritable(file, &error))?;
    write_atomically(file, &json).map_err(|error| unwritable(file, &error))
}

fn unwritable(file: &Path, error: &impl std::fmt::Display) -> Error {
    Error::unavailable(format!("{} cannot be written: {error}", file.display()))
}

/// Makes a folder, with its parents, that only this user can look into.
///
/// # Errors
/// Whatever the file system says.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
