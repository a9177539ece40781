//! The replica in the layout of cs-memory: its documents come in, ours go out as documents, and nothing of
//! anybody is lost.

use super::clones::{Clone, Origin, commit};

const TO_CS: [&str; 4] = ["sync", "--to", "cs-notes", "--yes"];

/// What cs-memory writes.
const DOCUMENTS: &str = "\
---
type: decision
spec: user-auth
timestamp: 2025-12-14T10:30:00Z
summary: Use RS256 for tokens
tags: [jwt, security]
phase: implementation
---

Tokens are signed with RS256, because keys rotate.

---
type: decision
spec: user-auth
timestamp: 2025-12-15T10:30:00Z
summary: Sessions live one hour
---

Sessions live one hour, because the auditors ask for it.
";

/// The documents that `capture` and `capture_decision` of claude-spec 2efdfb5^ wrote into one note.
const CAPTURED: &str = "\
---
type: decisions
spec: user-auth
timestamp: '2026-11-27T17:00:50.807469Z'
summary: Use RS256 for tokens
phase: architecture
tags:
- jwt
- security
---

## Context
Tokens are signed

## Decision
We chose RS256: keys rotate monthly

## Alternatives Considered
- HS256

---
type: decisions
spec: null
timestamp: '2026-11-27T17:00:51.130935Z'
summary: Retries use exponential backoff
---

We retry three times, because the gateway drops one call in a hundred.

---

Measured twice.";

fn sync(clone: &Clone) -> String {
    clone.interleaf(&TO_CS).success()
}

fn add_documents(clone: &Clone, namespace: &str, documents: &str) {
    clone.scratch.git(&["notes", "--ref", &format!("cs/{namespace}"), "append", "-m", documents]);
}

fn note(clone: &Clone, namespace: &str) -> String {
    clone.scratch.git(&["notes", "--ref", &format!("cs/{namespace}"), "show"])
}

#[test]
fn documents_of_cs_memory_come_in_and_ours_go_out_beside_them() {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    add_documents(&ada, "decisions", DOCUMENTS);
    ada.remember("Payments are idempotent by order id, because webhooks come twice.");

    let first = sync(&ada);
    assert!(
        first.contains("2 memories came in") && first.contains("quoted until you trust cs-memory"),
        "{first}"
    );
    let written = note(&ada, "decisions");
    assert!(written.starts_with(DOCUMENTS.trim_end()), "{written}");
    assert!(written.contains("type: \"decision\"\nspec: "), "{written}");
    assert!(sync(&ada).contains("Nothing new"));

    sync(&ben);
    assert_eq!(ben.active().len(), 3);
    assert_eq!(ben.active(), ada.active());
    origin.git(&["fsck", "--strict", "--no-dangling"]);
    assert!(origin.git(&["for-each-ref", "--format=%(refname)", "refs/notes"]).starts_with("refs/notes/cs/"));
}

#[test]
fn documents_that_cs_memory_captured_come_in_and_nothing_is_written_beside_them() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    add_documents(&ada, "decisions", CAPTURED);

    let first = sync(&ada);

    assert!(first.contains("2 memories came in") && !first.contains("went out"), "{first}");
    assert_eq!(note(&ada, "decisions").trim_end(), CAPTURED);
    assert!(sync(&ada).contains("Nothing new"));
    let found = ada.interleaf(&["memory", "search", "gateway drops", "--json"]).success();
    assert!(found.contains("Measured twice."), "{found}");
}

#[test]
fn documents_that_two_machines_added_to_one_note_are_both_there() {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    let (one, two) = DOCUMENTS.split_once("\n\n---\n").expect("two documents");
    add_documents(&ada, "decisions", one);
    add_documents(&ben, "decisions", &format!("---\n{two}"));
    sync(&ada);

    sync(&ben);
    sync(&ada);

    for clone in [&ada, &ben] {
        let text = note(clone, "decisions");
        for part in ["summary: Use RS256", "because keys rotate", "summary: Sessions live", "auditors ask"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.matches("type: decision\nspec: user-auth\n").count(), 2, "{text}");
        assert_eq!(clone.active().len(), 2);
    }
}

#[test]
fn an_imported_document_is_not_taken_twice() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    add_documents(&ada, "patterns", DOCUMENTS);
    ada.interleaf(&["import", "cs-memory"]).success();
    assert_eq!(ada.active().len(), 2);

    sync(&ada);
    commit(&ada.scratch, "more");
    ada.remember("Payments are idempotent by order id, because webhooks come twice.");
    sync(&ada);
    ada.interleaf(&["import", "cs-memory"]).success();

    assert_eq!(ada.active().len(), 3);
}

#[test]
fn a_purged_document_is_cut_out_and_a_broken_one_is_named_and_kept() {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    let broken = "---\ntype: decision\ntimestamp: 2025-12-14T10:30:00Z\nsummary: No spec\n---\n\nBroken.";
    add_documents(&ada, "decisions", &format!("{DOCUMENTS}\n{broken}"));
    let synced = ada.interleaf(&TO_CS);
    assert_eq!(synced.code, Some(1));
    assert!(synced.out().contains("not read: ") && synced.out().contains("spec"), "{}", synced.out());
    let list = ada.interleaf(&["memory", "search", "RS256", "--json"]).success();
    let found: serde_json::Value = serde_json::from_str(list.lines().next().expect("a hit")).expect("JSON");

    let id = found["memory"]["id"].as_str().expect("an id");
    ada.interleaf(&["forget", "--purge", id, "--yes"]).success();
    let again = ada.interleaf(&TO_CS);
    assert_eq!(again.out().matches("not read: ").count(), 1, "{}", again.out());

    let text = note(&ada, "decisions");
    assert!(!text.contains("RS256") && text.contains("auditors") && text.contains("Broken."), "{text}");
}
