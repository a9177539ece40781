//! Gates: a layer that was accepted with the power to ask or deny gives its pinned answer if it is missing,
//! changed or failing. Any layer that fails repeatedly is suspended, but not before tool calls that it
//! guards.

use interleaf_tests::guests;
use interleaf_tests::scratch::Scratch;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const GATE: &str =
    "[layers.gate]\non_failure = \"deny\"\n[layers.gate.grants]\ndecide = [\"ask\", \"deny\"]\n";

fn with_accepted_layer(asks: &str) -> (Scratch, PathBuf) {
    let scratch = Scratch::new();
    let file = scratch.add_layer("gate", &guests::hostile(), asks);
    let _ = scratch.accept("gate", &[]).success();
    (scratch, file)
}

fn permission(answer: &Value) -> Option<(&str, &str)> {
    let output = answer.get("hookSpecificOutput")?;
    Some((output["permissionDecision"].as_str()?, output["permissionDecisionReason"].as_str()?))
}

#[track_caller]
fn assert_pinned(answer: &Value, decision: &str, why: &str) {
    let (actual, reason) = permission(answer).unwrap_or_else(|| panic!("no decision: {answer}"));
    assert_eq!(actual, decision);
    assert!(reason.contains("its pinned answer applies") && reason.contains(why), "{reason}");
}

#[test]
fn a_changed_gate_gives_its_pinned_answer_and_the_person_is_notified() {
    let (scratch, file) = with_accepted_layer(GATE);
    fs::write(&file, [&guests::hostile()[..], &[0, 2, 1, b'x']].concat()).expect("ours");

    let answer = scratch.before_command("one", "ls");

    assert_pinned(&answer, "deny", "its file was changed and the change is not accepted");
    assert!(
        answer["systemMessage"].as_str().is_some_and(|line| line.contains("interleaf layer accept gate"))
    );
    assert_eq!(scratch.before_command("one", "ls").get("systemMessage"), None, "notified once");
    assert_eq!(scratch.prompt("one", "behave"), "", "and it does not run");
}

#[test]
fn a_missing_gate_gives_its_pinned_answer_until_it_is_revoked() {
    let (scratch, file) = with_accepted_layer(GATE);
    fs::remove_file(&file).expect("ours");

    assert_pinned(&scratch.before_command("one", "ls"), "deny", "is missing");
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("gone"));

    let _ = scratch.interleaf(&["layer", "revoke", "gate"]).success();
    assert_eq!(scratch.before_command("one", "ls"), Value::Null);
}

#[test]
fn a_failing_gate_asks_by_default() {
    let (scratch, file) = with_accepted_layer("[layers.gate.grants]\ndecide = [\"deny\"]\n");
    fs::remove_file(&file).expect("ours");

    assert_pinned(&scratch.before_command("one", "ls"), "ask", "is missing");
}

#[test]
fn a_missing_layer_that_is_not_a_gate_decides_nothing() {
    let (scratch, file) = with_accepted_layer("[layers.gate]\non_failure = \"deny\"\n");
    fs::remove_file(&file).expect("ours");

    assert_eq!(scratch.before_command("one", "ls"), Value::Null);
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("gone"));
}

#[test]
fn a_project_cannot_switch_off_a_gate_but_the_person_can() {
    let (scratch, _) = with_accepted_layer(GATE);

    scratch.write(".claude/interleaf.toml", "[layers.gate]\nenabled = false\n");
    assert!(permission(&scratch.before_command("one", "ls")).is_some());

    let config = scratch.interleaf_home.join("config/config.toml");
    fs::write(config, "[layers.gate]\nenabled = false\n").expect("ours");
    assert_eq!(scratch.before_command("two", "ls"), Value::Null);
}

