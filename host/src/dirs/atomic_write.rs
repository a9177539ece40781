//! Writes files atomically: a reader sees the old content or the new content, never a part of it.
//!
//! Only this module implements the sequence (temporary file in the same folder, fsync, rename). It also takes
//! the lock on a file that several processes read, change and write.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::Serialize;
use tempfile::NamedTempFile;

use crate::error::{Error, Result};

/// Mode of files that belong to this user alone.
const PRIVATE_FILE_MODE: u32 = 0o600;
/// Mode of folders that belong to this user alone.
const PRIVATE_FOLDER_MODE: u32 = 0o700;
/// Mode of files that others may read, before the process's umask is applied.
const SHARED_FILE_MODE: u32 = 0o666;

/// Longest wait for a lock. Who holds one writes a small file; a process that holds it for longer was
/// stopped, or the file system does not release it.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two attempts to take a lock.
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// New content for a file, written and synced under a temporary name. Dropping it removes the temporary file.
#[must_use = "the file changes only on `commit`"]
pub(crate) struct PendingWrite {
    temporary: NamedTempFile,
    target: PathBuf,
}

impl PendingWrite {
    /// Prepares new content for a file of this user's own configuration. An existing file keeps its
    /// permissions; a new file and its folder are accessible to this user only.
    ///
    /// # Errors
    /// As for [`PendingWrite::keeping_permissions`].
    pub(crate) fn private(target: &Path, content: &[u8]) -> io::Result<Self> {
        create_private_folder(parent(target))?;
        match target.exists() {
            true => Self::keeping_permissions(target, content),
            false => Self::create(target, PRIVATE_FILE_MODE)?.fill(content),
        }
    }

    /// Prepares new content for a file that belongs to a person. An existing file keeps its permissions; a
    /// new file gets those of the process's umask.
    ///
    /// # Errors
    /// Any error of the file system; `target` is unchanged.
    pub(crate) fn keeping_permissions(target: &Path, content: &[u8]) -> io::Result<Self> {
        fs::create_dir_all(parent(target))?;
        let existing = fs::metadata(target).ok().map(|metadata| metadata.permissions());
        // The file is created with fewer permissions than the final ones, because settings may contain keys.
        let initial = existing.as_ref().map_or(SHARED_FILE_MODE, |_| PRIVATE_FILE_MODE);
        let pending = Self::create(target, initial)?;
        if let Some(permissions) = existing {
            pending.temporary.as_file().set_permissions(permissions)?;
        }
        pending.fill(content)
    }

    fn create(target: &Path, mode: u32) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(".interleaf-").permissions(Permissions::from_mode(mode));
        Ok(Self { temporary: builder.tempfile_in(parent(target))?, target: target.to_owned() })
    }

    fn fill(mut self, content: &[u8]) -> io::Result<Self> {
        self.temporary.write_all(content)?;
        self.temporary.as_file().sync_all()?;
        Ok(self)
    }

    /// Puts the new content in place.
    ///
    /// # Errors
    /// Any error of the file system; the target is unchanged.
    pub(crate) fn commit(self) -> io::Result<()> {
        self.temporary.persist(&self.target)?;
        Ok(())
    }

    fn commit_if_absent(self) -> io::Result<()> {
        self.temporary.persist_noclobber(&self.target)?;
        Ok(())
    }
}

/// Writes a file that only this user can read and write, and creates its folder if needed.
///
/// # Errors
/// Any error of the file system; an existing file is then unchanged.
pub(crate) fn write_atomically(file: &Path, content: &[u8]) -> io::Result<()> {
    create_private_folder(parent(file))?;
    PendingWrite::create(file, PRIVATE_FILE_MODE)?.fill(content)?.commit()
}

/// Creates a file as [`write_atomically`] does, unless it exists: of several processes that create it at the
/// same time, one succeeds, and the others see its complete content.
///
/// # Errors
/// `AlreadyExists`, or any other error of the file system.
pub(crate) fn create_atomically(file: &Path, content: &[u8]) -> io::Result<()> {
    create_private_folder(parent(file))?;
    PendingWrite::create(file, PRIVATE_FILE_MODE)?.fill(content)?.commit_if_absent()
}

/// Writes a value as indented JSON with [`write_atomically`].
///
/// # Errors
/// `Unavailable`, naming the file.
pub(crate) fn write_json_atomically(file: &Path, value: &impl Serialize) -> Result<()> {
    let json = serde_json::to_vec_pretty(value).map_err(|cause| cannot_write(file, &cause))?;
    write_atomically(file, &json).map_err(|cause| cannot_write(file, &cause))
}

/// Waits up to ten seconds for the exclusive lock on a file. The lock is another file in its folder and is
/// released when the returned handle is dropped.
///
/// # Errors
/// Any error of the file system; `TimedOut` if another process holds the lock all the time.
pub(crate) fn lock_file(file: &Path) -> io::Result<File> {
    let lock = open_lock(file)?;
    wait_for_lock(&lock, &file.with_extension("lock"), Instant::now() + LOCK_TIMEOUT)?;
    Ok(lock)
}

