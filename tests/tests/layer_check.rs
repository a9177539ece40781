//! `interleaf layer check` and `layer run`: an author's checks of a component before anybody accepts it.

use std::path::PathBuf;

use interleaf_tests::guests;
use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};

/// Grants for all needs of the hostile layer except state.
const GRANTS_WITHOUT_STATE: [&str; 2] = [
    "--grants",
    "memory = \"write\"\nllm = true\nproject = true\ntranscript = true\nsessions = true\njobs = true",
];

/// Grants for all its needs.
const GRANTS: [&str; 4] = [GRANTS_WITHOUT_STATE[0], GRANTS_WITHOUT_STATE[1], "--grants", "state = true"];

/// Writes a file of the project and returns its path.
fn file(scratch: &Scratch, name: &str, bytes: &[u8]) -> String {
    let path: PathBuf = scratch.project.join(name);
    std::fs::write(&path, bytes).expect("the project is writable");
    path.display().to_string()
}

/// Returns the hostile layer with all occurrences of `from` replaced.
fn altered(from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len(), "sections would no longer fit");
    let mut wasm = guests::hostile();
    let places: Vec<usize> =
        (0..=wasm.len() - from.len()).filter(|at| wasm[*at..].starts_with(from)).collect();
    assert!(!places.is_empty(), "nothing to replace");
    places.iter().for_each(|at| wasm[*at..at + to.len()].copy_from_slice(to));
    wasm
}

fn prompt(scratch: &Scratch, text: &str) -> String {
    let event = scratch.event("UserPromptSubmit", json!({ "prompt": text }));
    file(scratch, "event.json", event.as_bytes())
}

fn only_line(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn a_layer_that_matches_the_contract_and_has_its_grants_can_run() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());

    let output = scratch.interleaf(&[&["layer", "check", &layer][..], &GRANTS].concat()).success();

    assert!(output.starts_with("hostile: can run here\n"), "{output}");
    for line in [
        "contract 0.1.0",
        "events   user-prompt, pre-tool, stop",
        "needs    memory, memory (write), llm, project, state, transcript, sessions, jobs",
    ] {
        assert!(output.contains(line), "{output}");
    }
}

#[test]
fn a_missing_grant_fails_the_check_and_is_named_with_its_line() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());

    let ran = scratch.interleaf(&[&["layer", "check", &layer][..], &GRANTS_WITHOUT_STATE].concat());

    assert_eq!(ran.code, Some(1), "{}", ran.err());
    assert!(ran.out().contains("Add to [layers.hostile.grants]:\n  state = true\n"), "{}", ran.out());
    assert_eq!(ran.err(), "error: hostile cannot run here: 1 missing grant\n");
}

#[test]
fn a_file_in_a_project_is_granted_what_the_project_asks_for() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());
    scratch.write(".claude/interleaf.toml", "[layers.hostile.grants]\nmemory = \"write\"\nstate = true\n");

    let ran = scratch.interleaf(&["layer", "check", &layer]);

    assert!(ran.out().contains("granted  memory (read, write), state\n"), "{}", ran.out());
    assert!(
        ran.out().contains("Add to [layers.hostile.grants]:\n  llm = true\n  project = true\n"),
        "{}",
        ran.out()
    );
}

#[test]
fn a_wrong_type_is_reported_with_interface_function_expected_and_found() {
    let scratch = Scratch::new();
    // In the types of a component a field is its name and its type: 0x76 is f32 and 0x75 f64.
    let wrong = altered(b"\x09relevance\x76", b"\x09relevance\x75");
    let layer = file(&scratch, "wrong.wasm", &wrong);

    let ran = scratch.interleaf(&[&["layer", "check", &layer][..], &GRANTS].concat());

    assert_eq!(ran.code, Some(1), "{}", ran.err());
    let expected = "interleaf:layer/user-prompt@0.1.0, function handle: field `relevance` of record `item`: \
                    expected f32, found f64\n";
    assert!(ran.out().contains(expected), "{}", ran.out());
}

