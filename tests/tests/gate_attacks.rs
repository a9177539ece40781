//! Attempts to silence an accepted gate, or the embedded guard, with what a project can contain or set:
//! files, settings, variables, calls that are too long. The pinned answer, or the gate's own, comes every
//! time.

use std::fs::{self, File};
use std::path::Path;

use interleaf_tests::guests;
use interleaf_tests::scratch::Scratch;
use interleaf_tests::tool_decision::{answer, decision, decision_on};
use serde_json::{Value, json};

const GATE: &str =
    "[layers.gate]\non_failure = \"deny\"\n[layers.gate.grants]\ndecide = [\"ask\", \"deny\"]\n";

/// A command that the embedded guard asks about.
const WIDENING: &str = "env -u CLAUDECODE interleaf layer accept x";

fn with_gate() -> Scratch {
    let scratch = Scratch::new();
    scratch.add_layer("gate", &guests::hostile(), GATE);
    let _ = scratch.accept("gate", &[]).success();
    scratch
}

/// Creates a file of this size that takes no space on the disk.
fn sparse_file(path: &Path, bytes: u64) {
    File::create(path).and_then(|file| file.set_len(bytes)).expect("the project is writable");
}

#[test]
fn huge_files_beside_a_gate_do_not_silence_it() {
    let scratch = with_gate();
    let layers = scratch.project.join(".claude/layers");
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        sparse_file(&layers.join(name).with_extension("wasm"), 250 << 20);
    }

    assert_eq!(decision(&scratch, "ls", &[]).as_deref(), Some("deny"));

    sparse_file(&layers.join("gate.wasm"), 250 << 20);
    assert_eq!(decision(&scratch, "ls", &[]).as_deref(), Some("deny"), "changed");

    fs::remove_file(layers.join("gate.wasm")).expect("ours");
    assert_eq!(decision(&scratch, "ls", &[]).as_deref(), Some("deny"), "missing");
}

#[test]
fn a_thousand_files_beside_a_gate_do_not_silence_it() {
    let scratch = with_gate();
    for index in 0..1_000 {
        scratch.write(format!(".claude/layers/a{index}.wasm"), "x");
    }

    assert_eq!(decision(&scratch, "ls", &[]).as_deref(), Some("deny"));
}

#[test]
fn no_settings_file_of_a_project_silences_a_gate() {
    let scratch = with_gate();
    let calls =
        [r#"{"type": "command", "command": ": interleaf hook"}"#, r#"{"command": "echo interleaf hook"}"#];
    let many = vec![r#"{"type": "command", "command": "x"}"#; 20_000].join(",");
    for hooks in [calls[0], calls[1], &many] {
        let settings = format!(r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{hooks}]}}]}}}}"#);
        for file in [".claude/settings.json", ".claude/settings.local.json"] {
            scratch.write(file, &settings);
        }
        for caller in ["plugin", "shared"] {
            let decided = decision(&scratch, "ls", &[("INTERLEAF_CALLER", caller)]);
            assert_eq!(decided.as_deref(), Some("deny"), "{caller}, {}", &hooks[..40]);
        }
    }
}

#[test]
fn no_other_registration_silences_a_gate_and_memories_are_shown_once() {
    let scratch = with_gate();
    let _ = scratch.interleaf(&["remember", "Use pnpm, never npm, as the package manager"]).success();
    let prompt =
        scratch.event("UserPromptSubmit", json!({"prompt": "which package manager do we use here?"}));
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"});
    let call = scratch.event("PreToolUse", fields);
    let callers = [("INTERLEAF_CALLER", "shared"), ("INTERLEAF_CALLER", "plugin")];

    let answers = callers.map(|caller| answer(&scratch, &prompt, &[caller]).contains("pnpm"));
    let decisions = callers.map(|caller| decision_on(&scratch, &call, &[caller]));

    assert_eq!(answers, [true, false]);
    assert_eq!(decisions.map(|decision| decision.as_deref() == Some("deny")), [true, true]);
}

