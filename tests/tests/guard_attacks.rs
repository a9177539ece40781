//! Attempts to get past the embedded guard: folders that hold another configuration, commands in disguise,
//! and changes of Interleaf's own files. The person is asked every time.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use interleaf_tests::guests;
use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use interleaf_tests::tool_decision::{decision, decision_on_call};
use serde_json::json;

/// A command that the guard asks about.
const WIDENING: &str = "env -u CLAUDECODE interleaf layer accept x";

fn is_asked(scratch: &Scratch, command: &str) -> bool {
    decision(scratch, command, &[]).as_deref() == Some("ask")
}

/// Runs the program outside of a session, with these folders of Interleaf.
fn interleaf_with_home(scratch: &Scratch, home: &Path, arguments: &[&str]) -> ProcessOutput {
    let mut command = scratch.command(program());
    run(command.args(arguments).env("INTERLEAF_HOME", home), b"", HANG_TIMEOUT)
}

/// Creates a folder beside the project that switches the guard off.
fn sibling(scratch: &Scratch) -> std::path::PathBuf {
    let sibling = scratch.root.join("sibling");
    for folder in ["config", ".config/interleaf", "interleaf"] {
        let folder = sibling.join(folder);
        fs::create_dir_all(&folder).expect("ours");
        fs::write(folder.join("config.toml"), "[layers.pretool]\nenabled = false\n").expect("ours");
    }
    sibling
}

#[test]
fn a_folder_that_is_not_recorded_does_not_switch_the_guard_off() {
    let scratch = Scratch::new();
    let sibling = sibling(&scratch);
    let sibling = sibling.to_str().expect("UTF-8");

    for variables in [
        &[("INTERLEAF_HOME", sibling)][..],
        &[("INTERLEAF_HOME", ""), ("XDG_CONFIG_HOME", sibling)],
        &[("INTERLEAF_HOME", ""), ("HOME", sibling)],
    ] {
        assert_eq!(decision(&scratch, WIDENING, variables).as_deref(), Some("ask"), "{variables:?}");
    }
}

#[test]
fn a_layer_that_was_accepted_in_a_folder_that_is_not_recorded_does_not_replace_the_guard() {
    let scratch = Scratch::new();
    scratch.add_layer("pretool", &guests::hostile(), "[layers.pretool.grants]\nmemory = \"read\"\n");
    let _ = scratch.accept("pretool", &[]).success();
    assert_eq!(decision(&scratch, WIDENING, &[]), None, "a person may replace the guard");

    fs::remove_file(scratch.home.join(".local/share/interleaf/folders.json")).expect("it was written");

    assert_eq!(decision(&scratch, WIDENING, &[]).as_deref(), Some("ask"));
}

#[test]
fn init_outside_a_session_records_the_folders_and_doctor_names_those_that_are_not() {
    let scratch = Scratch::new();
    let sibling = sibling(&scratch);
    let variables = [("INTERLEAF_HOME", sibling.to_str().expect("UTF-8"))];
    let doctor = || interleaf_with_home(&scratch, &sibling, &["doctor"]).out();

    let before = doctor();
    assert!(before.contains("not recorded as yours") && before.contains("run interleaf init"), "{before}");

    let mut inside = scratch.command(program());
    inside.arg("init").envs(variables).env("CLAUDECODE", "1");
    let said = run(&mut inside, b"", HANG_TIMEOUT).success();
    assert!(said.contains("not recorded as yours"), "{said}");
    assert_eq!(decision(&scratch, WIDENING, &variables).as_deref(), Some("ask"), "a session records nothing");

    let said = interleaf_with_home(&scratch, &sibling, &["init"]).success();
    assert!(said.contains("Recorded as your folders"), "{said}");
    assert!(!doctor().contains("not recorded as yours"), "{}", doctor());
    assert_eq!(decision(&scratch, WIDENING, &variables), None, "the person switched the guard off");
}

