//! Records sessions in the background, if the person agreed: those of jobs, and all whose transcripts are
//! there; and keeps the record within its limits of age and size.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::claude::settings::{DEFAULT_CLEANUP_DAYS, SettingsFiles, user_folder};
use crate::claude::transcript_files::TranscriptFile;
use crate::clock::Millis;
use crate::error::Result;
use crate::project::KnownProjects;
use crate::project_context::ProjectContext;
use crate::sessions::{Consent, RECORD_FILE, Record, Removed, Taken, TranscriptSource};
use crate::state::Job;

/// Time limit for recording the session of a job; the next job goes on.
const RECORDING_TIME: Duration = Duration::from_secs(10);

/// Time limit for each of the steps that keep the record within its limits; the next worker goes on.
const UPKEEP_TIME: Duration = Duration::from_secs(10);

/// Number of turns whose sentence vectors are computed at a time.
const EMBEDDED_AT_ONCE: usize = 16;

const DAY: Millis = 24 * 3_600_000;
const MEGABYTE: u64 = 1 << 20;

/// The folder beside a transcript with those of its subagents, and the beginning of their names.
const SUBAGENT_FOLDER: &str = "subagents";
const SUBAGENT_PREFIX: &str = "agent-";

/// Maximum number of subagents of a session whose transcripts are read.
const MAX_SUBAGENTS: usize = 1_000;

/// What was recorded of several sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The number of sessions with something new.
    pub sessions: usize,
    /// The number of new turns.
    pub turns: usize,
}

/// Records what is new in the session of a job.
///
/// # Errors
/// `Unavailable` if the transcript or the record cannot be used.
pub(super) fn record_job(context: &ProjectContext, job: &Job) -> Result<()> {
    let Some(transcript) = job.transcript.as_deref().filter(|_| is_recording(context)) else {
        return Ok(());
    };
    let path = Path::new(transcript);
    // A job of a subagent may name the session's own transcript.
    let is_own = path.file_stem().is_some_and(|stem| stem == job.session.as_str());
    let agent = if is_own { "" } else { &job.agent };
    let source = TranscriptSource { session: &job.session, agent, path };
    let (record, until) = (context.record()?, Instant::now() + RECORDING_TIME);
    take(context, &record, &source, until).map(drop)
}

/// Records all sessions whose transcripts these are, the oldest first. Calls `on_each` after each.
///
/// # Errors
/// `Unavailable` if the record cannot be used. A transcript that cannot be read is left out.
pub fn record_all(
    context: &ProjectContext,
    transcripts: &[TranscriptFile],
    mut on_each: impl FnMut(),
) -> Result<Recorded> {
    let mut recorded = Recorded::default();
    if !is_recording(context) {
        return Ok(recorded);
    }
    let record = context.record()?;
    // What is older is deleted anyway.
    let kept_since =
        kept_days(context).map_or(Millis::MIN, |days| context.clock.now() - days.cast_signed() * DAY);
    let kept = transcripts.iter().filter(|file| file.modified_at >= kept_since);
    let mut oldest_first: Vec<&TranscriptFile> = kept.collect();
    oldest_first.sort_by_key(|file| file.modified_at);
    for file in oldest_first {
        let turns = record_session(context, &record, file)?;
        recorded.turns += turns;
        recorded.sessions += usize::from(turns > 0);
        on_each();
    }
    limit(context, &record)?;
    Ok(recorded)
}

/// Records a session with its subagents. Returns the number of new turns.
fn record_session(context: &ProjectContext, record: &Record, file: &TranscriptFile) -> Result<usize> {
    let (session, until) = (file.session.as_str(), Instant::now() + Duration::from_secs(3_600));
    let mut turns = 0;
    let own = (String::new(), file.path.clone());
    for (agent, path) in [own].into_iter().chain(subagents(&file.path)) {
        let source = TranscriptSource { session, agent: &agent, path: &path };
        turns += take(context, record, &source, until)?.turns;
    }
    Ok(turns)
}

fn take(
    context: &ProjectContext,
    record: &Record,
    source: &TranscriptSource<'_>,
    until: Instant,
) -> Result<Taken> {
    // A session for which Interleaf was switched off is never recorded, even if it was resumed since.
    if context.switched_off().include(source.session) || record.is_taken(source)? {
        return Ok(Taken::default());
    }
    record.take(source, until)
}

/// Returns the subagents of the session with this transcript, with their transcripts.
fn subagents(transcript: &Path) -> Vec<(String, PathBuf)> {
    let folder = transcript.with_extension("").join(SUBAGENT_FOLDER);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_SUBAGENTS);
    let mut subagents: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.path();
            let stem =
                path.file_stem()?.to_str().filter(|_| path.extension().is_some_and(|end| end == "jsonl"))?;
            Some((stem.strip_prefix(SUBAGENT_PREFIX)?.to_owned(), path.clone()))
        })
        .collect();
    subagents.sort();
    subagents
}