#[test]
fn a_layer_for_a_newer_contract_is_reported_with_a_next_step() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "newer.wasm", &altered(b"@0.1.0", b"@0.2.0"));

    let ran = scratch.interleaf(&["layer", "check", &layer, "--json"]);

    let report = only_line(&ran.out());
    assert_eq!(
        (ran.code, &report["contract"], &report["can_run"]),
        (Some(1), &json!("0.2.0"), &json!(false))
    );
    let fault = &report["faults"][0];
    assert!(fault["what"].as_str().is_some_and(|what| what.ends_with("found version 0.2.0")), "{fault}");
    assert!(fault["next"].as_str().is_some_and(|next| next.starts_with("update interleaf")), "{fault}");
}

#[test]
fn a_file_that_is_not_a_component_is_identified() {
    let scratch = Scratch::new();
    let whole = guests::hostile();
    let cases: [(&[u8], &str); 4] = [
        (b"", "the file is empty"),
        (&whole[..whole.len() / 2], "the component ends after"),
        (b"\0asm\x01\0\0\0", "this is a core module, not a component"),
        (b"\x7fELF\x02\x01\x01", "this is native or compiled code"),
    ];
    for (bytes, expected) in cases {
        let ran = scratch.interleaf(&["layer", "check", &file(&scratch, "no.wasm", bytes)]);

        assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""));
        assert!(ran.err().contains(expected), "{}", ran.err());
        assert!(ran.err().contains("\nhint: "), "{}", ran.err());
    }
}

#[test]
fn a_fault_that_only_the_compiler_finds_is_reported() {
    let scratch = Scratch::new();
    let wasm = guests::hostile();
    // The position of code depends on the build. Most of the file is code; damage elsewhere is found earlier.
    let checked = (4..8).map(|part| {
        let (mut wasm, middle) = (wasm.clone(), wasm.len() / 12 * part);
        wasm[middle..middle + 64].fill(0xff);
        let layer = file(&scratch, "garbled.wasm", &wasm);
        scratch.interleaf(&[&["layer", "check", &layer][..], &GRANTS].concat())
    });
    let checked: Vec<_> = checked.collect();

    let by_the_compiler = checked.iter().find(|ran| ran.code == Some(1)).expect("one of them hits code");
    let output = by_the_compiler.out();
    assert!(output.contains("\n  sandbox: not a component that can run here: "), "{output}");
    assert!(checked.iter().all(|ran| matches!(ran.code, Some(1 | 2))), "{checked:?}");
}

#[test]
fn a_report_in_json_has_everything() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "my_gate.wasm", &guests::hostile());

    let report = only_line(&scratch.interleaf(&["layer", "check", &layer, "--json"]).out());

    assert_eq!((&report["name"], &report["faults"]), (&json!("my-gate"), &json!([])));
    assert_eq!(report["answers"], json!(["user-prompt", "pre-tool", "stop"]));
    assert_eq!(report["missing"][0], json!({"need": "memory-write", "line": "memory = \"write\""}));
    assert_eq!(report["missing"][3], json!({"need": "state", "line": "state = true"}));
    assert!(report["digest"].as_str().is_some_and(|digest| digest.starts_with("sha256:")));
    assert!(report["compile_ms"].is_u64());
}

