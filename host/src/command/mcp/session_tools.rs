//! `search_sessions` and `show_session`: the tools that read the recorded sessions.

use super::answer_text::{block, listed};
use super::tool_arguments::{SearchSessionsArguments, ShowSessionArguments};
use crate::clock::{Millis, format_date, format_date_time};
use crate::command::log_format::session_prefix;
use crate::command::memory_command::parse_day;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::sessions::{Consent, RecordedRun, SearchHit, SearchQuery, Turn};

/// Number of turns that a search returns if the agent names none, and the maximum of it.
const DEFAULT_LIMIT: u64 = 8;
const MAX_LIMIT: u64 = 25;

/// Number of turns that are shown at a time.
const MAX_TURNS: usize = 20;

/// Maximum number of commands of a turn that are shown: the last ones.
const MAX_RUNS: usize = 12;

const DAY: Millis = 24 * 3_600_000;

/// Searches the recorded sessions.
pub(super) fn search_sessions(given: SearchSessionsArguments, context: &ProjectContext) -> Result<String> {
    let limit = given.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(Error::invalid(format!("search_sessions: a limit of {limit} is not possible"))
            .hint(format!("limit is a number from 1 to {MAX_LIMIT}; leave it out for {DEFAULT_LIMIT}")));
    }
    let day = |day: Option<String>| {
        let parsed = day.map(|day| parse_day(&day)).transpose();
        parsed.map_err(|cause| Error::invalid(format!("search_sessions: {cause}")))
    };
    let record = context.record()?;
    let hits = record.search(&SearchQuery {
        words: given.query,
        file: given.file,
        command: given.command,
        failure: given.failure,
        since: day(given.since)?,
        until: day(given.until)?.map(|day| day + DAY),
        limit: limit as usize,
    })?;
    if hits.is_empty() {
        return Ok(nothing_found(record.exists(), context));
    }
    Ok(block("search_sessions", &hits.iter().map(hit_line).collect::<Vec<_>>()))
}

fn nothing_found(is_recorded: bool, context: &ProjectContext) -> String {
    match (is_recorded, context.record_consent()) {
        (true, _) => "No turn of a recorded session matches. Try fewer or other words.".to_owned(),
        (false, Consent::On) => "No session of this project is recorded yet.".to_owned(),
        (false, _) => "Sessions of this project are not recorded. Only the person can switch that on: \
            interleaf sessions on"
            .to_owned(),
    }
}

fn hit_line(hit: &SearchHit) -> String {
    let about = format!("{}, turn {}, {}", session_prefix(&hit.session), hit.turn, format_date(hit.at));
    format!("- [{about}] {}", quoted(&hit.line))
}

/// Shows a part of a session.
pub(super) fn show_session(given: &ShowSessionArguments, context: &ProjectContext) -> Result<String> {
    let session = context.record()?.show(&given.id)?;
    let turns = &session.timeline;
    let begin = match given.turn {
        None => 0,
        Some(number) => turns.iter().position(|turn| turn.number == number).ok_or_else(|| {
            Error::not_found(format!("show_session: this session has no turn {number}"))
                .hint("search_sessions prints the numbers of turns; leave turn out for the beginning")
        })?,
    };
    let summary = &session.summary;
    let branch = summary.branch.as_deref().unwrap_or("none");
    let mut lines = vec![format!(
        "- session {}, {}, branch {}",
        listed(&summary.id),
        format_date(summary.first_at),
        listed(branch)
    )];
    let shown = &turns[begin..(begin + MAX_TURNS).min(turns.len())];
    lines.extend(shown.iter().flat_map(turn_lines));
    if let Some(next) = turns.get(begin + shown.len()) {
        lines.push(format!("- more turns follow: call show_session with turn: {}", next.number));
    }
    Ok(block("show_session", &lines))
}

fn turn_lines(turn: &Turn) -> Vec<String> {
    let agent = if turn.agent.is_empty() { String::new() } else { ", subagent".to_owned() };
    let mut lines = vec![format!("- turn {}, {}{agent}", turn.number, format_date_time(turn.began_at))];
    lines.extend(turn.prompt.as_ref().map(|prompt| format!("  prompt: {}", quoted(prompt))));
    let left_out = turn.runs.len().saturating_sub(MAX_RUNS);
    if left_out > 0 {
        lines.push(format!("  {left_out} earlier commands are left out"));
    }
    lines.extend(turn.runs[left_out..].iter().map(run_line));
    if !turn.files.is_empty() {
        lines.push(format!("  changed: {}", quoted(&turn.files.join(", "))));
    }
    lines.extend(
        turn.commits.iter().map(|commit| format!("  commit {}: {}", commit.hash, quoted(&commit.subject))),
    );
    lines.extend(turn.closing.as_ref().map(|closing| format!("  closing message: {}", quoted(closing))));
    lines
}

fn run_line(run: &RecordedRun) -> String {
    let error = run.error.as_ref().map(|error| format!(", error {}", quoted(error))).unwrap_or_default();
    format!("  {}: {}{error}", run.outcome, quoted(run.line.as_deref().unwrap_or(&run.command)))
}

/// Returns recorded words on one line, cut, and in quotation marks: they are data, whoever wrote them.
fn quoted(text: &str) -> String {
    format!("\"{}\"", listed(text).replace('"', "'"))
}
