//! A replica in a folder of the project, `.claude/memory`, in the format of claude-memory: one file for each
//! memory and an index. It travels with the code. Files that somebody edits count, files that cannot be read
//! are named and left alone, and a file that is missing says nothing: another branch may have it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::{Map, Value};

use super::known_files::KnownFiles;
use super::memory_file::{self, FileSource, folder_of, folders};
use super::{Incoming, OutgoingChange, Replica, Written, as_others_see};
use crate::clock::Millis;
use crate::dirs::{cannot_write, read_file, remove_if_there, write_atomically};
use crate::error::{Error, Result};
use crate::memory::{Author, Entry, EntryKind, Status, may_travel};

/// The folder, relative to the root of the work tree.
pub(crate) const FOLDER: &str = ".claude/memory";
/// The list of the memories in use, for people and agents.
const INDEX: &str = "index.md";
/// The memories that were purged, so that no older copy brings one back.
const PURGED: &str = "purged.jsonl";

pub(crate) const PLACE: &str = "files in .claude/memory";

/// Maximum size of a file, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Maximum number of characters of a file's name without its extension.
const MAX_SLUG_CHARS: usize = 80;

/// The memories in the files of a project.
pub struct MemoryFolder {
    root: PathBuf,
    /// The files that were read, by the id of their memory.
    files: BTreeMap<String, MemoryFile>,
    /// Ids of the memories whose files git could not merge, or from which another program took our field.
    /// They are written again.
    incomplete: Vec<String>,
}

struct MemoryFile {
    folder: &'static str,
    slug: String,
    entry: Entry,
}

/// What an entry changes in the folder.
enum Step {
    Write(MemoryFile),
    Remove,
    Purge,
}

