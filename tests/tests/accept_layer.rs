//! A team's layer runs once a person has accepted exactly that file, with exactly the grants that they
//! accepted.

use interleaf_tests::guests;
use interleaf_tests::scratch::Scratch;
use serde_json::Value;

const GATE: &str =
    "[layers.gate]\non_failure = \"deny\"\n[layers.gate.grants]\ndecide = [\"ask\", \"deny\"]\n";

/// Creates a project whose layer `gate` waits to be accepted.
fn with_new_layer(asks: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.add_layer("gate", &guests::hostile(), asks);
    scratch
}

fn with_accepted_layer(asks: &str) -> Scratch {
    let scratch = with_new_layer(asks);
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
fn a_layer_that_is_not_accepted_does_not_run_and_the_person_is_notified_once_a_session() {
    let scratch = with_new_layer(GATE);

    let first: Value = serde_json::from_str(&scratch.prompt("one", "behave")).expect("a notice");
    assert!(first["systemMessage"].as_str().is_some_and(|line| line.contains("interleaf layer accept gate")));
    assert_eq!(first["hookSpecificOutput"], Value::Null, "the model sees nothing of it");

    assert_eq!(scratch.prompt("one", "behave"), "");
    assert_ne!(scratch.prompt("two", "behave"), "");
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("new"));
    assert!(scratch.interleaf(&["doctor"]).out().contains("layer gate is new here"));
}

#[test]
fn an_accepted_layer_runs_with_the_grants_that_it_requested() {
    let scratch = with_accepted_layer(GATE);

    assert!(scratch.prompt("one", "behave").contains("all is well"));
    assert_eq!(decision(&scratch.before_command("one", "ls")), ("deny", "gate: no"));
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("runs"));
}

#[test]
fn a_grant_can_be_withheld_and_the_decision_is_then_dropped_and_logged() {
    let scratch = with_new_layer(GATE);
    let _ = scratch.accept("gate", &["--without", "deny"]).success();

    assert_eq!(decision(&scratch.before_command("one", "ls")), ("ask", "gate: sure?"));
    let doctor = scratch.interleaf(&["doctor"]).out();
    assert!(
        doctor.contains("layer gate on PreToolUse: answered deny, but was not granted that power"),
        "{doctor}"
    );
}

#[test]
fn without_a_terminal_only_the_exact_digest_is_accepted() {
    let scratch = with_new_layer(GATE);

    let without_digest = scratch.interleaf(&["layer", "accept", "gate"]);
    assert_eq!(without_digest.code, Some(2));
    assert!(
        without_digest
            .err()
            .contains(&format!("interleaf layer accept gate --digest {}", scratch.digest("gate")))
    );

    let wrong = format!("sha256:{}", "0".repeat(64));
    let wrong = scratch.interleaf(&["layer", "accept", "gate", "--digest", &wrong]);
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.err().contains("the content has changed"));
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("new"));
}

#[test]
fn inside_a_session_of_claude_code_nothing_is_accepted_or_revoked() {
    let scratch = with_accepted_layer(GATE);
    let digest = scratch.digest("gate");

    for arguments in [&["layer", "accept", "gate", "--digest", &digest][..], &["layer", "revoke", "gate"]] {
        let mut command = scratch.command(interleaf_tests::program::program());
        let ran = interleaf_tests::run::run(
            command.args(arguments).env("CLAUDECODE", "1"),
            b"",
            interleaf_tests::scratch::HANG_TIMEOUT,
        );
        assert_eq!(ran.code, Some(1), "{arguments:?}");
        assert!(ran.err().contains("does not run inside Claude Code"), "{}", ran.err());
    }
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("runs"));
}

#[test]
fn at_a_terminal_a_person_reviews_and_accepts_a_layer() {
    let scratch = with_new_layer(GATE);

    let no = scratch.at_a_terminal("layer accept", "n\n").success();
    assert!(no.contains("Not accepted"), "{no}");
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("new"));

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
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("runs"));
}

#[test]
fn changes_since_the_last_acceptance_are_shown_as_a_diff() {
    let scratch = with_accepted_layer("[layers.gate.grants]\nmemory = \"read\"\ndecide = [\"ask\"]\n");
    let mut other = guests::hostile();
    other.extend([0, 2, 1, b'x']); // one more custom section: another file that does the same
    scratch.add_layer("gate", &other, "[layers.gate.grants]\ndecide = [\"ask\", \"allow\"]\n");

    let shown = scratch.accept("gate", &[]).success();

    assert!(shown.contains("Layer gate (changed since you accepted it)"), "{shown}");
    assert!(shown.contains("+ - can allow tool calls without asking you"), "{shown}");
    assert!(shown.contains("  - can require your confirmation before a tool call"), "{shown}");
    assert!(shown.contains("- - reads all memories of the project (removed)"), "{shown}");
}

#[test]
fn a_need_without_a_grant_is_reported_with_the_line_to_add() {
    let shown = with_new_layer("").accept("gate", &[]).success();

    assert!(shown.contains("It also imports"), "{shown}");
    assert!(shown.contains("[layers.gate.grants]\n  memory = \"write\""), "{shown}");
}

#[test]
fn every_accepted_digest_stays_accepted_until_it_is_revoked() {
    let scratch = with_accepted_layer(GATE);
    let one = guests::hostile();
    let two = [&one[..], &[0, 2, 1, b'x']].concat();
    scratch.add_layer("gate", &two, GATE);
    let _ = scratch.accept("gate", &[]).success();

    scratch.add_layer("gate", &one, GATE);
    assert!(scratch.prompt("one", "behave").contains("all is well"), "as on another branch");

    let _ = scratch.interleaf(&["layer", "revoke", "gate"]).success();
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("new"));
    assert_eq!(scratch.before_command("one", "ls")["hookSpecificOutput"], Value::Null);
}

