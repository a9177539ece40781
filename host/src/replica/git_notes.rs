//! A replica in git notes: `refs/notes/interleaf/CATEGORY`, or in [another layout](super::note_layout), each
//! memory in the note of the commit at which it was written. Notes travel with a fetch and a push of these
//! references alone; nothing else of the repository, its remote or its configuration is changed.
//!
//! The local references have what the remote has and what this store adds, in one commit on top of the
//! remote's. Text of others in the same notes stays.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::note::Note;
use super::note_layout::NoteLayout;
use super::{Incoming, OutgoingChange, Replica, Written, as_others_see, travels};
use crate::error::{Error, Result};
use crate::memory::{Author, Entry, EntryKind};
use crate::project::{Project, Remote, TreeFile};

/// The category of ends whose memory is not there.
const ENDS: &str = "ends";

/// Number of digits of a commit's name.
const NAME_DIGITS: std::ops::RangeInclusive<usize> = 40..=64;

/// The memories in the notes of a repository.
pub struct GitNotes<'a> {
    project: &'a Project,
    layout: NoteLayout,
    remote: Option<Remote>,
    place: String,
    /// What was read: the references of the remote and of this repository.
    theirs: BTreeMap<String, String>,
    ours: BTreeMap<String, String>,
}

/// The references up to which everything was read.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct State {
    theirs: BTreeMap<String, String>,
    ours: BTreeMap<String, String>,
}

impl<'a> GitNotes<'a> {
    /// Returns the notes of this repository. What was fetched is recorded below `folder`.
    ///
    /// # Errors
    /// `Unavailable` if git fails, or the project is no repository.
    pub fn new(project: &'a Project, layout: NoteLayout, folder: &Path) -> Result<Self> {
        let remote = project.remote(folder)?;
        let notes = match layout {
            NoteLayout::Interleaf => "git notes",
            NoteLayout::CsMemory => "cs-memory notes",
        };
        let place = match &remote {
            Some(remote) => format!("{notes} of {}", remote.name()),
            None => format!("{notes} of this repository, which has no remote"),
        };
        Ok(Self { project, layout, remote, place, theirs: BTreeMap::new(), ours: BTreeMap::new() })
    }

    /// Reads the notes that two commits do not share.
    fn read_changes(&self, name: &str, old: Option<&String>, new: &str, into: &mut Incoming) -> Result<()> {
        let known: BTreeSet<(String, String)> = match old {
            // It may be gone, after a purge and a collection of the repository's garbage.
            Some(old) => self.project.tree_files(old).unwrap_or_default().into_iter().map(pair).collect(),
            None => BTreeSet::new(),
        };
        let mut files = self.project.tree_files(new)?;
        files.retain(|file| !known.contains(&pair(file.clone())));
        let blobs: Vec<&str> = files.iter().map(|file| file.blob.as_str()).collect();
        for (file, text) in files.iter().zip(self.project.blobs(&blobs)?) {
            let commit = commit_of(&file.path);
            let note = self.layout.read(&text, name, &commit);
            into.entries.extend(note.entries.into_values());
            into.entries.extend(note.foreign.into_values().map(|(entry, _)| entry));
            into.unreadable
                .extend(note.unreadable.into_iter().map(|(_, why)| (format!("note of {commit}"), why)));
            let broken = note.broken_documents.into_iter();
            into.unreadable.extend(broken.map(|why| (format!("{name}, note of {commit}"), why)));
        }
        Ok(())
    }

    /// Returns the changed text of every note of a reference, by path, with the entries that changed one.
    fn changes<'e>(&self, name: &str, entries: &[(String, &'e Entry)]) -> Result<Changes<'e>> {
        let mut notes = Notes::new(self.project, self.layout, name);
        let (ours, theirs) = (self.ours.get(name), self.theirs.get(name));
        notes.add(theirs.or(ours))?;
        if let (Some(ours), Some(theirs)) = (ours, theirs)
            && ours != theirs
        {
            notes.unite(ours)?;
        }
        let mut changing = Vec::new();
        for (commit, entry) in entries {
            changing.extend(notes.merge(commit, entry)?.then_some(*entry));
        }
        Ok(Changes { files: notes.changed()?, entries: changing })
    }

    /// Sorts entries by the reference that they belong to, each with its commit.
    fn by_ref<'e>(&self, entries: &'e [Entry]) -> Result<BTreeMap<String, Vec<(String, &'e Entry)>>> {
        let (first, prefix) = (self.project.first_commit()?, self.layout.prefix());
        let mut sorted: BTreeMap<String, Vec<(String, &Entry)>> = BTreeMap::new();
        for entry in entries {
            let (category, commit) = match &entry.kind {
                EntryKind::Live(live) => (
                    self.layout.namespace(&live.memory),
                    live.memory.source.commit.clone().filter(|name| is_name(name)),
                ),
                _ => (ENDS, None),
            };
            let commit = commit.or_else(|| first.clone()).ok_or_else(no_commit)?;
            sorted.entry(format!("{prefix}{category}")).or_default().push((commit, entry));
        }
        // The end of a memory stands where the memory stands, which only its notes tell.
        if let Some(ends) = sorted.remove(&format!("{prefix}{ENDS}")) {
            for name in self.ours.keys().chain(self.theirs.keys()) {
                sorted.entry(name.clone()).or_default().extend(ends.iter().cloned());
            }
            let purged = ends.into_iter().filter(|(_, entry)| matches!(entry.kind, EntryKind::Purged(_)));
            sorted.entry(format!("{prefix}{ENDS}")).or_default().extend(purged);
        }
        Ok(sorted)
    }
}