#[test]
fn a_run_shows_reply_and_host_calls_and_state_lasts_from_event_to_event() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());
    let event = prompt(&scratch, "remember across events");
    let run = ["layer", "run", &layer, "--event", &event, "--event", &event, "--grants", "state = true"];

    let output = scratch.interleaf(&run).success();

    assert!(output.contains(r#"state.get(scope: "session", key: "count") -> {"ok":null}"#), "{output}");
    assert!(
        output.contains(r#"state.set(scope: "session", key: "count", value: "2") -> {"ok":null}"#),
        "{output}"
    );
    assert!(output.contains(r#"{"content":{"text":"event 2"},"relevance":0.5}"#), "{output}");
    assert!(output.contains("additionalContext"), "{output}");
    assert!(output.contains("KiB at its peak"), "{output}");
}

#[test]
fn a_run_that_fails_says_why_and_shows_the_log() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());
    let event = scratch.event("UserPromptSubmit", json!({"prompt": "spin"}));

    let ran = scratch.interleaf_with(&["layer", "run", &layer, "--event", "-", "--json"], event.as_bytes());

    let output = only_line(&ran.out());
    assert_eq!(ran.code, Some(1), "{}", ran.err());
    assert_eq!(
        (&output["failure"], &output["reply"]),
        (&json!("stopped at its deadline of 400 ms"), &Value::Null)
    );
    assert_eq!(output["log"][0]["message"], output["failure"]);
    assert!(output["micros"]["run"].is_u64() && output["peak_memory"].is_u64(), "{output}");
}

#[test]
fn a_call_without_its_grant_is_shown_as_the_layer_saw_it() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());
    let event = prompt(&scratch, "ask for the project");

    let ran = scratch.interleaf(&["layer", "run", &layer, "--event", &event, "--json"]);

    let output = only_line(&ran.out());
    assert_eq!((ran.code, &output["calls"][0]["function"]), (Some(1), &json!("name")));
    let denied = &output["calls"][0]["result"]["err"]["denied"];
    assert!(denied.as_str().is_some_and(|why| why.contains("project = true")), "{output}");
}

#[test]
fn a_run_does_not_change_the_project() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());
    let rule = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
    scratch.interleaf(&["remember", rule]).success();
    let before = scratch.interleaf(&["memory", "export"]).success();
    let event = prompt(&scratch, "note a learning");
    let run =
        ["layer", "run", &layer, "--event", &event, "--project", "--grants", "memory = \"write\"", "--json"];

    let output = only_line(&scratch.interleaf(&run).success());

    assert!(output["calls"][0]["result"]["ok"]["created"].is_string(), "{output}");
    assert_eq!(scratch.interleaf(&["memory", "export"]).success(), before);
    assert_eq!(
        std::fs::read_dir(&scratch.interleaf_home).expect("there").count(),
        2,
        "config and data, no more"
    );
}

#[test]
fn an_event_that_the_layer_does_not_answer_is_a_wrong_argument() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());
    let event =
        file(&scratch, "end.json", scratch.event("SessionEnd", json!({"reason": "other"})).as_bytes());

    let ran = scratch.interleaf(&["layer", "run", &layer, "--event", &event]);

    assert_eq!(ran.code, Some(2), "{}", ran.err());
    assert!(ran.err().contains("does not answer session-end"), "{}", ran.err());
    assert!(ran.err().contains("it answers user-prompt, pre-tool, stop"), "{}", ran.err());
}

#[test]
fn an_event_of_the_wrong_shape_is_named_with_the_field_and_its_type() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());
    let cases = [
        (json!({"prompt": 42}), "is no UserPromptSubmit: `prompt` is a number instead of a string"),
        (json!({"prompt": "hi", "hook_event_name": null}), "is no event: `hook_event_name` is null"),
        (json!({"prompt": "hi", "session_id": 7}), "is no UserPromptSubmit: `session_id` is a number"),
    ];
    for (fields, expected) in cases {
        let event = scratch.event("UserPromptSubmit", fields);

        let ran = scratch.interleaf_with(&["layer", "run", &layer, "--event", "-"], event.as_bytes());

        assert_eq!(ran.code, Some(2), "{}", ran.err());
        assert!(ran.err().contains(expected), "{}", ran.err());
        assert!(ran.err().contains("\nhint: "), "{}", ran.err());
    }
}

#[test]
fn a_run_says_which_granted_decisions_the_event_does_not_take() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "hostile.wasm", &guests::hostile());
    let event = prompt(&scratch, "deny and ask");
    let run = ["layer", "run", &layer, "--event", &event, "--grants", "decide = [\"deny\", \"ask\"]"];

    let output = scratch.interleaf(&run).success();

    let line = "warn answered deny, but UserPromptSubmit takes only block; the answer was ignored";
    assert!(output.contains(line), "{output}");
}

