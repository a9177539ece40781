//! The git notes of cs-memory (claude-spec), below `refs/notes/cs/<namespace>`. A note holds documents: YAML
//! between two lines `---`, and a body.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use super::source_folder::{MAX_SOURCE_BYTES, SPLIT_HINT, real_path};
use super::{Found, fitting_tags, millis};
use crate::error::{Error, Result};
use crate::memory::id_of_key;
use crate::project::{Project, TreeFile};

/// The references with the notes.
const REFS: &str = "refs/notes/cs/";

/// Fields of which each document has all. A block of YAML with none of them is part of a body.
const REQUIRED: [&str; 4] = ["type", "spec", "timestamp", "summary"];

/// States in which a note no longer holds.
const ENDED: [&str; 5] = ["resolved", "archived", "superseded", "deprecated", "tombstone"];

/// Number of notes that are read at once.
const NOTES_AT_ONCE: usize = 200;

const FETCH_HINT: &str = "if only a clone has them, fetch them: \
    git fetch REMOTE 'refs/notes/cs/*:refs/notes/cs/*'; \
    for another repository, run interleaf import cs-memory PATH";

/// The YAML of a document.
#[derive(Debug, Deserialize)]
struct Header {
    r#type: String,
    spec: Option<String>,
    timestamp: String,
    summary: String,
    phase: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    status: Option<String>,
}

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
    let documents = documents(note);
    if documents.is_empty() && !note.trim().is_empty() {
        found.add_unreadable(format!("{namespace} at {short}"), "it has no front matter that is complete");
    }
    for (number, (yaml, body)) in documents.iter().enumerate() {
        let place = format!("{namespace} at {short}, document {}", number + 1);
        match entry(namespace, &commit, yaml, body) {
            Ok(fields) => found.add(place, fields),
            Err(error) => found.add_unreadable(place, error),
        }
    }
}

/// Returns the YAML and the body of each document.
fn documents(note: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = note.lines().map(str::trim_end).collect();
    let (mut headers, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let end = header_end(&lines, at);
        headers.extend(end.map(|end| (at, end)));
        at = end.unwrap_or(at) + 1;
    }
    let nexts = headers.iter().skip(1).map(|(start, _)| *start).chain([lines.len()]);
    let document = |((start, end), next): (&(usize, usize), usize)| {
        (lines[start + 1..*end].join("\n"), lines[end + 1..next].join("\n").trim().to_owned())
    };
    headers.iter().zip(nexts).map(document).collect()
}

/// Returns the last line of the YAML that begins at a line, if one begins there.
fn header_end(lines: &[&str], start: usize) -> Option<usize> {
    let is_mark = |line: &&str| *line == "---";
    lines.get(start).filter(|line| is_mark(line))?;
    let end = start + 1 + lines[start + 1..].iter().position(is_mark)?;
    let has_field = lines[start + 1..end]
        .iter()
        .any(|line| line.split_once(':').is_some_and(|(name, _)| REQUIRED.contains(&name.trim_end())));
    has_field.then_some(end)
}

/// Converts a document. Its id outlives a rebase, which moves notes to other commits.
fn entry(namespace: &str, commit: &str, yaml: &str, body: &str) -> Result<Value> {
    let header: Header = serde_saphyr::from_str(yaml).map_err(|error| invalid_header(&error.to_string()))?;
    let spec = header.spec.ok_or_else(|| invalid_header("missing field `spec`"))?;
    let created_at = millis(&header.timestamp)
        .ok_or_else(|| Error::invalid(format!("its timestamp is no date: {}", header.timestamp)))?;
    let (summary, key) = (header.summary.trim(), format!("{}\n{}", header.timestamp, header.summary));
    let text = match body {
        body if body.contains(summary) => body.to_owned(),
        body => format!("{summary}\n\n{body}"),
    };
    let tags = [spec, namespace.to_owned()].into_iter().chain(header.tags).chain(header.phase);
    let mut fields = json!({
        "id": format!("cs-memory-{}", id_of_key(&format!("cs-memory {namespace}"), &key)),
        "category": category(namespace), "title": summary, "text": text.trim(),
        "tags": fitting_tags(tags), "created_at": created_at, "source": { "commit": commit },
    });
    if let Some(status) = header.status.filter(|status| ENDED.contains(&status.as_str())) {
        fields["status"] = "archived".into();
        fields["status_reason"] = format!("cs-memory: {} is {status}", header.r#type).into();
    }
    Ok(fields)
}

fn invalid_header(error: &str) -> Error {
    let cause = error.trim_start_matches("error: ").lines().next().unwrap_or_default();
    Error::invalid(format!("its front matter is not valid: {cause}"))
}

/// Returns the category of what a namespace holds; `None` if that can be anything.
fn category(namespace: &str) -> Option<&'static str> {
    match namespace {
        "decisions" => Some("decision"),
        "blockers" => Some("blocker"),
        "learnings" | "patterns" | "research" => Some("learning"),
        "inception" | "progress" => Some("context"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTE: &str = "\
---
type: decision
spec: user-auth
timestamp: 2025-12-14T10:30:00Z
summary: \"Use RS256: keys rotate\"
tags: [jwt, security]
phase: implementation
---

## Context

One rule:

---

and a line.

---
type: decision
spec: 7
timestamp: 2025-12-15T00:00:00+00:00
summary: Sessions live one hour
status: superseded
---
";

    #[test]
    fn a_note_has_several_documents_and_their_bodies_may_have_lines_of_hyphens() {
        let documents = documents(NOTE);

        assert_eq!(documents.len(), 2, "{documents:?}");
        assert!(documents[0].1.starts_with("## Context") && documents[0].1.ends_with("and a line."));
        assert_eq!(documents[1].1, "");
    }

    #[test]
    fn a_document_becomes_an_entry() {
        let documents = documents(NOTE);
        let entries: Vec<Value> = documents
            .iter()
            .map(|(yaml, body)| entry("decisions", "abc", yaml, body).expect("an entry"))
            .collect();

        assert_eq!(entries[0]["title"], "Use RS256: keys rotate");
        assert_eq!(entries[0]["category"], "decision");
        assert_eq!(entries[0]["created_at"], 1_765_708_200_000_i64);
        assert_eq!(
            entries[0]["tags"],
            json!(["user-auth", "decisions", "jwt", "security", "implementation"])
        );
        assert!(entries[0]["text"].as_str().is_some_and(|text| text.starts_with("Use RS256")));
        assert_eq!(
            (&entries[1]["status"], &entries[1]["text"]),
            (&"archived".into(), &"Sessions live one hour".into())
        );
        assert_ne!(entries[0]["id"], entries[1]["id"]);
        let moved = entry("decisions", "def", &documents[0].0, &documents[0].1).expect("an entry");
        assert_eq!(moved["id"], entries[0]["id"], "after a rebase");
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        for (yaml, named) in [
            ("type: a\nspec: b\ntimestamp: 2025-12-14T10:30:00Z", "summary"),
            ("type: a\ntimestamp: 2025-12-14T10:30:00Z\nsummary: c", "spec"),
            ("type: a\nspec: b\ntimestamp: soon\nsummary: c", "soon"),
            ("type: [a\nsummary: c", "front matter"),
        ] {
            let error = entry("decisions", "abc", yaml, "").expect_err(yaml);
            assert!(error.to_string().contains(named), "{error}");
        }
        let mut found = Found::default();
        add_note(
            "decisions",
            &TreeFile { path: "ab/cd".to_owned(), blob: String::new() },
            "a\nb",
            &mut found,
        );
        assert_eq!(found.unreadable.len(), 1);
    }
}