impl Replica for GitNotes<'_> {
    fn place(&self) -> &str {
        &self.place
    }

    fn author(&self) -> Option<Author> {
        self.layout.author()
    }

    fn check(&mut self) -> Result<()> {
        self.project.first_commit()?.map(drop).ok_or_else(no_commit)
    }

    fn read(&mut self, state: &str) -> Result<Incoming> {
        let known: State = serde_json::from_str(state).unwrap_or_default();
        let mut incoming = Incoming::default();
        self.ours = self.project.refs(self.layout.prefix())?.into_iter().collect();
        if let Some(remote) = &self.remote {
            self.theirs =
                self.project.fetch(remote, &format!("{}*", self.layout.prefix()))?.into_iter().collect();
        }
        for (name, commit) in
            self.theirs.iter().filter(|(name, commit)| known.theirs.get(*name) != Some(commit))
        {
            self.read_changes(name, known.theirs.get(name), commit, &mut incoming)?;
        }
        for (name, commit) in self.ours.iter().filter(|(name, commit)| known.ours.get(*name) != Some(commit))
        {
            self.read_changes(name, known.ours.get(name), commit, &mut incoming)?;
        }
        // The same note may stand in both.
        incoming.unreadable.sort_unstable();
        incoming.unreadable.dedup();
        let state = State { theirs: self.theirs.clone(), ours: self.ours.clone() };
        incoming.state = serde_json::to_string(&state).unwrap_or_default();
        Ok(incoming)
    }

    fn write(&mut self, entries: &[Entry]) -> Result<Written> {
        let mut sorted = self.by_ref(entries)?;
        for name in self.theirs.keys().chain(self.ours.keys()) {
            sorted.entry(name.clone()).or_default();
        }
        let (mut pushed, mut written) = (Vec::new(), Written::default());
        for (name, entries) in sorted {
            let changes = self.changes(&name, &entries)?;
            written.sent.extend(changes.sent());
            let (ours, theirs) = (self.ours.get(&name), self.theirs.get(&name));
            let base = theirs.or(ours);
            let new = match (changes.files.is_empty(), base) {
                (true, None) => continue,
                (true, Some(base)) => base.clone(),
                (false, base) => {
                    // The history holds what was purged.
                    let keeps_history = !changes.purges();
                    self.project.commit_files(base.map(String::as_str), &changes.files, keeps_history)?
                }
            };
            if ours != Some(&new) {
                self.project.set_ref(&name, &new, ours.map(String::as_str))?;
            }
            if theirs != Some(&new) {
                pushed.push((name, new, theirs.cloned()));
            }
        }
        if let Some(remote) = self.remote.as_ref().filter(|_| !pushed.is_empty()) {
            self.project.push(remote, &pushed)?;
        }
        Ok(written)
    }

    fn preview(&mut self, entries: &[Entry]) -> Result<Written> {
        let mut written = Written::default();
        for (name, entries) in self.by_ref(entries)? {
            written.sent.extend(self.changes(&name, &entries)?.sent());
        }
        Ok(written)
    }
}

/// The changes of the notes of a reference.
struct Changes<'e> {
    /// The path and the new text of each note.
    files: Vec<(String, String)>,
    /// The entries that changed one.
    entries: Vec<&'e Entry>,
}

impl Changes<'_> {
    fn purges(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.kind, EntryKind::Purged(_)))
    }

    fn sent(&self) -> impl Iterator<Item = OutgoingChange> {
        self.entries.iter().map(|entry| OutgoingChange::of(entry))
    }
}

/// The notes of a reference that are to be changed.
struct Notes<'a> {
    project: &'a Project,
    layout: NoteLayout,
    reference: &'a str,
    /// The file of each commit's note, and the notes that were read.
    files: BTreeMap<String, TreeFile>,
    read: BTreeMap<String, Note>,
    changed: BTreeSet<String>,
}

