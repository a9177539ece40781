//! The file lock that makes a worker the only one of its project. It is not a process id in a file, because a
//! lock is released even if its process crashes.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// Maximum number of attempts to get the lock. A process that only checks whether the lock is held holds it
/// for a moment itself.
const MAX_ATTEMPTS: u32 = 10;

/// Time between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// The lock. It is held until this value is dropped.
#[derive(Debug)]
pub struct WorkerLock {
    _file: File,
}

impl WorkerLock {
    /// Acquires the lock, unless another process holds it.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be opened or locked.
    pub fn try_acquire(context: &ProjectContext) -> Result<Option<Self>> {
        let path = path(context);
        let failed =
            |error: std::io::Error| Error::unavailable(format!("cannot lock {}: {error}", path.display()));
        let file = open(context).map_err(failed)?;
        for _ in 0..MAX_ATTEMPTS {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { _file: file })),
                Err(TryLockError::WouldBlock) => thread::sleep(RETRY_INTERVAL),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Ok(None)
    }

    /// Tells whether a worker holds the lock. Creates no file.
    pub fn is_held(context: &ProjectContext) -> bool {
        let locked = File::open(path(context)).map(|file| file.try_lock_shared());
        matches!(locked, Ok(Err(TryLockError::WouldBlock)))
    }
}

fn open(context: &ProjectContext) -> std::io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path(context))
}

/// Returns the path of the lock file, in the folder of the project's database, which only this user can read.
fn path(context: &ProjectContext) -> PathBuf {
    context.database_file().with_file_name("worker.lock")
}
