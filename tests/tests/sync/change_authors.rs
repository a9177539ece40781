//! Who changed a memory: its history names the authors of other devices.

use super::clones::{Clone, Origin};
use interleaf_tests::mcp_session::McpSession;
use serde_json::Value;

/// Returns the history of a memory as JSON.
fn history(clone: &Clone, id: &str) -> Vec<Value> {
    let lines = clone.interleaf(&["memory", "history", id, "--json"]).success();
    lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// Returns two clones that hold a memory of the first one, with its id.
fn shared_memory() -> (Origin, Clone, Clone, String) {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    ben.sync();
    (origin, ada, ben, id)
}

#[test]
fn the_history_names_the_author_of_each_change_of_another_device() {
    let (_origin, ada, ben, id) = shared_memory();
    ben.interleaf(&["memory", "rate", &id, "up"]).success();
    ben.sync();
    ada.sync();
    ada.interleaf(&["memory", "rate", &id, "down"]).success();

    let text = ada.interleaf(&["memory", "history", &id]).success();
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert!(lines[1].contains("rated up") && lines[1].contains("; Ben (device "), "{text}");
    assert!(!lines[0].contains("(device") && !lines[2].contains("(device"), "{text}");
    let names: Vec<Value> =
        history(&ada, &id).iter().map(|change| change["author"]["name"].clone()).collect();
    assert_eq!(names, [Value::Null, "Ben".into(), Value::Null]);

    let by_ada = history(&ben, &id);
    assert_eq!((by_ada[0]["author"]["name"].as_str(), by_ada[1].get("author")), (Some("Ada"), None));
    let mut tools = McpSession::start(&ada.scratch);
    let told = tools.ask("history", serde_json::json!({ "id": id }));
    assert!(told.contains("rated up (interleaf memory rate; Ben (device "), "{told}");
    let shown = ben.memory(&id);
    assert_eq!(shown["changes"][0]["author"]["name"], "Ada");
}

#[test]
fn a_memory_that_another_device_changed_last_shows_who_did() {
    let (_origin, ada, ben, id) = shared_memory();
    ben.interleaf(&["forget", &id, "--yes"]).success();
    ben.sync();
    ada.sync();

    let shown = ada.interleaf(&["memory", "show", &id]).success();

    let last = shown.lines().find(|line| line.starts_with("last")).expect("the last change");
    assert!(last.contains("retired") && last.contains("; Ben (device "), "{shown}");
}

#[test]
fn a_memory_whose_words_somebody_changed_who_is_not_trusted_counts_as_quoted() {
    let (_origin, ada, ben, id) = shared_memory();
    let text = "We keep payments idempotent by the id of their webhook.";
    let version = ben.memory(&id)["version"].to_string();
    let change = ["--text", text, "--version", &version, "--reason", "it changed"];
    ben.interleaf(&[&["memory", "update", &id], &change[..]].concat()).success();
    ben.sync();

    let told = ada.sync();

    assert_eq!(ada.memory(&id)["origin"], "shared");
    assert!(told.contains("1 memory is quoted until you trust Ben"), "{told}");
    let start = ada.interleaf(&["memory", "search", "--preview", "start"]).err();
    assert!(start.contains("of an author whom you do not trust, so it is no rule"), "{start}");
    ada.interleaf(&["memory", "trust", "Ben", "--yes"]).success();
    assert_eq!(ada.memory(&id)["origin"], "assistant");
    assert!(!ada.sync().contains("quoted"));
}
