//! Queries about a project's branches, commits and changed files, answered from git's files if possible,
//! otherwise by running git.
//!
//! Without git, the answers are empty, which is not an error.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::Project;
use super::commit_cache::{CachedCommits, Commit, CommitCache};
use super::git::{Git, GitOutput, failure};
use super::git_layout::{GitDirs, bare_repository};
use crate::dirs::read_file;
use crate::error::{Error, Result};

/// Time limit for a query without a deadline, such as a query by a command in a terminal.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5);
/// Number of commits that the first query about recent commits reads and keeps for later queries.
const RECENT_COMMITS: usize = 32;
/// Maximum number of commits after a cursor: after a longer absence, a caller gets only the newest ones.
const MAX_COMMITS: usize = 500;
/// Maximum number of changed files: the list is for a person or a model, not for a build.
const MAX_CHANGED_FILES: usize = 1000;
/// Maximum length of a subject, in characters. A subject is one line for people, but some tools write the
/// whole message into it.
const MAX_SUBJECT_CHARS: usize = 300;
/// Maximum number of first commits. A history has one, or a few after histories were merged.
const MAX_ROOT_COMMITS: usize = 8;
/// Time limit for asking which commits exist. A hook asks before it knows its deadlines.
const OBJECT_TIMEOUT: Duration = Duration::from_millis(250);
/// Time limit for listing the newest commits while a session's start waits. The worker has more time.
const LOG_TIMEOUT: Duration = Duration::from_millis(300);
/// The command that lists commits. It shows no differences, so no program for them could start; the options
/// say so again.
const LOG_COMMAND: [&str; 5] =
    ["log", "--encoding=UTF-8", "--no-ext-diff", "--no-textconv", "--format=%H %s"];
/// Maximum size of HEAD, in bytes. It has one line.
const MAX_HEAD_BYTES: u64 = 16 << 10;
/// Maximum size of the packed references, in bytes. A large repository has a few megabytes.
const MAX_PACKED_REFS_BYTES: u64 = 16 << 20;

/// What git does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileStatus {
    /// It is part of the repository.
    Tracked,
    /// Git ignores it, or there is no repository.
    Ignored,
    /// Git lists it as a new file, or would if it existed.
    Untracked,
}

impl Project {
    /// Returns the current branch, even before its first commit; `None` for a detached HEAD or without git.
    ///
    /// # Errors
    /// `Unavailable` if HEAD cannot be read, or if git was run and failed.
    pub fn branch(&self) -> Result<Option<String>> {
        let Some(git) = &self.git else { return Ok(None) };
        let reference = match symbolic_ref(&git.own.join("HEAD"))? {
            // In the reftable format, the file has this fixed content for old tools.
            Some(reference) if reference == "refs/heads/.invalid" => self.run_symbolic_ref("HEAD")?,
            reference => reference,
        };
        Ok(reference.and_then(|reference| Some(reference.strip_prefix("refs/heads/")?.to_owned())))
    }

    /// Returns the default branch: the branch that the remote names, otherwise `main` or `master` if one of
    /// them exists.
    ///
    /// # Errors
    /// `Unavailable` if git was run and failed.
    pub fn default_branch(&self) -> Result<Option<String>> {
        let Some(git) = &self.git else { return Ok(None) };
        let is_reftable = git.common.join("reftable").exists();
        let remote = match is_reftable {
            true => self.run_symbolic_ref("refs/remotes/origin/HEAD")?,
            false => symbolic_ref(&git.common.join("refs/remotes/origin/HEAD"))?,
        };
        if let Some(branch) = remote.as_deref().and_then(|remote| remote.strip_prefix("refs/remotes/origin/"))
        {
            return Ok(Some(branch.to_owned()));
        }
        let candidates = ["main", "master"].into_iter();
        let local = match is_reftable {
            true => self.run_for_each_ref()?,
            false => candidates.filter(|name| has_branch(git, name)).map(str::to_owned).next(),
        };
        Ok(local)
    }

