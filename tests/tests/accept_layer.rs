//! A team's layer: it runs once a person has accepted exactly that file, with exactly the rights that it was
//! given.

use interleaf_tests::guests;
use interleaf_tests::scratch::Scratch;
use serde_json::Value;

const GATE: &str =
    "[layers.gate]\non_failure = \"deny\"\n[layers.gate.grants]\ndecide = [\"ask\", \"deny\"]\n";

/// A project whose layer `gate` waits to be accepted.
fn offered(asks: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.offer("gate", &guests::hostile(), asks);
    scratch
}

fn accepted(asks: &str) -> Scratch {
    let scratch = offered(asks);
    let _ = scratch.accept("gate", &[]).success();
    scratch
}

fn decision(answer: &Value) -> (&str, &str) {
    let output = &answer["hookSpecificOutput"];
    (
        output["permissionDecision"].as_str().unwrap_or_default(),
        output["permissionDecisionReason"].as_str().unwrap_or_default(),
    )
}

#[test]
fn what_nobody_accepted_does_not_run_and_the_person_is_told_once_a_session() {
    let scratch = offered(GATE);

    let first: Value = serde_json::from_str(&scratch.prompt("one", "behave")).expect("a notice");
    assert!(first["systemMessage"].as_str().is_some_and(|line| line.contains("interleaf layer accept gate")));
    assert_eq!(first["hookSpecificOutput"], Value::Null, "the model sees nothing of it");

    assert_eq!(scratch.prompt("one", "behave"), "");
    assert_ne!(scratch.prompt("two", "behave"), "");
    assert_eq!(scratch.standing("gate").as_deref(), Some("new"));
    assert!(scratch.interleaf(&["doctor"]).out().contains("layer gate is new here"));
}

#[test]
fn an_accepted_layer_runs_with_what_it_asked_for() {
    let scratch = accepted(GATE);

    assert!(scratch.prompt("one", "behave").contains("all is well"));
    assert_eq!(decision(&scratch.before("one", "ls")), ("deny", "gate: no"));
    assert_eq!(scratch.standing("gate").as_deref(), Some("runs"));
}

#[test]
fn a_grant_can_be_left_out_and_its_answer_is_then_dropped_and_logged() {
    let scratch = offered(GATE);
    let _ = scratch.accept("gate", &["--without", "deny"]).success();

    assert_eq!(decision(&scratch.before("one", "ls")), ("ask", "gate: sure?"));
    let doctor = scratch.interleaf(&["doctor"]).out();
    assert!(doctor.contains("layer gate on PreToolUse: answered deny, but has no power to"), "{doctor}");
}

#[test]
fn without_a_terminal_only_the_exact_digest_is_accepted() {
    let scratch = offered(GATE);

    let unasked = scratch.interleaf(&["layer", "accept", "gate"]);
    assert_eq!(unasked.code, Some(2));
    assert!(
        unasked.err().contains(&format!("interleaf layer accept gate --digest {}", scratch.digest("gate")))
    );

    let wrong = format!("sha256:{}", "0".repeat(64));
    let wrong = scratch.interleaf(&["layer", "accept", "gate", "--digest", &wrong]);
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.err().contains("the content has changed"));
    assert_eq!(scratch.standing("gate").as_deref(), Some("new"));
}

#[test]
fn inside_a_session_of_claude_code_nothing_is_accepted_or_revoked() {
    let scratch = accepted(GATE);
    let digest = scratch.digest("gate");

    for arguments in [&["layer", "accept", "gate", "--digest", &digest][..], &["layer", "revoke", "gate"]] {
        let mut command = scratch.command(interleaf_tests::program::program());
        let ran = interleaf_tests::run::run(
            command.args(arguments).env("CLAUDECODE", "1"),
            b"",
            interleaf_tests::scratch::HANG,
        );
        assert_eq!(ran.code, Some(1), "{arguments:?}");
        assert!(ran.err().contains("does not run inside Claude Code"), "{}", ran.err());
    }
    assert_eq!(scratch.standing("gate").as_deref(), Some("runs"));
}