impl<'a> Notes<'a> {
    fn new(project: &'a Project, layout: NoteLayout, reference: &'a str) -> Self {
        Self {
            project,
            layout,
            reference,
            files: BTreeMap::new(),
            read: BTreeMap::new(),
            changed: BTreeSet::new(),
        }
    }

    /// Begins with the notes of this commit.
    fn add(&mut self, commit: Option<&String>) -> Result<()> {
        if let Some(commit) = commit {
            let files = self.project.tree_files(commit)?.into_iter();
            self.files = files.map(|file| (commit_of(&file.path), file)).collect();
        }
        Ok(())
    }

    /// Unites them with the notes of another commit.
    fn unite(&mut self, commit: &str) -> Result<()> {
        for file in self.project.tree_files(commit)? {
            let name = commit_of(&file.path);
            if self.files.get(&name).is_some_and(|known| known.blob == file.blob) {
                continue;
            }
            let theirs = self.note(&name)?.clone();
            let ours = self.layout.read(&self.text(&file.blob)?, self.reference, &name);
            let united = theirs.clone().united(&ours)?;
            if united != theirs {
                self.read.insert(name.clone(), united);
                self.changed.insert(name);
            }
        }
        Ok(())
    }

    /// Merges an entry into the note of a commit. What may not travel only changes what is there. Tells
    /// whether the note is changed.
    fn merge(&mut self, commit: &str, entry: &Entry) -> Result<bool> {
        let travels = travels(entry);
        let places = match entry.kind {
            EntryKind::Live(_) => vec![commit.to_owned()],
            _ => self.places_of(&entry.id, commit, travels)?,
        };
        let mut is_changed = false;
        for place in places {
            let note = self.note(&place)?;
            if travels || note.knows(&entry.id) {
                let merges = note.merge(&entry.id, &as_others_see(entry))?;
                is_changed |= merges;
                self.changed.extend(merges.then_some(place));
            }
        }
        Ok(is_changed)
    }

    /// Returns the commits in whose notes a memory stands.
    fn places_of(&mut self, id: &str, commit: &str, travels: bool) -> Result<Vec<String>> {
        self.read_all()?;
        let has_entry = |(_, note): &(&String, &Note)| note.knows(id);
        let mut places: Vec<String> =
            self.read.iter().filter(has_entry).map(|(commit, _)| commit.clone()).collect();
        if places.is_empty() && travels {
            places.push(commit.to_owned());
        }
        Ok(places)
    }

    /// Reads all notes at once.
    fn read_all(&mut self) -> Result<()> {
        let unread = self.files.iter().filter(|(commit, _)| !self.read.contains_key(*commit));
        let unread: Vec<(String, String)> =
            unread.map(|(commit, file)| (commit.clone(), file.blob.clone())).collect();
        let blobs: Vec<&str> = unread.iter().map(|(_, blob)| blob.as_str()).collect();
        let texts = self.project.blobs(&blobs)?;
        let (layout, reference) = (self.layout, self.reference);
        self.read.extend(
            unread
                .iter()
                .zip(texts)
                .map(|((commit, _), text)| (commit.clone(), layout.read(&text, reference, commit))),
        );
        Ok(())
    }

    fn note(&mut self, commit: &str) -> Result<&mut Note> {
        if !self.read.contains_key(commit) {
            let blob = self.files.get(commit).map(|file| file.blob.clone());
            let text = blob.map(|blob| self.text(&blob)).transpose()?.unwrap_or_default();
            let note = self.layout.read(&text, self.reference, commit);
            self.read.insert(commit.to_owned(), note);
        }
        Ok(self.read.entry(commit.to_owned()).or_default())
    }

    fn text(&self, blob: &str) -> Result<String> {
        Ok(self.project.blobs(&[blob])?.into_iter().next().unwrap_or_default())
    }

    /// Returns the path and the text of each changed note.
    fn changed(&self) -> Result<Vec<(String, String)>> {
        let text = |commit: &String| {
            let path = self.files.get(commit).map_or_else(|| path_of(commit), |file| file.path.clone());
            Ok((
                path,
                self.read.get(commit).map(|note| self.layout.write(note)).transpose()?.unwrap_or_default(),
            ))
        };
        self.changed.iter().map(text).collect()
    }
}

fn pair(file: TreeFile) -> (String, String) {
    (commit_of(&file.path), file.blob)
}

/// Returns the commit that a note belongs to. Git puts the first digits of its name into folders.
fn commit_of(path: &str) -> String {
    path.replace('/', "")
}

fn path_of(commit: &str) -> String {
    let (folder, file) = commit.split_at(2);
    format!("{folder}/{file}")
}

fn is_name(text: &str) -> bool {
    NAME_DIGITS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn no_commit() -> Error {
    Error::unavailable("there is no commit yet that a note could belong to")
        .hint("commit something, then try again")
}