/// Takes the lock as [`lock_file`] does, or returns `None` if another process holds it.
///
/// # Errors
/// Any error of the file system.
pub(crate) fn try_lock_file(file: &Path) -> io::Result<Option<File>> {
    let lock = open_lock(file)?;
    match lock.try_lock() {
        Ok(()) => Ok(Some(lock)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn open_lock(file: &Path) -> io::Result<File> {
    create_private_folder(parent(file))?;
    let path = file.with_extension("lock");
    OpenOptions::new().create(true).append(true).mode(PRIVATE_FILE_MODE).open(path)
}

fn wait_for_lock(lock: &File, path: &Path, deadline: Instant) -> io::Result<()> {
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => sleep(LOCK_POLL_INTERVAL),
            Err(TryLockError::WouldBlock) => {
                let what =
                    format!("another process holds the lock {}; end it, then try again", path.display());
                return Err(io::Error::new(io::ErrorKind::TimedOut, what));
            }
        }
    }
}

/// Waits for the lock as [`lock_file`] does.
///
/// # Errors
/// `Unavailable`, naming the file.
pub(crate) fn lock_for_update(file: &Path) -> Result<File> {
    lock_file(file).map_err(|cause| cannot_write(file, &cause))
}

/// Creates a folder, with its parents, that only this user can access.
///
/// # Errors
/// Any error of the file system.
pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(PRIVATE_FOLDER_MODE).create(folder)
}

fn parent(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new("/"))
}

/// Returns the error of a file or folder that cannot be written.
pub(crate) fn cannot_write(file: &Path, cause: &impl std::fmt::Display) -> Error {
    Error::unavailable(format!("cannot write {}: {cause}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    fn mode(file: &Path) -> u32 {
        fs::metadata(file).expect("it exists").permissions().mode() & 0o777
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("it exists").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_private_file_and_its_folder_are_accessible_to_this_user_only() -> io::Result<()> {
        let scratch = Scratch::new();
        let file = scratch.path().join("data/spend.json");

        write_atomically(&file, b"one")?;
        write_atomically(&file, b"two")?;

        assert_eq!(fs::read(&file)?, b"two");
        assert_eq!((mode(&file), mode(&scratch.path().join("data"))), (0o600, 0o700));
        assert_eq!(names(&scratch.path().join("data")), ["spend.json"]);
        Ok(())
    }

    #[test]
    fn a_file_that_exists_is_not_created_again() -> io::Result<()> {
        let scratch = Scratch::new();
        let file = scratch.path().join("data/key");

        create_atomically(&file, b"first")?;
        let second = create_atomically(&file, b"second");

        assert_eq!(second.expect_err("it exists").kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((fs::read(&file)?.as_slice(), mode(&file)), (b"first".as_slice(), 0o600));
        assert_eq!(names(&scratch.path().join("data")), ["key"]);
        Ok(())
    }

    #[test]
    fn a_lock_has_one_holder_and_belongs_to_this_user_only() -> io::Result<()> {
        let scratch = Scratch::new();
        let file = scratch.path().join("cache/compiling");

        let held = try_lock_file(&file)?;

        assert!(held.is_some() && try_lock_file(&file)?.is_none());
        let folder = scratch.path().join("cache");
        assert_eq!((mode(&folder.join("compiling.lock")), mode(&folder)), (0o600, 0o700));
        drop(held);
        assert!(try_lock_file(&file)?.is_some());
        Ok(())
    }

    #[test]
    fn a_write_that_is_not_committed_changes_nothing_and_leaves_no_file() -> io::Result<()> {
        let scratch = Scratch::new();
        let file = scratch.file("settings.json", "old");

        drop(PendingWrite::keeping_permissions(&file, b"new")?);

        assert_eq!(fs::read(&file)?, b"old");
        assert_eq!(names(scratch.path()), ["settings.json"]);
        Ok(())
    }

    #[test]
    fn an_existing_file_keeps_its_permissions() -> io::Result<()> {
        let scratch = Scratch::new();
        for kept in [0o600, 0o640, 0o664] {
            let file = scratch.file("settings.json", "old");
            fs::set_permissions(&file, Permissions::from_mode(kept))?;

            PendingWrite::keeping_permissions(&file, b"new")?.commit()?;

            assert_eq!((fs::read(&file)?.as_slice(), mode(&file)), (b"new".as_slice(), kept));
        }
        Ok(())
    }

    #[test]
    fn a_new_file_of_the_configuration_is_private_and_an_existing_one_keeps_its_mode() -> io::Result<()> {
        let scratch = Scratch::new();
        let file = scratch.path().join("config/config.toml");

        PendingWrite::private(&file, b"new")?.commit()?;
        assert_eq!((mode(&file), mode(&scratch.path().join("config"))), (0o600, 0o700));
        fs::set_permissions(&file, Permissions::from_mode(0o644))?;
        PendingWrite::private(&file, b"newer")?.commit()?;

        assert_eq!((fs::read(&file)?.as_slice(), mode(&file)), (b"newer".as_slice(), 0o644));
        Ok(())
    }

    #[test]
    fn a_lock_that_is_never_released_is_an_error_that_names_it() -> io::Result<()> {
        let scratch = Scratch::new();
        let file = scratch.path().join("spend.json");
        let held = lock_file(&file)?;
        let other = OpenOptions::new().append(true).open(scratch.path().join("spend.lock"))?;

        let error = wait_for_lock(&other, Path::new("spend.lock"), Instant::now()).expect_err("it is held");

        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(error.to_string().contains("another process holds the lock spend.lock"), "{error}");
        drop(held);
        wait_for_lock(&other, Path::new("spend.lock"), Instant::now())
    }

    #[test]
    fn the_error_of_a_failed_write_names_the_file() {
        let scratch = Scratch::new();
        let below_a_file = scratch.file("file", "").join("data.json");

        let error = write_json_atomically(&below_a_file, &1).expect_err("a file is not a folder");

        assert!(error.message.starts_with(&format!("cannot write {}: ", below_a_file.display())), "{error}");
    }
}
