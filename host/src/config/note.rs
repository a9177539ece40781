//! What was not heeded in a file, as people read it: short, with its line, and without what would move a terminal's
//! cursor.

use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// So much of a key or value is quoted in a note: a line for a person.
const MOST_QUOTED: usize = 60;

/// Something in a file that was not heeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file.
    pub file: PathBuf,
    /// Counted from 1; none where it is about the file as a whole.
    pub line: Option<usize>,
    /// What was not heeded, and why.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.message)
    }
}

/// Where the person could write what a project may not.
pub(super) fn own_file(file: Option<&Path>) -> String {
    file.map_or_else(String::new, |file| format!("; if you want it, write it into {}", file.display()))
}

/// The name of a key in backquotes.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", tame(text))
}

/// A value that was not taken.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "a table".to_owned(),
        value => tame(&value.to_string()),
    }
}

fn tame(text: &str) -> String {
    let harmless = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    let mut short: String = text.chars().take(MOST_QUOTED).map(harmless).collect();
    if text.chars().nth(MOST_QUOTED).is_some() {
        short.push('…');
    }
    short
}