#[test]
fn older_accepted_versions_are_named_and_can_be_dropped() {
    let scratch = with_accepted_layer(GATE);
    let one = guests::hostile();
    let first = scratch.digest("gate");
    scratch.add_layer("gate", &[&one[..], &[0, 2, 1, b'x']].concat(), GATE);

    let accepted = scratch.accept("gate", &[]).success();
    let listed = scratch.interleaf(&["layer", "list"]).success();
    for shown in [&accepted, &listed] {
        let is_named = shown.contains(&first[..19]) && shown.contains("interleaf layer accept gate --only");
        assert!(is_named, "{first}: {shown}");
    }

    let only = scratch.accept("gate", &["--only"]).success();
    assert!(!only.contains("stays accepted"), "{only}");
    scratch.add_layer("gate", &one, GATE);
    assert_eq!(scratch.approval_status("gate").as_deref(), Some("changed"), "nobody can go back to it");
    assert!(!scratch.prompt("one", "behave").contains("all is well"));
}

#[test]
fn the_review_says_which_embedded_layer_is_replaced_and_what_it_did() {
    let scratch = Scratch::new();
    scratch.add_layer("pretool", &guests::hostile(), "");

    let shown = scratch.accept("pretool", &[]).success();

    assert!(shown.contains("It takes the place of the embedded pretool, which"), "{shown}");
    assert!(shown.contains("asks you before an agent widens its own rights"), "{shown}");
    scratch.add_layer("other", &guests::hostile(), "");
    assert!(!scratch.accept("other", &[]).success().contains("takes the place"));
}

#[test]
fn a_personal_layer_runs_in_every_project_once_accepted() {
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
fn an_accepted_layer_replaces_an_embedded_one_and_an_unaccepted_one_does_not() {
    let scratch = Scratch::new();
    let _ = scratch.interleaf(&["remember", "Use pnpm, never npm, as the package manager"]).success();
    scratch.add_layer("recall", &guests::hostile(), "");
    let question = "Which package manager do we use here?";

    assert!(scratch.prompt("one", question).contains("pnpm"));

    let _ = scratch.accept("recall", &[]).success();
    let answer = scratch.prompt("two", question);
    assert!(answer.contains("all is well") && !answer.contains("pnpm"), "{answer}");
}

#[test]
fn a_layer_file_can_be_anywhere_in_the_project() {
    let scratch = Scratch::new();
    scratch.write(".claude/interleaf.toml", "[layers.gate]\nfile = \"built/it.wasm\"\n");
    std::fs::create_dir(scratch.project.join("built")).expect("ours");
    std::fs::write(scratch.project.join("built/it.wasm"), guests::hostile()).expect("ours");
    let _ = scratch.accept("gate", &[]).success();

    assert!(scratch.prompt("one", "behave").contains("all is well"));
}

#[test]
fn a_layer_that_takes_the_name_of_a_revoked_one_starts_with_nothing() {
    let scratch = with_accepted_layer("[layers.gate.grants]\nstate = true\n");
    let question = "remember across events";
    let first = scratch.prompt("one", question);
    assert_ne!(scratch.prompt("one", question), first, "it keeps a value");

    let revoked = scratch.interleaf(&["layer", "revoke", "gate"]).success();
    let _ = scratch.accept("gate", &[]).success();

    assert!(revoked.contains("values and jobs that it stored in this project are deleted"), "{revoked}");
    assert_eq!(scratch.prompt("one", question), first);
}

#[test]
fn an_accepted_layer_whose_file_is_gone_is_named_with_the_next_step() {
    let scratch = Scratch::new();
    let file = scratch.add_layer("notes", &guests::hostile(), "");
    let _ = scratch.accept("notes", &[]).success();
    std::fs::remove_file(&file).expect("ours");

    let told = "if you removed it on purpose, run interleaf layer revoke notes";
    let list = scratch.interleaf(&["layer", "list"]).success();
    assert!(list.contains("notes (does not run)") && list.contains(told), "{list}");
    let show = scratch.interleaf(&["layer", "show", "notes"]).success();
    assert!(show.contains(file.to_str().expect("UTF-8")) && show.contains(told), "{show}");
    let doctor = scratch.interleaf(&["doctor"]).out();
    assert!(doctor.contains("layer notes does not run: its file"), "{doctor}");
    assert_eq!(scratch.prompt("one", "behave"), "", "a session is not disturbed");

    let _ = scratch.interleaf(&["layer", "revoke", "notes"]).success();
    assert!(!scratch.interleaf(&["layer", "list"]).success().contains("notes ("));
}

#[test]
fn only_answers_that_are_given_are_promised() {
    let scratch = Scratch::new();
    let powers = "[layers.scribe]\non_failure = \"deny\"\n[layers.scribe.grants]\ndecide = [\"deny\"]\n";
    scratch.add_layer("scribe", &guests::scribe(), powers);

    let accepted = scratch.accept("scribe", &[]).success();

    assert!(!accepted.contains("before every tool call") && !accepted.contains("denies every"), "{accepted}");
    let reason = "(on_failure = \"deny\") is never given: it does not answer pre-tool";
    assert!(accepted.contains(reason), "{accepted}");
    assert_eq!(scratch.layers().last().expect("it is listed")["on_failure"], "pass");
}

#[test]
fn a_layer_that_is_switched_off_is_not_said_to_run() {
    let scratch = with_new_layer("[layers.gate]\nenabled = false\n");

    let accepted = scratch.accept("gate", &[]).success();

    assert!(accepted.contains("gate runs once layers.gate.enabled is no longer false"), "{accepted}");
}