#[test]
fn no_disguise_hides_a_command_that_widens_rights() {
    let scratch = Scratch::new();
    let nested =
        (0..6).fold(WIDENING.to_owned(), |line, _| format!("eval '{}'", line.replace('\'', "'\\''")));
    for command in [
        nested.as_str(),
        "bash -c $'interl\\x65af layer accept x'",
        "env -S '-u CLAUDECODE interleaf init'",
        "cat <<E | sh\nunset CLAUDECODE; interleaf init\nE",
        "il=interleaf; $il layer accept x",
        "\"$(which interleaf)\" layer accept x",
        "xargs interleaf layer <<< 'accept x'",
        "busybox env -u CLAUDECODE interleaf init",
        "systemd-run --user interleaf layer accept x --digest y",
        "tmux send-keys 'interleaf layer accept x' Enter",
        "script -qc 'interleaf layer accept x'",
        "{interleaf,layer,accept,x}",
        "interleaf uninstall",
        "interleaf llm choose claude",
    ] {
        assert!(is_asked(&scratch, command), "{command}");
    }
    for command in ["ls -la", "cargo test", "interleaf layer list", "git commit -m 'interleaf uninstall'"] {
        assert_eq!(decision(&scratch, command, &[]), None, "{command}");
    }
}

#[test]
fn the_person_is_asked_before_a_shell_changes_interleaf_s_own_files() {
    let scratch = Scratch::new();
    scratch.write(".claude/interleaf.toml", "");
    let home = scratch.interleaf_home.display().to_string();
    let account = scratch.home.display().to_string();
    for command in [
        "echo x >> .claude/interleaf.toml".to_owned(),
        "rm -rf .claude".to_owned(),
        "cp /tmp/x.wasm .claude/layers/".to_owned(),
        format!("echo x >> {home}/config/config.toml"),
        "rm -f \"$INTERLEAF_HOME/config/config.toml\"".to_owned(),
        format!("rm -rf {home}"),
        format!("cd {home} && sed -i s/a/b/ config/config.toml"),
        format!("truncate -s 0 {account}/.local/share/interleaf/folders.json"),
        "tee ~/.local/share/interleaf/gates.json < /dev/null".to_owned(),
        "mv /tmp/x $HOME/.config/interleaf/config.toml".to_owned(),
    ] {
        assert!(is_asked(&scratch, &command), "{command}");
    }
    for command in [
        "cat .claude/interleaf.toml".to_owned(),
        format!("cat {home}/config/config.toml"),
        "git add .claude && git commit -m layers".to_owned(),
        "rm -rf target".to_owned(),
        "echo x > hello.txt".to_owned(),
    ] {
        assert_eq!(decision(&scratch, &command, &[]), None, "{command}");
    }
}

#[test]
fn a_link_in_the_project_does_not_hide_a_change_of_interleaf_s_own_files() {
    let scratch = Scratch::new();
    let config = scratch.interleaf_home.join("config");
    symlink(&config, scratch.project.join("docs")).expect("ours");
    symlink(config.join("config.toml"), scratch.project.join("notes.txt")).expect("ours");
    symlink(&scratch.interleaf_home, scratch.project.join("box")).expect("ours");

    for command in
        ["echo x > notes.txt", "rm docs/config.toml", "rm -rf box/", "echo x > docs/../config/new.toml"]
    {
        assert!(is_asked(&scratch, command), "{command}");
    }
    assert_eq!(decision(&scratch, "cat notes.txt docs/config.toml", &[]), None);
    let path = scratch.project.join("notes.txt");
    let input = json!({"file_path": path, "content": "x"});
    assert_eq!(decision_on_call(&scratch, "Write", &input, &[]).as_deref(), Some("ask"));
}

#[test]
fn the_person_is_asked_before_a_tool_changes_interleaf_s_own_files() {
    let scratch = Scratch::new();
    let config = scratch.interleaf_home.join("config/config.toml");
    let decision = |tool: &str, input| decision_on_call(&scratch, tool, &input, &[]);

    for tool in ["Write", "Edit", "MultiEdit"] {
        let input = json!({"file_path": config, "content": "x"});
        assert_eq!(decision(tool, input).as_deref(), Some("ask"), "{tool}");
    }
    let input = json!({"notebook_path": config});
    assert_eq!(decision("NotebookEdit", input).as_deref(), Some("ask"));
    let nested = json!({"edits": [{"target": {"path": config}}]});
    assert_eq!(decision("mcp__files__write_file", nested.clone()).as_deref(), Some("ask"));
    let shell = json!({"command": WIDENING});
    assert_eq!(decision("mcp__shell__run", shell).as_deref(), Some("ask"));

    assert_eq!(decision("mcp__files__read_file", nested), None);
    assert_eq!(decision("mcp__files__write_file", json!({"path": "/srv/notes.txt"})), None);
    assert_eq!(decision("Read", json!({"file_path": config})), None);
    assert_eq!(decision("Write", json!({"file_path": scratch.project.join("a.rs"), "content": "x"})), None);
}
