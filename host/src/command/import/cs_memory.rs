//! The git notes of cs-memory (claude-spec), below `refs/notes/cs/<namespace>`. A note holds documents: YAML
//! between two lines `---`, and a body.

use std::path::Path;

use super::Found;
use super::source_folder::{MAX_SOURCE_BYTES, SPLIT_HINT, real_path};
use crate::error::{Error, Result};
use crate::project::{Project, TreeFile};
use crate::replica::{cs_documents, cs_fields};

/// The references with the notes.
const REFS: &str = "refs/notes/cs/";

/// The beginning of an entry that `interleaf sync` wrote.
const OWN_ENTRY: &str = "---\nid: ";

/// Number of notes that are read at once.
const NOTES_AT_ONCE: usize = 200;

const FETCH_HINT: &str = "if only a clone has them, fetch them: \
    git fetch REMOTE 'refs/notes/cs/*:refs/notes/cs/*'; \
    for another repository, run interleaf import cs-memory PATH";

/// Reads all notes of the project, or of the repository at `path`.
///
/// # Errors
/// `NotFound` if there are none; `Unavailable` if git fails; `OverBudget` if they are too large.
pub fn read(path: Option<&Path>, project: &Project) -> Result<Found> {
    let other = path.map(|path| real_path(path, FETCH_HINT)).transpose()?.map(|path| Project::locate(&path));
    let project = other.as_ref().unwrap_or(project);
    let place = format!("{REFS} of {}", project.root.display());
    let refs = project.refs(REFS).map_err(|error| error.context(&place).hint(FETCH_HINT))?;
    if refs.is_empty() {
        return Err(Error::not_found(format!("there are no notes in {place}")).hint(FETCH_HINT));
    }
    let (mut found, mut left) = (Found::in_place(place), MAX_SOURCE_BYTES);
    for (reference, object) in refs {
        let namespace = reference.strip_prefix(REFS).unwrap_or(&reference);
        for files in project.tree_files(&object)?.chunks(NOTES_AT_ONCE) {
            let notes = project.blobs(&files.iter().map(|file| file.blob.as_str()).collect::<Vec<_>>())?;
            let bytes = notes.iter().map(|note| note.len() as u64).sum();
            left = left.checked_sub(bytes).ok_or_else(too_large)?;
            files.iter().zip(&notes).for_each(|(file, note)| add_note(namespace, file, note, &mut found));
        }
    }
    Ok(found)
}

fn too_large() -> Error {
    Error::over_budget("the notes have more than 100 MB").hint(SPLIT_HINT)
}

/// Adds the documents of a note. The path of its file is the name of its commit, which git may split.
fn add_note(namespace: &str, file: &TreeFile, note: &str, found: &mut Found) {
    let commit = file.path.replace('/', "");
    let short = commit.get(..8).unwrap_or(&commit);
    let documents = cs_documents(note);
    if documents.is_empty() && !note.trim().is_empty() && !note.starts_with(OWN_ENTRY) {
        found.add_unreadable(format!("{namespace} at {short}"), "it has no front matter that is complete");
    }
    for (number, document) in documents.iter().enumerate() {
        let place = format!("{namespace} at {short}, document {}", number + 1);
        match cs_fields(namespace, &commit, document) {
            Ok(fields) => found.add(place, fields),
            Err(error) => found.add_unreadable(place, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_without_a_document_is_named() {
        let mut found = Found::default();
        let file = TreeFile { path: "ab/cd".to_owned(), blob: String::new() };
        add_note("decisions", &file, "a\nb", &mut found);
        assert_eq!(found.unreadable.len(), 1);
    }
}
