//! What can be asked about a project's history. Answers come from git's files where those tell, else from git.
//!
//! Without git there is nothing to tell, which is no error: the answers are empty.

use std::fs;
use std::path::Path;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::Project;
use super::git::{self, Answer};
use super::place::GitFolders;
use crate::dirs::read_file;
use crate::error::{Error, Result};

/// How long a question may take where nobody set a deadline: a command in a terminal.
const PATIENCE: Duration = Duration::from_secs(5);
/// So many commits are read by the first question about recent ones, and later questions find them there.
const RECENT: usize = 32;
/// At most so many commits after a cursor: who was away longer than that starts anew.
const MOST_COMMITS: usize = 500;
/// At most so many changed files: a list for a person or a model, not for a build.
const MOST_FILES: usize = 1000;
/// A subject is one line for people. Some tools write the whole message into it.
const MOST_SUBJECT: usize = 300;
/// HEAD is one line; the packed references of a large repository are a few megabytes.
const HEAD: u64 = 16 << 10;
const PACKED: u64 = 16 << 20;

/// One commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its full hash.
    pub hash: String,
    /// The first line of its message, at most 300 characters.
    pub subject: String,
}

impl Project {
    /// The branch that is checked out, also before its first commit; `None` on a detached HEAD and without git.
    ///
    /// # Errors
    /// `Unavailable` where HEAD cannot be read, or git had to be asked and did not answer.
    pub fn branch(&self) -> Result<Option<String>> {
        let Some(git) = &self.git else { return Ok(None) };
        let reference = match symbolic(&git.own.join("HEAD"))? {
            // With the reftable format the file is only a sign for old tools.
            Some(reference) if reference == "refs/heads/.invalid" => self.ask_symbolic("HEAD")?,
            reference => reference,
        };
        Ok(reference.and_then(|reference| Some(reference.strip_prefix("refs/heads/")?.to_owned())))
    }

    /// The branch that work is merged into: the one that the remote names, else `main` or `master` where it exists.
    ///
    /// # Errors
    /// `Unavailable` where git had to be asked and did not answer.
    pub fn default_branch(&self) -> Result<Option<String>> {
        let Some(git) = &self.git else { return Ok(None) };
        let reftable = git.common.join("reftable").exists();
        let remote = match reftable {
            true => self.ask_symbolic("refs/remotes/origin/HEAD")?,
            false => symbolic(&git.common.join("refs/remotes/origin/HEAD"))?,
        };
        if let Some(branch) = remote.as_deref().and_then(|remote| remote.strip_prefix("refs/remotes/origin/"))
        {
            return Ok(Some(branch.to_owned()));
        }
        let candidates = ["main", "master"].into_iter();
        let found = match reftable {
            true => self.ask_heads()?,
            false => candidates.filter(|name| has_branch(git, name)).map(str::to_owned).next(),
        };
        Ok(found)
    }

    /// The newest commits of HEAD, newest first.
    ///
    /// # Errors
    /// `Unavailable` where git did not answer.
    pub fn recent_commits(&self, limit: usize) -> Result<Vec<Commit>> {
        // Whoever comes second waits for the answer that the first one asked git for.
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = recent.as_ref().filter(|_| limit <= RECENT) {
            return Ok(known.iter().take(limit).cloned().collect());
        }
        let count = format!("-n{}", limit.clamp(RECENT, MOST_COMMITS));
        let mut commits = self.log(&[&count])?;
        recent.get_or_insert_with(|| commits.iter().take(RECENT).cloned().collect());
        commits.truncate(limit);
        Ok(commits)
    }

    /// The subjects of the newest commits of HEAD, newest first.
    ///
    /// # Errors
    /// `Unavailable` where git did not answer.
    pub fn recent_subjects(&self, limit: usize) -> Result<Vec<String>> {
        Ok(self.recent_commits(limit)?.into_iter().map(|commit| commit.subject).collect())
    }

