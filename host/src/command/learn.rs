//! `interleaf learn`: saves what earlier sessions of the project taught, from the transcripts that Claude
//! Code kept of them. Each is saved as at the end of a session.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::confirm::require_person;
use super::jobs_command::{progress_bar, wait_for_lock};
use super::memory_command::parse_day;
use super::output::{Output, count};
use crate::claude::transcript_files::{TranscriptFile, transcripts_in};
use crate::clock::Millis;
use crate::config::ModelConfig;
use crate::error::{Error, Result};
use crate::memory::Status;
use crate::project_context::ProjectContext;
use crate::state::{Progress, State};
use crate::worker::{Recorded, Worker, record_all, replay_end, was_replayed};

/// What the log says of a session that is learned from.
const REASON: &str = "interleaf learn reads this session";

/// Save what earlier sessions of this project taught
///
/// Reads the transcripts that Claude Code kept of sessions in this project, its subfolders and its work
/// trees, and saves what a flush at the end of each would have saved. What was read once is not read again,
/// so it can be stopped and run again.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only sessions that ended on or after this day (UTC)
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day)]
    since: Option<Millis>,
    /// Maximum number of sessions: the newest
    #[arg(long, default_value_t = 50, value_name = "N")]
    sessions: usize,
    /// Also ask the model that you chose, which costs tokens
    #[arg(long)]
    model: bool,
    /// Only say which sessions would be read
    #[arg(long)]
    dry_run: bool,
    /// Read all transcripts in this folder instead, whatever project they are of
    #[arg(long, value_name = "FOLDER")]
    transcripts: Option<PathBuf>,
}

/// Reads the sessions.
pub fn run(args: &Args, mut context: ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf learn")?;
    if context.config.disabled {
        return Err(Error::denied("INTERLEAF_DISABLE is set").hint("unset it, then try again").into());
    }
    if !args.model {
        context.config.llm = ModelConfig::default();
    }
    let files = match &args.transcripts {
        Some(folder) => transcripts_of_folder(folder, &context)?,
        None => context.transcripts(),
    };
    let state = context.state()?;
    let interrupted = interrupted_sessions(&files, &state)?;
    if !args.dry_run {
        record_sessions(&files, &context, out)?;
    }
    let has_sessions = !files.is_empty();
    let sessions = sessions(args, files, &state);
    if sessions.is_empty() && interrupted.is_empty() {
        let place = args.transcripts.as_ref().unwrap_or(&context.project.root);
        let read = if has_sessions { "; what is there was read before" } else { "" };
        return Ok(writeln!(out, "No sessions to learn from in {}{read}.", place.display())?);
    }
    if args.dry_run {
        return list(&sessions, out);
    }
    let before = counts(&context)?;
    let failed = read(&sessions, &interrupted, &context, &state)?;
    report(sessions.len() + interrupted.len(), &before, &counts(&context)?, out)?;
    if failed > 0 {
        writeln!(out, "{} failed and will be tried again: interleaf jobs", count(failed, "job"))?;
    }
    Ok(())
}

/// Says how many earlier sessions `interleaf learn` could read, if there are any.
pub fn offer(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    // A session that a hook answered is saved by itself.
    if context.database_file().exists() {
        return Ok(());
    }
    let sessions = context.transcripts().len();
    if sessions > 0 {
        let sessions = count(sessions, "earlier session");
        writeln!(
            out,
            "\nClaude Code kept {sessions} of this project. To save what they taught: interleaf learn"
        )?;
    }
    Ok(())
}

/// Records all sessions whose transcripts are there, also those that yield no memory.
fn record_sessions(
    files: &[TranscriptFile],
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    let bar = progress_bar();
    bar.set_length(files.len() as u64);
    bar.set_message("recording sessions");
    let lock = wait_for_lock(context, &bar)?;
    let recorded = record_all(context, files, || bar.inc(1));
    bar.finish_and_clear();
    drop(lock);
    let Recorded { sessions, turns } = recorded?;
    if sessions > 0 {
        let (sessions, turns) = (count(sessions, "session"), count(turns, "turn"));
        writeln!(out, "Recorded {turns} of {sessions}: interleaf sessions")?;
    }
    Ok(())
}

/// Returns the transcripts in a folder that the person names, without sessions for which Interleaf was
/// switched off.
fn transcripts_of_folder(folder: &Path, context: &ProjectContext) -> Result<Vec<TranscriptFile>> {
    if !folder.is_dir() {
        return Err(Error::not_found(format!("{} is not a folder", folder.display()))
            .hint("name the folder that holds the transcripts"));
    }
    let switched_off = context.switched_off();
    let mut files = transcripts_in(folder);
    files.retain(|file| !switched_off.include(&file.session));
    Ok(files)
}

