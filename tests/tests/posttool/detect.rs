//! `interleaf detect` scores one event and changes nothing.

use super::{failure, prepared_project, queue};
use interleaf_tests::scratch::{SESSION, Scratch};
use serde_json::{Value, json};

fn detect(scratch: &Scratch, event: &str) -> Value {
    let printed = scratch.interleaf_with(&["detect"], event.as_bytes()).success();
    serde_json::from_str(&printed).expect("one JSON object")
}

#[test]
fn a_failure_is_learnable_with_score_category_and_reasons() {
    let scratch = prepared_project();

    let found = detect(
        &scratch,
        &failure(&scratch, SESSION, "make deploy", "Exit code 2\nmake: *** [deploy] Error 1"),
    );

    assert_eq!((&found["learnable"], &found["category"]), (&json!(true), &json!("error")), "{found}");
    assert!(found["score"].as_f64().is_some_and(|score| (0.6..=1.0).contains(&score)), "{found}");
    assert!(found["reasons"].to_string().contains("exit code 2"), "{found}");
    assert!(queue(&scratch).is_empty(), "it only looks");
    assert!(!scratch.interleaf_home.join("state/log.jsonl").exists(), "and logs nothing");
}

#[test]
fn an_event_that_is_not_learnable_has_a_reason() {
    let scratch = prepared_project();
    let prompt = scratch.event("UserPromptSubmit", json!({ "prompt": "error: failed" }));
    let tool = |tool: &str, response: Value| {
        let fields =
            json!({ "tool_name": tool, "tool_input": {}, "tool_use_id": "t", "tool_response": response });
        scratch.event("PostToolUse", fields)
    };
    for (event, reason) in [
        (prompt, "does not score UserPromptSubmit"),
        (tool("Read", json!({ "file": { "content": "TypeError: x" } })), "does not score the tool Read"),
        (tool("Bash", json!({ "stdout": "fine" })), "no signal found"),
        (failure(&scratch, SESSION, "grep x y", "Exit code 1"), "no signal found"),
    ] {
        let found = detect(&scratch, &event);

        assert_eq!(found["learnable"], false, "{found}");
        assert!(found["reasons"][0].as_str().is_some_and(|text| text.contains(reason)), "{found}");
    }
}

#[test]
fn what_a_tool_of_interleaf_refuses_is_not_captured() {
    let scratch = prepared_project();
    for tool in ["mcp__interleaf__show", "mcp__plugin_memory_interleaf__show", "mcp__other__show"] {
        let fields = json!({
            "tool_name": tool, "tool_input": {}, "tool_use_id": "t", "is_interrupt": false,
            "error": "error: invalid request: cannot find the memory",
        });
        let event = scratch.event("PostToolUseFailure", fields);
        scratch.interleaf_with(&["hook"], event.as_bytes()).success();
    }

    assert_eq!(queue(&scratch).len(), 1, "only that of another server");
}

#[test]
fn settings_of_the_person_apply_and_a_project_can_switch_the_layer_off() {
    let scratch = prepared_project();
    let event = failure(&scratch, SESSION, "node x.js", "Exit code 1");
    assert_eq!(detect(&scratch, &event)["learnable"], false);

    scratch.configure("[layers.posttool.settings]\nthreshold = 0.4\nweights = { exit = 0.45 }\n");

    let found = detect(&scratch, &event);
    assert_eq!((&found["learnable"], &found["score"]), (&json!(true), &json!(0.45)), "{found}");
    scratch.write(".claude/interleaf.toml", "[layers.posttool]\nenabled = false\n");
    assert!(detect(&scratch, &event)["reasons"][0].to_string().contains("does not run here"));
}

#[test]
fn input_that_is_not_an_event_is_refused() {
    let scratch = prepared_project();
    for input in ["", "not json", "[]", "{}", r#"{"session_id":"s","hook_event_name":"PostToolUse"}"#] {
        let ran = scratch.interleaf_with(&["detect"], input.as_bytes());

        assert_eq!((ran.code, ran.out()), (Some(2), String::new()), "{input}");
        assert!(
            ran.err().starts_with("error: ") && ran.err().contains("standard input"),
            "{input}: {}",
            ran.err()
        );
    }
}
