//! The replica in files of the project: what is written, what is read, and what is left alone.

use std::fs;
use std::path::PathBuf;

use super::clones::{Clone, Origin};
use interleaf_tests::tool_decision::{decision, decision_on_call};
use serde_json::{Value, json};

const TO_FILES: [&str; 4] = ["sync", "--to", "files", "--yes"];

/// Exchanges memories with the files, in which nothing is wrong.
fn sync(clone: &Clone) -> String {
    clone.interleaf(&TO_FILES).success()
}

fn one() -> (Origin, Clone) {
    let origin = Origin::new();
    let ada = origin.clone_for("Ada");
    (origin, ada)
}

fn path(clone: &Clone, name: &str) -> PathBuf {
    clone.scratch.project.join(".claude/memory").join(name)
}

fn file(clone: &Clone, name: &str) -> Value {
    let text = fs::read_to_string(path(clone, name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).expect("an object")
}

#[test]
fn memories_travel_with_the_commits_of_the_project() {
    let (origin, ada) = one();
    let ben = origin.clone_for("Ben");
    let id = ada.remember("Payments are idempotent by order id, because webhooks come twice.");

    sync(&ada);
    ada.scratch.git(&["add", "--all"]);
    ada.scratch.git(&["commit", "--quiet", "--message", "memories"]);
    ada.scratch.git(&["push", "--quiet", "origin", "HEAD:main"]);
    ben.scratch.git(&["pull", "--quiet", "origin", "main"]);
    sync(&ben);

    assert_eq!(ben.memory(&id)["origin"], "shared");
    assert_eq!(ada.active(), ben.active());
    let name = "decisions/payments-are-idempotent-by-order-id-because-webhooks-come-twice.json";
    let written = file(&ada, name);
    for field in
        ["schema_version", "category", "id", "title", "created_at", "tags", "content", "record_status"]
    {
        assert!(!written[field].is_null(), "{field}: {written:#}");
    }
    let index = fs::read_to_string(path(&ada, "index.md")).expect("an index");
    assert!(index.contains(&format!("-> .claude/memory/{name} #tags:")), "{index}");
    assert!(ben.interleaf(&["sync"]).success().contains("Nothing new"));
    assert_eq!(ben.scratch.git(&["status", "--porcelain"]), "", "an exchange without news changes no file");
}

#[test]
fn an_edit_by_hand_is_taken_in_and_its_author_is_trusted_or_not() {
    let (_origin, ada) = one();
    let id = ada.remember("Payments are idempotent by order id.");
    sync(&ada);
    assert!(ada.interleaf(&["memory", "trust"]).success().contains("No memory of another author came in."));
    let name = "decisions/payments-are-idempotent-by-order-id.json";
    let text = fs::read_to_string(path(&ada, name)).expect("a file");
    let edited = text.replace(
        "\"title\": \"Payments are idempotent by order id\"",
        "\"title\": \"Orders are charged once\"",
    );
    assert_ne!(edited, text);
    fs::write(path(&ada, name), edited).expect("writable");

    sync(&ada);

    let memory = ada.memory(&id);
    assert_eq!(
        (memory["title"].as_str(), memory["origin"].as_str()),
        (Some("Orders are charged once"), Some("shared"))
    );
    // A checkout gives the file another time.
    let edited = fs::File::options().append(true).open(path(&ada, name)).expect("there");
    edited.set_modified(std::time::SystemTime::now()).expect("ours");
    sync(&ada);
    let history = ada.interleaf(&["memory", "history", &id]).success();
    assert_eq!(history.matches("changed title: its file was edited (files").count(), 1, "{history}");
    ada.interleaf(&["memory", "trust", "files", "--yes"]).success();
    assert_eq!(ada.memory(&id)["origin"], "assistant");
    assert_eq!(file(&ada, name)["title"], "Orders are charged once", "the name of the file stays");
}

#[test]
fn the_files_of_claude_memory_are_read_and_broken_ones_are_named_and_left_alone() {
    let (_origin, ada) = one();
    let quota = json!({
        "schema_version": "1.0", "category": "constraint", "id": "api-quota", "title": "API quota",
        "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-01-03T00:00:00Z", "tags": ["api"],
        "content": { "kind": "limitation", "rule": "The API takes 500 calls a day", "impact": ["slow"],
            "severity": "high", "active": true },
        "changes": [{ "date": "2026-01-02T03:04:05Z", "summary": "created" }],
    });
    ada.scratch.write(".claude/memory/constraints/api-quota.json", &quota.to_string());
    ada.scratch.write(".claude/memory/constraints/broken.json", "{ \"category\": \"constraint\" ");

    let synced = ada.interleaf(&TO_FILES);

    assert_eq!(synced.code, Some(1), "{}", synced.err());
    let out = synced.out();
    assert!(out.contains("constraints/broken.json: it is not valid JSON"), "{out}");
    let found = ada.interleaf(&["memory", "search", "how many calls does the API take a day?"]).success();
    assert!(found.contains("API quota"), "{found}");
    assert_eq!(
        fs::read_to_string(path(&ada, "constraints/api-quota.json")).expect("there"),
        quota.to_string()
    );
    assert_eq!(
        fs::read_to_string(path(&ada, "constraints/broken.json")).expect("there"),
        "{ \"category\": \"constraint\" "
    );
}

#[test]
fn a_file_that_git_could_not_merge_is_understood() {
    let (origin, ada) = one();
    let ben = origin.clone_for("Ben");
    let id = ada.remember("Payments are idempotent by order id.");
    sync(&ada);
    let publish = |clone: &Clone, message: &str| {
        clone.scratch.git(&["add", "--all"]);
        clone.scratch.git(&["commit", "--quiet", "--message", message]);
    };
    publish(&ada, "memories");
    ada.scratch.git(&["push", "--quiet", "origin", "HEAD:main"]);
    ben.scratch.git(&["pull", "--quiet", "origin", "main"]);
    sync(&ben);
    ben.interleaf(&["memory", "trust", "Ada", "--yes"]).success();

    ada.interleaf(&["memory", "rate", &id, "up"]).success();
    let text = "Payments are idempotent by order id and day.";
    ben.interleaf(&["memory", "update", &id, "--version", "2", "--text", text, "--reason", "measured"])
        .success();
    for clone in [&ada, &ben] {
        sync(clone);
        publish(clone, "more");
    }
    ada.scratch.git(&["push", "--quiet", "origin", "HEAD:main"]);
    let merged = interleaf_tests::run::run(
        ben.scratch.command("git").args(["pull", "--quiet", "--no-rebase", "origin", "main"]),
        b"",
        interleaf_tests::scratch::HANG_TIMEOUT,
    );
    assert_ne!(merged.code, Some(0), "git has merged it by itself");
    sync(&ben);

    let memory = ben.memory(&id);
    assert_eq!(memory["text"], text);
    assert!(memory["importance"].as_f64() > Some(0.8), "{memory:#}");
    assert!(
        !fs::read_to_string(path(&ben, "decisions/payments-are-idempotent-by-order-id.json"))
            .expect("there")
            .contains("<<<")
    );
}

#[test]
fn a_missing_file_says_nothing_and_the_end_of_a_memory_does() {
    let (_origin, ada) = one();
    let kept = ada.remember("Payments are idempotent by order id.");
    let retired = ada.remember("Otters sleep holding hands in the zoo of Basel.");
    let purged = ada.remember("The door code of the lab is seven two nine one.");
    sync(&ada);

    fs::remove_file(path(&ada, "decisions/payments-are-idempotent-by-order-id.json")).expect("there");
    ada.interleaf(&["forget", &retired, "--yes"]).success();
    ada.interleaf(&["forget", &purged, "--purge", "--yes"]).success();
    sync(&ada);

    assert_eq!(ada.memory(&kept)["status"], "active", "another branch may have the file");
    let otters = file(&ada, "decisions/otters-sleep-holding-hands-in-the-zoo-of-basel.json");
    assert_eq!(
        (otters["record_status"].as_str(), otters["retired_reason"].is_string()),
        (Some("retired"), true)
    );
    assert!(!path(&ada, "decisions/the-door-code-of-the-lab-is-seven-two-nine-one.json").exists());
    let ends = fs::read_to_string(path(&ada, "purged.jsonl")).expect("a list");
    assert!(ends.contains(&purged) && !ends.contains("door"), "{ends}");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let (_origin, ada) = one();
    ada.remember("Payments are idempotent by order id.");
    let elsewhere = ada.scratch.root.join("elsewhere");
    fs::create_dir_all(&elsewhere).expect("writable");
    fs::create_dir_all(ada.scratch.project.join(".claude")).expect("writable");
    std::os::unix::fs::symlink(&elsewhere, ada.scratch.project.join(".claude/memory")).expect("a link");

    let refused = ada.interleaf(&TO_FILES);

    assert!(refused.code == Some(1) && refused.err().contains("is a link"), "{}", refused.err());
    assert_eq!(fs::read_dir(&elsewhere).expect("a folder").count(), 0);
}

#[test]
fn notes_and_files_can_be_used_together() {
    let (origin, ada) = one();
    let ben = origin.clone_for("Ben");
    sync(&ada);
    ada.sync();
    let id = ben.remember("Payments are idempotent by order id.");
    ben.sync();

    ada.interleaf(&["sync"]).success();
    ada.interleaf(&["sync"]).success();

    assert_eq!(file(&ada, "decisions/payments-are-idempotent-by-order-id.json")["interleaf"]["id"], id);
}

#[test]
fn the_agent_does_not_edit_the_files_once_memories_are_exchanged_there() {
    let (_origin, ada) = one();
    ada.scratch.interleaf(&["compile"]).success();
    ada.scratch.write(".claude/memory/index.md", "another tool's");
    let edit = || {
        let path = ada.scratch.project.join(".claude/memory/decisions/x.json");
        let input = json!({ "file_path": path, "content": "{}" });
        decision_on_call(&ada.scratch, "Write", &input, &[])
    };
    assert_eq!(edit(), None);

    sync(&ada);
    assert_eq!(edit().as_deref(), Some("deny"));
    let overwrite = "echo '{}' > .claude/memory/decisions/x.json";
    assert_eq!(decision(&ada.scratch, overwrite, &[]).as_deref(), Some("deny"));
    assert_eq!(decision(&ada.scratch, "git add .claude/memory", &[]), None);

    ada.interleaf(&["sync", "--stop"]).success();
    assert_eq!(edit(), None);
}

/// Updates a file as claude-memory does: without the fields that it does not know, under a name that follows
/// from the new title. The time of the creation stays.
fn update_with_claude_memory(clone: &Clone, name: &str, title: &str, rule: &str, new_name: &str) {
    let mut memory = file(clone, name);
    let fields = memory.as_object_mut().expect("an object");
    fields.remove("interleaf");
    fields.insert("title".to_owned(), title.into());
    fields.insert("updated_at".to_owned(), "2099-01-01T00:00:00Z".into());
    memory["content"]["rule"] = rule.into();
    fs::remove_file(path(clone, name)).expect("it was there");
    fs::write(path(clone, new_name), memory.to_string()).expect("the folder is there");
}

#[test]
fn a_file_that_claude_memory_updated_stays_the_same_memory() {
    const RULE: &str = "The vendor allows 10 requests a second, by contract.";
    let (origin, ada) = one();
    let ben = origin.clone_for("Ben");
    let saved =
        ada.interleaf(&["remember", "-c", "constraint", "--asked-as", "why so slow?", "--json", RULE]);
    let saved: Value = serde_json::from_str(&saved.success()).expect("an object");
    let id = saved["id"].as_str().expect("an id").to_owned();
    let name = "constraints/the-vendor-allows-10-requests-a-second-by-contract.json";
    let commit_and_push = || {
        ada.scratch.git(&["add", "--all"]);
        ada.scratch.git(&["commit", "--quiet", "--message", "memories"]);
        ada.scratch.git(&["push", "--quiet", "origin", "HEAD:main"]);
    };
    sync(&ada);
    commit_and_push();
    ben.scratch.git(&["pull", "--quiet", "origin", "main"]);
    sync(&ben);

    let (title, rule) = ("Vendor quota", "The vendor allows 20 requests a second.");
    update_with_claude_memory(&ada, name, title, rule, "constraints/vendor-quota.json");
    // Ben gets the file before anybody exchanged it.
    commit_and_push();
    ben.scratch.git(&["pull", "--quiet", "origin", "main"]);

    for clone in [&ben, &ada] {
        sync(clone);
        let memory = clone.memory(&id);
        assert_eq!((&memory["title"], &memory["text"]), (&json!(title), &json!(rule)));
        assert_eq!(memory["asked_as"], json!(["why so slow?"]));
        assert_eq!(clone.active().len(), 1, "{:#?}", clone.active());
        assert!(!path(clone, name).exists());
        assert_eq!(file(clone, "constraints/vendor-quota.json")["interleaf"]["id"], json!(id));
    }
    assert_eq!(ada.active(), ben.active());
}