#[test]
fn a_gate_without_compiled_code_gives_its_pinned_answer_until_it_is_compiled() {
    let (scratch, _) = with_accepted_layer(GATE);
    fs::remove_dir_all(scratch.interleaf_home.join("cache/compiled")).expect("ours");

    assert_pinned(&scratch.before_command("one", "ls"), "deny", "it is being compiled");

    // The hook started the compilation in the background, which may still be running.
    for _ in 0..600 {
        if permission(&scratch.before_command("one", "ls")) == Some(("deny", "gate: no")) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("it was never compiled: {}", scratch.interleaf(&["doctor"]).out());
}

#[test]
fn a_session_start_has_missing_code_compiled() {
    let (scratch, _) = with_accepted_layer(GATE);
    fs::remove_dir_all(scratch.interleaf_home.join("cache/compiled")).expect("ours");
    let event = scratch.event("SessionStart", serde_json::json!({"session_id": "s", "source": "startup"}));

    scratch.hook(event).success();

    for _ in 0..600 {
        let doctor = scratch.interleaf(&["doctor", "--json"]).out();
        let doctor: Value = serde_json::from_str(&doctor).expect("JSON");
        if doctor["layers_compiled"]["gate"] == true {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("it was never compiled: {}", scratch.interleaf(&["doctor"]).out());
}

#[test]
fn an_altered_copy_of_an_accepted_layer_is_not_compiled() {
    let (scratch, _) = with_accepted_layer(GATE);
    let copies = fs::read_dir(scratch.interleaf_home.join("data/layers")).expect("there");
    let copy = copies
        .flatten()
        .map(|copy| copy.path())
        .find(|copy| copy.extension().is_some_and(|kind| kind == "wasm"));
    fs::write(copy.expect("the copy"), "something else").expect("ours");
    fs::remove_dir_all(scratch.interleaf_home.join("cache/compiled")).expect("ours");

    let ran = scratch.interleaf(&["compile"]);

    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err().contains("was altered") && ran.err().contains("interleaf layer accept gate"),
        "{}",
        ran.err()
    );
}

#[test]
fn a_layer_that_failed_three_times_is_suspended_until_the_next_session_but_guards_tool_calls() {
    let (scratch, _) = with_accepted_layer(GATE);

    for _ in 0..3 {
        assert_eq!(scratch.prompt("one", "trap"), "");
    }
    assert_eq!(scratch.prompt("one", "behave"), "", "suspended");
    assert_eq!(permission(&scratch.before_command("one", "ls")), Some(("deny", "gate: no")));
    let doctor = || scratch.interleaf(&["doctor"]).out();
    assert!(doctor().contains("suspended until the next session, after 3 failures"), "{}", doctor());

    assert!(scratch.prompt("two", "behave").contains("all is well"), "another session tries again");
    assert!(!doctor().contains("suspended"), "it answers again: {}", doctor());
}

#[test]
fn a_layer_that_uses_up_the_deadline_counts_as_failed_and_nothing_is_shown_twice() {
    let (scratch, _) = with_accepted_layer("[layers.gate.limits]\ndeadline_ms = { user-prompt = 1500 }\n");
    // The other layers have no more time either, so none is left when they are done.
    let config = scratch.interleaf_home.join("config/config.toml");
    fs::write(config, "[limits.deadline_ms]\nuser-prompt = 1500\n").expect("ours");
    let _ = scratch.interleaf(&["remember", "Use pnpm, never npm, as the package manager"]).success();
    let question = "spin: which package manager do we use here?";

    assert!(scratch.prompt("one", question).contains("pnpm"));
    for _ in 0..2 {
        assert_eq!(scratch.prompt("one", question), "", "it was shown, and the layer spins");
    }

    assert_eq!(scratch.prompt("one", "behave"), "", "suspended");
    assert!(scratch.prompt("two", "behave").contains("all is well"));
}

#[test]
fn an_error_that_a_layer_returns_does_not_count_as_a_failure() {
    let (scratch, _) = with_accepted_layer(GATE);

    for _ in 0..4 {
        assert_eq!(scratch.prompt("one", "refuse"), "");
    }

    assert!(scratch.prompt("one", "behave").contains("all is well"));
}
