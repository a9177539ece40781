//! What `init` did to a project, kept so that `uninstall` can undo it: which files it made and what it took
//! out.
//!
//! It lies in the person's state folder, one file for each project folder, and is written before anything is
//! changed. Without it `uninstall` still finds everything of ours; only what was removed cannot be offered
//! back.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::claude::settings::RemovedHook;
use crate::claude::wt_memory_blocks::RemovedBlock;
use crate::error::{Error, Result};

use super::file_edit::Edit;

/// What was done to one project folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Record {
    /// The project folder, for people who read this file.
    root: String,
    /// Files and folders that were made, from the project's root.
    pub(crate) created: Vec<String>,
    /// The lists in settings files that were there and empty, by file.
    pub(crate) empty_lists: BTreeMap<String, Vec<String>>,
    /// The file in which git was told to ignore the local settings.
    pub(crate) exclude: Option<String>,
    /// The hooks of wt-memory that were taken out.
    pub(crate) hooks: Vec<Removed<RemovedHook>>,
    /// The blocks of wt-memory that were taken out.
    pub(crate) blocks: Vec<Removed<RemovedBlock>>,
}

/// Something taken out of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Removed<T> {
    /// The file, from the project's root.
    pub(crate) file: String,
    /// What was taken out.
    #[serde(flatten)]
    pub(crate) what: T,
}

impl Record {
    /// Nothing done yet to the project at `root`.
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_string_lossy().into_owned(), ..Self::default() }
    }

    /// What was done to the project at `root`; `None` where nothing is on record.
    pub(crate) fn load(state: &Path, root: &Path) -> Result<Option<Self>> {
        let path = Self::path(state, root);
        let name = path.to_string_lossy();
        let file = Edit::open(state, &name)?;
        if !file.existed() {
            return Ok(None);
        }
        serde_json::from_str(file.text()).map(Some).map_err(|cause| {
            Error::invalid(format!("{name}: not a record of `interleaf init`: {cause}"))
                .hint("move the file away; then what init removed earlier can only be put back by hand")
        })
    }

    /// Writes the record, or removes it where there is nothing to undo.
    pub(crate) fn save(&self, state: &Path, root: &Path) -> Result<()> {
        let path = Self::path(state, root);
        let mut file = Edit::open(state, &path.to_string_lossy())?;
        if *self != Self::new(root) {
            let text = serde_json::to_string_pretty(self).expect("texts and numbers always serialise");
            private_folder(path.parent().unwrap_or(state))?;
            file.set(text + "\n", "");
        } else if file.existed() {
            file.delete();
        }
        file.apply()
    }

    /// Where the record of a project folder lies.
    pub(crate) fn path(state: &Path, root: &Path) -> PathBuf {
        let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        state.join("installed").join(name + ".json")
    }

    /// Notes something that was made, once.
    pub(crate) fn add_created(&mut self, name: &str) {
        add(&mut self.created, name.to_owned());
    }

    /// Notes hooks that were taken out of `file`. The same ones again are those of a run that was cut off.
    pub(crate) fn add_hooks(&mut self, file: &str, hooks: Vec<RemovedHook>) {
        hooks.into_iter().for_each(|what| add(&mut self.hooks, Removed { file: file.to_owned(), what }));
    }

    /// Notes blocks that were taken out of `file`, as [`Self::add_hooks`] does.
    pub(crate) fn add_blocks(&mut self, file: &str, blocks: Vec<RemovedBlock>) {
        blocks.into_iter().for_each(|what| add(&mut self.blocks, Removed { file: file.to_owned(), what }));
    }
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// Makes a folder that only this person can read.
fn private_folder(path: &Path) -> Result<()> {
    let mut folder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.recursive(true).create(path).map_err(|cause| {
        Error::unavailable(format!("cannot make the folder {}: {cause}", path.display()))
            .hint("set XDG_STATE_HOME or INTERLEAF_HOME to a folder that can be written")
    })
}
