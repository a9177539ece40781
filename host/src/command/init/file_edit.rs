//! A change to one file that belongs to a person: seen before it is made, made all at once or not at all.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::diff;
use crate::dirs::PendingWrite;
use crate::error::{Error, Result};

/// Files beyond this many bytes are no settings and no instructions.
const LARGEST: u64 = 4 << 20;

/// One file, as it is and as it shall be. `None` is a file that is not there.
#[derive(Debug)]
pub(crate) struct Edit {
    /// The file's name for people, from the project's root where it lies inside.
    pub(crate) name: String,
    /// What the change does, a few words each.
    pub(crate) does: Vec<String>,
    path: PathBuf,
    before: Option<String>,
    after: Option<String>,
}

impl Edit {
    /// Reads the file `name` under `root`; an absolute `name` stands for itself.
    ///
    /// [`Error::invalid`] where it is no ordinary text file, [`Error::unavailable`] where it cannot be read.
    pub(crate) fn open(root: &Path, name: &str) -> Result<Self> {
        let path = root.join(name);
        let before = read(&path).map_err(|error| error.context(name))?;
        Ok(Self { name: name.to_owned(), does: Vec::new(), path, after: before.clone(), before })
    }

    /// The file's name, with what it is in fact where a link leads out of the folder `root`.
    pub(crate) fn shown(&self, root: &Path) -> String {
        match (fs::canonicalize(&self.path), fs::canonicalize(root)) {
            (Ok(real), Ok(root)) if !real.starts_with(&root) && Path::new(&self.name).is_relative() => {
                format!("{} (that is {})", self.name, real.display())
            }
            _ => self.name.clone(),
        }
    }

    /// Whether the file is there now, before the change.
    pub(crate) fn existed(&self) -> bool {
        self.before.is_some()
    }

    /// The text as it shall be; empty where there is no file.
    pub(crate) fn text(&self) -> &str {
        self.after.as_deref().unwrap_or_default()
    }

    /// Sets the text as it shall be, and says in a few words what that does. The same text is no change.
    pub(crate) fn set(&mut self, text: String, does: impl Into<String>) {
        if self.after.as_deref() != Some(&text) {
            self.after = Some(text);
            self.does.push(does.into());
        }
    }

    /// Sets the text as it shall be, for one of several reasons that are said later.
    pub(crate) fn replace(&mut self, text: String) {
        self.after = Some(text);
    }

    /// Has the file removed.
    pub(crate) fn delete(&mut self) {
        self.after = None;
        self.does.push("removed, because nothing else was in it".to_owned());
    }

    /// Whether there is anything to do.
    pub(crate) fn is_change(&self) -> bool {
        self.before != self.after
    }

    /// The change as lines with `-` and `+`.
    pub(crate) fn diff(&self, root: &Path) -> String {
        let lines = diff::lines(self.before.as_deref().unwrap_or_default(), self.text());
        let name = |there: bool| if there { self.shown(root) } else { "(no file)".to_owned() };
        format!("--- {}\n+++ {}\n{lines}", name(self.before.is_some()), name(self.after.is_some()))
    }

    /// Makes the change. A link stays a link, and its target keeps its mode. [`Error::conflict`] where the
    /// file has changed since it was read, [`Error::unavailable`] where it cannot be written.
    pub(crate) fn apply(&self) -> Result<()> {
        let made = match &self.after {
            _ if !self.is_change() => Ok(()),
            Some(text) => self.write(text),
            None => fs::remove_file(&self.path).map_err(|cause| self.failed(cause)),
        };
        made.map_err(|error| error.hint("see to that, then the same command does what is not done yet"))
    }

    /// Replaces the file in one step. It is compared with its earlier text as late as possible.
    fn write(&self, text: &str) -> Result<()> {
        let target = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let pending = PendingWrite::keeping_permissions(&target, text.as_bytes());
        let pending = pending.map_err(|cause| self.failed(cause))?;
        self.unchanged()?;
        pending.commit().map_err(|cause| self.failed(cause))
    }

    /// That nobody else has changed the file since it was read.
    fn unchanged(&self) -> Result<()> {
        match read(&self.path)? == self.before {
            true => Ok(()),
            false => Err(Error::conflict(format!("{} was changed by somebody else just now", self.name))),
        }
    }

    fn failed(&self, cause: std::io::Error) -> Error {
        Error::unavailable(format!("cannot write {}: {cause}", self.name))
    }
}

/// The text of a file, `None` where there is none.
fn read(path: &Path) -> Result<Option<String>> {
    let unreadable = |cause: std::io::Error| {
        Error::unavailable(format!("cannot be read: {cause}")).hint("see that it can be read, then try again")
    };
    let kind = match fs::metadata(path) {
        Err(cause) if cause.kind() == ErrorKind::NotFound && path.is_symlink() => {
            return Err(
                Error::invalid("is a link to nothing").hint("mend or remove the link, then try again")
            );
        }
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
        kind => kind.map_err(unreadable)?,
    };
    if !kind.is_file() || kind.len() > LARGEST {
        return Err(
            Error::invalid("is not a text file of ordinary size").hint("put such a file there or nothing")
        );
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes)).map_err(unreadable)?;
    let text = String::from_utf8(bytes);
    text.map(Some).map_err(|cause| Error::invalid(format!("is not UTF-8: {cause}")).hint("save it as UTF-8"))
}

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
