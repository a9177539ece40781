//! The JSON that is printed for each event.

use serde_json::json;

use super::*;

/// A reply with all of its parts.
fn full() -> Reply {
    Reply {
        context: Some("known fix".to_owned()),
        continue_turn: true,
        permission: Some((Permission::Deny, "too risky".to_owned())),
        updated_input: Some(json!({"command": "ls"})),
        updated_output: Some(json!({"stdout": ""})),
        block: Some("not yet".to_owned()),
        stop: Some("enough".to_owned()),
        notice: Some("3 memories".to_owned()),
    }
}

fn printed(reply: &Reply, event: &str) -> Value {
    let json = reply.to_json(event).unwrap();
    assert!(!json.contains('\n'));
    serde_json::from_str(&json).unwrap()
}

#[test]
fn each_event_gets_only_the_parts_that_it_accepts() {
    let general = json!({"continue": false, "stopReason": "enough", "systemMessage": "3 memories"});
    let blocked = |mut rest: Value| {
        rest["decision"] = json!("block");
        rest["reason"] = json!("not yet");
        rest
    };
    let specific = |mut rest: Value, event: &str, fields: Value| {
        rest["hookSpecificOutput"] = fields;
        rest["hookSpecificOutput"]["hookEventName"] = json!(event);
        rest
    };
    let context = json!({"additionalContext": "known fix"});
    let denied = json!({"permissionDecision": "deny", "permissionDecisionReason": "too risky"});

    for event in ["SessionStart", "SubagentStart", "PostModelSwitch"] {
        assert_eq!(printed(&full(), event), specific(general.clone(), event, context.clone()), "{event}");
    }
    for event in [
        "UserPromptSubmit",
        "UserPromptExpansion",
        "PostToolUseFailure",
        "PostToolBatch",
        "Stop",
        "SubagentStop",
    ] {
        assert_eq!(
            printed(&full(), event),
            specific(blocked(general.clone()), event, context.clone()),
            "{event}"
        );
    }
    let pre_tool = json!({
        "additionalContext": "known fix", "updatedInput": {"command": "ls"},
        "permissionDecision": "deny", "permissionDecisionReason": "too risky",
    });
    assert_eq!(printed(&full(), "PreToolUse"), specific(general.clone(), "PreToolUse", pre_tool));
    let post_tool = json!({"additionalContext": "known fix", "updatedToolOutput": {"stdout": ""}});
    assert_eq!(printed(&full(), "PostToolUse"), specific(blocked(general.clone()), "PostToolUse", post_tool));
    assert_eq!(printed(&full(), "PreModelSwitch"), specific(general.clone(), "PreModelSwitch", denied));
    for event in ["ConfigChange", "TaskCreated"] {
        assert_eq!(printed(&full(), event), blocked(general.clone()), "{event}");
    }
    for event in ["Setup", "SessionEnd", "Notification", "PermissionRequest", "Dreaming", ""] {
        assert_eq!(printed(&full(), event), general, "{event}");
    }
    assert_eq!(printed(&full(), "PreCompact"), json!({"decision": "block", "reason": "not yet"}));
    assert_eq!(full().to_json("WorktreeCreate"), None);
}

#[test]
fn an_empty_reply_prints_nothing() {
    let blank = Reply {
        context: Some(" \n".to_owned()),
        notice: Some(String::new()),
        continue_turn: true,
        ..Reply::default()
    };
    for event in ["SessionStart", "Stop", "PreCompact", "Dreaming"] {
        assert_eq!(Reply::default().to_json(event), None);
        assert_eq!(blank.to_json(event), None);
    }
    let context = Reply { context: Some("known fix".to_owned()), ..Reply::default() };
    assert_eq!(context.to_json("SessionEnd"), None);
}

#[test]
fn on_stop_context_is_printed_only_if_the_model_is_to_continue() {
    let context = Reply { context: Some("tests fail".to_owned()), ..Reply::default() };
    for event in ["Stop", "SubagentStop"] {
        assert_eq!(context.to_json(event), None);
        assert!(Reply { continue_turn: true, ..context.clone() }.to_json(event).is_some());
    }
}

#[test]
fn a_decision_without_a_reason_still_takes_effect() {
    let reply = Reply {
        permission: Some((Permission::Ask, String::new())),
        block: Some(String::new()),
        stop: Some(String::new()),
        ..Reply::default()
    };
    let ask = json!({
        "continue": false, "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}
    });
    assert_eq!(printed(&reply, "PreToolUse"), ask);
    assert_eq!(printed(&reply, "UserPromptSubmit"), json!({"continue": false, "decision": "block"}));
}

#[test]
fn input_that_is_not_an_object_is_left_out() {
    for input in [json!(null), json!("ls"), json!(["ls"])] {
        assert_eq!(Reply { updated_input: Some(input), ..Reply::default() }.to_json("PreToolUse"), None);
    }
}

#[test]
fn texts_are_printed_unchanged() {
    let text = "a \"quote\"\n\u{0}\u{1f600}\u{2028} \\";
    let reply = Reply { context: Some(text.to_owned()), ..Reply::default() };

    assert_eq!(printed(&reply, "SessionStart")["hookSpecificOutput"]["additionalContext"], json!(text));
}

#[test]
fn length_is_counted_in_utf16_units() {
    assert_eq!(
        (utf16_len(""), utf16_len("abc"), utf16_len("é"), utf16_len("漢字"), utf16_len("😀")),
        (0, 3, 1, 2, 2)
    );
    assert_eq!(utf16_len("x".repeat(MAX_TEXT_UNITS).as_str()), 10_000);
}
