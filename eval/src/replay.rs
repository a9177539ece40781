//! `interleaf-eval replay` plays recorded sessions through `interleaf hook`, one process for each event, and
//! prints the text that the model would have seen and the time that each hook took.
//!
//! A recording is untrusted. It is played in a scratch project under a scratch home, and writes nowhere else.
//! A replay sees only what Claude Code sees of `interleaf`; it does not know layers or memories.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use interleaf_expectations::Expectations;
use interleaf_tests::run::ProcessOutput;
use interleaf_tests::scripted_model::ScriptedModel;

use crate::event::Event;
use crate::played_event::PlayedEvent;
use crate::project_copy::ProjectCopy;
use crate::recording;
use crate::replay_folder::ReplayFolder;
use crate::report::Report;
use crate::saved::{self, SavedMemory};
use crate::score::SessionScore;

/// Plays recorded sessions.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    /// Recorded sessions, or a folder of sessions that are played in the order of their names
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Print one JSON object for each event, for what each session saved, and for the figures
    #[arg(long)]
    pub json: bool,
    /// Play only these events, by name; project and transcript still follow all of them
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub events: Vec<String>,
    /// Import these memories before the first event, as `interleaf memory import` does
    #[arg(long, value_name = "FILE")]
    pub memories: Option<PathBuf>,
    /// Play in this folder and keep everything; another session played there finds the files of the last one
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
    /// Compare with the recording's expectations.json: recall, false injections, and what is saved; hooks
    /// get as much time as they need
    #[arg(long)]
    pub check: bool,
    /// Save with the model at this address, which has OpenAI's API; without it by rules alone
    #[arg(long, value_name = "URL")]
    pub llm: Option<String>,
    /// Save with the recorded answers of a model that stand beside the sessions of this project in
    /// tests/fixtures/sessions
    #[arg(long, value_name = "PROJECT", conflicts_with = "llm")]
    pub recorded_answers: Option<String>,
    #[command(flatten)]
    pub program: Program,
}

/// The program to evaluate.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Program {
    /// The `interleaf` program to evaluate; by default the one beside this program
    #[arg(long = "program", value_name = "PATH")]
    path: Option<PathBuf>,
}

impl Program {
    /// Returns the path of an existing program.
    pub fn path(&self) -> Result<PathBuf> {
        let beside = || Ok::<_, std::io::Error>(std::env::current_exe()?.with_file_name("interleaf"));
        let path = self.path.clone().map_or_else(beside, Ok)?;
        path.canonicalize().with_context(|| {
            format!("cannot find the program {}; build it with `cargo build -p interleaf`", path.display())
        })
    }
}

/// Plays the sessions of `args.folders` and prints the report.
///
/// # Errors
/// If there is no recording, it is broken, or the scratch project cannot be created. A hook that misbehaves
/// is not an error: the report shows it.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let mut report = Report::new(out, args.json);
    let model = args.recorded_answers.as_deref().map(ScriptedModel::start);
    let args =
        &Args { llm: args.llm.clone().or_else(|| model.as_ref().map(ScriptedModel::url)), ..args.clone() };
    let scores = play(&args.program.path()?, args, &mut report)?;
    Ok(report.close(&scores)?)
}

/// Plays the sessions of `args.folders` with `program` as the hook, and returns the scores of those that have
/// expectations.
pub fn play(program: &Path, args: &Args, report: &mut Report) -> Result<Vec<SessionScore>> {
    let mut scores = Vec::new();
    for sessions in recording::scenarios(&args.folders)? {
        let folder = ReplayFolder::new(args.keep.as_deref())?;
        for (count, session) in sessions.iter().enumerate() {
            let project = ProjectCopy::unpack(&folder, session)?;
            let replay = Replay { program, args, project: &project };
            if count == 0 {
                replay.set_up(&folder)?;
            }
            scores.extend(replay.play_session(report)?);
        }
    }
    Ok(scores)
}

/// The replay of one session.
struct Replay<'a> {
    program: &'a Path,
    args: &'a Args,
    project: &'a ProjectCopy<'a>,
}

impl Replay<'_> {
    /// Prepares the project as a person would before the first session: configures a model, compiles the
    /// layers (which `init` does) and imports memories.
    fn set_up(&self, folder: &ReplayFolder) -> Result<()> {
        if self.args.check || self.args.llm.is_some() {
            folder.configure(self.args.llm.as_deref(), self.args.check)?;
        }
        self.interleaf(&["compile"].map(Path::new))?;
        let Some(memories) = &self.args.memories else { return Ok(()) };
        let file = memories.canonicalize().with_context(|| format!("cannot read {}", memories.display()))?;
        self.interleaf(&[Path::new("memory"), Path::new("import"), &file]).map(drop)
    }

    /// Runs a command in the project, outside Claude Code, and returns its output.
    fn interleaf(&self, arguments: &[&Path]) -> Result<String> {
        let ran = self.project.run(self.project.command(self.program).args(arguments), "")?;
        if ran.code != Some(0) {
            let line: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
            bail!("interleaf {}: {}", line.join(" "), format!("{}{}", ran.out(), ran.err()).trim());
        }
        Ok(ran.out())
    }

    /// Returns the memories of the project, after all deferred jobs have run.
    fn memories(&self) -> Result<Vec<SavedMemory>> {
        self.interleaf(&["jobs", "run", "--all"].map(Path::new))?;
        SavedMemory::read_all(&self.interleaf(&["memory", "export"].map(Path::new))?)
    }

    fn play_session(&self, report: &mut Report) -> Result<Option<SessionScore>> {
        let session = self.project.session;
        let expectations = match self.args.check {
            true => Expectations::read(&session.folder, &session.meta.session)?,
            false => None,
        };
        let mut score = expectations.map(|expectations| SessionScore::new(session, expectations));
        report.begin_session(session)?;
        let before: HashSet<String> = saved::ids(&self.memories()?);
        for (number, recorded) in session.events.iter().enumerate() {
            let json = self.project.event_json(recorded);
            let event = Event::parse(&json)?;
            self.project.prepare_for(recorded, &event)?;
            if self.args.events.is_empty() || self.args.events.iter().any(|name| name == event.name()) {
                let subject = self.project.with_recorded_paths(&event.subject());
                let played = PlayedEvent::new(number, &event, subject, self.run_hook(&event, &json)?);
                let verdict = score.as_mut().and_then(|score| score.judge_event(&played, &event));
                report.add_event(session, &played, verdict.as_ref())?;
            }
            self.project.apply_edit(&event)?;
        }
        let after = self.memories()?;
        report.add_saved(session, &before, &after)?;
        if let Some(score) = &mut score {
            score.judge_saved(&before, &after);
        }
        Ok(score)
    }

    /// Runs the hook as the client does: the event and a line break on standard input, in the event's folder.
    fn run_hook(&self, event: &Event, json: &str) -> Result<ProcessOutput> {
        let mut command = self.project.command(self.program);
        command.arg("hook").current_dir(self.project.folder_of(event));
        command
            .env("CLAUDE_PROJECT_DIR", &self.project.folder)
            .env("CLAUDECODE", "1")
            .env("CLAUDE_CODE_ENTRYPOINT", "cli");
        self.project.run(&mut command, &format!("{json}\n"))
    }
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
