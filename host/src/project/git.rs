//! Runs `git`: the only place in the program that starts it, with a deadline and without anything that a
//! repository could make it execute.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// Bytes read of each of git's output streams: some 50,000 file names.
const MAX_OUTPUT_BYTES: u64 = 4 << 20;
/// Time between two looks at whether git, which has closed its output already, has exited.
const EXIT_POLL_INTERVAL: Duration = Duration::from_micros(50);

/// Options before every command. The configuration of a repository may name programs (a file system monitor,
/// a signature checker, hooks) and remotes from which git fetches missing objects; these options start none
/// of them.
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

/// The exit status of git and what it printed.
#[derive(Debug)]
pub struct GitOutput {
    /// The exit status; some commands answer with it.
    pub status: ExitStatus,
    /// Standard output, with invalid UTF-8 replaced.
    pub stdout: String,
    /// Standard error, in English.
    pub stderr: String,
}

/// Runs `git` on the work tree at `root`, and on no other: variables such as `GIT_DIR` are not passed on.
///
/// # Errors
/// `Unavailable` if git is not installed or does not exit before the deadline, at which it is killed.
pub fn run_git(root: &Path, deadline: Instant, arguments: &[&str]) -> Result<GitOutput> {
    run_program(Path::new("git"), root, deadline, arguments)
}

/// Runs this program in place of the `git` on the PATH.
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
        // If it is gone already, there is nothing to kill.
        let _ = child.kill();
        let _ = child.wait();
        Error::unavailable(format!("`git {name}` did not finish before the deadline"))
    })
}

/// The folder is given by `-C`, and not by changing into it, so that the process can be spawned without a
/// fork.
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
/// started may still hold the pipe open then.
fn read_output(child: &mut Child) -> mpsc::Receiver<(String, String)> {
    let (sender, receiver) = mpsc::channel();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::spawn(move || sender.send((read_text(stdout), read_text(stderr))));
    receiver
}

fn read_text(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        // What was read before an error is kept: the exit status tells whether it is complete.
        let _ = stream.take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes);
    }
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Waits for the exit status. A process that has closed its output usually exits at once, but need not.
fn wait_for_exit(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(EXIT_POLL_INTERVAL),
            _ => return None,
        }
    }
}
