//! `interleaf why`: explains from the log why a hook showed a memory, or did not.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::json;

use super::hidden_memories::HiddenMemory;
use super::log_format::{Titles, session_prefix};
use super::output::{Output, print_message};
use super::search_report::{SearchReport, searches};
use crate::clock::format_date_time;
use crate::error::Error;
use crate::log::{EventRecord, LogLine, ShownMemory};
use crate::project_context::ProjectContext;

/// The argument that names the newest event.
const LAST: &str = "last";

const HELP: &str = "\
The relevance of a memory is the probability that it belongs to the text, from 0 to 1. Each line below it
is a feature, its value, and what it adds to the log odds x, from which the relevance follows as
1 / (1 + exp(-x)).

The log holds no prompts and no commands. To try a text, use `interleaf memory search --preview`.";

/// Explain why a hook showed a memory, or showed nothing
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The memory's id or a prefix of it, or `last` for the last event that searched or showed memories
    #[arg(default_value = LAST, value_name = "ID|last")]
    what: String,
    /// Consider events of this session only; a prefix of its id is enough
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the explanation.
///
/// # Errors
/// `NotFound` if the log has no such event, or there is no such memory.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memories = context.memories()?;
    let (memory, hidden) = match args.what.as_str() {
        LAST => (None, None),
        id => {
            let memory = memories.get(id)?;
            let hidden = HiddenMemory::of(&memory, &memories);
            (Some(memory.id), hidden)
        }
    };
    let events = args.events(context);
    let is_wanted = |(_, record): &(LogLine, EventRecord)| concerns(record, memory.as_deref());
    let position = events.iter().position(is_wanted).ok_or_else(|| match &hidden {
        Some(hidden) => no_hook_shows(hidden),
        None => args.not_in_log(memory.as_deref()),
    })?;
    let (line, record) = &events[position];
    let reports = searches(record, memory.as_deref());
    if args.json {
        return print_json(line, record, &reports, out);
    }
    print(line, record, &reports, memory.as_deref(), context, out)?;
    if let Some(HiddenMemory { reason, next_step, .. }) = &hidden {
        print_message(&format!("note: no hook shows it now, because {reason}; next step: {next_step}"));
    }
    if let Some((later, _)) = events.first().filter(|_| position > 0 && memory.is_none()) {
        let (event, at) = (for_terminal(&later.event), format_date_time(later.at));
        print_message(&format!("note: a later event did not search for memories: {event} at {at}"));
    }
    Ok(())
}

impl Args {
    /// Returns the events of the project that layers answered, the newest first; with a session, only its
    /// own.
    fn events(&self, context: &ProjectContext) -> Vec<(LogLine, EventRecord)> {
        let lines = context.log.lines().into_iter().rev().filter(|line| line.project == context.project.id);
        let events = lines.filter_map(|line| Some((line.clone(), line.event_record?)));
        let mut events: Vec<(LogLine, EventRecord)> = events.collect();
        if let Some(session) = &self.session {
            let is_exact = events.iter().any(|(line, _)| line.session == *session);
            events.retain(|(line, _)| match is_exact {
                true => line.session == *session,
                false => line.session.starts_with(session),
            });
        }
        events
    }

    fn not_in_log(&self, memory: Option<&str>) -> Error {
        let session = self.session.as_ref().map(|session| format!(" of session {}", for_terminal(session)));
        let session = session.unwrap_or_default();
        let (message, hint) = match memory {
            Some(id) => (
                format!("no event{session} in the log compared or showed memory {id}"),
                "try a text: interleaf memory search --preview prompt \"…\"",
            ),
            None => (
                format!("no event{session} in the log searched or showed memories"),
                "check that Claude Code calls the hooks: interleaf doctor",
            ),
        };
        Error::not_found(message).hint(hint)
    }
}

/// Returns the error of a memory that no event can have shown.
fn no_hook_shows(hidden: &HiddenMemory) -> Error {
    let HiddenMemory { memory, reason, next_step, .. } = hidden;
    Error::not_found(format!("no hook shows memory {memory}, because {reason}")).hint(next_step)
}

/// Tells whether an event searched or showed memories; with an id, whether it compared or showed that one.
fn concerns(record: &EventRecord, memory: Option<&str>) -> bool {
    let is_wanted = |id: &str| memory.is_none_or(|memory| memory == id);
    record.shown.iter().any(|shown| is_wanted(&shown.memory)) || !searches(record, memory).is_empty()
}

fn print(
    line: &LogLine,
    record: &EventRecord,
    reports: &[SearchReport],
    memory: Option<&str>,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    let titles = Titles::of(context);
    let tool = record.tool.as_ref().map(|tool| format!(" {tool}")).unwrap_or_default();
    let event = out.bold(&for_terminal(&format!("{}{tool}", line.event)));
    let session = out.faint(&for_terminal(&format!("session {}", session_prefix(&line.session))));
    writeln!(out, "{}  {event}  {session}", out.faint(&format_date_time(line.at)))?;
    reports.iter().try_for_each(|report| report.print(&titles, out))?;
    print_unsearched(record, reports, memory, &titles, out)
}

/// Prints the memories that a layer showed without a search, by layer.
fn print_unsearched(
    record: &EventRecord,
    reports: &[SearchReport],
    memory: Option<&str>,
    titles: &Titles,
    out: &mut Output,
) -> anyhow::Result<()> {
    let mut layer = "";
    let is_searched = |id: &str| reports.iter().any(|report| report.has(id));
    let is_wanted = |shown: &&ShownMemory| memory.is_none_or(|id| id == shown.memory);
    for shown in record.shown.iter().filter(is_wanted).filter(|shown| !is_searched(&shown.memory)) {
        if shown.layer != layer {
            layer = &shown.layer;
            writeln!(out, "\n{} showed without a search, in this order of relevance", for_terminal(layer))?;
        }
        let (id, title) = (out.bold(&for_terminal(&shown.memory)), titles.title(&shown.memory));
        writeln!(out, "  {:.2}  {id}  {title}", shown.relevance)?;
    }
    Ok(())
}

fn print_json(
    line: &LogLine,
    record: &EventRecord,
    reports: &[SearchReport],
    out: &mut Output,
) -> anyhow::Result<()> {
    out.json(&json!({
        "at": line.at, "event": line.event, "tool": record.tool, "session": line.session,
        "searches": reports, "shown": record.shown,
    }))
}
