//! Projects at unusual paths, and at two paths.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use interleaf_tests::harmless::check_harmless;
use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};

use super::mounts::Mount;
use super::stored_project::{RULE, StoredProject};

/// Names of folders that programs have stumbled over.
const NAMES: [&str; 10] = [
    "with two  spaces",
    "line\nfeed",
    "tab\there",
    "quotes'and\"more",
    "$HOME and `id`",
    "emoji 🦀",
    "\u{202e}right to left",
    "-rf",
    "back\\slash",
    "%s{}*?[x]",
];

fn interleaf(scratch: &Scratch, folder: &Path, arguments: &[&str]) -> ProcessOutput {
    let mut command = scratch.command(program());
    run(command.current_dir(folder).args(arguments), b"", HANG_TIMEOUT)
}

/// Returns the answer of a hook that runs in this folder.
fn start(scratch: &Scratch, folder: &Path, cwd: &str) -> String {
    let event = json!({
        "session_id": "s", "cwd": cwd, "hook_event_name": "SessionStart", "source": "startup",
    });
    let mut command = scratch.command(program());
    command.current_dir(folder).arg("hook").env("CLAUDECODE", "1").env("CLAUDE_PROJECT_DIR", folder);
    let ran = run(&mut command, event.to_string().as_bytes(), HANG_TIMEOUT);
    assert_eq!(check_harmless(&ran), Ok(()), "{folder:?}");
    ran.out()
}

#[track_caller]
fn assert_works_in(scratch: &Scratch, folder: &Path) {
    fs::create_dir_all(folder).expect("ours");
    let git = run(scratch.command("git").current_dir(folder).args(["init", "--quiet"]), b"", HANG_TIMEOUT);
    let _ = git.success();
    let _ = interleaf(scratch, folder, &["init"]).success();
    assert_remembers_in(scratch, folder);
    let doctor = interleaf(scratch, folder, &["doctor"]);
    assert!(doctor.out().contains("Everything is in order."), "{folder:?}: {}", doctor.out());
}

#[track_caller]
fn assert_remembers_in(scratch: &Scratch, folder: &Path) {
    let rule = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
    let _ = interleaf(scratch, folder, &["remember", "-c", "decision", rule]).success();

    assert!(start(scratch, folder, &folder.to_string_lossy()).contains(RULE), "{folder:?}");
    let doctor = interleaf(scratch, folder, &["doctor", "--json"]);
    let report: Value = serde_json::from_str(&doctor.out()).expect("JSON");
    assert_eq!(report["memories"], 1, "{folder:?}: {report}");
}

#[test]
fn a_project_with_an_unusual_name_works_as_any_other() {
    let scratch = Scratch::new();
    for name in NAMES {
        assert_works_in(&scratch, &scratch.root.join(name));
    }
}

#[test]
fn a_project_whose_name_is_not_utf_8_works_as_any_other() {
    let scratch = Scratch::new();

    assert_works_in(&scratch, &scratch.root.join(OsString::from_vec(b"latin-\xe9-\xff".to_vec())));
}

#[test]
fn a_project_at_a_very_long_path_works_as_any_other() {
    let scratch = Scratch::new();
    // Linux takes paths of less than 4,096 bytes; Interleaf, git and the test add names to this one.
    let mut folder: PathBuf = scratch.root.clone();
    while folder.as_os_str().len() < 3_600 {
        folder.push(OsStr::from_bytes(&[b'd'; 200]));
    }

    assert_works_in(&scratch, &folder);
}

/// So a container for development has the project of its host.
#[test]
fn a_project_that_is_mounted_elsewhere_has_its_memories_there() {
    let project = StoredProject::new();
    let elsewhere = project.scratch.root.join("workspace");
    let Some(_mount) = Mount::bind(&project.scratch.project, &elsewhere) else { return };

    let shown = start(&project.scratch, &elsewhere, elsewhere.to_str().expect("utf-8"));

    assert!(shown.contains(RULE), "{shown}");
    let doctor = interleaf(&project.scratch, &elsewhere, &["doctor"]);
    assert!(doctor.success().contains("Everything is in order."));
    project.assert_nothing_lost();
}