    /// Returns the newest commits of HEAD, newest first. With a [`CommitStore`](super::CommitStore), git runs
    /// only if HEAD has moved, and for a short time; then the commits may be those of an earlier HEAD.
    ///
    /// # Errors
    /// `Unavailable` if git failed.
    pub fn recent_commits(&self, limit: usize) -> Result<Vec<Commit>> {
        // Layers run concurrently: a second caller waits for the first caller's query and uses its answer.
        let mut recent = self.recent_commits.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = recent.as_ref().filter(|_| limit <= RECENT_COMMITS) {
            return Ok(known.iter().take(limit).cloned().collect());
        }
        let mut commits = match &self.commit_cache {
            Some(cache) if limit <= RECENT_COMMITS => self.cached_commits(cache)?,
            _ => self.log(&[&format!("-n{}", limit.clamp(RECENT_COMMITS, MAX_COMMITS))])?,
        };
        recent.get_or_insert_with(|| commits.iter().take(RECENT_COMMITS).cloned().collect());
        commits.truncate(limit);
        Ok(commits)
    }

    fn cached_commits(&self, cache: &CommitCache) -> Result<Vec<Commit>> {
        let (known, head) = (cache.load(), self.head_hash());
        if let Some(known) = known.as_ref().filter(|known| head.as_ref() == Some(&known.head)) {
            return Ok(known.commits.clone());
        }
        let limit = Instant::now() + LOG_TIMEOUT;
        let quick = self.clone().with_deadline(self.deadline.map_or(limit, |deadline| deadline.min(limit)));
        match (quick.store_commits(cache, head), known) {
            (Err(_), Some(known)) => Ok(known.commits),
            (commits, _) => commits,
        }
    }

    /// Asks git for the newest commits and remembers them, unless HEAD is where it was. For the worker, which
    /// has more time than a session's start.
    ///
    /// # Errors
    /// `Unavailable` if git failed.
    pub fn refresh_commits(&self) -> Result<()> {
        let Some(cache) = &self.commit_cache else { return Ok(()) };
        let (known, head) = (cache.load(), self.head_hash());
        if head.is_some() && known.map(|known| known.head) != head {
            self.store_commits(cache, head)?;
        }
        Ok(())
    }

    fn store_commits(&self, cache: &CommitCache, head: Option<String>) -> Result<Vec<Commit>> {
        let commits = self.log(&[&format!("-n{RECENT_COMMITS}")])?;
        if let Some(head) = head.filter(|_| !commits.is_empty()) {
            cache.store(&CachedCommits { head, commits: commits.clone() });
        }
        Ok(commits)
    }

    /// Returns the hash of HEAD if git's files say it; `None` before the first commit and in the reftable
    /// format.
    pub fn head_hash(&self) -> Option<String> {
        let git = self.git.as_ref()?;
        let head = git.own.join("HEAD");
        match symbolic_ref(&head).ok()? {
            None => hash_in(&head),
            Some(reference) => hash_in(&git.common.join(&reference)).or_else(|| packed_hash(git, &reference)),
        }
    }

    /// Returns the subjects of the newest commits of HEAD, newest first.
    ///
    /// # Errors
    /// `Unavailable` if git failed.
    pub fn recent_subjects(&self, limit: usize) -> Result<Vec<String>> {
        Ok(self.recent_commits(limit)?.into_iter().map(|commit| commit.subject).collect())
    }

