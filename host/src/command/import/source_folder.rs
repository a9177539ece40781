//! The files of a source, read with care: who made them may not be the user.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dirs::read_file;
use crate::error::{Error, Result};

/// Maximum number of bytes that are read from one source.
pub(super) const MAX_SOURCE_BYTES: u64 = 100_000_000;

/// The next step if a source is larger than [`MAX_SOURCE_BYTES`].
pub(super) const SPLIT_HINT: &str = "give a part of it as PATH";

/// Files of one folder, read up to [`MAX_SOURCE_BYTES`].
pub(super) struct SourceFolder {
    /// Its real path.
    pub(super) root: PathBuf,
    left: u64,
}

impl SourceFolder {
    /// Opens the folder.
    ///
    /// # Errors
    /// `NotFound` if there is no folder at the path.
    pub(super) fn open(path: &Path, hint: &str) -> Result<Self> {
        let root = real_path(path, hint)?;
        match root.is_dir() {
            true => Ok(Self { root, left: MAX_SOURCE_BYTES }),
            false => Err(Error::not_found(format!("{} is no folder", path.display())).hint(hint)),
        }
    }

    /// Returns the paths in a folder below this one, in the order of their names.
    pub(super) fn paths_in(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }

    /// Returns the files with this extension in a folder below this one.
    pub(super) fn files_in(&self, folder: &Path, extension: &str) -> Vec<PathBuf> {
        let mut paths = self.paths_in(folder);
        paths.retain(|path| path.extension().is_some_and(|found| found == extension));
        paths
    }

    /// Returns the path of a file from this folder on, for people.
    pub(super) fn place(&self, file: &Path) -> String {
        file.strip_prefix(&self.root).unwrap_or(file).display().to_string()
    }

    /// Reads a file. A link that leads out of the folder is not followed: who made the folder may not be
    /// allowed to read what the user can.
    ///
    /// # Errors
    /// `Denied` for such a link; `Unavailable` if the file cannot be read; `OverBudget` if it is too large;
    /// `Invalid` if it is no text.
    pub(super) fn read(&mut self, file: &Path) -> Result<String> {
        let real =
            fs::canonicalize(file).map_err(|error| Error::unavailable(format!("cannot read it: {error}")))?;
        if !real.starts_with(&self.root) {
            return Err(Error::denied("it is a link that leads out of the folder"));
        }
        let text = read_text(&real, self.left)?;
        self.left -= (text.len() as u64).min(self.left);
        Ok(text)
    }
}

/// Reads a text of at most `max_bytes`.
pub(super) fn read_text(file: &Path, max_bytes: u64) -> Result<String> {
    let too_large = || Error::over_budget("more than 100 MB would be read").hint(SPLIT_HINT);
    if fs::metadata(file).is_ok_and(|metadata| metadata.len() > max_bytes) {
        return Err(too_large());
    }
    let bytes =
        read_file(file, max_bytes).map_err(|error| Error::unavailable(format!("cannot read it: {error}")))?;
    let bytes = bytes.ok_or_else(|| Error::not_found("it does not exist"))?;
    String::from_utf8(bytes).map_err(|_| Error::invalid("it is no text in UTF-8"))
}

/// Returns the real path of a source.
///
/// # Errors
/// `NotFound`, with the next step, if nothing is there.
pub(super) fn real_path(path: &Path, hint: &str) -> Result<PathBuf> {
    fs::canonicalize(path)
        .map_err(|error| Error::not_found(format!("cannot read {}: {error}", path.display())).hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_out_of_the_folder_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (inside, outside) = (folder.path().join("inside"), folder.path().join("secret.md"));
        fs::create_dir(&inside).expect("created");
        fs::write(&outside, "secret").expect("written");
        fs::write(inside.join("a.md"), "text").expect("written");
        std::os::unix::fs::symlink(&outside, inside.join("b.md")).expect("linked");

        let mut folder = SourceFolder::open(&inside, "").expect("a folder");
        let read: Vec<_> =
            folder.files_in(Path::new(""), "md").iter().map(|file| folder.read(file)).collect();

        assert_eq!(read[0].as_deref(), Ok("text"));
        assert!(read[1].as_ref().is_err_and(|error| error.to_string().contains("leads out")), "{read:?}");
    }

    #[test]
    fn what_is_too_large_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.md"), "four").expect("written");
        let mut source = SourceFolder::open(folder.path(), "").expect("a folder");
        source.left = 3;

        let error = source.read(&folder.path().join("a.md")).expect_err("too large");
        assert!(error.to_string().contains("100 MB"), "{error}");
    }
}
