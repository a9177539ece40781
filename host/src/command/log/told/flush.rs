//! What a flush of the save layer did, told to a person: of its own decisions it says one object, `{"flush": …}`.

use std::io::Result;

use serde_json::Value;

use super::{Titles, detail};
use crate::command::output::{Output, tame};

/// What was read, what was written, and what was not.
pub(super) fn print(flush: &Value, titles: &Titles, out: &mut Output) -> Result<()> {
    let how = if flush["model"] == true { "with a model" } else { "by rules" };
    let (written, count) = (list(flush, "written"), memories(list(flush, "written").len()));
    detail(
        "",
        &format!("{count} {how}, of {} entries and {} captures", flush["entries"], flush["captures"]),
        out,
    )?;
    for memory in written {
        let (id, category) = (text(memory, "id"), text(memory, "category"));
        detail("saved", &format!("{} {}: {}", tame(id), tame(category), titles.of_memory(id)), out)?;
    }
    for failed in list(flush, "failed") {
        detail("no draft", &tame(&format!("{}: {}", text(failed, "category"), text(failed, "why"))), out)?;
    }
    match list(flush, "refused").len() {
        0 => Ok(()),
        count => detail("refused", &format!("{count} drafts that the session does not support"), out),
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