/// Returns the newest sessions that were not read yet, in the order in which they ended: what was said later
/// takes the place of what was said before.
fn sessions(args: &Args, mut files: Vec<TranscriptFile>, state: &State) -> Vec<TranscriptFile> {
    let since = args.since.unwrap_or(Millis::MIN);
    files.retain(|session| session.modified_at >= since && !was_replayed(session, state));
    files.split_off(files.len().saturating_sub(args.sessions))
}

/// Returns the sessions that a process before this one replayed without running all of their jobs.
fn interrupted_sessions(files: &[TranscriptFile], state: &State) -> Result<Vec<String>> {
    let jobs = state.jobs()?.into_iter();
    let waiting: BTreeSet<String> =
        jobs.filter(|job| job.progress == Progress::Waiting).map(|record| record.job.session).collect();
    let begun = files.iter().filter(|file| waiting.contains(&file.session) && was_replayed(file, state));
    Ok(begun.map(|file| file.session.clone()).collect())
}

fn list(sessions: &[TranscriptFile], out: &mut Output) -> anyhow::Result<()> {
    for session in sessions {
        writeln!(out, "{}", session.path.display())?;
    }
    Ok(writeln!(out, "{} would be read.", count(sessions.len(), "session"))?)
}

/// Finishes the interrupted sessions. Then replays the end of each session and runs its jobs before the next
/// one, so that what was read is saved whenever this process is stopped. Returns the number of jobs that
/// failed.
fn read(
    sessions: &[TranscriptFile],
    interrupted: &[String],
    context: &ProjectContext,
    state: &State,
) -> Result<usize> {
    let bar = progress_bar();
    bar.set_length(sessions.len() as u64);
    bar.set_message("reading sessions");
    let lock = wait_for_lock(context, &bar)?;
    let mut failed = 0;
    for session in interrupted {
        failed += run_jobs(context, state, session)?;
    }
    let read = sessions.iter().try_fold(failed, |failed, session| {
        replay_end(session, context, state, REASON)?;
        let failed = failed + run_jobs(context, state, &session.session)?;
        bar.inc(1);
        Ok(failed)
    });
    bar.finish_and_clear();
    drop(lock);
    read
}

/// Runs the jobs of a session, and those that they submit. The jobs of other sessions wait for their worker,
/// which may ask the model. Returns the number of those that failed.
fn run_jobs(context: &ProjectContext, state: &State, session: &str) -> Result<usize> {
    let (mut worker, mut failed) = (Worker::new(context)?, 0);
    loop {
        while let Some(claimed) = worker.claim_next(Some(session))? {
            failed += usize::from(worker.run_job(&claimed)?.error.is_some());
        }
        if state.make_due(false, Some(session))? == 0 {
            return Ok(failed);
        }
    }
}

/// The number of active memories of each category, and of tentative ones.
struct Counts {
    categories: BTreeMap<&'static str, u64>,
    tentative: usize,
}

fn counts(context: &ProjectContext) -> Result<Counts> {
    let memories = context.memories()?;
    let active = memories.counts()?.into_iter().filter(|(_, status, _)| *status == Status::Active);
    let categories = active.map(|(category, _, count)| (category.as_str(), count)).collect();
    Ok(Counts { categories, tentative: memories.tentative()?.len() })
}

fn report(sessions: usize, before: &Counts, after: &Counts, out: &mut Output) -> anyhow::Result<()> {
    let new = |(category, count): (&&'static str, &u64)| {
        let more = count.saturating_sub(before.categories.get(*category).copied().unwrap_or(0));
        (more > 0).then(|| format!("{more} {category}"))
    };
    let learned: Vec<String> = after.categories.iter().filter_map(new).collect();
    if learned.is_empty() {
        return Ok(writeln!(out, "Read {}: nothing new.", count(sessions, "session"))?);
    }
    writeln!(out, "Read {}: {}.", count(sessions, "session"), learned.join(", "))?;
    let tentative = after.tentative.saturating_sub(before.tentative);
    if tentative > 0 {
        writeln!(out, "Of these, {tentative} are tentative: no session is shown them until you keep them.")?;
        writeln!(out, "  interleaf review")?;
    }
    Ok(writeln!(out, "To see them: interleaf memory list")?)
}
