//! `interleaf replay`: plays a recorded session through `interleaf hook`, one whole process for each event, and shows
//! what the model would have been told and how long it took.
//!
//! A recording is a stranger's: it is played in a scratch project, under a scratch home, and writes nowhere else.
//! Nothing here knows layers or memories; it sees of `interleaf` what Claude Code sees of it.

mod edits;
mod expectations;
mod process;
mod recording;
mod report;
mod saved;
mod score;
mod set;
mod stage;
mod unpack;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::claude::{Event, EventKind};
use crate::error::Error;

use self::expectations::Expectations;
use self::process::Ran;
use self::report::{Played, Report};
use self::score::Score;
use self::set::Set;
use self::stage::Stage;

/// Plays recorded sessions.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    /// Recorded sessions, or a folder of sessions that are played in the order of their names
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Print one JSON object for each event
    #[arg(long)]
    pub json: bool,
    /// Play only these events, by name; project and transcript still follow all of them
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub events: Vec<String>,
    /// Import these memories before the first event, as `memory import` does
    #[arg(long, value_name = "FILE")]
    pub memories: Option<PathBuf>,
    /// Play in this folder and leave everything there: played there again, a session finds what the last one left
    #[arg(long, value_name = "FOLDER")]
    pub keep: Option<PathBuf>,
    /// Compare with the recording's expectations.json: recall, false injections, and what is saved
    #[arg(long)]
    pub check: bool,
    /// Save with the model at this address, which speaks as OpenAI does; without it by rules alone
    #[arg(long, value_name = "URL")]
    pub llm: Option<String>,
}

/// Plays the sessions of `args.folders` with this very program as the hook.
///
/// # Errors
/// When there is no recording, it is broken, or the scratch project cannot be made. A hook that misbehaves is no
/// error: it is shown.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    play(&std::env::current_exe()?, args, out)
}

fn play(program: &Path, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut report = Report::new(out, args.json);
    let mut scores = Vec::new();
    for sessions in recording::scenarios(&args.folders)? {
        let stage = Stage::new(args.keep.as_deref())?;
        for (count, session) in sessions.iter().enumerate() {
            let project = stage.set(session)?;
            if count == 0 {
                prepare(program, args, &project)?;
            }
            scores.extend(play_session(program, args, &project, &mut report)?);
        }
    }
    report.close(&scores)?;
    Ok(())
}

/// What a person does before the first session, with the commands that a person has: `init` leaves the layers
/// compiled, and memories are imported.
fn prepare(program: &Path, args: &Args, project: &Set) -> anyhow::Result<()> {
    if let Some(address) = &args.llm {
        saved::configure(&project.person(), address)?;
    }
    aside(program, project, &["compile"].map(Path::new))?;
    let Some(memories) = &args.memories else { return Ok(()) };
    let missing = |error| Error::not_found(format!("the memories {}: {error}", memories.display()));
    let file = memories.canonicalize().map_err(missing)?;
    aside(program, project, &[Path::new("memory"), Path::new("import"), &file]).map(drop)
}

/// The memories of the project, once all that was put off is done.
fn memories(program: &Path, project: &Set) -> anyhow::Result<Vec<saved::Saved>> {
    aside(program, project, &["jobs", "run", "--all"].map(Path::new))?;
    let export = aside(program, project, &["memory", "export"].map(Path::new))?;
    Ok(saved::read(&export)?)
}

/// Runs a command in the project, outside Claude Code; returns what it printed.
fn aside(program: &Path, project: &Set, words: &[&Path]) -> anyhow::Result<String> {
    let mut command = project.command(program);
    let ran = process::run(command.args(words), "")?;
    if ran.code != Some(0) {
        let line: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        let said = format!("{}{}", ran.stdout, ran.stderr);
        return Err(Error::unavailable(format!("interleaf {}: {}", line.join(" "), said.trim())).into());
    }
    Ok(ran.stdout)
}

fn play_session(
    program: &Path,
    args: &Args,
    project: &Set,
    report: &mut Report,
) -> anyhow::Result<Option<Score>> {
    let session = project.session;
    let expectations = if args.check { Expectations::of(session)? } else { None };
    let mut score = expectations.map(|expectations| Score::new(session, expectations));
    report.session(session)?;
    let before = saved::ids(&memories(program, project)?);
    for (number, step) in session.steps.iter().enumerate() {
        let json = project.event(step);
        let event = Event::parse(json.as_bytes())?;
        project.before(step, &event)?;
        if args.events.is_empty() || args.events.contains(&event.name) {
            let what = project.recorded(&describe(&event));
            let mut played = Played::new(number, &event, what, hook(program, project, &event, &json)?);
            played.verdict = score.as_mut().and_then(|score| score.judge(&played, &event));
            report.event(session, &played)?;
        }
        if let EventKind::PostTool { tool_name, tool_input, .. } = &event.kind {
            edits::apply(project, tool_name, tool_input)?;
        }
    }
    let after = memories(program, project)?;
    report.saved(session, &before, &after)?;
    if let Some(score) = &mut score {
        score.learn(&before, &after);
    }
    Ok(score)
}

/// As the client calls it: the event and a line break on standard input, in the event's folder.
fn hook(program: &Path, project: &Set, event: &Event, json: &str) -> anyhow::Result<Ran> {
    let mut command = project.command(program);
    command.arg("hook").current_dir(project.folder_of(event));
    command
        .env("CLAUDE_PROJECT_DIR", &project.folder)
        .env("CLAUDECODE", "1")
        .env("CLAUDE_CODE_ENTRYPOINT", "cli");
    Ok(process::run(&mut command, &format!("{json}\n"))?)
}

/// What an event is about, for people.
fn describe(event: &Event) -> String {
    match &event.kind {
        EventKind::SessionStart { source, .. } => source.clone(),
        EventKind::UserPrompt { prompt } => prompt.clone(),
        EventKind::PreTool { tool_name, tool_input, .. }
        | EventKind::PostTool { tool_name, tool_input, .. }
        | EventKind::ToolFailure { tool_name, tool_input, .. } => edits::describe(tool_name, tool_input),
        EventKind::PreCompact { trigger, .. } => trigger.clone(),
        EventKind::SessionEnd { reason } => reason.clone(),
        _ => String::new(),
    }
}
