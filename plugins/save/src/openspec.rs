//! OpenSpec: the changes that a session works on, what their designs chose, and which source files they
//! touched.

pub mod choices;
pub mod code_map;

use crate::session::calls::{ToolCall, calls};
use crate::transcript::{Kind, Role, Transcript};

/// Maximum number of changes (seed 001).
const MAX_CHANGES: usize = 5;

/// The folder of the changes, which also holds their archive.
const FOLDER: &str = "openspec/changes/";
const ARCHIVE: &str = "archive";

/// Returns the names of the changes, in the order in which they came up.
pub fn changes(transcript: &Transcript) -> Vec<String> {
    let mut calls = calls(transcript).into_iter().peekable();
    let mut found = Vec::new();
    for (at, entry) in transcript.entries.iter().enumerate() {
        if entry.role == Role::User && entry.kind == Kind::Text {
            typed(&entry.text, &mut found);
        }
        while let Some(call) = calls.next_if(|call| call.at <= at) {
            called(&call, &mut found);
        }
    }
    found.truncate(MAX_CHANGES);
    found
}

/// `/opsx:apply NAME`, and what the client makes of it.
fn typed(text: &str, found: &mut Vec<String>) {
    let name = tagged(text, "command-name").unwrap_or(text).trim_start();
    let Some(command) = name.strip_prefix('/').filter(|name| is_of_openspec(name)) else { return };
    let arguments = tagged(text, "command-args");
    let rest = command.split_once(char::is_whitespace).map(|(_, rest)| rest);
    add(arguments.or(rest).unwrap_or_default().split_whitespace().next(), found);
}

/// Returns what stands between `<name>` and `</name>`.
fn tagged<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    Some(rest.split_once(&format!("</{name}>"))?.0)
}

fn is_of_openspec(name: &str) -> bool {
    let name = name.trim_start_matches('/');
    name.starts_with("opsx:") || name.starts_with("openspec-") || name.starts_with("openspec:")
}

fn called(call: &ToolCall, found: &mut Vec<String>) {
    match call.tool {
        "Skill" if is_of_openspec(call.text("skill")) => {
            add(call.text("args").split_whitespace().next(), found);
        }
        "Read" | "Write" | "Edit" | "MultiEdit" => in_path(call.text("file_path"), found),
        "Bash" => in_path(call.text("command"), found),
        _ => {}
    }
}

fn in_path(text: &str, found: &mut Vec<String>) {
    for (at, _) in text.match_indices(FOLDER) {
        let rest = &text[at + FOLDER.len()..];
        let rest = rest.strip_prefix("archive/").map_or(rest, without_date);
        // `openspec/changes/NAME` without a file is a name, too; a pattern such as `*/design.md` is none.
        let end = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
        if !rest[end..].starts_with(['*', '$', '<', '{']) {
            add(Some(&rest[..end]), found);
        }
    }
}

/// Returns the name of an archived change without the date before it: `2026-01-02-add-x`.
fn without_date(name: &str) -> &str {
    let digits = |at: usize| name.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let is_dated = (0..4).chain(5..7).chain(8..10).all(digits)
        && [4, 7, 10].iter().all(|at| name[*at..].starts_with('-'));
    if is_dated { &name[11..] } else { name }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.'
}

fn add(name: Option<&str>, found: &mut Vec<String>) {
    let Some(name) = name.map(|name| name.trim_matches(|c| "\"'`".contains(c))) else { return };
    let fits = name.len() >= 2 && name.len() <= 80 && name.chars().all(is_of_name);
    let letters = name.starts_with(|c: char| c.is_ascii_alphanumeric()) && !name.ends_with(".md");
    if fits
        && letters
        && name != ARCHIVE
        && !found.iter().any(|known| known == name)
        && found.len() < MAX_CHANGES
    {
        found.push(name.to_owned());
    }
}

#[cfg(test)]
mod tests;
