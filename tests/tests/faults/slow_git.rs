//! A git that is missing or does not answer: what needs no git goes on.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

use interleaf_tests::run::run;
use interleaf_tests::scratch::HANG_TIMEOUT;
use serde_json::json;

use super::stored_project::{RULE, StoredProject};

/// Creates a folder for `PATH` with what git's stand-ins need.
fn folder_of_programs(project: &StoredProject, git: Option<&str>) -> PathBuf {
    let folder = project.scratch.root.join("programs");
    fs::create_dir(&folder).expect("ours");
    for program in ["sh", "sleep", "yes"] {
        let found = ["/bin", "/usr/bin"].map(|folder| PathBuf::from(folder).join(program));
        let found = found.iter().find(|path| path.exists()).expect("every system has it");
        symlink(found, folder.join(program)).expect("ours");
    }
    if let Some(script) = git {
        fs::write(folder.join("git"), format!("#!/bin/sh\n{script}\n")).expect("ours");
        fs::set_permissions(folder.join("git"), fs::Permissions::from_mode(0o755)).expect("ours");
    }
    folder
}

fn with_path(project: &StoredProject, path: &PathBuf, arguments: &[&str]) -> Command {
    let mut command = project.command(arguments);
    command.env("PATH", path);
    command
}

#[test]
fn without_git_sessions_are_as_ever_and_everything_is_in_order() {
    let project = StoredProject::new();
    let path = folder_of_programs(&project, None);

    let [start, prompt] = project.session_of(&|| with_path(&project, &path, &["hook"]), "no-git");

    assert!(start.contains(RULE) && prompt.contains(RULE), "{start} {prompt}");
    project.wait("the session is saved", || project.texts().len() > project.before.len());
    project.assert_nothing_lost();
    // The worker's upkeep misses git, too.
    let _ = run(&mut with_path(&project, &path, &["work"]), b"", HANG_TIMEOUT).success();
    let doctor = run(&mut with_path(&project, &path, &["doctor"]), b"", HANG_TIMEOUT);
    assert!(doctor.success().contains("Everything is in order."));
}

/// What a session start shows while git hangs is in the tests of the layer warmstart.
#[test]
fn a_git_that_hangs_delays_no_answer_beyond_its_deadline_and_leaves_no_process() {
    for script in ["exec sleep 300", "trap '' TERM; while :; do sleep 300; done", "exec yes"] {
        let project = StoredProject::new().with_deadlines();
        let path = folder_of_programs(&project, Some(script));

        let [_, prompt] = project.session_of(&|| with_path(&project, &path, &["hook"]), "slow-git");

        assert!(prompt.contains(RULE), "{script}: {prompt}");
        project.assert_nothing_lost();
        project.wait("git is gone", || !is_running(&path));
    }
}

/// Tells whether a process runs the stand-in of git in this folder.
fn is_running(folder: &std::path::Path) -> bool {
    let git = folder.join("git").display().to_string();
    let processes = fs::read_dir("/proc").expect("processes").filter_map(Result::ok);
    let mut lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(&git))
}

#[test]
fn a_slow_git_does_not_delay_a_prompt() {
    let project = StoredProject::new();
    let path = folder_of_programs(&project, Some("exec sleep 300"));

    let hook = with_path(&project, &path, &["hook"]);
    let prompt = json!({ "prompt": "remember across events: which package manager, npm or pnpm?" });
    let answer = project.hook_of(hook, "slow-git", "UserPromptSubmit", prompt);

    assert!(answer.contains(RULE), "{answer}");
}
