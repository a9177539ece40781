//! The folder that a recording is played in: it holds the project, the home folder and Interleaf's own
//! folders.
//!
//! A replay resets branches and overwrites files, so it only ever works in a folder that it made itself.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use interleaf_tests::scratch;
use tempfile::TempDir;

/// The file that says: this folder was made by a replay, and may be played in again.
const MARKER_FILE: &str = ".interleaf-replay";

/// The folder that sessions are played in. A temporary one is removed at the end.
pub struct ReplayFolder {
    /// Its real path: a project's identity depends on it.
    pub root: PathBuf,
    _temporary: Option<TempDir>,
}

impl ReplayFolder {
    /// Makes a temporary folder, or takes the folder `keep`, which must be empty, absent, or left by a
    /// replay.
    pub fn new(keep: Option<&Path>) -> Result<Self> {
        let temporary = match keep {
            Some(folder) => {
                claim(folder)?;
                None
            }
            // Only this user can look into it.
            None => Some(tempfile::Builder::new().prefix("interleaf-replay-").tempdir()?),
        };
        let folder = temporary.as_ref().map(TempDir::path).or(keep).unwrap_or(Path::new("."));
        Ok(Self { root: folder.canonicalize()?, _temporary: temporary })
    }

    /// The folder for Interleaf's own folders.
    pub fn interleaf_home(&self) -> PathBuf {
        self.root.join("interleaf")
    }

    /// Writes the person's configuration: the model that listens at `model_url`, and deadlines that no busy
    /// machine misses.
    pub fn configure(&self, model_url: Option<&str>, generous_deadlines: bool) -> Result<()> {
        let mut toml = String::new();
        if generous_deadlines {
            toml += &scratch::generous_deadlines();
        }
        if let Some(url) = model_url {
            let url = serde_json::Value::from(url);
            toml += &format!(
                "[llm]\nclient = \"openai\"\nbase_url = {url}\nsmall = \"small\"\nstrong = \"strong\"\n"
            );
        }
        write_file(&self.interleaf_home().join("config/config.toml"), &toml)
    }
}

/// Marks a folder as one to play in, provided that it holds nothing of anybody else's.
fn claim(folder: &Path) -> Result<()> {
    let failed = || format!("cannot play in {}", folder.display());
    fs::create_dir_all(folder).with_context(failed)?;
    let is_ours =
        folder.join(MARKER_FILE).exists() || fs::read_dir(folder).with_context(failed)?.next().is_none();
    if !is_ours {
        bail!(
            "{} holds files that no replay left there\n\nhint: name a new or empty folder",
            folder.display()
        );
    }
    fs::write(folder.join(MARKER_FILE), "made by a replay\n").with_context(failed)
}

/// Writes a file, with its folders.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_folder_is_removed_at_the_end() {
        let folder = ReplayFolder::new(None).unwrap();
        let root = folder.root.clone();

        assert!(root.exists());
        drop(folder);

        assert!(!root.exists());
    }
}
