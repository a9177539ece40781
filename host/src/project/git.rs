//! Runs `git` with a deadline, found outside the project, and with the options and variables of
//! [`git_safety`]. Nothing else in the program starts `git`.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::git_layout::GitDirs;
use super::git_safety;
use crate::error::{Error, Result};
use crate::program_search::ProgramSearch;

/// The program, which is looked up on the PATH.
const PROGRAM: &str = "git";
const INSTALL_HINT: &str = "install git, and make sure that it is on the PATH";

/// Maximum number of bytes that are read from each output stream of git: about 50,000 file names.
const MAX_OUTPUT_BYTES: u64 = 4 << 20;
/// Maximum number of bytes that a command prints whose output is data: a million notes.
const MAX_PIPED_BYTES: u64 = 4 << 30;
/// Time between two checks whether git has exited after it closed its output.
const EXIT_POLL_INTERVAL: Duration = Duration::from_micros(50);

/// The exit status and the output of git.
#[derive(Debug)]
pub(super) struct GitOutput {
    /// The exit status, which is the result of some commands.
    pub status: ExitStatus,
    /// Standard output, with invalid UTF-8 replaced.
    pub stdout: String,
    /// Standard error, in English.
    pub stderr: String,
}

/// The git of one work tree, with the time at which it is stopped.
pub(super) struct Git<'a> {
    /// The program, instead of the one on the PATH.
    pub program: Option<&'a Path>,
    /// The root of the work tree.
    pub root: &'a Path,
    pub dirs: &'a GitDirs,
    /// The work trees in which no program is looked up.
    pub work_trees: Vec<PathBuf>,
    pub deadline: Instant,
}

impl Git<'_> {
    /// Runs a command that reads no files of the work tree through filters.
    ///
    /// # Errors
    /// `Unavailable` if git is not installed, is too old to be safe in this repository, or does not exit
    /// before the deadline. At the deadline it is killed.
    pub fn run(&self, arguments: &[&str]) -> Result<GitOutput> {
        self.run_with(&[], arguments)
    }

    /// Runs a command that compares files, without the filters that the configuration names.
    ///
    /// # Errors
    /// As for [`Git::run`]; `Unavailable` also if a filter cannot be switched off.
    pub fn run_without_filters(&self, arguments: &[&str]) -> Result<GitOutput> {
        self.check_time(arguments)?;
        let output = self.run(&git_safety::FILTER_QUERY)?;
        let filters = match output.status.code() {
            Some(0) => git_safety::without_filters(&output.stdout)?,
            Some(1) => Vec::new(),
            _ => return Err(failure(git_safety::FILTER_QUERY[0], &output)),
        };
        self.run_with(&filters, arguments)
    }

    fn run_with(&self, options: &[OsString], arguments: &[&str]) -> Result<GitOutput> {
        let name = self.check_time(arguments)?;
        let search = ProgramSearch::outside(self.work_trees.clone());
        let program = self.find_program(&search).ok_or_else(no_git)?;
        let mut command = self.command(&program, &search);
        let mut child = command.args(options).args(arguments).spawn().map_err(|error| {
            Error::unavailable(format!("cannot run `{}`: {error}", program.display())).hint(INSTALL_HINT)
        })?;
        let output = wait_for_output(&mut child, self.deadline)
            .ok_or_else(|| Error::unavailable(format!("`git {name}` did not finish before the deadline")))?;
        git_safety::too_old(&output.stderr).map_or(Ok(output), Err)
    }

    /// Gives a command its standard input, and returns its output, which may be long.
    ///
    /// # Errors
    /// As for [`Git::run`]; `Unavailable` also if the command fails.
    pub fn pipe(&self, arguments: &[&str], input: Vec<u8>) -> Result<Vec<u8>> {
        let name = self.check_time(arguments)?;
        let search = ProgramSearch::outside(self.work_trees.clone());
        let mut command = self.command(&self.find_program(&search).ok_or_else(no_git)?, &search);
        pipe(command.args(arguments), name, input, self.deadline)
    }

    /// Builds a command that reads no configuration but that of the person, in a folder of git that is ours.
    /// It may reach a server. It writes objects into the repository of this work tree.
    ///
    /// # Errors
    /// `Unavailable` if git is not installed.
    pub fn transport(&self, own_dir: &Path) -> Result<Command> {
        let search = ProgramSearch::outside(self.work_trees.clone());
        let mut command = Command::new(self.find_program(&search).ok_or_else(no_git)?);
        remove_git_variables(&mut command);
        command.env("PATH", search.path_variable()).envs(git_safety::TRANSPORT_VARIABLES);
        command.env("GIT_OBJECT_DIRECTORY", self.dirs.common.join("objects"));
        // A relative address of a remote is relative to the work tree.
        command.arg("-C").arg(self.root).arg("--git-dir").arg(own_dir).args(git_safety::TRANSPORT_OPTIONS);
        Ok(command)
    }

    /// Tells whether git is installed, which says nothing of its version.
    pub fn is_installed(&self) -> bool {
        self.find_program(&ProgramSearch::outside(self.work_trees.clone())).is_some()
    }

    fn find_program(&self, search: &ProgramSearch) -> Option<PathBuf> {
        search.find(self.program.unwrap_or(Path::new(PROGRAM)))
    }

    /// Returns the name of the command, if time is left to run it.
    fn check_time<'n>(&self, arguments: &[&'n str]) -> Result<&'n str> {
        let name = arguments.first().copied().unwrap_or_default();
        match self.deadline <= Instant::now() {
            true => Err(Error::unavailable(format!("no time is left to run `git {name}`"))),
            false => Ok(name),
        }
    }

    /// Builds the command. Variables such as `GIT_DIR` are not passed on. Passes the folder with `-C`
    /// instead of changing into it, so that the process can be spawned without a fork.
    fn command(&self, program: &Path, search: &ProgramSearch) -> Command {
        let mut command = Command::new(program);
        remove_git_variables(&mut command);
        command.env("PATH", search.path_variable()).envs(git_safety::variables(self.root));
        command.args(git_safety::options(self.root, self.dirs));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

fn remove_git_variables(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GIT_")) {
        command.env_remove(name);
    }
}