    /// Returns the commits of HEAD that are not in the history of `hash`, oldest first; of more than 500, the
    /// newest 500.
    ///
    /// # Errors
    /// `Invalid` if `hash` is not a hash, `NotFound` if the repository lacks the commit (its history was
    /// rewritten, or the hash is from another clone), `Unavailable` if git failed.
    pub fn commits_since(&self, hash: &str) -> Result<Vec<Commit>> {
        if !(4..=64).contains(&hash.len()) || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Error::invalid(format!("`{hash}` is not a commit hash")));
        }
        let mut commits = self.log(&[&format!("-n{MAX_COMMITS}"), &format!("{hash}..HEAD")])?;
        commits.reverse();
        Ok(commits)
    }

    /// Returns the files that differ from HEAD, untracked ones included, relative to the root; at most 1000.
    ///
    /// # Errors
    /// `Unavailable` if git failed.
    pub fn changed_files(&self) -> Result<Vec<String>> {
        if self.git.is_none() {
            return Ok(Vec::new());
        }
        let output = self.git_program()?.run_without_filters(&[
            "status",
            "--porcelain",
            "-z",
            "--no-renames",
            "--untracked-files=all",
            "--ignore-submodules=dirty",
        ])?;
        if !output.status.success() {
            return Err(failure("status", &output));
        }
        // Two letters and a space precede each name.
        let names = output.stdout.split_terminator('\0').filter_map(|entry| entry.get(3..));
        Ok(names.take(MAX_CHANGED_FILES).map(str::to_owned).collect())
    }

    /// Returns the first commits of the history of HEAD, at most eight; of a shallow clone, its oldest ones.
    ///
    /// # Errors
    /// `Unavailable` if git failed.
    pub(super) fn root_commits(&self) -> Result<Vec<String>> {
        if self.git.is_none() {
            return Ok(Vec::new());
        }
        let output = self.run_git(&["rev-list", "--max-parents=0", "HEAD", "--"])?;
        Ok(output.stdout.lines().take(MAX_ROOT_COMMITS).map(str::to_owned).collect())
    }

    /// Returns those of the commits that the repository has; `None` if git does not answer in time.
    pub(super) fn existing_commits(&self, hashes: &[&String]) -> Option<Vec<String>> {
        let is_hash = |hash: &&String| !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hashes: Vec<&str> = hashes.iter().copied().filter(is_hash).map(String::as_str).collect();
        if self.git.is_none() || hashes.is_empty() {
            return Some(Vec::new());
        }
        let limit = Instant::now() + OBJECT_TIMEOUT;
        let quick = self.clone().with_deadline(self.deadline.map_or(limit, |deadline| deadline.min(limit)));
        let arguments = [&["rev-list", "--no-walk", "--ignore-missing"], hashes.as_slice(), &["--"]].concat();
        let output = quick.run_git(&arguments).ok()?;
        Some(output.stdout.lines().map(str::to_owned).collect())
    }

    fn log(&self, selection: &[&str]) -> Result<Vec<Commit>> {
        if self.git.is_none() {
            return Ok(Vec::new());
        }
        let arguments = [&LOG_COMMAND, selection, &["--"]].concat();
        let output = self.run_git(&arguments)?;
        if output.status.success() {
            return Ok(output.stdout.lines().filter_map(parse_commit).collect());
        }
        let has_message = |text| output.stderr.contains(text);
        if has_message("does not have any commits yet") || has_message("bad revision 'HEAD'") {
            return Ok(Vec::new());
        }
        if ["bad revision", "Invalid revision range", "unknown revision"].into_iter().any(has_message) {
            return self.missing_revision(selection);
        }
        Err(failure("log", &output))
    }

    /// Returns the answer if one end of a range is missing: an empty list if there is no HEAD, because there
    /// is no commit yet; otherwise an error that names the hash.
    fn missing_revision(&self, selection: &[&str]) -> Result<Vec<Commit>> {
        let head = self.run_git(&["rev-parse", "--quiet", "--verify", "HEAD"])?;
        if !head.status.success() {
            return Ok(Vec::new());
        }
        let range = selection.last().copied().unwrap_or_default();
        let hash = range.trim_end_matches("..HEAD");
        Err(Error::not_found(format!("commit {hash} is not in this repository"))
            .hint("its history was rewritten, or the hash is from another clone"))
    }

    fn run_symbolic_ref(&self, name: &str) -> Result<Option<String>> {
        let output = self.run_git(&["symbolic-ref", "--quiet", name])?;
        Ok(output.status.success().then(|| output.stdout.trim().to_owned()))
    }

    fn run_for_each_ref(&self) -> Result<Option<String>> {
        let output =
            self.run_git(&["for-each-ref", "--format=%(refname)", "refs/heads/main", "refs/heads/master"])?;
        let first = output.stdout.lines().next();
        Ok(first.and_then(|name| Some(name.strip_prefix("refs/heads/")?.to_owned())))
    }

    /// Returns whether git tracks or ignores a file, given relative to the folder that the project was found
    /// from. Without git, every file counts as ignored.
    ///
    /// # Errors
    /// `Unavailable` if git failed.
    pub fn file_status(&self, file: &str) -> Result<FileStatus> {
        if self.git.is_none() {
            return Ok(FileStatus::Ignored);
        }
        let Some(file) = self.relative(Path::new(file)) else { return Ok(FileStatus::Ignored) };
        // A name that begins with a colon would be a pattern.
        let file = format!("./{file}");
        let code = |arguments: &[&str]| Ok::<_, Error>(self.run_git(arguments)?.status.code());
        if code(&["ls-files", "--error-unmatch", "--", &file])? == Some(0) {
            return Ok(FileStatus::Tracked);
        }
        // 0 means ignored, 1 not ignored, and anything else that git cannot tell.
        match code(&["check-ignore", "--quiet", "--", &file])? {
            Some(1) => Ok(FileStatus::Untracked),
            _ => Ok(FileStatus::Ignored),
        }
    }

    /// Returns the repository's own list of ignored files, which is never part of a commit.
    pub fn exclude_file(&self) -> Option<PathBuf> {
        Some(self.git.as_ref()?.common.join("info/exclude"))
    }

    /// Tells whether the project is a repository, and git is installed.
    pub fn can_run_git(&self) -> bool {
        self.git_program().is_ok_and(|git| git.is_installed())
    }

    /// Refuses a bare repository: memories belong to the files of a work tree.
    ///
    /// # Errors
    /// `Invalid` in a bare repository.
    pub fn require_work_tree(&self) -> Result<()> {
        match bare_repository(&self.root).filter(|_| self.git.is_none()) {
            None => Ok(()),
            Some(folder) => Err(Error::invalid(format!(
                "{} is a bare repository, and memories belong to a work tree",
                folder.display()
            ))
            .hint("run this in a clone or a work tree of it: git clone, or git worktree add")),
        }
    }

    fn run_git(&self, arguments: &[&str]) -> Result<GitOutput> {
        self.git_program()?.run(arguments)
    }

    pub(super) fn git_program(&self) -> Result<Git<'_>> {
        self.require_work_tree()?;
        let dirs = self.git.as_ref().ok_or_else(|| Error::unavailable("the project is no git repository"))?;
        Ok(Git {
            program: self.git_program.as_deref(),
            root: &self.root,
            dirs,
            work_trees: self.foreign_work_trees(),
            deadline: self.deadline.unwrap_or_else(|| Instant::now() + DEFAULT_TIMEOUT),
        })
    }
}

