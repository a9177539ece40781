//! Runs `git` with a deadline, and with options that prevent it from executing programs that a repository
//! names. Nothing else in the program starts `git`.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// Maximum number of bytes that are read from each output stream of git: about 50,000 file names.
const MAX_OUTPUT_BYTES: u64 = 4 << 20;
/// Time between two checks whether git has exited after it closed its output.
const EXIT_POLL_INTERVAL: Duration = Duration::from_micros(50);

/// Options before every command. The configuration of a repository may name programs (a file system monitor,
/// a signature checker, hooks) and remotes from which git fetches missing objects. With these options, git
/// uses none of them.
const SAFE_OPTIONS: [&str; 11] = [
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "log.showSignature=false",
    "-c",
    "protocol.allow=never",
    "-c",
    "safe.bareRepository=explicit",
];

/// The exit status and the output of git.
#[derive(Debug)]
pub struct GitOutput {
    /// The exit status, which is the result of some commands.
    pub status: ExitStatus,
    /// Standard output, with invalid UTF-8 replaced.
    pub stdout: String,
    /// Standard error, in English.
    pub stderr: String,
}

/// Runs `git` on the work tree at `root` only: variables such as `GIT_DIR` are not passed to it.
///
/// # Errors
/// `Unavailable` if git is not installed, or does not exit before the deadline. At the deadline it is killed.
pub fn run_git(root: &Path, deadline: Instant, arguments: &[&str]) -> Result<GitOutput> {
    run_program(Path::new("git"), root, deadline, arguments)
}

/// Runs this program instead of the `git` on the PATH.
///
/// # Errors
/// As for [`run_git`].
pub(super) fn run_program(
    program: &Path,
    root: &Path,
    deadline: Instant,
    arguments: &[&str],
) -> Result<GitOutput> {
    let name = arguments.first().copied().unwrap_or_default();
    if deadline <= Instant::now() {
        return Err(Error::unavailable(format!("no time is left to run `git {name}`")));
    }
    let mut child = command(program, root, arguments).spawn().map_err(|error| {
        Error::unavailable(format!("cannot run `{}`: {error}", program.display()))
            .hint("install git, and make sure that it is on the PATH")
    })?;
    let output = read_output(&mut child).recv_timeout(deadline.saturating_duration_since(Instant::now()));
    let finished = output.ok().and_then(|(stdout, stderr)| {
        Some(GitOutput { status: wait_for_exit(&mut child, deadline)?, stdout, stderr })
    });
    finished.ok_or_else(|| {
        // Killing fails if the process has already exited.
        let _ = child.kill();
        let _ = child.wait();
        Error::unavailable(format!("`git {name}` did not finish before the deadline"))
    })
}

/// Builds the command. Passes the folder with `-C` instead of changing into it, so that the process can be
/// spawned without a fork.
fn command(program: &Path, root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_")) {
        command.env_remove(name);
    }
    command.arg("-C").arg(root).args(SAFE_OPTIONS).args(arguments);
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1");
    // Callers look for English messages, so git must not translate them.
    command.env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Reads both streams on a thread. The thread is abandoned at the deadline, because a process that git
/// started may still hold the pipe open.
fn read_output(child: &mut Child) -> mpsc::Receiver<(String, String)> {
    let (sender, receiver) = mpsc::channel();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::spawn(move || sender.send((read_text(stdout), read_text(stderr))));
    receiver
}

fn read_text(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        // Output that was read before an error is kept. The exit status tells whether it is complete.
        let _ = stream.take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes);
    }
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Waits for the exit status. A process that has closed its output usually exits immediately, but need not.
fn wait_for_exit(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(EXIT_POLL_INTERVAL),
            _ => return None,
        }
    }
}
