//! Applies the rules to the input of a flush. Besides the transcript, the rules get the project's root and
//! the designs of OpenSpec changes, which the layer reads from the granted folder `openspec`.

use std::fs::File;
use std::io::Read;

use interleaf_layer::job::Job;
use interleaf_layer::project;
use serde_json::Value;

use crate::finding::Finding;
use crate::flush_input::FlushInput;
use crate::openspec;
use crate::rules::{self, Found};
use crate::session::{Design, Surroundings};
use crate::settings::Settings;
use crate::summary::summary_text;
use crate::transcript::{Entry, Kind, Transcript};

/// Maximum number of paths sent to the host to find the project's root.
const MAX_ROOT_LOOKUPS: usize = 20;

/// Maximum number of bytes read of one design.
const MAX_DESIGN_BYTES: u64 = 256 << 10;

/// Returns the result of the rules; with the setting `only_with_skills` nothing for a session without
/// OpenSpec skills.
pub fn apply_rules(job: &Job, input: &FlushInput, settings: &Settings) -> Found {
    let root = project_root(&input.transcript);
    let changes = openspec::changes(&input.transcript);
    let designs: Vec<Design> = changes.iter().filter_map(|change| design(change)).collect();
    let surroundings = Surroundings { session_id: &job.session_id, root: root.as_deref(), designs: &designs };
    let mut found = rules::find(&input.transcript, &surroundings);
    found.summary = found.summary.and_then(with_existing_files);
    let found = if job.agent_id.is_some() { found.of_subagent() } else { found };
    match !settings.only_with_skills || input.has_skills() {
        true => found,
        false => Found::default(),
    }
}

/// Returns the summary with those of its files that still exist; nothing if no file and no commit is left.
fn with_existing_files(mut summary: Finding) -> Option<Finding> {
    // If the host cannot tell, no file is named.
    let files = project::existing_paths(&summary.files).unwrap_or_default();
    let has_commit = summary_text::names_commit(&summary.content);
    if files.is_empty() && !has_commit {
        return None;
    }
    if files != summary.files {
        summary.content["key_changes"] = files.clone().into();
        summary.text = summary_text::render(&summary.content);
        summary.files = files;
    }
    Some(summary)
}

/// Derives the project's root from a file that a tool call names. The rules need it to name files relative to
/// the root.
fn project_root(transcript: &Transcript) -> Option<String> {
    let calls = transcript.entries.iter().filter(|entry| entry.kind == Kind::ToolCall);
    calls.filter_map(file_path).take(MAX_ROOT_LOOKUPS).find_map(|path| {
        let relative = project::relative_path(&path).ok().flatten()?;
        path.strip_suffix(&relative).map(|root| root.trim_end_matches('/').to_owned())
    })
}

fn file_path(call: &Entry) -> Option<String> {
    let input: Value = serde_json::from_str(&call.text).ok()?;
    input["file_path"].as_str().filter(|path| path.starts_with('/')).map(str::to_owned)
}

/// Returns a change's design.
fn design(change: &str) -> Option<Design> {
    let (path, text) = read_design(change)?;
    Some(Design { change: change.to_owned(), path, text })
}

/// Reads the design of a change and returns its path and text. The folder of an archived change ends with the
/// change's name.
fn read_design(change: &str) -> Option<(String, String)> {
    let allowed = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if change.is_empty() || !change.chars().all(allowed) || change.contains("..") {
        return None;
    }
    let current = format!("openspec/changes/{change}/design.md");
    read_text(&current).map(|text| (current, text)).or_else(|| read_archived(change))
}

fn read_archived(change: &str) -> Option<(String, String)> {
    let folders = std::fs::read_dir("openspec/changes/archive").ok()?.flatten();
    let names = folders.filter_map(|folder| folder.file_name().into_string().ok());
    let name = names.filter(|name| name == change || name.ends_with(&format!("-{change}"))).max()?;
    let path = format!("openspec/changes/archive/{name}/design.md");
    read_text(&path).map(|text| (path, text))
}

fn read_text(path: &str) -> Option<String> {
    // Reading from a pipe would block.
    if !std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_DESIGN_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
