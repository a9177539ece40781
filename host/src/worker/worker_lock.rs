//! The file lock that makes a worker the only one of its project. A lock is released even if its process
//! crashes. The file holds the process id of the worker, and a thread of the worker touches it every few
//! seconds, so that others can tell a worker that was stopped and will never release the lock.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, SystemTime};

use rustix::process::{Pid, Signal, kill_process};

use crate::dirs::create_private_folder;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// Maximum number of attempts to get the lock. A process that only checks whether the lock is held holds it
/// for a moment itself.
const MAX_ATTEMPTS: u32 = 10;
/// Time between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);
/// Maximum number of attempts to get the lock of a worker that was ended.
const MAX_ATTEMPTS_AFTER_END: u32 = 400;

/// Time between two signs of life.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(5);
/// Time after the last sign of life at which a worker counts as stuck.
const STUCK_AFTER: Duration = Duration::from_secs(60);
/// How long a stuck worker is watched before it is ended. After the machine has slept, every worker looks
/// stuck until it has run for a moment.
const LAST_CHANCE: Duration = Duration::from_secs(8);

/// Maximum length of a process id in the file, in bytes.
const MAX_PID_BYTES: u64 = 20;

/// The lock. It is held until this value is dropped.
#[derive(Debug)]
pub struct WorkerLock {
    file: File,
    /// Ends the thread of the signs of life when it is dropped.
    _heartbeat: Sender<()>,
}

/// The worker that holds the lock.
#[derive(Debug, Clone, Copy)]
pub struct RunningWorker {
    /// The process id; `None` if the file does not say.
    pub pid: Option<i32>,
    /// Time since its last sign of life.
    pub silent_for: Duration,
}

impl RunningWorker {
    /// Tells whether the worker gives no sign of life any more: it was stopped, or hangs in the system.
    pub fn is_stuck(&self) -> bool {
        self.silent_for > STUCK_AFTER
    }
}

impl WorkerLock {
    /// Acquires the lock, unless another process holds it.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be opened or locked.
    pub fn try_acquire(context: &ProjectContext) -> Result<Option<Self>> {
        try_lock(&path(context), MAX_ATTEMPTS)
    }

    /// Acquires the lock as [`try_acquire`](Self::try_acquire) does, and ends a stuck worker that holds it.
    ///
    /// # Errors
    /// `Unavailable` if the file cannot be opened or locked.
    pub fn try_acquire_or_replace(context: &ProjectContext) -> Result<Option<Self>> {
        let lock = Self::try_acquire(context)?;
        match Self::holder(context).filter(|_| lock.is_none()) {
            Some(worker) if worker.is_stuck() && end(context) => {
                try_lock(&path(context), MAX_ATTEMPTS_AFTER_END)
            }
            _ => Ok(lock),
        }
    }

    /// Returns the worker that holds the lock. Creates no file.
    pub fn holder(context: &ProjectContext) -> Option<RunningWorker> {
        let file = File::open(path(context)).ok()?;
        if !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
            return None;
        }
        let modified = file.metadata().ok()?.modified().ok()?;
        // A clock that was set back makes a worker look alive.
        let silent_for = SystemTime::now().duration_since(modified).unwrap_or_default();
        Some(RunningWorker { pid: read_pid(&file), silent_for })
    }

    /// Tells whether a worker that gives signs of life holds the lock. Creates no file.
    pub fn is_held(context: &ProjectContext) -> bool {
        Self::holder(context).is_some_and(|worker| !worker.is_stuck())
    }
}

fn try_lock(path: &Path, attempts: u32) -> Result<Option<WorkerLock>> {
    let failed =
        |error: std::io::Error| Error::unavailable(format!("cannot lock {}: {error}", path.display()));
    let mut file = open(path).map_err(failed)?;
    for _ in 0..attempts {
        match file.try_lock() {
            Ok(()) => {
                write_pid(&mut file).map_err(failed)?;
                let heartbeat = start_heartbeat(file.try_clone().map_err(failed)?);
                return Ok(Some(WorkerLock { file, _heartbeat: heartbeat }));
            }
            Err(TryLockError::WouldBlock) => thread::sleep(RETRY_INTERVAL),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
    }
    Ok(None)
}

impl Drop for WorkerLock {
    /// Releases the lock at once: the thread of the signs of life has the file open for a moment longer.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Ends a stuck worker, if it is still stuck after a last chance. Returns whether it was ended.
fn end(context: &ProjectContext) -> bool {
    thread::sleep(LAST_CHANCE);
    let Some(worker) = WorkerLock::holder(context).filter(RunningWorker::is_stuck) else { return false };
    let pid = worker.pid.filter(|pid| is_this_program(*pid)).and_then(Pid::from_raw);
    pid.is_some_and(|pid| kill_process(pid, Signal::KILL).is_ok())
}

/// Tells whether a process runs this program, or an older file of it. Its id may have been given to another
/// process since.
fn is_this_program(pid: i32) -> bool {
    let name = |path: PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let own = std::env::current_exe().ok().and_then(name);
    let its = fs::read_link(format!("/proc/{pid}/exe")).ok().and_then(name);
    let its = its.as_deref().map(|name| name.trim_end_matches(" (deleted)"));
    own.is_some() && own.as_deref() == its
}

fn start_heartbeat(file: File) -> Sender<()> {
    let (sender, ended) = mpsc::channel();
    let beat = move || {
        while ended.recv_timeout(HEARTBEAT_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            let _ = file.set_modified(SystemTime::now());
        }
    };
    // Without the thread, the worker looks stuck after a minute and may be ended; its job is then repeated.
    drop(thread::Builder::new().name("heartbeat".to_owned()).spawn(beat));
    sender
}

fn write_pid(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.write_all(std::process::id().to_string().as_bytes())
}

fn read_pid(file: &File) -> Option<i32> {
    let mut text = String::new();
    file.take(MAX_PID_BYTES).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn open(path: &Path) -> std::io::Result<File> {
    create_private_folder(path.parent().unwrap_or(path))?;
    OpenOptions::new().create(true).append(true).read(true).mode(0o600).open(path)
}

/// Returns the path of the lock file, in the folder of the project's database, which only this user can read.
fn path(context: &ProjectContext) -> PathBuf {
    context.database_file().with_file_name("worker.lock")
}
