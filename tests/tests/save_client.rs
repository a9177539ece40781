//! Saving with the real client: a lesson of one session is in the first request of the next, and a memory
//! that was shown is not saved again.

use interleaf_tests::client::{Client, Session};
use interleaf_tests::harmless::check_harmless;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::stub_api::{Script, StubApi, Turn};
use serde_json::{Value, json};

const RULE: &str = "From now on never pack glassware with paper here, always use the cork sheets: the \
                    insurer refuses claims for anything else.";
const RULE_MARK: &str = "cork sheets";

/// The variable by which the client is told who started it. The desktop program sends what a
/// person types over the SDK.
const ENTRYPOINT: &str = "CLAUDE_CODE_ENTRYPOINT";

#[test]
fn a_rule_that_a_script_sends_is_tentative() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    let stub = StubApi::start(Script::new([bash("touch packed"), Turn::says("packed with cork")]));
    let mut session = client.run(&scratch, &stub).env(ENTRYPOINT, "sdk-cli").session();
    session.say(RULE);
    session.end();

    let saved = memories(&scratch);
    let rule = saved.iter().find(|memory| memory["category"] == "preference");
    let rule = rule.unwrap_or_else(|| panic!("{saved:?}"));
    assert!(rule["tags"].to_string().contains("tentative"), "{rule}");
}

#[test]
fn a_rule_from_one_session_is_shown_at_the_start_of_the_next() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    let stub = StubApi::start(Script::new([bash("touch packed"), Turn::says("packed with cork")]));
    let mut session = client.run(&scratch, &stub).env(ENTRYPOINT, "claude-desktop").session();
    session.say(RULE);
    session.end();

    let saved = memories(&scratch);
    let next = StubApi::start(Script::new([Turn::says("hello")]));
    let mut session = client.run(&scratch, &next).session();
    session.say("good morning");
    assert_hooks_harmless(&session, "SessionStart");
    session.end();

    let rules: Vec<&Value> = saved.iter().filter(|memory| memory["category"] == "preference").collect();
    assert_eq!(rules.len(), 1, "{saved:?}");
    assert!(rules[0]["text"].as_str().is_some_and(|text| text.contains(RULE_MARK)), "{rules:?}");
    assert!(next.requests_of("main")[0].count(RULE_MARK) >= 1, "it is not in the request");
    let after = memories(&scratch);
    let again = after.iter().filter(|memory| memory["category"] == "preference").count();
    assert_eq!(again, 1, "what was shown was saved again: {after:?}");
}

#[test]
fn a_hook_that_submits_a_job_prints_nothing_and_does_not_delay_the_client() {
    let Some(client) = Client::find() else { return };
    let scratch = shop();
    let stub = StubApi::start(Script::new([Turn::says("fine")]));
    let mut session = client.run(&scratch, &stub).session();

    session.say(RULE);

    assert_hooks_harmless(&session, "Stop");
    session.end();
}

fn shop() -> Scratch {
    let scratch = Scratch::new();
    scratch.interleaf(&["init"]).success();
    scratch
}

/// Runs all waiting jobs and returns the active memories.
fn memories(scratch: &Scratch) -> Vec<Value> {
    scratch.interleaf(&["jobs", "run"]).success();
    let export = scratch.interleaf(&["memory", "export"]).success();
    let memories = export.lines().map(|line| serde_json::from_str(line).expect("a memory is JSON"));
    memories.filter(|memory: &Value| memory["status"] == "active").collect()
}

fn bash(command: &str) -> Turn {
    Turn::uses("Bash", json!({ "command": command, "description": "a step" }))
}

/// Checks that the hooks of this event ran and that none of them did harm.
fn assert_hooks_harmless(session: &Session<'_>, event: &str) {
    let hooks = session.hook_runs(event);
    assert!(!hooks.is_empty(), "{event} is not registered");
    for hook in hooks {
        assert_eq!(check_harmless(&hook), Ok(()), "{event}");
    }
}
