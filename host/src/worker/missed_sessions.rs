//! Sessions whose last events were not noted down: the database was locked, the disk was full, a deadline was
//! missed, or the client was killed. Nothing is left of such an event, but the transcript is: one that has
//! grown since the last job of its session ended. Its end is then replayed, so that the layers that answer
//! the end of a session do so now.
//!
//! Only a session that a hook has answered counts, which the log tells. What was said while Interleaf was
//! switched off is not looked at.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::session_end::{replay_end, was_replayed};
use crate::claude::transcript_files::{TranscriptFile, each_transcript_in, transcripts_in};
use crate::claude::{Event, EventKind};
use crate::clock::Millis;
use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::state::{HOST_OWNER, Scope, State};

const MINUTE: Millis = 60_000;
const DAY: Millis = 24 * 60 * MINUTE;

/// Age of the oldest transcript that is looked at, in milliseconds.
const MAX_AGE: Millis = 7 * DAY;
/// How long a transcript must not have grown, in milliseconds: a session that still runs ends by itself.
const MIN_IDLE: Millis = 10 * MINUTE;
/// How long after the last job a transcript may grow, in milliseconds: the client appends a few lines of its
/// own when it exits.
const EXIT_TIME: Millis = MINUTE;
/// Maximum number of transcripts that a hook looks at.
const MAX_LOOKED_AT: usize = 1_000;
/// Maximum number of sessions whose end one worker replays.
const MAX_REPLAYS: usize = 5;

/// The key of the project's value that holds when the transcripts were looked at last.
const SCANNED_KEY: &str = "transcripts-scanned-at";

/// The events by which the log tells that a session was answered. Those of tools are not among them, because
/// guards answer them also while Interleaf is switched off.
const SESSION_EVENTS: [&str; 5] = ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"];

/// Returns the folder of the project's transcripts if a session starts, and another session's transcript has
/// grown since they were looked at.
pub fn unscanned_folder(context: &ProjectContext, state: &State, event: &Event) -> Option<PathBuf> {
    let is_start = matches!(event.kind, EventKind::SessionStart { .. });
    let folder = Path::new(event.transcript().filter(|_| is_start)?).parent()?;
    let scanned = state.get(Scope::Project, HOST_OWNER, SCANNED_KEY).ok()?;
    let scanned_at = scanned.and_then(|at| at.parse::<Millis>().ok()).unwrap_or(0) - MIN_IDLE;
    let now = context.clock.now();
    let has_grown = |file: TranscriptFile| is_idle(&file, now) && file.modified_at > scanned_at;
    each_transcript_in(folder).take(MAX_LOOKED_AT).any(has_grown).then(|| folder.to_owned())
}

/// Replays the end of the sessions whose last events were not noted down, the oldest first.
///
/// # Errors
/// `Unavailable` if the database cannot be used.
pub(super) fn replay_missed_ends(context: &ProjectContext, folder: &Path) -> Result<()> {
    let (state, now) = (context.state()?, context.clock.now());
    let mut missed = missed_sessions(context, &state, folder)?;
    let all_replayed = missed.len() <= MAX_REPLAYS;
    missed.truncate(MAX_REPLAYS);
    for transcript in &missed {
        replay_end(
            transcript,
            context,
            &state,
            "the end of this session was not noted down, so it is replayed",
        )?;
    }
    if all_replayed && context.database_file().exists() {
        state.set(Scope::Project, HOST_OWNER, SCANNED_KEY, &now.to_string())?;
    }
    Ok(())
}

/// Tells whether the end of a session was not noted down.
///
/// # Errors
/// `Unavailable` if the database cannot be used.
pub(super) fn has_missed_session(context: &ProjectContext, folder: &Path) -> Result<bool> {
    Ok(!missed_sessions(context, &context.state()?, folder)?.is_empty())
}

fn missed_sessions(context: &ProjectContext, state: &State, folder: &Path) -> Result<Vec<TranscriptFile>> {
    let mut idle = idle_transcripts(folder, context.clock.now());
    let covered_until = covered_until(state)?;
    idle.retain(|file| {
        let covered = covered_until.get(&file.session).copied().unwrap_or(Millis::MIN);
        file.modified_at > covered.saturating_add(EXIT_TIME)
    });
    if idle.is_empty() {
        return Ok(idle);
    }
    let (answered, switched_off) = (answered_sessions(context), context.switched_off());
    idle.retain(|file| {
        answered.contains(&file.session) && !was_replayed(file, state) && !switched_off.include(&file.session)
    });
    Ok(idle)
}

/// Returns for each session the time up to which its jobs have read the transcript, or will.
fn covered_until(state: &State) -> Result<HashMap<String, Millis>> {
    let mut covered = HashMap::new();
    for record in state.jobs()?.into_iter().filter(|record| record.job.agent.is_empty()) {
        let until = record.settled_at.unwrap_or(Millis::MAX - EXIT_TIME);
        let known = covered.entry(record.job.session).or_insert(until);
        *known = until.max(*known);
    }
    Ok(covered)
}

fn answered_sessions(context: &ProjectContext) -> Vec<String> {
    let lines = context.log.lines().into_iter().filter(|line| line.project == context.project.id);
    let mut sessions: Vec<String> =
        lines.filter(|line| SESSION_EVENTS.contains(&line.event.as_str())).map(|line| line.session).collect();
    sessions.sort_unstable();
    sessions.dedup();
    sessions
}

/// Returns the transcripts in the folder that have not grown for a while, and are not old. Of those of other
/// projects, which may be kept in the same folder, no hook of this one has answered any.
fn idle_transcripts(folder: &Path, now: Millis) -> Vec<TranscriptFile> {
    let mut files = transcripts_in(folder);
    files.retain(|file| is_idle(file, now));
    files
}

fn is_idle(file: &TranscriptFile, now: Millis) -> bool {
    (MIN_IDLE..MAX_AGE).contains(&(now - file.modified_at))
}
