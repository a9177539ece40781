//! Who changed a memory: its history names the authors of other devices.

use super::clones::{Clone, Origin};
use serde_json::Value;

/// Returns the history of a memory as JSON.
fn history(clone: &Clone, id: &str) -> Vec<Value> {
    let lines = clone.interleaf(&["memory", "history", id, "--json"]).success();
    lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn the_history_names_the_author_of_each_change_of_another_device() {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    ben.sync();
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
    let shown = ben.memory(&id);
    assert_eq!(shown["changes"][0]["author"]["name"], "Ada");
}

#[test]
fn a_memory_that_another_device_changed_last_shows_who_did() {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    let id = ada.remember("We keep payments idempotent by order id.");
    ada.sync();
    ben.sync();
    ben.interleaf(&["forget", &id, "--yes"]).success();
    ben.sync();
    ada.sync();

    let shown = ada.interleaf(&["memory", "show", &id]).success();

    let last = shown.lines().find(|line| line.starts_with("last")).expect("the last change");
    assert!(last.contains("retired") && last.contains("; Ben (device "), "{shown}");
}
