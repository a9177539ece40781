//! What a flush of the save layer did, told to a person: it logs one object, `{"flush": …}`, when it is done.

use std::io::{Result, Write};

use serde_json::Value;

use super::{Titles, detail, short};
use crate::clock::second;
use crate::command::output::{Output, tame};
use crate::log::Line;

/// The flush that a line tells of.
pub(super) fn of(line: &Line) -> Option<Value> {
    let is_object = line.message.starts_with("{\"flush\"");
    let told: Option<Value> = is_object.then(|| serde_json::from_str(&line.message).ok()).flatten();
    told.and_then(|mut told| told.get_mut("flush").map(Value::take))
}

/// What was read, what was written, and what was not.
pub(super) fn print(line: &Line, flush: &Value, titles: &Titles, out: &mut Output) -> Result<()> {
    let written = list(flush, "written");
    let (when, what) = (out.faint(&second(line.at)), out.strong(&memories(written.len())));
    let session = out.faint(&format!("session {}", short(&line.session)));
    let model = if flush["model"] == true { "with a model" } else { "by rules" };
    let (entries, captures) = (&flush["entries"], &flush["captures"]);
    writeln!(out, "{when}  {what}  {model}, of {entries} entries and {captures} captures  {session}")?;
    for memory in written {
        let (id, category) = (text(memory, "id"), text(memory, "category"));
        detail("saved", &format!("{} {}: {}", tame(id), tame(category), titles.of_memory(id)), out)?;
    }
    for failed in list(flush, "failed") {
        detail("no draft", &tame(&format!("{}: {}", text(failed, "category"), text(failed, "why"))), out)?;
    }
    match list(flush, "refused").len() {
        0 => Ok(()),
        count => detail("refused", &format!("{count} drafts that nothing in the session supports"), out),
    }
}

fn memories(count: usize) -> String {
    match count {
        0 => "saved nothing".to_owned(),
        1 => "saved one memory".to_owned(),
        count => format!("saved {count} memories"),
    }
}

fn list<'a>(flush: &'a Value, name: &str) -> &'a [Value] {
    flush[name].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default()
}
