//! The example layer in each of its languages gives the same answers. Its components are built with real
//! tools.

use interleaf::claude::Permission;
use interleaf::error::Error;
use interleaf::harness::{Harness, Outcome, event};
use interleaf_tests::examples::{Language, cases};

const GRANTS: &str = r#"{"decide": ["ask"], "memory": {"read": ["constraint"]}, "project": true}"#;
const RULE: &str = "Never force push to main: the deploy robot follows it, and the auditors read its history";
const PUSH: &str = "git push --force origin main";

/// What the layer must do, whatever its language.
type Rule = fn(Harness) -> Result<Harness, Error>;

const RULES: [Rule; 7] = [
    it_asks_about_the_commands_of_the_table_and_no_others,
    a_matching_constraint_is_shown_every_time,
    without_the_power_its_decision_is_dropped_and_logged,
    without_memory_access_it_still_asks,
    without_project_access_it_asks_only_about_named_branches,
    the_protected_branches_are_a_setting,
    tools_other_than_bash_get_no_reply,
];

#[test]
fn the_layer_in_rust_keeps_the_rules() {
    check_rules(Language::Rust);
}

#[test]
fn the_layer_in_javascript_keeps_the_rules() {
    check_rules(Language::JavaScript);
}

#[test]
fn the_layer_in_python_keeps_the_rules() {
    check_rules(Language::Python);
}

/// Checks all rules with one harness, because compiling a component of twelve or eighteen megabytes takes
/// half a minute. Each rule begins on the branch `main`, with all grants that the layer requests.
#[track_caller]
fn check_rules(language: Language) {
    let Some(wasm) = language.component() else { return };
    check_imports(language, &wasm);
    let mut harness = Harness::component("protect-branch", wasm).expect("it loads");
    for rule in RULES {
        let ready = harness.grants(GRANTS).and_then(|harness| harness.config("")).expect("it can be set up");
        harness = rule(ready.branch("main", &[])).expect("the host does its part");
    }
}

fn ask_reason(outcome: &Outcome) -> Option<&str> {
    match &outcome.reply.permission {
        Some((Permission::Ask, reason)) => Some(reason),
        Some((other, reason)) => panic!("it answered {other:?}: {reason}"),
        None => None,
    }
}

fn it_asks_about_the_commands_of_the_table_and_no_others(mut harness: Harness) -> Result<Harness, Error> {
    for case in cases().as_array().expect("a list") {
        let command = case["command"].as_str().expect("every case has a command");
        harness = harness.branch(case["on"].as_str().unwrap_or("main"), &[]);
        let outcome = harness.send(&event::command(command))?;
        assert!(outcome.log.is_empty(), "{command}: {:?}", outcome.log);
        match (case["branch"].as_str(), ask_reason(&outcome)) {
            (None, None) => assert_eq!(outcome.context(), "", "{command}"),
            (Some(branch), Some(reason)) => {
                assert!(reason.contains("git"), "{command}: {reason}");
                assert!(reason.ends_with(&format!("the protected branch {branch}")), "{command}: {reason}");
            }
            (expected, got) => panic!("{command}: expected {expected:?}, got {got:?}"),
        }
    }
    Ok(harness)
}

fn a_matching_constraint_is_shown_every_time(harness: Harness) -> Result<Harness, Error> {
    let harness = harness.remember("constraint", RULE)?;
    let harness = harness.remember("decision", "We force push to main no more, says the retrospective")?;
    for _ in 0..2 {
        let outcome = harness.send(&event::command(PUSH))?;
        assert!(ask_reason(&outcome).is_some());
        assert_eq!(outcome.context().matches(RULE).count(), 1, "{}", outcome.context());
        assert!(!outcome.context().contains("retrospective"), "{}", outcome.context());
    }
    Ok(harness)
}

fn without_the_power_its_decision_is_dropped_and_logged(harness: Harness) -> Result<Harness, Error> {
    let harness = harness.grants(r#"{"memory": "read", "project": true}"#)?;
    let before = harness.send(&event::command("ls"))?.log.len();
    let outcome = harness.send(&event::command(PUSH))?;
    assert_eq!(outcome.reply.permission, None);
    let messages = outcome.log[before..].iter().map(|line| line.message.as_str()).collect::<Vec<_>>();
    assert_eq!(messages, ["answered ask, but was not granted that power; the answer was ignored"]);
    Ok(harness)
}

fn without_memory_access_it_still_asks(harness: Harness) -> Result<Harness, Error> {
    let harness = harness.remember("constraint", RULE)?.grants(r#"{"decide": ["ask"], "project": true}"#)?;
    let outcome = harness.send(&event::command(PUSH))?;
    assert!(ask_reason(&outcome).is_some());
    assert_eq!(outcome.context(), "");
    Ok(harness)
}

fn without_project_access_it_asks_only_about_named_branches(harness: Harness) -> Result<Harness, Error> {
    let harness = harness.grants(r#"{"decide": ["ask"], "memory": "read"}"#)?;
    assert!(ask_reason(&harness.send(&event::command(PUSH))?).is_some());
    let unnamed = harness.send(&event::command("git push --force"))?;
    assert_eq!(unnamed.reply.permission, None);
    let message = &unnamed.log.last().expect("the denial is logged").message;
    assert!(message.contains("project"), "{message}");
    Ok(harness)
}

fn the_protected_branches_are_a_setting(harness: Harness) -> Result<Harness, Error> {
    let settings = "[layers.protect-branch.settings]\nbranches = [\"release\"]\n";
    let harness = harness.config(settings)?;
    assert!(ask_reason(&harness.send(&event::command("git push -f origin release"))?).is_some());
    assert_eq!(ask_reason(&harness.send(&event::command(PUSH))?), None);
    Ok(harness)
}

fn tools_other_than_bash_get_no_reply(harness: Harness) -> Result<Harness, Error> {
    let written = serde_json::json!({
        "tool_name": "Write", "tool_input": { "file_path": "push.sh", "content": PUSH, "command": PUSH },
        "tool_use_id": "toolu_1",
    });
    let outcome = harness.send(&event::event("PreToolUse", written))?;
    assert_eq!((ask_reason(&outcome), outcome.context()), (None, ""));
    Ok(harness)
}

/// Checks that the component imports only the interfaces of its world.
fn check_imports(language: Language, wasm: &[u8]) {
    let inspection = interleaf::contract::inspect(wasm).expect("it is a component");
    assert!(inspection.mismatches.is_empty(), "{:?}", inspection.mismatches);
    let (wasi, own): (Vec<String>, Vec<String>) =
        inspection.imports.into_iter().partition(|name| name.starts_with("wasi:"));
    let world =
        ["types", "memory", "project", "settings"].map(|name| format!("interleaf:layer/{name}@0.1.0"));
    assert!(own.iter().all(|name| world.contains(name)), "{own:?}");
    assert!(world[1..].iter().all(|name| own.contains(name)), "{own:?}");
    match language {
        // Rust's standard library imports streams and an environment, which are empty.
        Language::Rust => {
            assert!(wasi.iter().all(|name| name.starts_with("wasi:cli/") || name.starts_with("wasi:io/")));
        }
        Language::JavaScript | Language::Python => assert_eq!(wasi, [""; 0]),
    }
}