fn parse_commit(line: &str) -> Option<Commit> {
    let (hash, subject) = line.split_once(' ')?;
    Some(Commit { hash: hash.to_owned(), subject: subject.chars().take(MAX_SUBJECT_CHARS).collect() })
}

/// Returns the target of a symbolic reference; `None` if the file is missing or contains a hash. Old versions
/// of git create a symbolic link instead.
fn symbolic_ref(file: &Path) -> Result<Option<String>> {
    let link = fs::read_link(file).ok().and_then(|target| target.into_os_string().into_string().ok());
    if let Some(target) = link.filter(|target| target.starts_with("refs/")) {
        return Ok(Some(target));
    }
    let content = read_file(file, MAX_HEAD_BYTES)
        .map_err(|error| Error::unavailable(format!("cannot read {}: {error}", file.display())))?;
    let content = String::from_utf8_lossy(content.as_deref().unwrap_or_default()).into_owned();
    let line = content.lines().next().unwrap_or_default();
    Ok(line.strip_prefix("ref:").map(|target| target.trim().to_owned()))
}

fn has_branch(git: &GitDirs, name: &str) -> bool {
    let reference = format!("refs/heads/{name}");
    git.common.join(&reference).is_file() || packed_hash(git, &reference).is_some()
}

/// Returns the hash of a packed reference.
fn packed_hash(git: &GitDirs, reference: &str) -> Option<String> {
    let packed = read_file(&git.common.join("packed-refs"), MAX_PACKED_REFS_BYTES).ok()??;
    let suffix = format!(" {reference}");
    let mut lines = packed.split(|byte| *byte == b'\n');
    let line = lines.find(|line| line.ends_with(suffix.as_bytes()))?;
    String::from_utf8(line[..line.len() - suffix.len()].to_vec()).ok()
}

/// Returns the hash that a file holds.
fn hash_in(file: &Path) -> Option<String> {
    let content = String::from_utf8(read_file(file, MAX_HEAD_BYTES).ok()??).ok()?;
    let hash = content.trim();
    let is_hash = hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| hash.to_owned())
}
