//! Whether sessions are recorded, and when Claude Code deletes its transcripts.

use crate::claude::transcript::{UnknownFields, unknown_fields as unknown_fields_of};
use crate::clock::{Millis, format_date};
use crate::command::output::count;
use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::sessions::Consent;
use crate::worker::{cleanup_days, kept_days};

const DAY: Millis = 24 * 3_600_000;
const MEGABYTE: f64 = 1_048_576.0;

/// Days within which the transcripts that will be deleted are counted.
const NEXT_DAYS: Millis = 7;

/// Returns what is recorded of the project's sessions. Adds a warning if it cannot be read.
pub(super) fn sessions(context: &ProjectContext, warnings: &mut Vec<String>) -> String {
    let consent = match context.record_consent() {
        Consent::On => "recorded",
        Consent::Off => "not recorded",
        Consent::OffByProject => "not recorded: the project's configuration switches that off",
        Consent::NotAsked => "not recorded; to record them: interleaf sessions on",
    };
    match recorded(context) {
        Ok(Some(recorded)) => format!("{consent} ({recorded})"),
        Ok(None) => consent.to_owned(),
        Err(error) => {
            warnings.push(format!("the recorded sessions cannot be read: {}", error.full()));
            consent.to_owned()
        }
    }
}

fn recorded(context: &ProjectContext) -> Result<Option<String>> {
    // Without its redaction patterns nothing is stored, of which another check warns.
    let Ok(record) = context.record() else { return Ok(None) };
    if !record.exists() {
        return Ok(None);
    }
    let (sessions, turns) = record.counts()?;
    let (megabytes, limit) = (record.size_bytes() as f64 / MEGABYTE, context.config.record.max_mb);
    let kept = kept_days(context).map(|days| format!(", turns kept {days} days")).unwrap_or_default();
    Ok(Some(format!(
        "{}, {}, {megabytes:.1} of {limit} MB{kept}",
        count(sessions as usize, "session"),
        count(turns as usize, "turn")
    )))
}

/// Returns a warning if the newest transcript holds what this version does not know: what a person types
/// there is saved, but only tentatively.
pub(super) fn unknown_fields(context: &ProjectContext) -> Option<String> {
    let newest = context.transcripts().into_iter().next_back()?;
    let UnknownFields { client, names } = unknown_fields_of(&newest.path)?;
    let what = match names.is_empty() {
        true => "values".to_owned(),
        false => format!("fields ({})", names.join(", ")),
    };
    Some(format!(
        "Claude Code {client} marks what you type with {what} that this version does not know: rules \
         that you state are saved as tentative (interleaf review keeps them); a newer Interleaf may know \
         better"
    ))
}

/// Returns when Claude Code deletes the transcripts of this project.
pub(super) fn transcripts(context: &ProjectContext) -> String {
    let days = cleanup_days(context);
    let deleted = format!("Claude Code deletes them after {}", count(days as usize, "day"));
    let files = context.transcripts();
    let now = context.clock.now();
    let due = files.iter().map(|file| file.modified_at + days.cast_signed().saturating_mul(DAY));
    let due: Vec<Millis> = due.map(|due| due.max(now)).collect();
    let Some(first) = due.iter().min() else { return deleted };
    let soon = due.iter().filter(|due| **due <= now + NEXT_DAYS * DAY).count();
    format!(
        "{}; {deleted}: {soon} within {NEXT_DAYS} days, the next on {}",
        count(files.len(), "transcript"),
        format_date(*first)
    )
}
