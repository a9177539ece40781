//! `interleaf config` as a process: effective settings and their sources, errors, a project's descriptions of
//! categories, and the import of claude-memory's settings.

#[path = "config_command/accept_descriptions.rs"]
mod accept_descriptions;
#[path = "config_command/import.rs"]
mod import;

use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};
use std::path::PathBuf;

const PROJECT_FILE: &str = ".claude/interleaf.toml";

fn persons_file(scratch: &Scratch) -> PathBuf {
    scratch.interleaf_home.join("config/config.toml")
}

/// Creates a project with these two configuration files. An empty text means no file.
fn configured(person: &str, project: &str) -> Scratch {
    let scratch = Scratch::new();
    match person {
        "" => std::fs::remove_file(persons_file(&scratch)).expect("the kit wrote it"),
        text => std::fs::write(persons_file(&scratch), text).expect("the scratch folder is writable"),
    }
    if !project.is_empty() {
        scratch.write(PROJECT_FILE, project);
    }
    scratch
}

fn config_json(scratch: &Scratch, arguments: &[&str]) -> Value {
    let out = scratch.interleaf(&[&["config", "--json"], arguments].concat()).success();
    serde_json::from_str(&out).expect("one JSON object")
}

/// Returns the effective value of a key, with its default and source.
fn setting(scratch: &Scratch, key: &str) -> Value {
    let shown = config_json(scratch, &["--all"]);
    let settings = shown["settings"].as_array().expect("a list").clone();
    settings.into_iter().find(|setting| setting["key"] == key).unwrap_or_default()
}

/// Runs a command as Claude Code does.
fn run_in_claude_code(scratch: &Scratch, arguments: &[&str]) -> ProcessOutput {
    run(scratch.command(program()).args(arguments).env("CLAUDECODE", "1"), b"", HANG_TIMEOUT)
}

#[test]
fn config_check_notes_the_settings_of_a_project_that_no_layer_reads() {
    let project = "[layers.recall.settings]\nmemorys = 2\n[layers.gaet]\nenabled = true\norder = 3\n";
    let scratch = configured("", project);

    let out = scratch.interleaf(&["config", "check"]).success();

    let notes: Vec<&str> = out.lines().filter(|line| line.starts_with("note: ")).collect();
    assert_eq!(notes.len(), 2, "one for each name: {out}");
    assert!(
        notes[0].contains("interleaf.toml:2: `memorys` is not a setting of the embedded layer recall"),
        "{out}"
    );
    assert!(notes[0].contains("known: triggers, memories"), "{out}");
    assert!(notes[1].contains("interleaf.toml:4: there is no layer `gaet` here"), "{out}");
    assert!(out.ends_with("No errors.\n"), "notes are no errors: {out}");
}

#[test]
fn config_check_names_the_settings_of_a_project_that_have_no_effect() {
    let project = "[layers.pretool]\nenabled = false\n[layers.save.settings]\nmemories = 9\n\
                   [memory]\ngrace_days = 1\n";
    let scratch = configured("", project);

    let checked = scratch.interleaf(&["config", "check"]);

    assert_eq!(checked.code, Some(2), "{checked:?}");
    for (line, reason) in [
        (2, "because pretool guards you"),
        (4, "`layers.save.settings.memories`"),
        (6, "`memory.grace_days` cannot be set by a project"),
    ] {
        let place = format!("interleaf.toml:{line}: ");
        let found = checked.out().lines().any(|text| text.contains(&place) && text.contains(reason));
        assert!(found, "{place}{reason}: {}", checked.out());
    }
}

#[test]
fn config_check_names_a_file_with_a_secret_that_others_can_read() {
    use std::os::unix::fs::PermissionsExt;
    for (table, key) in [("sync", "password_file"), ("llm", "key_file")] {
        let scratch = Scratch::new();
        let file = scratch.root.join("secret");
        std::fs::write(&file, "of-mine\n").expect("the scratch folder is writable");
        let set_mode = |mode| {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("it is ours");
        };
        std::fs::write(persons_file(&scratch), format!("[{table}]\n{key} = \"{}\"\n", file.display()))
            .expect("the scratch folder is writable");

        set_mode(0o644);
        let open = scratch.interleaf(&["config", "check"]);
        assert_eq!(open.code, Some(2), "{}", open.out());
        assert!(open.out().contains("config.toml:2: ") && open.out().contains(key), "{}", open.out());
        assert!(
            open.out().contains("others can read it") && open.out().contains("chmod 600"),
            "{}",
            open.out()
        );
        assert!(!open.out().contains("of-mine"), "{}", open.out());
        set_mode(0o600);
        assert!(scratch.interleaf(&["config", "check"]).success().contains("No errors."));
    }
}

