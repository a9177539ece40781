//! The record of the changes that `init` made to a project: the files that it created and the parts that it
//! removed.
//!
//! It is a file in the user's state folder, one for each project folder, and is written before anything is
//! changed. Without it, `uninstall` still finds everything that `init` added, but cannot put back the removed
//! parts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::claude::legacy_blocks::RemovedBlock;
use crate::claude::settings::{LOCAL_SETTINGS, RemovedHook, Settings};
use crate::command::file_edit::FileEdit;
use crate::error::{Error, Result};

/// The changes that `init` made to one project folder. The field names are part of the file's format.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct InstallRecord {
    /// The project folder, for people who read the file.
    root: String,
    /// Files and folders that `init` created, relative to the project's root.
    pub(crate) created: Vec<String>,
    /// The lists of hooks that were empty before `init`, by settings file.
    pub(crate) empty_lists: BTreeMap<String, Vec<String>>,
    /// The exclude file of git to which files of one person were added.
    pub(crate) exclude: Option<String>,
    /// Those files, in the order in which they were added. Earlier versions added only the local settings,
    /// and did not record it.
    pub(crate) excluded: Vec<String>,
    /// The hooks of wt-memory that were removed.
    pub(crate) hooks: Vec<Removed<RemovedHook>>,
    /// The blocks of wt-memory that were removed.
    pub(crate) blocks: Vec<Removed<RemovedBlock>>,
}

/// Something that was removed from a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Removed<T> {
    /// The file, relative to the project's root.
    pub(crate) file: String,
    /// The removed part.
    #[serde(flatten)]
    pub(crate) what: T,
}

impl InstallRecord {
    /// Creates an empty record of the project at `root`.
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_string_lossy().into_owned(), ..Self::default() }
    }

    /// Reads the record of the project at `root`; `None` if there is none.
    ///
    /// # Errors
    /// `Invalid` if the file is not a record; otherwise as for [`FileEdit::open`].
    pub(crate) fn load(state: &Path, root: &Path) -> Result<Option<Self>> {
        let path = Self::path(state, root);
        let name = path.to_string_lossy();
        let file = FileEdit::open(state, &name)?;
        if !file.existed() {
            return Ok(None);
        }
        serde_json::from_str(file.text()).map(Some).map_err(|error| {
            Error::invalid(format!("{name} is not a record of `interleaf init`: {error}"))
                .hint("move the file away; the parts that init removed earlier must then be put back by hand")
        })
    }

    /// Writes the record, or deletes it if there is nothing to undo.
    ///
    /// # Errors
    /// As [`FileEdit::apply`].
    pub(crate) fn save(&self, state: &Path, root: &Path) -> Result<()> {
        let path = Self::path(state, root);
        let mut file = FileEdit::open(state, &path.to_string_lossy())?;
        if *self != Self::new(root) {
            let text = serde_json::to_string_pretty(self).expect("texts and numbers always serialize");
            file.set(text + "\n", "");
        } else if file.existed() {
            file.delete();
        }
        file.apply_in_private_folder(path.parent().unwrap_or(state))
    }

    /// Returns the path of the record of a project folder.
    pub(crate) fn path(state: &Path, root: &Path) -> PathBuf {
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        state.join("installed").join(name + ".json")
    }

    /// Adds a file or folder that was created.
    pub(crate) fn add_created(&mut self, name: &str) {
        add(&mut self.created, name.to_owned());
    }

    /// Adds a file that git is made to ignore.
    pub(crate) fn add_excluded(&mut self, name: &str) {
        add(&mut self.excluded, name.to_owned());
    }

    /// Returns the files that git was made to ignore, the last first.
    pub(crate) fn excluded_files(&self) -> Vec<&str> {
        match self.excluded.is_empty() {
            true => vec![LOCAL_SETTINGS],
            false => self.excluded.iter().rev().map(String::as_str).collect(),
        }
    }

    /// Adds hooks that were removed from `file`. An interrupted run may have added them before.
    pub(crate) fn add_hooks(&mut self, file: &str, hooks: Vec<RemovedHook>) {
        hooks.into_iter().for_each(|what| add(&mut self.hooks, Removed { file: file.to_owned(), what }));
    }

    /// Adds blocks that were removed from `file`, as [`Self::add_hooks`] does.
    pub(crate) fn add_blocks(&mut self, file: &str, blocks: Vec<RemovedBlock>) {
        blocks.into_iter().for_each(|what| add(&mut self.blocks, Removed { file: file.to_owned(), what }));
    }
}

/// Adds an item once.
fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// Parses the settings of a file.
///
/// # Errors
/// `Invalid` with the file's name.
pub(crate) fn read_settings(file: &FileEdit) -> Result<Settings> {
    Settings::parse(file.text()).map_err(|error| error.context(&file.name))
}
