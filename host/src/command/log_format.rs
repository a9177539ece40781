//! One line of the log, told to a person.

use std::io::{Result, Write};

use serde_json::Value;

use super::output::{Output, tame};
use crate::clock::format_date_time;
use crate::log::{EventRecord, LayerRecord, Level, LogLine, ShownMemory};
use crate::memory::Memories;
use crate::project_context::ProjectContext;

/// What memories are called. The log holds only their ids.
pub struct Titles(Option<Memories>);

impl Titles {
    /// Looked up in the store of this project, where it can be read.
    pub fn of(context: &ProjectContext) -> Self {
        Self(context.memories().ok())
    }

    fn of_memory(&self, id: &str) -> String {
        let memory = self.0.as_ref().and_then(|memories| memories.get(id).ok());
        memory.map_or("(not in the store any more)".to_owned(), |memory| tame(&memory.title))
    }
}

/// Prints the line.
pub fn print(line: &LogLine, titles: &Titles, out: &mut Output) -> Result<()> {
    match &line.event_record {
        Some(account) => answered(line, account, titles, out),
        None => said(line, out),
    }
}

fn answered(line: &LogLine, account: &EventRecord, titles: &Titles, out: &mut Output) -> Result<()> {
    let tool = account.tool.as_ref().map(|tool| format!(" {}", tame(tool))).unwrap_or_default();
    let (when, event) =
        (out.faint(&format_date_time(line.at)), out.strong(&format!("{}{tool}", tame(&line.event))));
    let session = out.faint(&format!("session {}", short(&line.session)));
    writeln!(out, "{when}  {event}  {:.2} ms  {session}", account.ms)?;
    account.layers.iter().try_for_each(|part| layer(part, titles, out))?;
    for decided in &account.decisions {
        detail("decided", &format!("{} by {}", decided.decision, decided.layer), out)?;
    }
    for ShownMemory { memory, relevance, layer } in &account.shown {
        let title = titles.of_memory(memory);
        detail("shown", &format!("{} {relevance:.2} by {layer}: {title}", tame(memory)), out)?;
    }
    if account.units > 0 || account.left_out > 0 {
        let left_out = match account.left_out {
            0 => String::new(),
            count => format!(", {count} lines left out (shown before, or no room)"),
        };
        detail("context", &format!("{} units{left_out}", account.units), out)?;
    }
    Ok(())
}

fn layer(part: &LayerRecord, titles: &Titles, out: &mut Output) -> Result<()> {
    detail(&part.layer, &format!("{:.2} ms, {}", part.ms, part.outcome.as_str()), out)?;
    part.logged.iter().try_for_each(|object| match object.get("flush") {
        Some(flush) => print_flush(flush, titles, out),
        None => detail("", &tame(&object.to_string()), out),
    })
}

/// What is neither good news nor told in the line of the event: a warning, a failure, a layer's own words.
fn said(line: &LogLine, out: &mut Output) -> Result<()> {
    let who = line.layer.as_ref().map_or("the host".to_owned(), |layer| format!("layer {layer}"));
    let level = match line.level {
        Level::Error => "failed",
        Level::Warn => "warning",
        Level::Info | Level::Debug => "said",
    };
    let (when, level) = (out.faint(&format_date_time(line.at)), out.strong(level));
    writeln!(out, "{when}  {level}: {who} on {}: {}", tame(&line.event), tame(&line.message))
}

fn detail(name: &str, words: &str, out: &mut Output) -> Result<()> {
    let name = out.faint(&format!("{name:<10}"));
    writeln!(out, "    {name} {words}")
}

/// Enough of a session's id to ask for it with `--session`.
fn short(session: &str) -> &str {
    session.char_indices().nth(8).map_or(session, |(end, _)| &session[..end])
}

/// What was read, what was written, and what was not; each with its reason.
fn print_flush(flush: &Value, titles: &Titles, out: &mut Output) -> Result<()> {
    let how = if flush["model"] == true { "with a model" } else { "by rules" };
    let written = list(flush, "written");
    let (entries, captures) = (&flush["entries"], &flush["captures"]);
    let head = format!("{} {how}, of {entries} entries and {captures} captures", changed(written));
    detail("", &head, out)?;
    for memory in written {
        let id = text(memory, "id");
        let (category, title, why) = (text(memory, "category"), titles.of_memory(id), because(memory));
        detail(done(memory), &format!("{} {}: {title}{why}", tame(id), tame(category)), out)?;
    }
    for left in list(flush, "nothing") {
        detail("left", &tame(&format!("{}: {}", text(left, "category"), text(left, "because"))), out)?;
    }
    for failed in list(flush, "failed") {
        detail("no draft", &tame(&format!("{}: {}", text(failed, "category"), text(failed, "why"))), out)?;
    }
    for refused in list(flush, "refused") {
        detail("refused", &tame(&format!("{}: {}", text(refused, "category"), text(refused, "why"))), out)?;
    }
    Ok(())
}

/// What was done with a memory. Before there was a word for it, all were new.
fn done(memory: &Value) -> &'static str {
    match text(memory, "action") {
        "update" => "updated",
        "retire" => "retired",
        "supersede" => "replaced",
        _ => "saved",
    }
}

fn because(memory: &Value) -> String {
    let place = match text(memory, "superseded") {
        "" => String::new(),
        id => format!(", in the place of {}", tame(id)),
    };
    match text(memory, "because") {
        "" => place,
        why => format!("{place} ({})", tame(why)),
    }
}

fn changed(written: &[Value]) -> String {
    match written.len() {
        0 => "changed nothing".to_owned(),
        1 => "changed one memory".to_owned(),
        count => format!("changed {count} memories"),
    }
}

fn list<'a>(flush: &'a Value, name: &str) -> &'a [Value] {
    flush[name].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default()
}
