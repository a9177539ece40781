//! Running `git`: the only place that starts it, with a deadline, and without what a repository could make it run.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// More than this is not read from git's answer: some 50,000 file names.
const MOST_OUTPUT: u64 = 4 << 20;

/// Set before every question. The configuration of a repository may name programs (a file system monitor, a
/// signature checker, hooks) and remotes to fetch missing objects from; a question must start none of them.
const CAREFUL: [&str; 11] = [
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

/// What git said.
pub(super) struct Answer {
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
}

/// Asks git one question about the work tree at `root`.
///
/// # Errors
/// `Unavailable` when there is no git, or it does not answer before the deadline (it is killed then).
pub(super) fn ask(program: &Path, root: &Path, deadline: Instant, question: &[&str]) -> Result<Answer> {
    let what = question.first().copied().unwrap_or_default();
    if deadline <= Instant::now() {
        return Err(Error::unavailable(format!("no time is left to ask `git {what}`")));
    }
    let mut child = command(program, root, question).spawn().map_err(|error| {
        Error::unavailable(format!("`{}` cannot be run: {error}", program.display()))
            .hint("install git, or see that it is on the PATH")
    })?;
    let heard = listen(&mut child).recv_timeout(time_left(deadline)).ok();
    match heard.and_then(|(out, err)| Some(Answer { status: wait(&mut child, deadline)?, out, err })) {
        Some(answer) => Ok(answer),
        None => {
            // Already gone is just as well.
            let _ = child.kill();
            let _ = child.wait();
            Err(Error::unavailable(format!("`git {what}` did not answer in the time that was left")))
        }
    }
}

/// Variables such as GIT_DIR would have git answer about another repository, so none of them is passed on. The
/// folder is given by `-C`, and not by changing into it: so the process can be spawned without a fork.
fn command(program: &Path, root: &Path, question: &[&str]) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_")) {
        command.env_remove(name);
    }
    command.arg("-C").arg(root).args(CAREFUL).args(question);
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1");
    // Its messages are looked at, so they must not be translated.
    command.env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Reads both streams on a thread of its own, which is left behind when the deadline passes: something that git
/// started may still hold the pipe then.
fn listen(child: &mut Child) -> mpsc::Receiver<(String, String)> {
    let (said, heard) = mpsc::channel();
    let (out, err) = (child.stdout.take(), child.stderr.take());
    thread::spawn(move || said.send((text(out), text(err))));
    heard
}

fn text(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        // What was read before an error is still an answer; git's exit status tells whether it is whole.
        let _ = stream.take(MOST_OUTPUT).read_to_end(&mut bytes);
    }
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A process that closed its output ends at once, as a rule; this does not count on it.
fn wait(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_micros(50)),
            _ => return None,
        }
    }
}

fn time_left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}
