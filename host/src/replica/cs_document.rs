//! Documents in git notes as cs-memory (claude-spec) writes them below `refs/notes/cs/NAMESPACE`: YAML
//! between two lines `---`, and a body. A note holds several.

use std::ops::Range;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::clock::parse_date_time;
use crate::error::{Error, Result};
use crate::memory::{fitting_tags, id_of_key};

/// Fields of which each document has all. A block of YAML with none of them is part of a body.
const REQUIRED: [&str; 4] = ["type", "spec", "timestamp", "summary"];

/// States in which a note no longer holds.
const ENDED: [&str; 5] = ["resolved", "archived", "superseded", "deprecated", "tombstone"];

/// The YAML of a document.
#[derive(Debug, Deserialize)]
struct Header {
    r#type: String,
    /// `null` for what belongs to no specification; the field itself is always there.
    #[serde(deserialize_with = "Option::deserialize")]
    spec: Option<String>,
    timestamp: String,
    summary: String,
    phase: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    status: Option<String>,
}

/// A document of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsDocument {
    /// The YAML.
    pub yaml: String,
    /// What follows it.
    pub body: String,
    /// The lines of the note in which it stands.
    pub lines: Range<usize>,
}

/// Returns the documents of a note, without the entries that Interleaf wrote.
pub fn cs_documents(note: &str) -> Vec<CsDocument> {
    let lines: Vec<&str> = note.lines().map(str::trim_end).collect();
    let (mut headers, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let end = header_end(&lines, at);
        headers.extend(end.map(|end| (at, end)));
        at = end.unwrap_or(at) + 1;
    }
    let nexts = headers.iter().skip(1).map(|(start, _)| *start).chain([lines.len()]);
    let document = |((start, end), next): (&(usize, usize), usize)| CsDocument {
        yaml: lines[start + 1..*end].join("\n"),
        body: lines[end + 1..next].join("\n").trim().to_owned(),
        lines: *start..next,
    };
    let is_foreign = |document: &CsDocument| !document.yaml.starts_with("id: ");
    headers.iter().zip(nexts).map(document).filter(is_foreign).collect()
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

/// Returns the fields of the memory of a document; without a category if the namespace can hold anything. Its
/// id outlives a rebase, which moves notes to other commits.
///
/// # Errors
/// `Invalid`, which names the field that is missing or wrong.
pub fn cs_fields(namespace: &str, commit: &str, document: &CsDocument) -> Result<Value> {
    let CsDocument { yaml, body, .. } = document;
    let header: Header = serde_saphyr::from_str(yaml).map_err(|error| invalid_header(&error.to_string()))?;
    let created_at = parse_date_time(&header.timestamp)
        .ok_or_else(|| Error::invalid(format!("its timestamp is no date: {}", header.timestamp)))?;
    let (summary, key) = (header.summary.trim(), format!("{}\n{}", header.timestamp, header.summary));
    let text = match body.contains(summary) {
        true => body.clone(),
        false => format!("{summary}\n\n{body}"),
    };
    let namespace_tag = Some(namespace.to_owned());
    let tags = header.spec.into_iter().chain(namespace_tag).chain(header.tags).chain(header.phase);
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
        let documents = cs_documents(NOTE);

        assert_eq!(documents.len(), 2, "{documents:?}");
        assert!(documents[0].body.starts_with("## Context") && documents[0].body.ends_with("and a line."));
        assert_eq!(documents[1].body, "");
    }

    #[test]
    fn a_document_becomes_an_entry() {
        let documents = cs_documents(NOTE);
        let entries: Vec<Value> = documents
            .iter()
            .map(|document| cs_fields("decisions", "abc", document).expect("an entry"))
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
        let moved = cs_fields("decisions", "def", &documents[0]).expect("an entry");
        assert_eq!(moved["id"], entries[0]["id"], "after a rebase");
    }

    #[test]
    fn a_document_of_no_specification_has_the_tag_of_its_namespace() {
        let yaml = "type: learnings\nspec: null\ntimestamp: '2026-01-02T10:30:00.807469Z'\nsummary: Pools";
        let document = CsDocument { yaml: yaml.to_owned(), body: "Five.".to_owned(), lines: 0..0 };
        let fields = cs_fields("learnings", "abc", &document).expect("a document");
        assert_eq!(fields["tags"], json!(["learnings"]));
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        for (yaml, named) in [
            ("type: a\nspec: b\ntimestamp: 2025-12-14T10:30:00Z", "summary"),
            ("type: a\ntimestamp: 2025-12-14T10:30:00Z\nsummary: c", "spec"),
            ("type: a\nspec: b\ntimestamp: soon\nsummary: c", "soon"),
            ("type: [a\nsummary: c", "front matter"),
        ] {
            let document = CsDocument { yaml: yaml.to_owned(), body: String::new(), lines: 0..0 };
            let error = cs_fields("decisions", "abc", &document).expect_err(yaml);
            assert!(error.to_string().contains(named), "{error}");
        }
    }
}