    /// The commits of HEAD that are not in the history of `hash`, oldest first; of more than 500, the newest 500.
    ///
    /// # Errors
    /// `Invalid` for what is no hash, `NotFound` for a commit that is not here (a rewritten history, another
    /// clone), `Unavailable` where git did not answer.
    pub fn commits_since(&self, hash: &str) -> Result<Vec<Commit>> {
        if !(4..=64).contains(&hash.len()) || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Error::invalid(format!("`{hash}` is not the hash of a commit")));
        }
        let mut commits = self.log(&[&format!("-n{MOST_COMMITS}"), &format!("{hash}..HEAD")])?;
        commits.reverse();
        Ok(commits)
    }

    /// The files that differ from HEAD, new ones included, relative to the root; at most 1000.
    ///
    /// # Errors
    /// `Unavailable` where git did not answer.
    pub fn changed_files(&self) -> Result<Vec<String>> {
        if self.git.is_none() {
            return Ok(Vec::new());
        }
        let question = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"];
        let answer = self.ask(&[&question[..], &["--ignore-submodules=dirty"]].concat())?;
        if !answer.status.success() {
            return Err(complaint("status", &answer));
        }
        // Two letters and a space come before each name.
        let names = answer.out.split_terminator('\0').filter_map(|entry| entry.get(3..));
        Ok(names.take(MOST_FILES).map(str::to_owned).collect())
    }

    fn log(&self, which: &[&str]) -> Result<Vec<Commit>> {
        if self.git.is_none() {
            return Ok(Vec::new());
        }
        let answer = self.ask(&[&["log", "--encoding=UTF-8", "--format=%H %s"], which, &["--"]].concat())?;
        if answer.status.success() {
            return Ok(answer.out.lines().filter_map(commit).collect());
        }
        let says = |words| answer.err.contains(words);
        if says("does not have any commits yet") || says("bad revision 'HEAD'") {
            return Ok(Vec::new());
        }
        if says("bad revision") || says("Invalid revision range") || says("unknown revision") {
            return self.missing(which);
        }
        Err(complaint("log", &answer))
    }

    /// A range can be bad at either end: before the first commit there is no HEAD, and nothing is missing.
    fn missing(&self, which: &[&str]) -> Result<Vec<Commit>> {
        let head = self.ask(&["rev-parse", "--quiet", "--verify", "HEAD"])?;
        if !head.status.success() {
            return Ok(Vec::new());
        }
        let range = which.last().copied().unwrap_or_default();
        let hash = range.trim_end_matches("..HEAD");
        Err(Error::not_found(format!("commit {hash} is not in this repository"))
            .hint("its history was rewritten, or the hash is of another clone"))
    }

    fn ask_symbolic(&self, name: &str) -> Result<Option<String>> {
        let answer = self.ask(&["symbolic-ref", "--quiet", name])?;
        Ok(answer.status.success().then(|| answer.out.trim().to_owned()))
    }

    fn ask_heads(&self) -> Result<Option<String>> {
        let answer =
            self.ask(&["for-each-ref", "--format=%(refname)", "refs/heads/main", "refs/heads/master"])?;
        Ok(answer.out.lines().next().and_then(|name| Some(name.strip_prefix("refs/heads/")?.to_owned())))
    }

    fn ask(&self, question: &[&str]) -> Result<Answer> {
        let deadline = self.deadline.unwrap_or_else(|| Instant::now() + PATIENCE);
        git::ask(&self.program, &self.root, deadline, question)
    }
}

fn commit(line: &str) -> Option<Commit> {
    let (hash, subject) = line.split_once(' ')?;
    Some(Commit { hash: hash.to_owned(), subject: subject.chars().take(MOST_SUBJECT).collect() })
}

fn complaint(question: &str, answer: &Answer) -> Error {
    let said = answer.err.lines().next().unwrap_or("it did not say why");
    Error::unavailable(format!("`git {question}` failed: {said}"))
}

/// What a symbolic reference points to; `None` where there is none or it holds a hash. Long ago they were links.
fn symbolic(file: &Path) -> Result<Option<String>> {
    let link = fs::read_link(file).ok().and_then(|target| target.into_os_string().into_string().ok());
    if let Some(target) = link.filter(|target| target.starts_with("refs/")) {
        return Ok(Some(target));
    }
    let content = read_file(file, HEAD)
        .map_err(|error| Error::unavailable(format!("{} cannot be read: {error}", file.display())))?;
    let content = String::from_utf8_lossy(content.as_deref().unwrap_or_default()).into_owned();
    Ok(content.strip_prefix("ref:").map(|target| target.trim().to_owned()))
}

fn has_branch(git: &GitFolders, name: &str) -> bool {
    if git.common.join("refs/heads").join(name).is_file() {
        return true;
    }
    let packed = read_file(&git.common.join("packed-refs"), PACKED).ok().flatten().unwrap_or_default();
    let wanted = format!(" refs/heads/{name}");
    packed.split(|byte| *byte == b'\n').any(|line| line.ends_with(wanted.as_bytes()))
}
