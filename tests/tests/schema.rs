//! `interleaf schema`: the fields of memories, for people and programs that write them.

use std::fs;

use interleaf_tests::scratch::Scratch;
use serde_json::Value;

#[test]
fn the_categories_are_listed_with_their_required_fields() {
    let scratch = Scratch::new();

    let output = scratch.interleaf(&["schema"]).success();

    assert!(output.contains("runbook"), "{output}");
    assert!(output.contains("requires trigger, steps, verification"), "{output}");
    let lines = scratch.interleaf(&["schema", "--json"]).success();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[1]["category"], "decision");
    assert_eq!(lines[1]["required"], serde_json::json!(["decision", "rationale"]));
}

#[test]
fn a_category_s_schema_is_printed_and_all_are_written() {
    let scratch = Scratch::new();
    let folder = scratch.root.join("schemas");

    let printed = scratch.interleaf(&["schema", "decision"]).success();
    scratch.interleaf(&["schema", "--all", folder.to_str().unwrap()]).success();

    let schema: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(schema["properties"]["rationale"]["minItems"], 1);
    assert_eq!(fs::read_to_string(folder.join("decision.json")).unwrap(), printed);
}