impl MemoryFolder {
    /// Returns the folder of the project with this root.
    ///
    /// # Errors
    /// `Denied` if the folder is a link: it may lead out of the project.
    pub fn new(root: &Path) -> Result<Self> {
        for part in Path::new(FOLDER).ancestors().filter(|part| !part.as_os_str().is_empty()) {
            let path = root.join(part);
            if fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink()) {
                return Err(Error::denied(format!(
                    "{} is a link, and memories are not written through it",
                    path.display()
                ))
                .hint("replace the link by a folder"));
            }
        }
        Ok(Self { root: root.join(FOLDER), files: BTreeMap::new(), incomplete: Vec::new() })
    }

    /// Reads the files of a folder.
    fn read_folder(&mut self, folder: &'static str, known: &KnownFiles, incoming: &mut Incoming) {
        let entries = fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        for path in paths {
            let slug = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let is_there = |path: &str| self.root.join(format!("{path}.json")).exists();
            let path_within = path_within(folder, &slug);
            let is_known = Cell::new(false);
            let known = |created_at| {
                let found = known.find(&path_within, created_at, &is_there);
                is_known.set(found.is_some());
                found
            };
            match read_entry(&path, folder, &slug, &known) {
                Ok((entry, is_conflict)) => {
                    self.incomplete.extend((is_conflict || is_known.get()).then(|| entry.id.clone()));
                    incoming.entries.push(entry.clone());
                    self.files.insert(entry.id.clone(), MemoryFile { folder, slug, entry });
                }
                Err(error) => {
                    incoming.unreadable.push((format!("{FOLDER}/{folder}/{slug}.json"), error.to_string()))
                }
            }
        }
    }

    /// Returns a name for the file of a new memory that no other file has.
    fn free_slug(&self, folder: &str, title: &str, id: &str) -> String {
        let slug = slug(title, id);
        let is_taken = |slug: &str| self.root.join(folder).join(format!("{slug}.json")).exists();
        if is_taken(&slug) { format!("{slug}-{id}") } else { slug }
    }

    /// Returns what an entry changes; `None` if it says nothing new.
    fn step(&self, entry: &Entry) -> Result<Option<Step>> {
        let (file, entry) = (self.files.get(&entry.id), as_others_see(entry));
        Ok(match (&entry.kind, file) {
            (EntryKind::Purged(_), _) => {
                let is_known = self.read_purged().iter().any(|known| known.id == entry.id);
                (!is_known || file.is_some()).then_some(Step::Purge)
            }
            (EntryKind::Retired(_), file) => file.map(|_| Step::Remove),
            (EntryKind::Live(live), None) if !may_travel(&live.memory) => None,
            (EntryKind::Live(live), None) => {
                let folder = folder_of(live.memory.category);
                let slug = self.free_slug(folder, &live.memory.title, &entry.id);
                Some(Step::Write(MemoryFile { folder, slug, entry }))
            }
            (EntryKind::Live(_), Some(file)) => self.changed(file, &entry)?.map(Step::Write),
        })
    }

    /// Returns the file as it is with this entry; `None` if it says the same, and stays as somebody wrote it.
    fn changed(&self, file: &MemoryFile, entry: &Entry) -> Result<Option<MemoryFile>> {
        let merged = file.entry.merge(entry)?;
        if file.entry == merged && !self.incomplete.contains(&entry.id) {
            return Ok(None);
        }
        let text = memory_file::write(&merged, &file.slug)?;
        let is_same =
            fs::read_to_string(self.path_of(file.folder, &file.slug)).is_ok_and(|known| known == text);
        let changed = MemoryFile { folder: file.folder, slug: file.slug.clone(), entry: merged };
        Ok((!is_same).then_some(changed))
    }

    fn write_entry(&mut self, entry: &Entry, sent: &mut Vec<OutgoingChange>) -> Result<()> {
        let Some(step) = self.step(entry)? else { return Ok(()) };
        match step {
            Step::Purge => {
                self.remove_file(&entry.id)?;
                self.add_purged(entry)?;
            }
            Step::Remove => self.remove_file(&entry.id)?,
            Step::Write(file) => {
                let (path, text) =
                    (self.path_of(file.folder, &file.slug), memory_file::write(&file.entry, &file.slug)?);
                create_folder(&path)?;
                write_atomically(&path, text.as_bytes()).map_err(|error| cannot_write(&path, &error))?;
                self.files.insert(entry.id.clone(), file);
            }
        }
        sent.push(OutgoingChange::of(entry));
        Ok(())
    }

    fn remove_file(&mut self, id: &str) -> Result<()> {
        match self.files.remove(id) {
            Some(file) => remove(&self.path_of(file.folder, &file.slug)),
            None => Ok(()),
        }
    }

    fn path_of(&self, folder: &str, slug: &str) -> PathBuf {
        self.root.join(folder).join(format!("{slug}.json"))
    }

    /// Returns the state of an exchange after which the files are as they are now.
    fn state(&self) -> Result<String> {
        let mut known = KnownFiles::default();
        for file in self.files.values() {
            known.add(path_within(file.folder, &file.slug), &file.entry)?;
        }
        Ok(known.to_state())
    }

    fn read_purged(&self) -> Vec<Entry> {
        let text = read_text(&self.root.join(PURGED)).unwrap_or_default();
        let values = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        values.filter_map(|value| Entry::from_json(value).ok()).collect()
    }

    fn add_purged(&self, entry: &Entry) -> Result<()> {
        let mut purged = self.read_purged();
        if purged.iter().any(|known| known.id == entry.id) {
            return Ok(());
        }
        purged.push(entry.clone());
        purged.sort_by(|a, b| a.id.cmp(&b.id));
        let lines: Result<Vec<String>> =
            purged.iter().map(|entry| Ok(format!("{}\n", entry.to_json()?))).collect();
        let path = self.root.join(PURGED);
        create_folder(&path)?;
        write_atomically(&path, lines?.concat().as_bytes()).map_err(|error| cannot_write(&path, &error))
    }

    /// Writes the list of the memories in use, in the order of their titles.
    fn write_index(&self) -> Result<()> {
        let mut lines: Vec<String> = self.files.values().filter_map(index_line).collect();
        lines.sort();
        let text = format!(
            "# Memory index\n\n<!-- written by interleaf sync; edits are lost -->\n\n{}",
            lines.concat()
        );
        let path = self.root.join(INDEX);
        if self.files.is_empty() || read_text(&path).is_ok_and(|known| known == text) {
            return Ok(());
        }
        create_folder(&path)?;
        write_atomically(&path, text.as_bytes()).map_err(|error| cannot_write(&path, &error))
    }
}

