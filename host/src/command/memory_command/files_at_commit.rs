//! The files that a memory names, as they were at the commit at which it was written.

use serde::Serialize;

use crate::error::Result;
use crate::memory::Memory;
use crate::project::FileAtCommit;
use crate::project_context::ProjectContext;

/// Maximum number of files of one memory.
const MAX_FILES: usize = 20;

/// Maximum size of one file, in bytes.
const MAX_FILE_BYTES: u64 = 100_000;

/// A file at the commit of a memory.
#[derive(Debug, Serialize)]
pub struct OldFile {
    /// Its path in the project.
    pub path: String,
    /// The commit.
    pub commit: String,
    /// Its text without secrets; none if it cannot be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why it cannot be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<&'static str>,
}

/// Returns the first files that a memory names; none if no commit is known.
///
/// # Errors
/// `Unavailable` if git fails.
pub fn files_at_commit(memory: &Memory, context: &ProjectContext) -> Result<Vec<OldFile>> {
    let Some(commit) = &memory.source.commit else { return Ok(Vec::new()) };
    let redactor = context.config.redactor()?;
    let mut named = memory.related_files.clone();
    named.extend(memory.citations.iter().map(|citation| citation.file.clone()));
    let mut files: Vec<OldFile> = Vec::new();
    for path in named {
        if files.len() == MAX_FILES || files.iter().any(|file| file.path == path) {
            continue;
        }
        let (text, obstacle) = match context.project.file_at(commit, &path, MAX_FILE_BYTES)? {
            FileAtCommit::Text(text) => (Some(redactor.redact(&text).into_owned()), None),
            FileAtCommit::Missing => (None, Some("not part of that commit, or the commit is not here")),
            FileAtCommit::TooLarge => (None, Some("larger than 100 kB")),
            FileAtCommit::Binary => (None, Some("not text")),
        };
        files.push(OldFile { path, commit: commit.clone(), text, obstacle });
    }
    Ok(files)
}
