//! `interleaf config` as a process: what holds and who said it, what is wrong, a project's descriptions of
//! categories, and the settings of claude-memory taken over.

#[path = "config_command/accept_descriptions.rs"]
mod accept_descriptions;
#[path = "config_command/import.rs"]
mod import;

use interleaf_tests::program::program;
use interleaf_tests::run::{Ran, run};
use interleaf_tests::scratch::{HANG, Scratch};
use serde_json::{Value, json};
use std::path::PathBuf;

const PROJECT_FILE: &str = ".claude/interleaf.toml";

fn persons_file(scratch: &Scratch) -> PathBuf {
    scratch.interleaf_home.join("config/config.toml")
}

/// A world with these two files; an empty text is no file.
fn said(person: &str, project: &str) -> Scratch {
    let scratch = Scratch::new();
    match person {
        "" => std::fs::remove_file(persons_file(&scratch)).expect("the kit wrote it"),
        text => std::fs::write(persons_file(&scratch), text).expect("the scratch world is writable"),
    }
    if !project.is_empty() {
        scratch.write(PROJECT_FILE, project);
    }
    scratch
}

fn shown(scratch: &Scratch, arguments: &[&str]) -> Value {
    let out = scratch.interleaf(&[&["config", "--json"], arguments].concat()).success();
    serde_json::from_str(&out).expect("one JSON object")
}

/// What holds for this key, with the default and where it is from.
fn setting(scratch: &Scratch, key: &str) -> Value {
    let shown = shown(scratch, &["--all"]);
    let settings = shown["settings"].as_array().expect("a list").clone();
    settings.into_iter().find(|setting| setting["key"] == key).unwrap_or_default()
}

/// As Claude Code would run it.
fn by_claude(scratch: &Scratch, arguments: &[&str]) -> Ran {
    run(scratch.command(program()).args(arguments).env("CLAUDECODE", "1"), b"", HANG)
}

#[test]
fn every_value_names_who_said_it_and_on_which_line() {
    let scratch = said("[memory]\ngrace_days = 7\n", "[layers.recall]\norder = 3\n");

    let out = scratch.interleaf(&["config"]).success();

    assert!(out.contains("[memory]\ngrace_days = 7  # yours, line 2\n"), "{out}");
    assert!(out.contains("[layers.recall]\norder = 3  # project, line 2\n"), "{out}");
    assert!(!out.contains("default") && !out.contains("Ignored"), "{out}");
    let from = json!([{"whose": "person", "file": persons_file(&scratch), "line": 2}]);
    assert_eq!(
        setting(&scratch, "memory.grace_days"),
        json!({"key": "memory.grace_days", "value": 7, "default": 30, "from": from})
    );
}

#[test]
fn without_files_nothing_is_set_and_all_shows_the_defaults() {
    let scratch = said("", "");

    let out = scratch.interleaf(&["config"]).success();
    assert!(out.contains("(does not exist)") && out.contains("Nothing is set"), "{out}");

    let all = scratch.interleaf(&["config", "--all"]).success();
    for line in [
        "[categories.session_summary]",
        "retention_days = 90  # default",
        "client = \"none\"  # default",
        "[limits.deadline_ms]",
    ] {
        assert!(all.contains(line), "{line} in {all}");
    }
    assert_eq!(setting(&scratch, "categories.blocker.max_kept")["from"], json!([]));
}

#[test]
fn all_that_is_shown_is_itself_a_configuration_that_is_in_order() {
    let scratch =
        said("[memory]\ngrace_days = 7\n", "[layers.recall.settings]\n\"a.b\" = [\"ü\\u001b\", 1.5]\n");
    let all = scratch.interleaf(&["config", "--all"]).success();

    let file = scratch.root.join("all.toml");
    std::fs::write(&file, all).expect("the scratch world is writable");

    let _ = scratch.interleaf(&["config", "check", &file.to_string_lossy()]).success();
}

#[test]
fn where_both_say_something_the_one_that_counts_is_named_and_the_other_too() {
    let scratch = said("[layers.recall]\norder = 5\n", "[layers.recall]\norder = 6\n[limits]\njobs = 3\n");

    let out = scratch.interleaf(&["config"]).success();

    assert!(out.contains("order = 5  # yours, line 2"), "{out}");
    assert!(out.contains("jobs = 3  # project, line 4"), "{out}");
    assert!(
        out.contains(&format!("{PROJECT_FILE}:2: `layers.recall.order` is overridden by yours")),
        "{out}"
    );
    assert_eq!(shown(&scratch, &[])["not_heeded"][0]["why"], "it is overridden by yours");
}

#[test]
fn an_ignored_setting_has_its_reason() {
    let scratch = said("[memory]\ngrace_dais = 3\n", "[memory]\ngrace_days = 3\n");

    let out = scratch.interleaf(&["config"]).success();

    assert!(out.contains("config.toml:2: `memory.grace_dais` is not a known key; did you mean"), "{out}");
    assert!(
        out.contains(&format!("{PROJECT_FILE}:2: `memory.grace_days` cannot be set by a project")),
        "{out}"
    );
    let keys: Vec<Value> = shown(&scratch, &[])["not_heeded"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["key"].clone())
        .collect();
    assert_eq!(keys, ["memory.grace_dais", "memory.grace_days"]);
}

#[test]
fn check_ends_with_two_where_something_is_wrong_and_says_each_with_its_line() {
    let _ = said("[memory]\ngrace_days = 3\n", "[layers.recall]\norder = 3\n")
        .interleaf(&["config", "check"])
        .success();

    let scratch = said("[redact]\npatterns = [\"(\"]\n", "[categories.decisons]\nenabled = false\n");
    let ran = scratch.interleaf(&["config", "check"]);

    assert_eq!(ran.code, Some(2));
    assert!(ran.out().contains("config.toml:2: "), "{}", ran.out());
    assert!(
        ran.out().contains(&format!("{PROJECT_FILE}:1: `categories.decisons` is not a known key")),
        "{}",
        ran.out()
    );
    assert!(ran.err().contains("2 errors in the configuration"), "{}", ran.err());
}

#[test]
fn check_takes_a_file_as_a_person_s_or_as_a_project_s() {
    let scratch = said("", "");
    scratch.write("team.toml", "[memory]\ngrace_days = 3\n");
    scratch.write("broken.toml", "[memory\n");

    let _ = scratch.interleaf(&["config", "check", "team.toml"]).success();
    let as_project = scratch.interleaf(&["config", "check", "--project", "team.toml"]);
    assert!(as_project.code == Some(2) && as_project.out().contains("team.toml:2: "), "{}", as_project.out());
    let broken = scratch.interleaf(&["config", "check", "broken.toml"]);
    assert!(broken.code == Some(2) && broken.out().contains("broken.toml:1: not read"), "{}", broken.out());
    assert_eq!(scratch.interleaf(&["config", "check", "none.toml"]).code, Some(2));
}

#[test]
fn a_project_s_description_as_large_as_a_book_costs_only_its_file() {
    let scratch = said("", &format!("[categories.decision]\ndescription = \"{}\"\n", "x".repeat(1 << 20)));

    let ran = scratch.interleaf(&["config", "check"]);

    assert!(ran.code == Some(2) && ran.out().contains("cannot be read: larger than"), "{}", ran.out());
    assert!(ran.out().len() < 400, "{}", ran.out());
}
