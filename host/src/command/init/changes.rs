//! All the changes of one command: collected, shown, made, told.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::Result;

use super::edit::Edit;

/// Changes to the files of one project, and remarks about what was left.
pub(crate) struct Changes {
    root: PathBuf,
    edits: Vec<Edit>,
    notes: Vec<String>,
}

impl Changes {
    /// No changes to the project at `root` yet.
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), edits: Vec::new(), notes: Vec::new() }
    }

    /// The file `name` as it shall be so far; read the first time it is asked for. Errors as [`Edit::open`]
    /// does.
    pub(crate) fn file(&mut self, name: &str) -> Result<&mut Edit> {
        let known = self.edits.iter().position(|edit| edit.name == name);
        let at = match known {
            Some(at) => at,
            None => {
                self.edits.push(Edit::open(&self.root, name)?);
                self.edits.len() - 1
            }
        };
        Ok(&mut self.edits[at])
    }

    /// A remark for the person.
    pub(crate) fn note(&mut self, remark: impl Into<String>) {
        self.notes.push(remark.into());
    }

    /// The files that would change.
    pub(crate) fn changed(&self) -> impl Iterator<Item = &Edit> {
        self.edits.iter().filter(|edit| edit.is_change())
    }

    /// Makes all changes, in order; stops at the first that cannot be made.
    pub(crate) fn make(&self) -> Result<()> {
        self.changed().try_for_each(Edit::apply)
    }

    /// Shows all changes line by line.
    pub(crate) fn show(&self, out: &mut dyn Write, otherwise: &str) -> std::io::Result<()> {
        for edit in self.changed() {
            writeln!(out, "{}", edit.diff(&self.root))?;
        }
        self.tell_notes(out)?;
        writeln!(out, "{}", if self.changed().next().is_some() { "Nothing was written." } else { otherwise })
    }

    /// Says what was done, a line for each file; `otherwise` where there was nothing to do.
    pub(crate) fn tell(&self, out: &mut dyn Write, otherwise: &str) -> std::io::Result<()> {
        for edit in self.changed() {
            writeln!(out, "{}: {}", edit.shown(&self.root), edit.does.join("; "))?;
        }
        if self.changed().next().is_none() {
            writeln!(out, "{otherwise}")?;
        }
        self.tell_notes(out)
    }

    fn tell_notes(&self, out: &mut dyn Write) -> std::io::Result<()> {
        self.notes.iter().try_for_each(|note| writeln!(out, "note: {note}"))
    }
}

/// "1 hook", "2 hooks".
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
