//! The folder in which a recording is played, with the project, the home folder and Interleaf's own folders.
//!
//! A replay resets branches and overwrites files, so it only works in a folder that it created itself.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use interleaf_tests::scratch;
use tempfile::TempDir;

/// File that marks a folder created by a replay, which may be used again.
const MARKER_FILE: &str = ".interleaf-replay";

/// The folder in which sessions are played. A temporary one is removed at the end.
pub struct ReplayFolder {
    /// Its real path: a project's identity depends on it.
    pub root: PathBuf,
    _temporary: Option<TempDir>,
}

impl ReplayFolder {
    /// Creates a temporary folder, or uses the folder `keep`, which must be empty, missing, or created by a
    /// replay.
    pub fn new(keep: Option<&Path>) -> Result<Self> {
        let temporary = match keep {
            Some(folder) => {
                require_no_repository(folder)?;
                claim(folder)?;
                None
            }
            None => {
                require_no_repository(&std::env::temp_dir())?;
                // Only this user can read it.
                Some(tempfile::Builder::new().prefix("interleaf-replay-").tempdir()?)
            }
        };
        let folder = temporary.as_ref().map(TempDir::path).or(keep).unwrap_or(Path::new("."));
        Ok(Self { root: folder.canonicalize()?, _temporary: temporary })
    }

    /// Returns the folder for Interleaf's own folders.
    pub fn interleaf_home(&self) -> PathBuf {
        self.root.join("interleaf")
    }

    /// Writes the person's configuration: sessions are recorded, the model at `model_url`, and deadlines that
    /// are long enough for a busy machine.
    pub fn configure(&self, model_url: Option<&str>, generous_deadlines: bool) -> Result<()> {
        let mut toml = "record = \"on\"\n".to_owned();
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

/// Refuses a folder in a git repository. The program takes no folder of its own in a repository around the
/// project, so a session that is played there would use the memories of the person who plays it.
fn require_no_repository(folder: &Path) -> Result<()> {
    let folder = std::path::absolute(folder)?;
    let existing = folder.ancestors().find_map(|ancestor| ancestor.canonicalize().ok()).unwrap_or_default();
    if let Some(repository) = existing.ancestors().find(|folder| folder.join(".git").exists()) {
        bail!(
            "{} lies in the git repository {}\n\nhint: name a folder outside of it, or set TMPDIR to one",
            folder.display(),
            repository.display()
        );
    }
    Ok(())
}

/// Marks a folder as created by a replay, provided that it holds no other files.
fn claim(folder: &Path) -> Result<()> {
    let failed = || format!("cannot play in {}", folder.display());
    fs::create_dir_all(folder).with_context(failed)?;
    let is_ours =
        folder.join(MARKER_FILE).exists() || fs::read_dir(folder).with_context(failed)?.next().is_none();
    if !is_ours {
        bail!(
            "{} holds files that are not from a replay\n\nhint: name a new or empty folder",
            folder.display()
        );
    }
    fs::write(folder.join(MARKER_FILE), "made by a replay\n").with_context(failed)
}

/// Writes a file and creates its folders.
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