#[test]
fn no_variable_of_a_project_silences_a_gate_or_the_guard() {
    let scratch = with_gate();
    let elsewhere = scratch.root.join("elsewhere");
    fs::create_dir_all(elsewhere.join("config/interleaf")).expect("ours");
    let off = "[layers.gate]\nenabled = false\n";
    fs::write(elsewhere.join("config/config.toml"), off).expect("ours");
    fs::write(elsewhere.join("config/interleaf/config.toml"), off).expect("ours");
    let elsewhere = elsewhere.to_str().expect("UTF-8");
    let variables: [&[(&str, &str)]; 6] = [
        &[("INTERLEAF_DISABLE", "1")],
        &[("INTERLEAF_HOME", elsewhere)],
        &[("INTERLEAF_HOME", "relative")],
        &[("INTERLEAF_HOME", ""), ("HOME", elsewhere)],
        &[("INTERLEAF_HOME", ""), ("HOME", "")],
        &[("INTERLEAF_HOME", ""), ("XDG_CONFIG_HOME", elsewhere), ("XDG_DATA_HOME", "/nowhere")],
    ];
    for set in variables {
        assert_eq!(decision(&scratch, "ls", set).as_deref(), Some("deny"), "{set:?}");
    }
    let _ = scratch.interleaf(&["layer", "revoke", "gate"]).success();
    for set in variables {
        assert_eq!(decision(&scratch, WIDENING, set).as_deref(), Some("ask"), "{set:?}");
        assert_eq!(decision(&scratch, "ls", set), None, "{set:?}");
    }
}

#[test]
fn with_interleaf_switched_off_nothing_but_a_refusal_is_said() {
    let scratch = with_gate();
    let _ = scratch.interleaf(&["remember", "Never run rm -rf on the vault folder"]).success();
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "rm -rf vault"}, "tool_use_id": "t"});
    let event = scratch.event("PreToolUse", fields);

    let reply: Value =
        serde_json::from_str(&answer(&scratch, &event, &[("INTERLEAF_DISABLE", "1")])).expect("JSON");

    let output = reply["hookSpecificOutput"].as_object().expect("a decision");
    assert_eq!(output.get("additionalContext"), None, "{reply}");
    assert_eq!(reply.as_object().map(|fields| fields.len()), Some(1), "{reply}");
}

#[test]
fn a_project_without_its_git_folder_keeps_its_gates() {
    let scratch = with_gate();
    fs::remove_dir_all(scratch.project.join(".git")).expect("ours");

    assert_eq!(decision(&scratch, "ls", &[]).as_deref(), Some("deny"));
}

#[test]
fn a_project_whose_old_place_became_a_link_to_it_keeps_its_gates() {
    let scratch = with_gate();
    let moved = scratch.root.join("moved");
    fs::rename(&scratch.project, &moved).expect("ours");
    std::os::unix::fs::symlink(&moved, &scratch.project).expect("ours");

    assert_eq!(decision(&scratch, "ls", &[]).as_deref(), Some("deny"));

    let moved = moved.to_str().expect("UTF-8");
    let fields = json!({"cwd": moved, "tool_name": "Bash", "tool_input": {"command": "ls"}});
    let event = scratch.event("PreToolUse", fields);
    assert_eq!(decision_on(&scratch, &event, &[("CLAUDE_PROJECT_DIR", moved)]).as_deref(), Some("deny"));
}

#[test]
fn the_gates_of_the_current_folder_and_of_the_named_project_both_answer() {
    let scratch = with_gate();
    let elsewhere = scratch.root.join("elsewhere");
    fs::create_dir(&elsewhere).expect("ours");
    let elsewhere = elsewhere.to_str().expect("UTF-8");
    let call = |cwd: &str| {
        let fields = json!({"cwd": cwd, "tool_name": "Bash", "tool_input": {"command": "ls"}});
        scratch.event("PreToolUse", fields)
    };
    let project = scratch.project.to_str().expect("UTF-8").to_owned();

    for (cwd, named) in [(project.as_str(), elsewhere), (elsewhere, &project), (&project, &project)] {
        let decided = decision_on(&scratch, &call(cwd), &[("CLAUDE_PROJECT_DIR", named)]);
        assert_eq!(decided.as_deref(), Some("deny"), "current folder {cwd}, named {named}");
    }
    let variables = [("CLAUDE_PROJECT_DIR", elsewhere)];
    assert_eq!(decision_on(&scratch, &call(elsewhere), &variables), None);
    fs::remove_file(scratch.project.join(".claude/layers/gate.wasm")).expect("ours");
    let decided = decision_on(&scratch, &call(&project), &variables);
    assert_eq!(decided.as_deref(), Some("deny"), "the gate is missing");
}

