//! One process from spawn to exit: its input, its output, its exit code, and a time limit.
//!
//! One thread of the test process enforces all time limits, because the hostile tests start tens of thousands
//! of processes and a thread for each would cost more than the process it watches.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, Once};
use std::time::{Duration, Instant};

/// The output of a finished process.
#[derive(Debug, Clone)]
#[must_use = "look at the output, or assert the exit status with `.success()`"]
pub struct ProcessOutput {
    /// The exit code; `None` if a signal ended it, such as the kill at the time limit.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
    /// Time from before the spawn until after the exit.
    pub took: Duration,
}

impl ProcessOutput {
    /// Returns standard output as text.
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Returns standard error as text.
    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// Returns the standard output of a process that must have succeeded.
    ///
    /// # Panics
    /// If it failed, with both streams.
    #[track_caller]
    pub fn success(self) -> String {
        assert_eq!(self.code, Some(0), "stdout:\n{}\nstderr:\n{}", self.out(), self.err());
        self.out()
    }
}

/// Runs `command` with `stdin` as its whole input, and kills its process group after `limit`.
///
/// # Panics
/// If it cannot be started.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> ProcessOutput {
    try_run(command, stdin, limit).unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"))
}

/// Runs `command` as [`run`] does.
///
/// # Errors
/// If it cannot be started or its output cannot be read.
pub fn try_run(command: &mut Command, stdin: &[u8], limit: Duration) -> std::io::Result<ProcessOutput> {
    let started = Instant::now();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let child = command.spawn()?;
    let guard = Guard::kill_after(child.id(), limit);
    let output = write_stdin(child, stdin)?;
    drop(guard);
    Ok(ProcessOutput {
        code: output.status.code(),
        stdout: output.stdout,
        stderr: output.stderr,
        took: started.elapsed(),
    })
}

/// Writes the input and waits for the exit. Input that fits in a pipe (64 KiB on Linux) is written directly;
/// more needs a thread, or both sides would wait. Write errors are ignored: a hook need not read its input.
fn write_stdin(mut child: Child, stdin: &[u8]) -> std::io::Result<Output> {
    let mut pipe = child.stdin.take().expect("stdin was piped");
    if stdin.len() <= 60_000 {
        let _ = pipe.write_all(stdin);
        drop(pipe);
        return child.wait_with_output();
    }
    std::thread::scope(|scope| {
        scope.spawn(move || pipe.write_all(stdin));
        child.wait_with_output()
    })
}

/// A time limit on a process group, which ends when this value is dropped.
pub struct Guard {
    group: u32,
}

impl Guard {
    /// Kills the process group `group` (a process started with `process_group(0)` leads its own) after
    /// `limit`.
    pub fn kill_after(group: u32, limit: Duration) -> Guard {
        watched().insert(group, Instant::now() + limit);
        static WATCH: Once = Once::new();
        WATCH.call_once(|| drop(std::thread::spawn(watch)));
        Guard { group }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        watched().remove(&self.group);
    }
}

fn watched() -> MutexGuard<'static, BTreeMap<u32, Instant>> {
    static WATCHED: Mutex<BTreeMap<u32, Instant>> = Mutex::new(BTreeMap::new());
    WATCHED.lock().expect("nothing panics while it holds the list")
}

fn watch() {
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = Instant::now();
        for (group, _) in watched().extract_if(.., |_, deadline| *deadline < now) {
            kill(group);
        }
    }
}

/// Runs the `kill` program, because the system call would need an `unsafe` block or a dependency.
fn kill(group: u32) {
    let _ = Command::new("kill").args(["-KILL", "--", &format!("-{group}")]).status();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_hangs_is_killed() {
        let ran = run(Command::new("sleep").arg("60"), b"", Duration::from_millis(100));

        assert_eq!(ran.code, None);
        assert!(ran.took < Duration::from_secs(10));
    }

    #[test]
    fn ten_megabytes_pass_through() {
        let big = vec![b'x'; 10 << 20];

        let ran = run(&mut Command::new("cat"), &big, Duration::from_secs(60));

        assert!(ran.stdout == big);
    }
}
