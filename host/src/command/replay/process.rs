//! One process from spawn to exit, timed from outside.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// A process may take this long. A hook's own deadlines are far below; this is so that a replay ends.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a finished process left behind.
#[derive(Debug, Clone)]
pub(super) struct Ran {
    /// The exit code; `None` when a signal ended it, which is also what running out of patience looks like.
    pub code: Option<i32>,
    /// Its standard output, broken characters replaced.
    pub stdout: String,
    /// Its standard error, broken characters replaced.
    pub stderr: String,
    /// From before the spawn to after the exit.
    pub took: Duration,
}

/// Runs a program with `input` as its whole standard input.
pub(super) fn run(command: &mut Command, input: &str) -> Result<Ran> {
    let began = Instant::now();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        Error::unavailable(format!("cannot start {}: {error}", command.get_program().to_string_lossy()))
    })?;
    let (mut pipe, input) = (child.stdin.take(), input.to_owned());
    // More than fits the pipe, to a process that does not read, would hold us for ever; nor must it read at all.
    thread::spawn(move || pipe.as_mut().map(|pipe| pipe.write_all(input.as_bytes())));
    let (stdout, stderr) = (gather(child.stdout.take()), gather(child.stderr.take()));
    let stdout = stdout.recv_timeout(PATIENCE).ok();
    if stdout.is_none() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(Error::unavailable)?;
    let took = began.elapsed();
    let stderr = stderr.recv_timeout(Duration::from_millis(100)).unwrap_or_default();
    Ok(Ran { code: status.code(), stdout: stdout.unwrap_or_default(), stderr, took })
}

/// Everything that comes out of a pipe until it closes.
fn gather(pipe: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (done, gathered) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        done.send(String::from_utf8_lossy(&bytes).into_owned())
    });
    gathered
}
