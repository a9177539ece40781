//! What the tools of a recording did to the files of the project.
//!
//! Commands are not run: what they changed comes with the next commit of the recording.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::error::{Error, Result};

use super::set::{Set, write};

/// The parts of a tool's input that matter here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Input {
    command: Option<String>,
    file_path: Option<String>,
    content: Option<String>,
    old_string: Option<String>,
    new_string: Option<String>,
    replace_all: bool,
    skill: Option<String>,
    description: Option<String>,
    pattern: Option<String>,
}

impl Input {
    fn read(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }
}

/// Does to the project what a Write or an Edit did to the recorded one; other tools did nothing to files.
pub(super) fn apply(project: &Set, tool: &str, input: &str) -> Result<()> {
    let input = Input::read(input);
    let Some(path) = input.file_path.as_deref().and_then(|path| project.inside(Path::new(path))) else {
        return Ok(());
    };
    match (tool, input.content, input.old_string, input.new_string) {
        ("Write", Some(content), _, _) => write(&path, &content),
        ("Edit", _, Some(old), Some(new)) if path.is_file() => {
            let before = fs::read_to_string(&path).map_err(Error::unavailable)?;
            let times = if input.replace_all { usize::MAX } else { 1 };
            write(&path, &before.replacen(&old, &new, times))
        }
        _ => Ok(()),
    }
}

/// The tool and what it was used on.
pub(super) fn describe(tool: &str, input: &str) -> String {
    let Input { command, file_path, skill, description, pattern, .. } = Input::read(input);
    let on = command.or(file_path).or(skill).or(description).or(pattern);
    on.map_or_else(|| tool.to_owned(), |on| format!("{tool}: {on}"))
}
