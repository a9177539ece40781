//! Sessions written down in a few lines, and what the rules find in them.
//!
//! `u:` the person, `a:` the assistant, `$ command` with `+ output` (fine), `- output` (failed) or `! output`
//! (interrupted) behind it, `w path: content`, `e path: old => new`, `r path: content` (read). A line that
//! begins with two blanks goes on with the one before.

use serde_json::json;

use crate::finding::Finding;
use crate::rules::{self, Found};
use crate::sample::{check, prompt};
use crate::session::Surroundings;
use crate::transcript::{Ending, Entry, Kind, Role, Transcript};

/// Returns what the rules find in a script.
pub(crate) fn found(script: &str) -> Found {
    let transcript = transcript(script);
    let root = Some("/home/dev/app");
    let found = rules::find(&transcript, &Surroundings { session_id: "s", root, ..Surroundings::default() });
    all(&found).for_each(|finding| check(&transcript, finding));
    found
}

/// Returns all findings.
pub(crate) fn all(found: &Found) -> impl Iterator<Item = &Finding> {
    let once = found.once.iter().map(|(_, finding)| finding);
    found.explicit.iter().chain(&found.candidates).chain(once).chain(&found.summary)
}

/// Returns the transcript of a script.
pub(crate) fn transcript(script: &str) -> Transcript {
    let mut talk = Transcript::default();
    let mut lines: Vec<String> = Vec::new();
    for line in script.lines() {
        match (line.strip_prefix("  "), lines.last_mut()) {
            (Some(rest), Some(last)) => *last = format!("{last}\n{rest}"),
            _ if line.trim().is_empty() => {}
            _ => lines.push(line.to_owned()),
        }
    }
    lines.iter().for_each(|line| said(&mut talk, line));
    talk
}

fn said(talk: &mut Transcript, line: &str) {
    let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
    match mark {
        "u:" => {
            let cursor = talk.entries.len() as u64 * 1_000;
            talk.entries.extend(prompt(rest).into_iter().map(|entry| Entry { cursor, ..entry }));
        }
        "a:" => add(talk, Role::Assistant, Kind::Text, None, rest, Ending::Fine),
        "$" => call(talk, "Bash", &json!({ "command": rest }).to_string()),
        "+" => result(talk, rest, Ending::Fine),
        "-" => result(talk, &format!("Exit code 1\n{rest}"), Ending::Failed),
        "!" => result(talk, rest, Ending::Interrupted),
        _ => file(talk, mark, rest),
    }
}

fn file(talk: &mut Transcript, mark: &str, rest: &str) {
    let (path, text) = rest.split_once(": ").unwrap_or((rest, ""));
    let path = format!("/home/dev/app/{path}");
    let (old, new) = text.split_once(" => ").unwrap_or((text, ""));
    match mark {
        "w" => call(talk, "Write", &json!({ "file_path": path, "content": text }).to_string()),
        "e" => call(
            talk,
            "Edit",
            &json!({ "file_path": path, "old_string": old, "new_string": new }).to_string(),
        ),
        "r" => call(talk, "Read", &json!({ "file_path": path }).to_string()),
        _ => panic!("{mark} is no mark of a script"),
    }
    result(talk, if mark == "r" { text } else { "done" }, Ending::Fine);
}

fn call(talk: &mut Transcript, tool: &str, input: &str) {
    add(talk, Role::Assistant, Kind::ToolCall, Some(tool), input, Ending::Fine);
}

fn result(talk: &mut Transcript, text: &str, ending: Ending) {
    add(talk, Role::Tool, Kind::ToolResult, None, text, ending);
}

fn add(talk: &mut Transcript, role: Role, kind: Kind, tool: Option<&str>, text: &str, ending: Ending) {
    let cursor = talk.entries.len() as u64 * 1_000;
    let id = match kind {
        Kind::Text => None,
        Kind::ToolCall => Some(format!("call-{cursor}")),
        Kind::ToolResult => talk.entries.last().and_then(|entry| entry.call.clone()),
    };
    let tool = tool.map(str::to_owned);
    talk.entries.push(Entry {
        role,
        kind,
        tool,
        call: id,
        text: text.to_owned(),
        ending,
        certain: true,
        at: 0,
        cursor,
    });
}
