//! The import of claude-memory's settings, from a file with all of its options.

use super::*;
use interleaf_tests::workspace;

fn options() -> String {
    workspace::fixtures().join("claude-memory/memory-config.json").to_string_lossy().into_owned()
}

fn config(scratch: &Scratch) -> String {
    std::fs::read_to_string(persons_file(scratch)).unwrap_or_default()
}

/// Imports these options into an empty configuration.
fn import(scratch: &Scratch, options: &Value) -> ProcessOutput {
    scratch.write("options.json", &options.to_string());
    scratch.interleaf(&["config", "import", "options.json"])
}

#[test]
fn every_option_is_imported_or_listed_with_a_reason() {
    let scratch = configured("", "");

    let out = scratch.interleaf(&["config", "import", &options()]).success();

    let holds = |key: &str| setting(&scratch, key)["value"].clone();
    for (key, value) in [
        ("memory.grace_days", json!(14)),
        ("memory.archive_retired", json!(true)),
        ("categories.session_summary.retention_days", json!(60)),
        ("categories.session_summary.max_kept", json!(7)),
        (
            "categories.session_summary.description",
            json!("What a session did, and what the next one has to know"),
        ),
        ("categories.decision.auto_capture", json!(false)),
        ("categories.decision.retention_days", json!(365)),
        ("categories.decision.description", json!("Choices with their \"why\"")),
        ("categories.decision.max_kept", json!(80)),
        ("categories.blocker.max_kept", json!(80)),
        ("categories.runbook.enabled", json!(false)),
        ("categories.constraint.description", json!("제약: what cannot be changed")),
        ("categories.tech_debt.retention_days", json!(180)),
        ("categories.preference.auto_capture", json!(false)),
        ("layers.recall.settings", json!({"memories": 4})),
        ("layers.save.enabled", json!(false)),
    ] {
        assert_eq!(holds(key), value, "{key} after {out}");
    }
    assert_eq!(holds("layers.save.settings"), json!({"tier": "strong"}));
    for named in [
        "version: ",
        "memory_root: ",
        "auto_commit: ",
        "enabled: ",
        "categories.session_summary.folder: ",
        "retrieval.match_strategy: ",
        "retrieval.judge: ",
        "triage.max_messages: ",
        "triage.parallel.verification_model: the strong model confirms what would replace",
        "triage.parallel.enabled: a session takes one request",
    ] {
        assert!(out.contains(&format!("\n  {named}")), "{named} in {out}");
    }
    let _ = scratch.interleaf(&["config", "check"]).success();
}

#[test]
fn existing_settings_stay_and_a_second_import_changes_nothing() {
    let mine = "# mine\n[memory]\ngrace_days = 3 # few\n\n[layers.save.settings]\nmemories = 5\n";
    let scratch = configured(mine, "");

    let out = scratch.interleaf(&["config", "import", &options()]).success();

    assert!(out.contains("Already set, and not changed:\n  memory.grace_days\n"), "{out}");
    let once = config(&scratch);
    assert!(mine.lines().all(|line| once.lines().any(|new| new == line)), "{once}");
    assert_eq!(setting(&scratch, "memory.grace_days")["value"], 3);
    assert_eq!(setting(&scratch, "layers.save.settings")["value"]["memories"], 5);

    let again = scratch.interleaf(&["config", "import", &options()]).success();
    assert!(again.contains("does not change"), "{again}");
    assert_eq!(config(&scratch), once);
}

#[test]
fn a_dry_run_shows_the_lines_and_writes_nothing() {
    let scratch = configured("[memory]\n", "");

    let out = scratch.interleaf(&["config", "import", "--dry-run", &options()]).success();

    assert!(out.contains("+ grace_days = 14\n") && out.contains("Not imported:"), "{out}");
    assert_eq!(config(&scratch), "[memory]\n");
}

#[test]
fn invalid_options_are_named_and_the_others_are_imported() {
    let scratch = configured("", "");
    let options = json!({
        "delete": {"grace_period_days": 0, "archive_retired": "yes"},
        "categories": {
            "decision": {"retention_days": -1, "max_retained": 3, "enabled": false},
            "session_summary": {"max_retained": 0},
            "preference": {"description": "</x> obey"},
            "opinion": {"enabled": true},
        },
        "max_memories_per_category": "many",
        "retrieval": {"max_inject": 99},
        "triage": {
            "thresholds": {"decision": 7, "zebra": 0.1},
            "parallel": {"category_models": {"decision": "gpt"}, "default_model": "gpt", "enabled": 1},
        },
        "colour": "red\u{1b}[2J",
    });

    let out = import(&scratch, &options).success();

    assert_eq!(config(&scratch), "[categories.decision]\nenabled = false\n");
    for named in [
        "delete.grace_period_days: `memory.grace_days` must be a whole number from 1 to 36500, not 0",
        "delete.archive_retired: `memory.archive_retired` must be true or false",
        "categories.decision.retention_days: ",
        "categories.decision.max_retained: is not a known option",
        "categories.session_summary.max_retained: 0 keeps none there",
        "categories.preference.description: ",
        "categories.opinion.enabled: is not a known option",
        "max_memories_per_category: must be a whole number",
        "retrieval.max_inject: must be a whole number from 0 to 20",
        "triage.thresholds.decision: a model reads the session whole",
        "triage.thresholds.zebra: is not a known option",
        "triage.parallel.category_models.decision: one model reads a session",
        "triage.parallel.default_model: \"gpt\" is not haiku, sonnet or opus",
        "colour: is not a known option",
    ] {
        assert!(out.contains(&format!("\n  {named}")), "{named} in {out}");
    }
    assert!(!out.contains('\u{1b}'), "{out:?}");
}

#[test]
fn a_file_that_is_not_a_memory_config_is_refused_and_nothing_is_written() {
    let scratch = configured("", "");
    scratch.write("text.json", "hello");
    scratch.write("list.json", "[1]");
    scratch.write("deep.json", &"[".repeat(100_000));
    scratch.write("book.json", &format!("{{\"a\": \"{}\"}}", "x".repeat(2 << 20)));

    for file in ["text.json", "list.json", "deep.json", "book.json", "none.json"] {
        let ran = scratch.interleaf(&["config", "import", file]);
        assert!(ran.code == Some(2) && ran.err().contains(file), "{file}: {}", ran.err());
    }
    assert!(!persons_file(&scratch).exists());
}

#[test]
fn a_broken_personal_config_is_left_unchanged() {
    let scratch = configured("[memory\n", "");

    let ran = scratch.interleaf(&["config", "import", &options()]);

    assert!(ran.code == Some(2) && ran.err().contains("is not valid TOML"), "{}", ran.err());
    assert_eq!(config(&scratch), "[memory\n");
}

#[test]
fn a_long_list_of_unknown_options_is_truncated() {
    let options: serde_json::Map<String, Value> =
        (0..5000).map(|number| (format!("k{number}"), json!(1))).collect();

    let out = import(&configured("", ""), &options.into()).success();

    assert!(out.contains("and 4950 more"), "{out}");
}
