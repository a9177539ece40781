//! The copy of a recorded project in which one session is played. Its events get local paths, and before each
//! event the project and the transcript are brought into the recorded state.
//!
//! `/home/dev` and `/tmp/dev-…` of the recording become folders below the replay folder. Paths outside it are
//! never touched, whatever the recording names.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use interleaf_tests::run::{ProcessOutput, try_run};
use interleaf_tests::scratch::ACCOUNT_HOME_VARIABLE;
use regex::{Captures, Regex};

use crate::archive;
use crate::event::{Event, FileEdit};
use crate::recording::{RecordedEvent, Session};
use crate::replay_folder::{ReplayFolder, write_file};

/// Time limit for one process, which ensures that a replay ends. A hook's own deadlines are far shorter.
const PROCESS_TIMEOUT: Duration = Duration::from_secs(60);

/// Prefixes of paths on the recording machine.
static RECORDED_PATHS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"/home/dev\b|/tmp/dev-").expect("the pattern is constant"));

/// The project of one session, in a replay folder.
pub struct ProjectCopy<'a> {
    replay_folder: &'a ReplayFolder,
    /// The session.
    pub session: &'a Session,
    /// The project's folder.
    pub folder: PathBuf,
}

impl<'a> ProjectCopy<'a> {
    /// Unpacks the project of a session, unless an earlier session already did.
    pub fn unpack(replay_folder: &'a ReplayFolder, session: &'a Session) -> Result<Self> {
        let (name, recorded) = (&session.meta.scenario, &session.meta.project);
        if *recorded != format!("/home/dev/{name}") {
            bail!("{}: the project is {recorded}, not /home/dev/{name}", session.folder.display());
        }
        let folder = replay_folder.root.join("home/dev").join(name);
        if !folder.exists() {
            archive::unpack_project(&session.file("project.tar.gz")?, name, &folder)?;
        }
        archive::add_commits(&session.file("project_after.tar.gz")?, name, &folder)?;
        Ok(Self { replay_folder, session, folder })
    }

    /// Returns the event as the client would send it here: the recorded text with the paths of the replay
    /// folder.
    pub fn event_json(&self, recorded: &RecordedEvent) -> String {
        self.with_local_paths(recorded.event.get())
    }

    fn with_local_paths(&self, json: &str) -> String {
        let root = serde_json::Value::from(self.replay_folder.root.to_string_lossy()).to_string();
        let escaped = &root[1..root.len() - 1];
        let replaced = RECORDED_PATHS.replace_all(json, |found: &Captures| format!("{escaped}{}", &found[0]));
        replaced.into_owned()
    }

    /// Returns a text with the paths of the recording machine, for people.
    pub fn with_recorded_paths(&self, text: &str) -> String {
        text.replace(&*self.replay_folder.root.to_string_lossy(), "")
    }

    /// Returns the folder of an event, or the project's folder if the event names none inside the replay
    /// folder.
    pub fn folder_of(&self, event: &Event) -> PathBuf {
        let folder = self.inside(Path::new(event.folder()));
        folder.filter(|folder| fs::create_dir_all(folder).is_ok()).unwrap_or_else(|| self.folder.clone())
    }

    /// Returns `path` if it is inside the replay folder and no link on it leads out.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let root = &self.replay_folder.root;
        let is_plain =
            path.components().all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
        let existing = path.ancestors().find(|ancestor| ancestor.symlink_metadata().is_ok())?;
        let real = existing.canonicalize().ok()?;
        (is_plain && path.starts_with(root) && real.starts_with(root)).then(|| path.to_owned())
    }

    /// Returns a command that starts in the project, with only `PATH` from the caller's environment.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let (mut command, home) = (Command::new(program.as_ref()), self.replay_folder.root.join("home/dev"));
        // A program with debug assertions takes this for the home in the account database.
        command.current_dir(&self.folder).env_clear().env("HOME", &home).env(ACCOUNT_HOME_VARIABLE, &home);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("LANG", "C.UTF-8");
        command.env("INTERLEAF_HOME", self.replay_folder.interleaf_home()).env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    /// Runs a command with `input` as its whole standard input, until it exits.
    pub fn run(&self, command: &mut Command, input: &str) -> Result<ProcessOutput> {
        try_run(command, input.as_bytes(), PROCESS_TIMEOUT)
            .with_context(|| format!("cannot run {}", command.get_program().to_string_lossy()))
    }

    /// Brings project and transcripts into the state that the event found.
    pub fn prepare_for(&self, recorded: &RecordedEvent, event: &Event) -> Result<()> {
        if let Some(head) = &recorded.head {
            self.move_to(head)?;
        }
        if let Some(path) = event.transcript() {
            self.write_transcript(path, recorded.transcript_lines)?;
        }
        match event.agent_transcript().filter(|_| recorded.agent_transcript_lines.is_some()) {
            Some(path) => self.write_transcript(path, recorded.agent_transcript_lines),
            None => Ok(()),
        }
    }

    /// Moves the branch and the files to a commit, unless they are already there.
    fn move_to(&self, head: &str) -> Result<()> {
        let is_commit = head.chars().all(|digit| digit.is_ascii_hexdigit());
        if !is_commit || self.git(&["rev-parse", "HEAD"])?.starts_with(head) {
            return Ok(());
        }
        self.git(&["reset", "--quiet", "--hard", head]).map(drop)
    }

    fn git(&self, arguments: &[&str]) -> Result<String> {
        let mut command = self.command("git");
        command.args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null");
        let ran = self.run(command.env("GIT_DIR", self.folder.join(".git")), "")?;
        match ran.code {
            Some(0) => Ok(ran.out()),
            _ => bail!("git {}: {}", arguments.join(" "), ran.err().trim()),
        }
    }

    /// Writes the first `lines` lines of the final transcript, which was only appended to. `None` means that
    /// the transcript did not exist yet.
    fn write_transcript(&self, path: &str, lines: Option<usize>) -> Result<()> {
        let Some(path) = self.inside(Path::new(path)) else { return Ok(()) };
        let transcript = self.session.transcript(&path)?;
        let Some(lines) = lines else {
            return if path.exists() { Ok(fs::remove_file(&path)?) } else { Ok(()) };
        };
        let beginning: String = transcript.split_inclusive('\n').take(lines).collect();
        write_file(&path, &self.with_local_paths(&beginning))
    }

    /// Repeats in the project the change that a recorded tool made to a file.
    pub fn apply_edit(&self, event: &Event) -> Result<()> {
        let Some((path, edit)) = event.file_edit() else { return Ok(()) };
        let Some(path) = self.inside(Path::new(path)) else { return Ok(()) };
        match edit {
            FileEdit::Write(content) => write_file(&path, &content),
            FileEdit::Replace { old, new, all } if path.is_file() => {
                let before =
                    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
                write_file(&path, &before.replacen(&old, &new, if all { usize::MAX } else { 1 }))
            }
            FileEdit::Replace { .. } => Ok(()),
        }
    }
}
