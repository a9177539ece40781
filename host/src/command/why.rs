//! `interleaf why`: explains from the log why a hook showed a memory, or did not.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::json;

use super::log_format::{Titles, session_prefix};
use super::output::{Output, print_message};
use super::search_report::{SearchReport, searches};
use crate::clock::format_date_time;
use crate::error::Error;
use crate::log::{EventRecord, LogLine};
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
    let memory = match args.what.as_str() {
        LAST => None,
        id => Some(context.memories()?.get(id)?.id),
    };
    let lines = context.log.lines().into_iter().rev();
    let mut lines = lines.filter(|line| args.selects(line, context));
    let found = lines.find_map(|line| {
        let record = line.event_record.clone()?;
        concerns(&record, memory.as_deref()).then_some((line, record))
    });
    let (line, record) = found.ok_or_else(|| not_in_log(memory.as_deref()))?;
    let reports = searches(&record, memory.as_deref());
    match args.json {
        true => print_json(&line, &record, &reports, out),
        false => print(&line, &record, &reports, memory.as_deref(), context, out),
    }
}

impl Args {
    fn selects(&self, line: &LogLine, context: &ProjectContext) -> bool {
        let is_of_session = self.session.as_ref().is_none_or(|session| line.session.starts_with(session));
        line.project == context.project.id && is_of_session
    }
}

/// Tells whether an event searched or showed memories; with an id, whether it compared or showed that one.
fn concerns(record: &EventRecord, memory: Option<&str>) -> bool {
    let is_wanted = |id: &str| memory.is_none_or(|memory| memory == id);
    record.shown.iter().any(|shown| is_wanted(&shown.memory)) || !searches(record, memory).is_empty()
}

fn not_in_log(memory: Option<&str>) -> Error {
    let (message, hint) = match memory {
        Some(id) => (
            format!("no event in the log compared or showed memory {id}"),
            "try a text: interleaf memory search --preview prompt \"…\"",
        ),
        None => (
            "no event in the log searched or showed memories".to_owned(),
            "check that Claude Code calls the hooks: interleaf doctor",
        ),
    };
    Error::not_found(message).hint(hint)
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
    let is_searched = |id: &str| reports.iter().any(|report| report.has(id));
    for shown in &record.shown {
        if memory.is_none_or(|id| id == shown.memory) && !is_searched(&shown.memory) {
            let (id, title) = (out.bold(&for_terminal(&shown.memory)), titles.title(&shown.memory));
            let layer = for_terminal(&shown.layer);
            writeln!(out, "\n{layer} showed, without a search, with relevance {:.2}", shown.relevance)?;
            writeln!(out, "\n  {id}  {title}")?;
        }
    }
    if !reports.is_empty() {
        print_message("note: a memory that the conversation was shown before is not compared again");
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