#[test]
fn a_file_that_accept_would_refuse_for_its_size_is_refused() {
    let scratch = Scratch::new();
    let layer = scratch.add_layer("large", b"\0asm\x0d\0\x01\0", "");
    let large = std::fs::File::options().write(true).open(&layer).expect("ours");
    large.set_len((256 << 20) + 1).expect("a sparse file");
    let file = layer.to_str().expect("UTF-8");

    let checked = scratch.interleaf(&["layer", "check", file]);
    let accepted = scratch.interleaf(&["layer", "accept", "large"]);

    for refused in [checked, accepted] {
        assert_eq!(refused.code, Some(2), "{}", refused.err());
        assert!(refused.err().contains("large.wasm: larger than 268435456 bytes"), "{}", refused.err());
        assert!(refused.err().contains("\nhint: "), "{}", refused.err());
    }
    assert!(scratch.interleaf(&["doctor"]).out().contains("large.wasm is not used as a layer"));
}

#[test]
fn a_layer_that_writes_memories_is_told_to_request_that() {
    let scratch = Scratch::new();
    let layer = file(&scratch, "scribe.wasm", &guests::scribe());
    let check = |grants: &str| scratch.interleaf(&["layer", "check", &layer, "--grants", grants]);

    let reads = check("memory = \"read\"");
    assert_eq!(reads.code, Some(1), "{}", reads.err());
    assert!(
        reads.out().contains("Add to [layers.scribe.grants]:\n  memory = \"write\"\n"),
        "{}",
        reads.out()
    );
    assert!(check("memory = \"write\"").success().starts_with("scribe: can run here\n"));
}

/// Returns the path of a layer whose project requests its grants with this text.
fn requesting(scratch: &Scratch, asks: &str) -> String {
    scratch.add_layer("scribe", &guests::scribe(), asks).display().to_string()
}

#[test]
fn grants_that_cannot_be_read_are_reported_where_the_author_looks() {
    let cases = [
        (
            "[layers.scribe.grants]\nmemroy = \"write\"\n",
            "interleaf.toml:1: `layers.scribe.grants` is invalid",
        ),
        ("[layers.scribe.grants\nmemory = \"write\"\n", "interleaf.toml:1: cannot be parsed"),
    ];
    for (asks, expected) in cases {
        let scratch = Scratch::new();
        let layer = requesting(&scratch, asks);

        let checked = scratch.interleaf(&["layer", "check", &layer]);
        assert_eq!(checked.code, Some(1), "{}", checked.err());
        assert!(checked.out().contains(expected) && !checked.out().contains("Add to"), "{}", checked.out());
        let shown = scratch.interleaf(&["layer", "show", "scribe"]).success();
        assert!(shown.contains(expected) && !shown.contains("without a grant"), "{shown}");
        let accepted = scratch.accept("scribe", &[]);
        assert_eq!(accepted.code, Some(2), "{}", accepted.out());
        assert!(accepted.err().contains(expected), "{}", accepted.err());
        assert_eq!(scratch.approval_status("scribe").as_deref(), Some("new"));
    }
}

#[test]
fn another_ignored_setting_is_reported_and_does_not_keep_a_layer_from_being_accepted() {
    let scratch = Scratch::new();
    let asks = "[layers.scribe]\norder = \"first\"\n[layers.scribe.grants]\nmemory = \"write\"\n";
    let layer = requesting(&scratch, asks);
    let expected = "interleaf.toml:2: `layers.scribe.order` must be";

    let checked = scratch.interleaf(&["layer", "check", &layer, "--json"]);
    assert_eq!(checked.code, Some(1), "{}", checked.err());
    assert!(only_line(&checked.out())["ignored"][0].as_str().is_some_and(|line| line.contains(expected)));
    let accepted = scratch.accept("scribe", &[]).success();
    assert!(accepted.contains(expected) && accepted.contains("Accepted: scribe runs"), "{accepted}");
}
