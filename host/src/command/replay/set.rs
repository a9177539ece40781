//! The stage with one session's project on it: the events as they would be sent here, and before each of them the
//! project and the transcript as the recorded event found them.
//!
//! `/home/dev` and `/tmp/dev-…` of the recording become folders below the scratch root. What an event names outside
//! of it is not touched, whatever the recording says.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::claude::{Event, EventKind};
use crate::error::{Error, Result};

use super::process;
use super::recording::{Session, Step};
use super::stage::Stage;

/// The beginnings of the paths of the recording machine.
static RECORDED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"/home/dev\b|/tmp/dev-").expect("a constant that a test compiles"));

/// The stage with the project of one session on it.
pub(super) struct Set<'a> {
    stage: &'a Stage,
    /// The session.
    pub session: &'a Session,
    /// The project's folder in the scratch root.
    pub folder: PathBuf,
}

impl<'a> Set<'a> {
    pub(super) fn new(stage: &'a Stage, session: &'a Session, folder: PathBuf) -> Self {
        Self { stage, session, folder }
    }

    /// The event as this stage's client would send it: the recorded text with the paths of the stage.
    pub(super) fn event(&self, step: &Step) -> String {
        self.staged(step.event.get())
    }

    /// A text with the recording machine's paths again, for people.
    pub(super) fn recorded(&self, text: &str) -> String {
        text.replace(&*self.stage.root.to_string_lossy(), "")
    }

    /// JSON text of the recording with the paths of the stage.
    fn staged(&self, json: &str) -> String {
        let root = serde_json::Value::from(self.stage.root.to_string_lossy()).to_string();
        let escaped = &root[1..root.len() - 1];
        let staged = RECORDED.replace_all(json, |found: &Captures| format!("{escaped}{}", &found[0]));
        staged.into_owned()
    }

    /// The folder that the event happened in; the project where the event names none of the stage's.
    pub(super) fn folder_of(&self, event: &Event) -> PathBuf {
        let folder = self.inside(Path::new(&event.common.cwd));
        folder.filter(|folder| fs::create_dir_all(folder).is_ok()).unwrap_or_else(|| self.folder.clone())
    }

    /// `path`, if it lies in the scratch root and no link on the way leads out of it.
    pub(super) fn inside(&self, path: &Path) -> Option<PathBuf> {
        let plain = path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
        let existing = path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok())?;
        let real = existing.canonicalize().ok()?;
        (plain && path.starts_with(&self.stage.root) && real.starts_with(&self.stage.root))
            .then(|| path.to_owned())
    }

    /// A program of this stage: nothing of the caller's environment reaches it but where programs are.
    pub(super) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(&self.folder).env_clear().env("HOME", self.stage.root.join("home/dev"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LANG", "C.UTF-8");
        command.env("INTERLEAF_HOME", self.stage.interleaf()).env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    /// Where the configuration of this stage's person is.
    pub(super) fn person(&self) -> PathBuf {
        self.stage.interleaf().join("config")
    }

    /// Brings project and transcripts into the state in which the event found them.
    pub(super) fn before(&self, step: &Step, event: &Event) -> Result<()> {
        if let Some(head) = &step.head {
            self.move_to(head)?;
        }
        if let Some(path) = &event.common.transcript_path {
            self.cut_transcript(path, step.transcript_lines)?;
        }
        match &event.kind {
            EventKind::SubagentStop { agent_transcript_path: Some(path), .. }
                if step.agent_transcript_lines.is_some() =>
            {
                self.cut_transcript(path, step.agent_transcript_lines)
            }
            _ => Ok(()),
        }
    }

    /// Moves the branch and the files to a commit, unless they are there.
    fn move_to(&self, head: &str) -> Result<()> {
        if !head.chars().all(|digit| digit.is_ascii_hexdigit())
            || self.git(&["rev-parse", "HEAD"])?.starts_with(head)
        {
            return Ok(());
        }
        self.git(&["reset", "--quiet", "--hard", head]).map(drop)
    }

    fn git(&self, arguments: &[&str]) -> Result<String> {
        let mut command = self.command("git");
        command
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_DIR", self.folder.join(".git"));
        let ran = process::run(&mut command, "")?;
        match ran.code {
            Some(0) => Ok(ran.stdout),
            _ => Err(Error::unavailable(format!("git {}: {}", arguments.join(" "), ran.stderr.trim()))),
        }
    }

    /// The first `lines` lines of the final transcript: it only ever grows. `None` is a transcript not yet begun.
    fn cut_transcript(&self, path: &str, lines: Option<usize>) -> Result<()> {
        let Some(path) = self.inside(Path::new(path)) else { return Ok(()) };
        let whole = self.session.transcript(&path)?;
        let Some(lines) = lines else {
            return if path.exists() { fs::remove_file(&path).map_err(Error::unavailable) } else { Ok(()) };
        };
        let cut: String = whole.split_inclusive('\n').take(lines).collect();
        write(&path, &self.staged(&cut))
    }
}

/// Writes a file of the stage, with its folders.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| Error::unavailable(format!("{}: {error}", path.display())))
}