#[test]
fn at_a_terminal_a_person_reads_and_says_yes() {
    let scratch = offered(GATE);

    let no = scratch.at_a_terminal("layer accept", "n\n").success();
    assert!(no.contains("Not accepted"), "{no}");
    assert_eq!(scratch.standing("gate").as_deref(), Some("new"));

    let yes = scratch.at_a_terminal("layer accept", "y\n").success();
    for line in [
        "Layer gate (new)",
        "every tool call before it runs",
        "can refuse tool calls",
        "denies every tool call while it is missing, changed or failing",
        "Accepted: gate runs from the next event on",
    ] {
        assert!(yes.contains(line), "{line} in {yes}");
    }
    assert_eq!(scratch.standing("gate").as_deref(), Some("runs"));
}

#[test]
fn what_changed_since_is_shown_as_a_difference() {
    let scratch = accepted("[layers.gate.grants]\nmemory = \"read\"\ndecide = [\"ask\"]\n");
    let mut other = guests::hostile();
    other.extend([0, 2, 1, b'x']); // one more custom section: another file that does the same
    scratch.offer("gate", &other, "[layers.gate.grants]\ndecide = [\"ask\", \"allow\"]\n");

    let shown = scratch.accept("gate", &[]).success();

    assert!(shown.contains("Layer gate (changed since you accepted it)"), "{shown}");
    assert!(shown.contains("+ - can allow tool calls without asking you"), "{shown}");
    assert!(shown.contains("  - can require your confirmation before a tool call"), "{shown}");
    assert!(shown.contains("- - reads all memories of the project (removed)"), "{shown}");
}

#[test]
fn a_need_that_is_not_granted_is_said_beforehand_with_the_line_to_add() {
    let shown = offered("").accept("gate", &[]).success();

    assert!(shown.contains("It also imports"), "{shown}");
    assert!(shown.contains("[layers.gate.grants]\n  memory = \"read\""), "{shown}");
}

#[test]
fn every_digest_that_was_accepted_stays_so_until_it_is_revoked() {
    let scratch = accepted(GATE);
    let one = guests::hostile();
    let two = [&one[..], &[0, 2, 1, b'x']].concat();
    scratch.offer("gate", &two, GATE);
    let _ = scratch.accept("gate", &[]).success();

    scratch.offer("gate", &one, GATE);
    assert!(scratch.prompt("one", "behave").contains("all is well"), "as on another branch");

    let _ = scratch.interleaf(&["layer", "revoke", "gate"]).success();
    assert_eq!(scratch.standing("gate").as_deref(), Some("new"));
    assert_eq!(scratch.before("one", "ls")["hookSpecificOutput"], Value::Null);
}

#[test]
fn a_layer_of_one_s_own_runs_in_every_project_once_accepted() {
    let scratch = Scratch::new();
    let folder = scratch.interleaf_home.join("config/layers");
    std::fs::create_dir_all(&folder).expect("ours");
    std::fs::write(folder.join("mine.wasm"), guests::hostile()).expect("ours");
    let _ = scratch.accept("mine", &[]).success();

    let other = scratch.root.join("other");
    std::fs::create_dir(&other).expect("ours");
    let event = serde_json::json!({
        "session_id": "s", "cwd": other, "hook_event_name": "UserPromptSubmit", "prompt": "behave",
    });

    assert!(scratch.hook(event.to_string()).success().contains("all is well"));
}

#[test]
fn an_accepted_layer_takes_the_place_of_an_embedded_one_and_an_unaccepted_one_does_not() {
    let scratch = Scratch::new();
    let _ = scratch.interleaf(&["remember", "Use pnpm, never npm, as the package manager"]).success();
    scratch.offer("recall", &guests::hostile(), "");
    let question = "Which package manager do we use here?";

    assert!(scratch.prompt("one", question).contains("pnpm"));

    let _ = scratch.accept("recall", &[]).success();
    let answer = scratch.prompt("two", question);
    assert!(answer.contains("all is well") && !answer.contains("pnpm"), "{answer}");
}

#[test]
fn a_file_of_any_path_in_the_project_can_be_named() {
    let scratch = Scratch::new();
    scratch.write(".claude/interleaf.toml", "[layers.gate]\nfile = \"built/it.wasm\"\n");
    std::fs::create_dir(scratch.project.join("built")).expect("ours");
    std::fs::write(scratch.project.join("built/it.wasm"), guests::hostile()).expect("ours");
    let _ = scratch.accept("gate", &[]).success();

    assert!(scratch.prompt("one", "behave").contains("all is well"));
}