#[test]
fn every_value_names_its_file_and_line() {
    let scratch = configured("[memory]\ngrace_days = 7\n", "[layers.recall]\norder = 3\n");

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
    let scratch = configured("", "");

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
fn the_printed_configuration_is_itself_valid() {
    let scratch =
        configured("[memory]\ngrace_days = 7\n", "[layers.recall.settings]\n\"a.b\" = [\"ü\\u001b\", 1.5]\n");
    let all = scratch.interleaf(&["config", "--all"]).success();

    let file = scratch.root.join("all.toml");
    std::fs::write(&file, all).expect("the scratch folder is writable");

    let _ = scratch.interleaf(&["config", "check", &file.to_string_lossy()]).success();
}

#[test]
fn if_both_files_set_a_key_the_effective_and_the_overridden_one_are_named() {
    let scratch =
        configured("[layers.recall]\norder = 5\n", "[layers.recall]\norder = 6\n[limits]\njobs = 3\n");

    let out = scratch.interleaf(&["config"]).success();

    assert!(out.contains("order = 5  # yours, line 2"), "{out}");
    assert!(out.contains("jobs = 3  # project, line 4"), "{out}");
    assert!(
        out.contains(&format!("{PROJECT_FILE}:2: `layers.recall.order` is overridden by yours")),
        "{out}"
    );
    assert_eq!(config_json(&scratch, &[])["not_heeded"][0]["why"], "it is overridden by yours");
}

#[test]
fn an_ignored_setting_has_its_reason() {
    let scratch = configured("[memory]\ngrace_dais = 3\n", "[memory]\ngrace_days = 3\n");

    let out = scratch.interleaf(&["config"]).success();

    assert!(out.contains("config.toml:2: `memory.grace_dais` is not a known key; did you mean"), "{out}");
    assert!(
        out.contains(&format!("{PROJECT_FILE}:2: `memory.grace_days` cannot be set by a project")),
        "{out}"
    );
    let keys: Vec<Value> = config_json(&scratch, &[])["not_heeded"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["key"].clone())
        .collect();
    assert_eq!(keys, ["memory.grace_dais", "memory.grace_days"]);
}

#[test]
fn check_exits_with_2_and_names_each_error_with_its_line() {
    let _ = configured("[memory]\ngrace_days = 3\n", "[layers.recall]\norder = 3\n")
        .interleaf(&["config", "check"])
        .success();

    let scratch = configured("[redact]\npatterns = [\"(\"]\n", "[categories.decisons]\nenabled = false\n");
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
fn check_reads_a_file_as_a_person_s_or_as_a_project_s() {
    let scratch = configured("", "");
    scratch.write("team.toml", "[memory]\ngrace_days = 3\n");
    scratch.write("broken.toml", "[memory\n");

    let _ = scratch.interleaf(&["config", "check", "team.toml"]).success();
    let as_project = scratch.interleaf(&["config", "check", "--project", "team.toml"]);
    assert!(as_project.code == Some(2) && as_project.out().contains("team.toml:2: "), "{}", as_project.out());
    let broken = scratch.interleaf(&["config", "check", "broken.toml"]);
    assert!(
        broken.code == Some(2) && broken.out().contains("broken.toml:1: cannot be parsed"),
        "{}",
        broken.out()
    );
    assert_eq!(scratch.interleaf(&["config", "check", "none.toml"]).code, Some(2));
}

#[test]
fn a_huge_description_makes_only_its_own_file_unreadable() {
    let scratch =
        configured("", &format!("[categories.decision]\ndescription = \"{}\"\n", "x".repeat(1 << 20)));

    let ran = scratch.interleaf(&["config", "check"]);

    assert!(ran.code == Some(2) && ran.out().contains("cannot be read: larger than"), "{}", ran.out());
    assert!(ran.out().len() < 400, "{}", ran.out());
}