/// Runs a command with this standard input and returns its output.
///
/// # Errors
/// `Unavailable` if it cannot be started, fails, or does not exit before the deadline. Then it is killed.
pub(super) fn pipe(command: &mut Command, name: &str, input: Vec<u8>, deadline: Instant) -> Result<Vec<u8>> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .map_err(|error| Error::unavailable(format!("cannot run git: {error}")).hint(INSTALL_HINT))?;
    let mut stdin = child.stdin.take();
    // A command may print before it has read everything. One that fails closes its input.
    thread::spawn(move || stdin.as_mut().map(|stdin| stdin.write_all(&input)));
    let (sender, receiver) = mpsc::channel();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let errors = thread::spawn(move || read_text(stderr));
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.map(|stdout| stdout.take(MAX_PIPED_BYTES).read_to_end(&mut bytes));
        sender.send((bytes, read.is_some_and(|read| read.is_ok()), errors.join().unwrap_or_default()))
    });
    let output = receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok();
    let status = output.as_ref().and_then(|_| wait_for_exit(&mut child, deadline));
    let (Some((stdout, is_whole, stderr)), Some(status)) = (output, status) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(Error::unavailable(format!("`git {name}` did not finish before the deadline")));
    };
    match status.success() && is_whole {
        true => Ok(stdout),
        false => Err(failure(name, &GitOutput { status, stdout: String::new(), stderr })),
    }
}

/// Maximum length of what a server says of a failure, in characters.
const MAX_SERVER_CHARS: usize = 200;

/// Returns the error of a command that failed.
pub(super) fn failure(command: &str, output: &GitOutput) -> Error {
    // Of a push, one line for each reference says what became of it.
    let line = |begin: &str| output.stderr.lines().find(|line| line.starts_with(begin));
    let telling = [" ! ", "fatal: ", "error: "].into_iter().find_map(line);
    let cause = telling.or(output.stderr.lines().next()).unwrap_or("it gave no reason").trim();
    let server = server_words(&output.stderr).map(|words| format!("; the server: {words}"));
    Error::unavailable(format!("`git {command}` failed: {cause}{}", server.unwrap_or_default()))
}

/// Returns what the server said, on one line and of limited length: it may say anything.
fn server_words(stderr: &str) -> Option<String> {
    let lines = stderr.lines().filter_map(|line| line.strip_prefix("remote:"));
    let words = interleaf_text::collapse_whitespace(&lines.collect::<Vec<_>>().join(" "));
    let words = interleaf_text::strip_invisible(&words);
    (!words.is_empty()).then(|| interleaf_text::truncate_at_word(&words, MAX_SERVER_CHARS).into_owned())
}

fn no_git() -> Error {
    Error::unavailable("there is no git on the PATH outside the project").hint(INSTALL_HINT)
}

/// Returns the output of a process; `None` if it was killed at the deadline.
fn wait_for_output(child: &mut Child, deadline: Instant) -> Option<GitOutput> {
    let output = read_output(child).recv_timeout(deadline.saturating_duration_since(Instant::now()));
    let output = output.ok().and_then(|(stdout, stderr)| {
        Some(GitOutput { status: wait_for_exit(child, deadline)?, stdout, stderr })
    });
    if output.is_none() {
        // Killing fails if the process has already exited.
        let _ = child.kill();
        let _ = child.wait();
    }
    output
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