fn is_recording(context: &ProjectContext) -> bool {
    !context.config.disabled && context.record_consent() == Consent::On
}

/// Keeps the record within its limits, applies new rules of redaction, computes sentence vectors, and deletes
/// the record if the person switched recording off. Returns what is worth a line in the log.
///
/// # Errors
/// `Unavailable` if a record cannot be used.
pub(super) fn keep_up(context: &ProjectContext) -> Result<Vec<String>> {
    let record = context.record()?;
    if !record.exists() {
        return Ok(Vec::new());
    }
    if context.record_consent() == Consent::Off {
        record.delete_all()?;
        return Ok(vec!["recording sessions was switched off, so their record was deleted".to_owned()]);
    }
    record.redact_again(Instant::now() + UPKEEP_TIME)?;
    let end = Instant::now() + UPKEEP_TIME;
    while Instant::now() < end && record.embed_some(EMBEDDED_AT_ONCE)? > 0 {}
    limit(context, &record)
}

/// Deletes what is too old or too much. Returns what is worth a line in the log.
fn limit(context: &ProjectContext, record: &Record) -> Result<Vec<String>> {
    let mut messages = Vec::new();
    if let Some(days) = kept_days(context) {
        let removed = record.remove_older_than(context.clock.now() - days.cast_signed() * DAY)?;
        if removed > 0 {
            messages.push(format!("{removed} recorded turns were older than {days} days and were deleted"));
        }
    }
    let config = &context.config.record;
    let removed = record.limit_size(config.max_mb * MEGABYTE, Instant::now() + UPKEEP_TIME)?;
    messages.extend(removed_message(removed, "this project"));
    messages.extend(limit_total(context, config.total_max_mb * MEGABYTE)?);
    Ok(messages)
}

/// Returns the days after which a recorded turn is deleted: those of the setting, otherwise those after which
/// Claude Code deletes its transcripts, if the person lowered them.
pub fn kept_days(context: &ProjectContext) -> Option<u64> {
    match context.config.record.keep_days {
        0 => Some(cleanup_days(context)).filter(|days| *days < DEFAULT_CLEANUP_DAYS),
        days => Some(days),
    }
}

/// Returns the days after which Claude Code deletes the transcripts of sessions in this project.
pub fn cleanup_days(context: &ProjectContext) -> u64 {
    let (project, user) = (&context.project, user_folder(&|name| std::env::var_os(name)));
    let files = SettingsFiles::of(&project.root, project.main_root().as_deref(), user.as_deref());
    files.cleanup_days().unwrap_or(DEFAULT_CLEANUP_DAYS)
}

/// Reduces the records of all projects to this size together. The one that was not used for the longest time
/// goes first.
fn limit_total(context: &ProjectContext, max_bytes: u64) -> Result<Vec<String>> {
    let known = KnownProjects::read(&context.folders.data);
    let redactor = context.config.redactor()?;
    let records = known.iter().map(|project| {
        let file = project.database_file().with_file_name(RECORD_FILE);
        (project.name.clone(), Record::at(file, redactor.clone(), context.clock))
    });
    let records: Vec<(String, Record)> = records.filter(|(_, record)| record.exists()).collect();
    let mut excess =
        records.iter().map(|(_, record)| record.size_bytes()).sum::<u64>().saturating_sub(max_bytes);
    if excess == 0 {
        return Ok(Vec::new());
    }
    // A record that cannot be read cannot be reduced either.
    let dated = records.iter().filter_map(|(name, record)| Some((record.newest_at().ok()?, name, record)));
    let mut dated: Vec<_> = dated.collect();
    dated.sort_by_key(|(newest, ..)| *newest);
    let mut messages = Vec::new();
    for (_, name, record) in dated {
        if excess == 0 {
            break;
        }
        let before = record.size_bytes();
        let removed = record.limit_size(before.saturating_sub(excess), Instant::now() + UPKEEP_TIME)?;
        excess = excess.saturating_sub(before.saturating_sub(record.size_bytes()));
        messages.extend(removed_message(removed, &format!("the project {name}")));
    }
    Ok(messages)
}

fn removed_message(removed: Removed, project: &str) -> Option<String> {
    (removed != Removed::default()).then(|| {
        format!(
            "the record of {project} was too large: the text of {} commands and messages, and {} turns \
             were removed",
            removed.texts, removed.turns
        )
    })
}
