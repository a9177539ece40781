//! The lock that makes a worker the only one of its project.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// Others that only look hold the lock for a moment.
const LOOKS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(5);

/// Held as long as this lives, and not a moment longer than its process.
#[derive(Debug)]
pub struct WorkerLock {
    _file: File,
}

impl WorkerLock {
    /// The lock, unless another process holds it.
    ///
    /// # Errors
    /// `Unavailable` where there can be no lock.
    pub fn try_acquire(context: &ProjectContext) -> Result<Option<Self>> {
        let path = path(context);
        let failed = |error: std::io::Error| Error::unavailable(format!("{}: {error}", path.display()));
        let file = open(context).map_err(failed)?;
        for _ in 0..LOOKS {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { _file: file })),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Ok(None)
    }

    /// Whether a worker holds it. Looking makes no file.
    pub fn is_held(context: &ProjectContext) -> bool {
        let looked = File::open(path(context)).map(|file| file.try_lock_shared());
        matches!(looked, Ok(Err(TryLockError::WouldBlock)))
    }
}

fn open(context: &ProjectContext) -> std::io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path(context))
}

/// Beside the project's database, in a folder that only this user can look into.
fn path(context: &ProjectContext) -> PathBuf {
    context.store().with_file_name("worker.lock")
}
