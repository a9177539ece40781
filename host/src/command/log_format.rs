//! Formats one line of the log for a person.

use std::io::{Result, Write};

use interleaf_text::for_terminal;
use serde_json::Value;

use super::output::{Output, count};
use crate::clock::format_date_time;
use crate::log::{EventRecord, LayerRecord, Level, LogLine, ShownMemory};
use crate::memory::Memories;
use crate::project_context::ProjectContext;

/// Number of shown characters of a session's id: enough for `--session`.
const SESSION_PREFIX_CHARS: usize = 8;

/// The titles of memories. The log contains only their ids.
pub struct Titles(Option<Memories>);

impl Titles {
    /// Opens the store of this project. Without a readable store, memories have no titles.
    pub fn of(context: &ProjectContext) -> Self {
        Self(context.memories().ok())
    }

    /// Returns the title of a memory, for a terminal.
    pub(super) fn title(&self, id: &str) -> String {
        let memory = self.0.as_ref().and_then(|memories| memories.get(id).ok());
        memory.map_or("(deleted)".to_owned(), |memory| for_terminal(&memory.title))
    }
}

/// Prints the line.
pub fn print(line: &LogLine, titles: &Titles, out: &mut Output) -> Result<()> {
    match &line.event_record {
        Some(record) => print_event(line, record, titles, out),
        None => print_message(line, out),
    }
}

fn print_event(line: &LogLine, record: &EventRecord, titles: &Titles, out: &mut Output) -> Result<()> {
    let tool = record.tool.as_ref().map(|tool| format!(" {tool}")).unwrap_or_default();
    let event = out.bold(&for_terminal(&format!("{}{tool}", line.event)));
    let (time, session) = (out.faint(&format_date_time(line.at)), session_prefix(&line.session));
    let session = out.faint(&for_terminal(&format!("session {session}")));
    writeln!(out, "{time}  {event}  {:.2} ms  {session}", record.ms)?;
    record.layers.iter().try_for_each(|layer| print_layer(layer, titles, out))?;
    for decision in &record.decisions {
        detail("decision", &format!("{} by {}", decision.decision, decision.layer), out)?;
    }
    for ShownMemory { memory, relevance, layer, as_line } in &record.shown {
        let title = titles.title(memory);
        let name = if *as_line { "title" } else { "shown" };
        detail(name, &format!("{} {relevance:.2} by {layer}: {title}", for_terminal(memory)), out)?;
    }
    if record.units > 0 || record.left_out > 0 {
        let left_out = match record.left_out {
            0 => String::new(),
            left_out => format!(", {} left out (shown before, or over budget)", count(left_out, "line")),
        };
        detail("context", &format!("{} units{left_out}", record.units), out)?;
    }
    Ok(())
}

fn print_layer(layer: &LayerRecord, titles: &Titles, out: &mut Output) -> Result<()> {
    detail(&layer.layer, &format!("{:.2} ms, {}", layer.ms, layer.outcome.as_str()), out)?;
    layer.logged.iter().try_for_each(|object| match object.get("flush") {
        Some(flush) => print_flush(flush, titles, out),
        None => detail("", &for_terminal(&object.to_string()), out),
    })
}

/// Prints a warning, a failure or a layer's own message.
fn print_message(line: &LogLine, out: &mut Output) -> Result<()> {
    let source = line.layer.as_ref().map_or("the host".to_owned(), |layer| format!("layer {layer}"));
    let level = match line.level {
        Level::Error => "failed",
        Level::Warn => "warning",
        Level::Info | Level::Debug => "message",
    };
    let (time, level) = (out.faint(&format_date_time(line.at)), out.bold(level));
    let event = if line.event.is_empty() { String::new() } else { format!(" on {}", line.event) };
    let message = for_terminal(&format!("{source}{event}: {}", line.message));
    writeln!(out, "{time}  {level}: {message}")
}

fn detail(name: &str, text: &str, out: &mut Output) -> Result<()> {
    let name = out.faint(&format!("{name:<10}"));
    writeln!(out, "    {name} {text}")
}

/// Returns the beginning of a session's id.
pub(super) fn session_prefix(session: &str) -> &str {
    session.char_indices().nth(SESSION_PREFIX_CHARS).map_or(session, |(end, _)| &session[..end])
}

/// Prints the report of a flush of the save layer: the memories that it wrote and the drafts that it
/// rejected, each with its reason. The layer logs the report as one object, `{"flush": …}`.
fn print_flush(flush: &Value, titles: &Titles, out: &mut Output) -> Result<()> {
    let method = if flush["model"] == true { "with a model" } else { "by rules" };
    let written = list(flush, "written");
    let (entries, captures) = (&flush["entries"], &flush["captures"]);
    let summary = format!("{} {method}, from {entries} entries and {captures} captures", changed(written));
    detail("", &summary, out)?;
    for memory in written {
        let (id, category) = (text(memory, "id"), text(memory, "category"));
        let (title, reason) = (titles.title(id), reason(memory));
        detail(action(memory), &for_terminal(&format!("{id} {category}: {title}{reason}")), out)?;
    }
    for (list_name, name, reason) in
        [("nothing", "skipped", "because"), ("failed", "no draft", "why"), ("refused", "refused", "why")]
    {
        for entry in list(flush, list_name) {
            let line = format!("{}: {}", text(entry, "category"), text(entry, reason));
            detail(name, &for_terminal(&line), out)?;
        }
    }
    Ok(())
}

/// Returns the flush's action on a memory. An entry without an action is from a version that only created
/// memories.
fn action(memory: &Value) -> &'static str {
    match text(memory, "action") {
        "update" => "updated",
        "retire" => "retired",
        "supersede" => "replaced",
        _ => "saved",
    }
}

fn reason(memory: &Value) -> String {
    let superseded = match text(memory, "superseded") {
        "" => String::new(),
        id => format!(", supersedes {id}"),
    };
    match text(memory, "because") {
        "" => superseded,
        because => format!("{superseded} ({because})"),
    }
}

fn changed(written: &[Value]) -> String {
    match written.len() {
        0 => "changed nothing".to_owned(),
        1 => "changed 1 memory".to_owned(),
        many => format!("changed {many} memories"),
    }
}

fn list<'a>(flush: &'a Value, name: &str) -> &'a [Value] {
    flush[name].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default()
}
