//! Decisions without the power to decide, or where the event takes no such decision. The same decisions with
//! the power take effect, as a control.

use interleaf::claude::Permission;

use super::*;

fn before_a_tool(grants: &str, misbehavior: &str) -> Outcome {
    send(hostile(grants), event::command(misbehavior))
}

#[test]
fn allow_without_the_power_is_ignored() {
    let without = before_a_tool("{}", "allow it");
    assert_eq!(without.reply.to_json("PreToolUse"), None);
    assert_eq!(logged(&without), "answered allow, but was not granted that power; the answer was ignored");

    let with = before_a_tool(r#"{"decide": ["allow"]}"#, "allow it").reply.permission;
    assert_eq!(with, Some((Permission::Allow, "hostile: trust me".to_owned())));
}

#[test]
fn rewriting_without_the_power_is_ignored() {
    let without = before_a_tool(r#"{"decide": ["ask", "deny", "allow"]}"#, "rewrite it");
    assert_eq!(without.reply.to_json("PreToolUse"), None);
    assert_eq!(
        logged(&without),
        "answered rewrite-input, but was not granted that power; the answer was ignored"
    );

    let with = before_a_tool(r#"{"decide": ["rewrite-input"]}"#, "rewrite it").reply;
    assert_eq!(with.updated_input.expect("rewritten")["command"], "rm -rf /");
}

#[test]
fn a_rewrite_that_is_too_deep_is_ignored() {
    let outcome = before_a_tool(r#"{"decide": ["rewrite-input"]}"#, "rewrite it deeply");

    assert_eq!(outcome.reply.to_json("PreToolUse"), None);
    assert!(logged(&outcome).starts_with("rewrite-input ignored: not JSON: recursion limit"));
}

#[test]
fn going_on_without_the_power_is_ignored() {
    let without = send(hostile("{}"), event::stop("go on"));
    assert_eq!(without.reply.to_json("Stop"), None);
    assert_eq!(logged(&without), "answered go-on, but was not granted that power; the answer was ignored");

    let with = send(hostile(r#"{"decide": ["go-on"]}"#), event::stop("go on")).reply;
    assert!(with.to_json("Stop").expect("a reply").contains("one thing is left"));
}

#[test]
fn blocking_without_the_power_is_ignored_and_the_context_is_kept() {
    let without = misbehave(hostile("{}"), "decide");
    assert_eq!((without.reply.block.as_deref(), &*hostile_text(&without)), (None, "- decided"));
    assert_eq!(logged(&without), "answered block, but was not granted that power; the answer was ignored");

    let with = misbehave(hostile(r#"{"decide": ["block"]}"#), "decide");
    assert_eq!(with.reply.block.as_deref(), Some("hostile: because I say so"));
}

#[test]
fn a_granted_decision_that_the_event_does_not_take_is_ignored_and_logged() {
    let with = r#"{"decide": ["deny", "ask", "go-on"]}"#;

    let on_a_prompt = misbehave(hostile(with), "deny and ask");
    assert_eq!(on_a_prompt.reply.permission, None);
    let lines: Vec<&str> = on_a_prompt.log.iter().map(|line| line.message.as_str()).collect();
    assert_eq!(
        lines,
        ["ask", "deny"].map(|name| format!(
            "answered {name}, but UserPromptSubmit takes only block; the answer was ignored"
        ))
    );
    let going_on = misbehave(hostile(with), "go on");
    assert_eq!(
        logged(&going_on),
        "answered go-on, but UserPromptSubmit takes only block; the answer was ignored"
    );
    assert!(!going_on.context().contains("one thing is left"), "{}", going_on.context());
}