impl Replica for MemoryFolder {
    fn place(&self) -> &str {
        PLACE
    }

    fn author(&self) -> Option<Author> {
        Some(memory_file::author())
    }

    fn read(&mut self, state: &str) -> Result<Incoming> {
        let known = KnownFiles::from_state(state);
        let mut incoming = Incoming { entries: self.read_purged(), ..Incoming::default() };
        self.files.clear();
        self.incomplete.clear();
        for folder in folders() {
            self.read_folder(folder, &known, &mut incoming);
        }
        incoming.state = self.state()?;
        Ok(incoming)
    }

    fn write(&mut self, entries: &[Entry]) -> Result<Written> {
        let mut written = Written::default();
        for id in self.incomplete.clone() {
            if let Some(entry) = self.files.get(&id).map(|file| file.entry.clone()) {
                self.write_entry(&entry, &mut written.sent)?;
            }
        }
        self.incomplete.clear();
        for entry in entries {
            self.write_entry(entry, &mut written.sent)?;
        }
        self.write_index()?;
        written.state = Some(self.state()?);
        Ok(written)
    }

    fn preview(&mut self, entries: &[Entry]) -> Result<Written> {
        let mut written = Written::default();
        let incomplete = self.incomplete.iter().filter_map(|id| self.files.get(id).map(|file| &file.entry));
        for entry in incomplete.chain(entries) {
            written.sent.extend(self.step(entry)?.map(|_| OutgoingChange::of(entry)));
        }
        Ok(written)
    }
}

fn index_line(file: &MemoryFile) -> Option<String> {
    let EntryKind::Live(live) = &file.entry.kind else { return None };
    let memory = &live.memory;
    // An arrow or a tag mark in a title would be taken for the path or the tags.
    let title = memory.title.replace(" -> ", " - ").replace("#tags:", "");
    let (category, tags) = (memory.category.as_str().to_uppercase(), memory.tags.join(","));
    let line =
        format!("- [{category}] {title} -> {FOLDER}/{}/{}.json #tags:{tags}\n", file.folder, file.slug);
    (memory.status == Status::Active).then_some(line)
}

/// Returns the entry of a file, and whether git could not merge it.
fn read_entry(
    path: &Path,
    folder: &str,
    slug: &str,
    known: &dyn Fn(Option<Millis>) -> Option<Map<String, Value>>,
) -> Result<(Entry, bool)> {
    let modified = fs::symlink_metadata(path).and_then(|metadata| metadata.modified()).ok();
    let age = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    let changed = age.and_then(|age| Millis::try_from(age.as_millis()).ok()).unwrap_or_default();
    let text = read_text(path)?;
    let source = FileSource { folder, slug, changed, known };
    Ok((memory_file::read(&text, &source)?, memory_file::is_conflict(&text)))
}

/// Returns the path of a file within the folder, without its extension.
fn path_within(folder: &str, slug: &str) -> String {
    format!("{folder}/{slug}")
}

fn read_text(path: &Path) -> Result<String> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    let bytes = match is_file {
        true => read_file(path, MAX_FILE_BYTES)
            .map_err(|error| Error::unavailable(format!("cannot read it: {error}")))?,
        false => None,
    };
    let bytes = bytes.ok_or_else(|| Error::invalid("it is no file, or larger than 1 MB"))?;
    String::from_utf8(bytes).map_err(|_| Error::invalid("it is not text in UTF-8"))
}

fn create_folder(file: &Path) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))
}

fn remove(path: &Path) -> Result<()> {
    remove_if_there(path).map_err(|error| cannot_write(path, &error))
}

/// Returns the name of a file for a title: lower-case letters and digits of any script, and hyphens.
fn slug(title: &str, id: &str) -> String {
    let letter = |letter: char| if letter.is_alphanumeric() { letter } else { ' ' };
    let words: String = title.to_lowercase().chars().map(letter).collect();
    let mut slug = String::new();
    for word in words.split_whitespace() {
        if slug.chars().count() + word.chars().count() < MAX_SLUG_CHARS {
            let hyphen = if slug.is_empty() { "" } else { "-" };
            slug.extend([hyphen, word]);
        }
    }
    if slug.is_empty() { id.to_owned() } else { slug }
}
