//! Edits of files that belong to a person. An edit can be shown before it is made, and is made completely or
//! not at all.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use interleaf_text::{for_terminal, strip_invisible};
use similar::{Algorithm, ChangeTag, capture_diff_slices_deadline, group_diff_ops};

use crate::dirs::{PendingWrite, create_private_folder, real_path};
use crate::error::{Error, Result};

/// Maximum size of a file, in bytes. A larger file contains neither settings nor instructions.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Number of unchanged lines around a change in a diff.
const CONTEXT_LINES: usize = 2;

/// Time after which the diff of two huge texts need not be the shortest one.
const DIFF_TIMEOUT: Duration = Duration::from_secs(1);

/// A way to write new content, with the permissions of the file.
type PrepareWrite = fn(&Path, &[u8]) -> io::Result<PendingWrite>;

/// An edit of one file. The texts are `None` if there is no file.
#[derive(Debug)]
pub(crate) struct FileEdit {
    /// The file's name in messages, relative to the project's root if the file is inside it.
    pub(crate) name: String,
    /// The effects of the edit, a few words each.
    pub(crate) effects: Vec<String>,
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
}

impl FileEdit {
    /// Reads the file `name` of a project. An absolute `name` is used as it is.
    ///
    /// # Errors
    /// `Invalid` if a link leads out of the project, which a clone may contain; otherwise as
    /// [`FileEdit::open`].
    pub(crate) fn open_in_project(root: &Path, name: &str) -> Result<Self> {
        if let Some(target) = target_outside(root, name) {
            let what =
                format!("{name} is a link out of the project, to {}; it is not followed", target.display());
            return Err(
                Error::invalid(what).hint("replace the link by a file, or edit the other file by hand")
            );
        }
        Self::open(root, name)
    }

    /// Reads the file `name` under `root`. An absolute `name` is used as it is.
    ///
    /// # Errors
    /// `Invalid` if it is not a text file of ordinary size, `Unavailable` if it cannot be read.
    pub(crate) fn open(root: &Path, name: &str) -> Result<Self> {
        let path = root.join(name);
        let before = read(&path).map_err(|error| error.context(name))?;
        Ok(Self { name: name.to_owned(), effects: Vec::new(), path, after: before.clone(), before })
    }

    /// Tells whether the file existed before the edit.
    pub(crate) fn existed(&self) -> bool {
        self.before.is_some()
    }

    /// Returns the text after the edit, empty if there is no file.
    pub(crate) fn text(&self) -> &str {
        self.after.as_deref().unwrap_or_default()
    }

    /// Sets the text, and describes the effect in a few words. An equal text changes nothing.
    pub(crate) fn set(&mut self, text: String, effect: impl Into<String>) {
        if self.after.as_deref() != Some(&text) {
            self.after = Some(text);
            self.effects.push(effect.into());
        }
    }

    /// Sets the text. The caller adds the effect later.
    pub(crate) fn replace(&mut self, text: String) {
        self.after = Some(text);
    }

    /// Deletes the file.
    pub(crate) fn delete(&mut self) {
        self.after = None;
        self.effects.push("deleted, because nothing else was in it".to_owned());
    }

    /// Tells whether the edit changes anything.
    pub(crate) fn is_changed(&self) -> bool {
        self.before != self.after
    }

    /// Formats the edit as a diff.
    pub(crate) fn diff(&self) -> String {
        let lines = diff_lines(self.before.as_deref().unwrap_or_default(), self.text());
        let name = |exists: bool| match exists {
            true => for_terminal(&self.name),
            false => "(no file)".to_owned(),
        };
        format!("--- {}\n+++ {}\n{lines}", name(self.before.is_some()), name(self.after.is_some()))
    }

    /// Writes the edit. A link stays a link, and its target keeps its permissions.
    ///
    /// # Errors
    /// `Conflict` if the file has changed since it was read, `Unavailable` if it cannot be written.
    pub(crate) fn apply(&self) -> Result<()> {
        self.apply_with(PendingWrite::keeping_permissions)
    }

    fn apply_with(&self, prepare: PrepareWrite) -> Result<()> {
        let result = match &self.after {
            _ if !self.is_changed() => Ok(()),
            Some(text) => self.write(text, prepare),
            None => fs::remove_file(&self.path).map_err(|error| self.write_error(error)),
        };
        result.map_err(|error| {
            error.hint("correct that and run the command again; it continues where it stopped")
        })
    }

    /// Writes the edit into a private folder of this user, which is created if it does not exist. A new
    /// file is private, too.
    ///
    /// # Errors
    /// As [`FileEdit::apply`].
    pub(crate) fn apply_in_private_folder(&self, folder: &Path) -> Result<()> {
        if !self.is_changed() {
            return Ok(());
        }
        create_private_folder(folder).map_err(|error| {
            Error::unavailable(format!("cannot create the folder {}: {error}", folder.display()))
                .hint("make it writable, or set INTERLEAF_HOME to another folder")
        })?;
        self.apply_with(PendingWrite::private)
    }

    /// Replaces the file atomically. Compares it with its earlier text as late as possible.
    fn write(&self, text: &str, prepare: PrepareWrite) -> Result<()> {
        let target = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let pending = prepare(&target, text.as_bytes());
        let pending = pending.map_err(|error| self.write_error(error))?;
        if read(&self.path)? != self.before {
            return Err(Error::conflict(format!("{} has just been changed by another program", self.name)));
        }
        pending.commit().map_err(|error| self.write_error(error))
    }