#[test]
fn an_approval_that_is_gone_or_broken_does_not_silence_a_gate() {
    let scratch = with_gate();
    let projects = fs::read_dir(scratch.interleaf_home.join("data/projects")).expect("there");
    let folders = projects.map(|project| project.expect("readable").path().join("accepted.json"));
    let approvals = folders.filter(|file| file.exists()).collect::<Vec<_>>();

    for file in &approvals {
        fs::write(file, "{").expect("ours");
    }
    assert_eq!(decision(&scratch, "ls", &[]).as_deref(), Some("deny"), "broken");
    for file in &approvals {
        fs::remove_file(file).expect("ours");
    }
    assert_eq!(decision(&scratch, "ls", &[]).as_deref(), Some("deny"), "gone");

    let _ = scratch.interleaf(&["layer", "revoke", "gate"]).success();
    assert_eq!(decision(&scratch, "ls", &[]), None);
}

#[test]
fn a_call_that_cannot_be_read_gets_the_pinned_answer() {
    let scratch = with_gate();
    let whole = scratch.event("PreToolUse", json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}));
    let cut = &whole[..whole.len() - 1];
    let without_input = scratch.event("PreToolUse", json!({"tool_name": "Bash"}));

    for event in [cut, &without_input] {
        assert_eq!(decision_on(&scratch, event, &[]).as_deref(), Some("deny"), "{event}");
    }
}

#[test]
fn a_command_of_ten_megabytes_silences_neither_a_gate_nor_the_guard() {
    let scratch = with_gate();
    let long = "true;".repeat(2_000_000);

    assert_eq!(decision(&scratch, &long, &[]).as_deref(), Some("deny"));

    let _ = scratch.interleaf(&["layer", "revoke", "gate"]).success();
    assert_eq!(decision(&scratch, &(long.clone() + WIDENING), &[]).as_deref(), Some("ask"));
    assert_eq!(decision(&scratch, &long, &[]), None);
}

#[test]
fn calls_that_are_too_long_do_not_switch_the_guard_off_for_the_session() {
    let scratch = Scratch::new();
    let padded = "true;".repeat(200_000);
    for _ in 0..3 {
        assert_eq!(decision(&scratch, &padded, &[]), None);
    }

    assert_eq!(decision(&scratch, WIDENING, &[]).as_deref(), Some("ask"));
    assert_eq!(decision(&scratch, &(padded + WIDENING), &[]).as_deref(), Some("ask"));
}

#[test]
fn an_input_that_is_nested_too_deeply_does_not_silence_the_guard() {
    let scratch = Scratch::new();
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let input = format!(r#"{{"z": {deep}, "command": "{WIDENING}"}}"#);
    let event = scratch.event("PreToolUse", json!({"tool_name": "Bash", "tool_use_id": "t"}));
    let event = event.replacen('{', &format!(r#"{{"tool_input": {input}, "#), 1);

    assert_eq!(decision_on(&scratch, &event, &[]).as_deref(), Some("ask"));
}

#[test]
fn a_gate_that_fails_every_time_is_not_suspended_before_tool_calls() {
    let scratch = Scratch::new();
    let short = "[layers.gate.limits]\ndeadline_ms = { pre-tool = 300 }\n";
    scratch.add_layer("gate", &guests::hostile(), &format!("{GATE}{short}"));
    let _ = scratch.accept("gate", &[]).success();

    for _ in 0..5 {
        assert_eq!(decision(&scratch, "spin", &[]).as_deref(), Some("deny"));
    }
}

#[test]
fn a_project_cannot_switch_the_guard_off() {
    let scratch = Scratch::new();
    scratch.write(".claude/interleaf.toml", "[layers.pretool]\nenabled = false\n");

    assert_eq!(decision(&scratch, WIDENING, &[]).as_deref(), Some("ask"));
}

#[test]
fn a_gate_looks_again_at_an_input_that_another_layer_rewrote() {
    let scratch = Scratch::new();
    let settings = "[layers.gate.grants]\ndecide = [\"deny\"]\n\
                    [layers.rewriter.grants]\ndecide = [\"rewrite-input\"]\n";
    scratch.add_layer("gate", &guests::hostile(), settings);
    scratch.add_layer("rewriter", &guests::hostile(), settings);
    for name in ["gate", "rewriter"] {
        let _ = scratch.accept(name, &[]).success();
    }

    // The gate refuses every command but those that ask it for another behavior.
    assert_eq!(decision(&scratch, "rewrite it", &[]).as_deref(), Some("deny"));
}
