//! Where a recording is played: a scratch folder that holds the project, the home and Interleaf's own folders.
//!
//! A replay resets branches and overwrites files, so it only ever works in a folder that it made itself.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

use super::recording::Session;
use super::set::Set;
use super::unpack;

/// The file that says: this folder was made by a replay, and may be played in again.
const MARK: &str = ".interleaf-replay";

/// A scratch root, gone at the end unless somebody wants to look at it.
pub(super) struct Stage {
    /// Its real path: what a project is depends on it.
    pub root: PathBuf,
    kept: bool,
}

impl Stage {
    /// A fresh scratch root, or the folder `keep`, which must be empty, absent, or left by a replay.
    pub(super) fn new(keep: Option<&Path>) -> Result<Self> {
        let root = match keep {
            Some(folder) => claim(folder).map_err(|error| error.context(folder.display()))?,
            None => fresh()?,
        };
        let root = root.canonicalize().map_err(Error::unavailable)?;
        Ok(Self { root, kept: keep.is_some() })
    }

    /// Where Interleaf's own folders are on this stage.
    pub(super) fn interleaf(&self) -> PathBuf {
        self.root.join("interleaf")
    }

    /// Puts the project of a session in its place, unless an earlier session left it there.
    pub(super) fn set<'a>(&'a self, session: &'a Session) -> Result<Set<'a>> {
        let (name, recorded) = (&session.meta.scenario, &session.meta.project);
        if *recorded != format!("/home/dev/{name}") {
            let what =
                format!("{}: the project is {recorded}, not /home/dev/{name}", session.folder.display());
            return Err(Error::invalid(what));
        }
        let folder = self.root.join("home/dev").join(name);
        if !folder.exists() {
            unpack::project(&session.file("project.tar.gz")?, name, &folder)?;
        }
        unpack::commits(&session.file("project_after.tar.gz")?, name, &folder)?;
        Ok(Set::new(self, session, folder))
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_dir_all(&self.root);
        }
    }
}

/// A new folder that only this user can look into. Anybody may make folders where temporary files go, so one that is
/// already there is not ours.
fn fresh() -> Result<PathBuf> {
    let mut folders = (0..1000).map(|count| {
        let folder = std::env::temp_dir().join(format!("interleaf-replay-{}-{count}", std::process::id()));
        fs::DirBuilder::new().mode(0o700).create(&folder).map(|()| folder)
    });
    let exists =
        |made: &std::io::Result<_>| matches!(made, Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists);
    let made = folders.find(|made| !exists(made)).expect("no process makes a thousand of them");
    made.map_err(|error| Error::unavailable(format!("{}: {error}", std::env::temp_dir().display())))
}

/// A folder that holds nothing of anybody else's.
fn claim(folder: &Path) -> Result<PathBuf> {
    let taken = || {
        fs::create_dir_all(folder)?;
        let mine = folder.join(MARK).exists() || fs::read_dir(folder)?.next().is_none();
        if mine {
            fs::write(folder.join(MARK), "made by `interleaf replay`\n").map(|()| true)
        } else {
            Ok(false)
        }
    };
    match taken().map_err(Error::unavailable)? {
        true => Ok(folder.to_owned()),
        false => {
            Err(Error::denied("it holds something that no replay left there")
                .hint("name a new or empty folder"))
        }
    }
}