    fn write_error(&self, error: std::io::Error) -> Error {
        Error::unavailable(format!("cannot write {}: {error}", self.name))
    }
}

/// Returns the real path of the file `name`, if a link leads there out of the folder `root`.
fn target_outside(root: &Path, name: &str) -> Option<PathBuf> {
    let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let target = real_path(&root.join(name));
    (is_below && !target.starts_with(real_path(root))).then_some(target)
}

/// Returns the text of a file; `None` if there is none.
fn read(path: &Path) -> Result<Option<String>> {
    let unreadable = |error: std::io::Error| {
        Error::unavailable(format!("cannot be read: {error}")).hint("make it readable, then try again")
    };
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && path.is_symlink() => {
            return Err(Error::invalid("is a link to a file that does not exist")
                .hint("correct or remove the link, then try again"));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        metadata => metadata.map_err(unreadable)?,
    };
    if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
        return Err(Error::invalid("is not a text file of ordinary size")
            .hint("replace it by such a file, or remove it"));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|error| Error::invalid(format!("is not UTF-8: {error}")).hint("save it as UTF-8"))
}

/// Returns the changed lines with `-` and `+`, the unchanged lines around them, and `…` for the others.
fn diff_lines(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let deadline = Instant::now() + DIFF_TIMEOUT;
    let operations = capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(deadline));
    let (mut text, mut shown) = (String::new(), 0);
    for group in group_diff_ops(operations, CONTEXT_LINES) {
        let start = group.first().map_or(0, |operation| operation.old_range().start);
        text += if start > shown { "  …\n" } else { "" };
        shown = group.last().map_or(shown, |operation| operation.old_range().end);
        for change in group.iter().flat_map(|operation| operation.iter_changes(&old, &new)) {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            text += &format!("{sign} {}\n", strip_invisible(change.value()));
        }
    }
    text
}

/// The edits of one command, and notes about related things that it does not change.
pub(crate) struct FileEdits {
    root: PathBuf,
    edits: Vec<FileEdit>,
    notes: Vec<String>,
}

impl FileEdits {
    /// Creates an empty list of edits for the project at `root`.
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), edits: Vec::new(), notes: Vec::new() }
    }

    /// Returns the edit of the file `name`, which is read on the first call.
    ///
    /// # Errors
    /// As [`FileEdit::open_in_project`].
    pub(crate) fn file(&mut self, name: &str) -> Result<&mut FileEdit> {
        let index = match self.edits.iter().position(|edit| edit.name == name) {
            Some(index) => index,
            None => {
                self.edits.push(FileEdit::open_in_project(&self.root, name)?);
                self.edits.len() - 1
            }
        };
        Ok(&mut self.edits[index])
    }

    /// Adds a note for the person.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Returns the edits that change something.
    pub(crate) fn changed(&self) -> impl Iterator<Item = &FileEdit> {
        self.edits.iter().filter(|edit| edit.is_changed())
    }

    /// Writes the edits in order. Stops at the first edit that cannot be written.
    pub(crate) fn apply(&self) -> Result<()> {
        self.changed().try_for_each(FileEdit::apply)
    }

    /// Prints the edits as diffs; `if_unchanged` if there are none.
    pub(crate) fn print_diffs(&self, out: &mut dyn Write, if_unchanged: &str) -> std::io::Result<()> {
        for edit in self.changed() {
            writeln!(out, "{}", edit.diff())?;
        }
        self.print_notes(out)?;
        let is_changed = self.changed().next().is_some();
        writeln!(out, "{}", if is_changed { "Nothing was written." } else { if_unchanged })
    }

    /// Prints the effects of the edits, one line per file; `if_unchanged` if there are none.
    pub(crate) fn print_effects(&self, out: &mut dyn Write, if_unchanged: &str) -> std::io::Result<()> {
        for edit in self.changed() {
            let line = format!("{}: {}", edit.name, edit.effects.join("; "));
            writeln!(out, "{}", for_terminal(&line))?;
        }
        if self.changed().next().is_none() {
            writeln!(out, "{if_unchanged}")?;
        }
        self.print_notes(out)
    }

    fn print_notes(&self, out: &mut dyn Write) -> std::io::Result<()> {
        self.notes.iter().try_for_each(|note| writeln!(out, "note: {}", for_terminal(note)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_two_lines_around_it() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = "1\n2\n3\nfour\n5\n6\n7\n8\n9\n10\n";

        let shown = diff_lines(before, after);

        assert_eq!(shown, "  …\n  2\n  3\n- 4\n+ four\n  5\n  6\n  …\n  8\n  9\n+ 10\n");
    }

    #[test]
    fn unchanged_lines_are_not_shown_as_changed() {
        assert_eq!(diff_lines("a\nb\nc\nd\n", "a\nx\nb\nd\ny\n"), "  a\n+ x\n  b\n- c\n  d\n+ y\n");
        assert_eq!(diff_lines("", "a\n"), "+ a\n");
        assert_eq!(diff_lines("a\n", ""), "- a\n");
        assert_eq!(diff_lines("same\n", "same\n"), "");
    }

    #[test]
    fn every_changed_line_of_huge_texts_is_shown() {
        let numbers = |from: usize| (from..from + 3000).map(|n| format!("{n}\n")).collect::<String>();

        let shown = diff_lines(&numbers(0), &numbers(2999));

        let signs = |sign: &str| shown.lines().filter(|line| line.starts_with(sign)).count();
        assert!(signs("-") >= 2999 && signs("+") >= 2999);
    }
}
