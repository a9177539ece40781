//! This user's four folders, and safe ways to read and write single files.
//!
//! Environment variables are checked before they are used. A project can set variables for the session
//! (Claude Code's settings have an `env` section), so a relative path or a path inside the project is ignored
//! and reported. Other modules define the content of the folders; `atomic_write` creates files for them.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use crate::error::Result;

mod account;
mod atomic_write;
mod folder_variables;
mod recorded_folders;
#[cfg(test)]
pub(crate) mod scratch;
#[cfg(test)]
mod tests;

pub(crate) use account::{account_data_folder, account_default_folders, account_folders, account_home};
pub(crate) use atomic_write::{
    PendingWrite, cannot_write, create_atomically, create_private_folder, lock_file, lock_for_update,
    try_lock_file, write_atomically, write_json_atomically,
};
use folder_variables::FolderSearch;
pub use folder_variables::IgnoredVariable;
pub(crate) use folder_variables::reason_to_distrust;
pub(crate) use recorded_folders::{record_folders, recorded_folders};

/// Maximum length of a path, in bytes (Linux's PATH_MAX). A longer path comes from untrusted input and is not
/// resolved, because resolving takes a system call for each of its parts.
pub(crate) const MAX_PATH_BYTES: usize = 4096;

/// A function that reads one environment variable. Tests pass their own, so they need not change the
/// process's environment.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The folders of this user, which need not exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// Configuration that the person writes: `config.toml`.
    pub config: PathBuf,
    /// Data that must not be lost: one folder for each project.
    pub data: PathBuf,
    /// Files whose loss costs no memories: logs.
    pub state: PathBuf,
    /// Files that can be rebuilt: compiled layers.
    pub cache: PathBuf,
    /// Variables that were ignored.
    pub ignored: Vec<IgnoredVariable>,
    /// Those of the folders of configuration and data that this person has not recorded as theirs. Settings
    /// and approvals there neither switch a guard off nor replace it.
    pub unrecorded: Vec<PathBuf>,
}

impl Folders {
    /// Finds the folders: all four under `INTERLEAF_HOME` if that is set, otherwise each under its
    /// `XDG_*_HOME`, otherwise at its XDG default under `HOME`. None of them may lie inside `project`, the
    /// folders that may have come with the project, or be reached through them, whatever the variables say.
    ///
    /// # Errors
    /// `Unavailable` if no usable variable is set; the message has the variables that were ignored.
    pub fn find(env: Env, project: &[PathBuf]) -> Result<Self> {
        let mut search = FolderSearch { env, project, ignored: Vec::new() };
        let found = match search.trusted("INTERLEAF_HOME") {
            Some(home) => Some(["config", "data", "state", "cache"].map(|name| home.join(name))),
            None => search.by_xdg(),
        };
        let [config, data, state, cache] = found.ok_or_else(|| search.not_found())?;
        let unrecorded = recorded_folders::unrecorded([&config, &data]);
        Ok(Self { config, data, state, cache, ignored: search.ignored, unrecorded })
    }

    /// Checks that no variable was ignored. `project` has the folders that may have come with the project.
    ///
    /// # Errors
    /// `Unavailable`, with each variable that was ignored, the reason and the next step.
    pub fn require_variables(&self, project: &[PathBuf]) -> Result<()> {
        if self.ignored.is_empty() { Ok(()) } else { Err(folder_variables::refused(&self.ignored, project)) }
    }

    /// Tells whether the folders are this person's: the account's default ones, or recorded.
    pub fn are_recorded(&self) -> bool {
        self.unrecorded.is_empty()
    }
}

/// Resolves symbolic links in the part of the path that exists and appends the rest as written.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    if path.as_os_str().len() > MAX_PATH_BYTES {
        return path.to_owned();
    }
    let parts: Vec<Component> = path.components().collect();
    for end in (1..=parts.len()).rev() {
        if let Ok(mut real) = parts[..end].iter().collect::<PathBuf>().canonicalize() {
            for part in &parts[end..] {
                match part {
                    Component::ParentDir => _ = real.pop(),
                    part => real.push(part),
                }
            }
            // The path after a `..` may lead through another link.
            let has_parent_part = parts[end..].contains(&Component::ParentDir);
            return if has_parent_part { real_path(&real) } else { real };
        }
    }
    path.to_owned()
}

/// Opens a regular file for reading.
///
/// A path that a project or a client names may be a link to anything. A pipe would block forever, `/dev/zero`
/// never ends, and `/dev/stdin` is the hook's own input, so only regular files are opened.
///
/// # Errors
/// Any error of the file system; `InvalidData` if the file is not regular.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file")),
    }
}

/// Returns the path of a file that lies beside another one and bears its name with a suffix.
pub(crate) fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Deletes a file, which may be missing.
///
/// # Errors
/// Any other error of the file system.
pub(crate) fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Reads a regular file of at most `max_bytes`; `None` if it does not exist.
///
/// # Errors
/// As for [`open_file`]; `InvalidData` also if the file is too large.
pub(crate) fn read_file(path: &Path, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    use io::ErrorKind::{InvalidData, NotADirectory, NotFound};
    let file = match open_file(path) {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(None),
        file => file?,
    };
    let bytes = file.metadata()?.len();
    if bytes > max_bytes {
        return Err(io::Error::new(InvalidData, format!("larger than {max_bytes} bytes")));
    }
    let mut content = Vec::with_capacity(bytes as usize);
    file.take(max_bytes).read_to_end(&mut content)?;
    Ok(Some(content))
}
