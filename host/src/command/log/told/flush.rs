//! What a flush of the save layer did, told to a person: of its own decisions it says one object, `{"flush": …}`.

use std::io::Result;

use serde_json::Value;

use super::{Titles, detail};
use crate::command::output::{Output, tame};

/// What was read, what was written, and what was not; each with its reason.
pub(super) fn print(flush: &Value, titles: &Titles, out: &mut Output) -> Result<()> {
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
