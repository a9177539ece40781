//! The variables that name this user's folders are ignored where a project's settings could have them lead
//! into files that came with the project. Ordinary setups keep working.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::{ACCOUNT_HOME_VARIABLE, HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};

const VARIABLES: [&str; 6] =
    ["INTERLEAF_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"];

/// What `interleaf doctor` reports of a session.
struct Report {
    store: PathBuf,
    warnings: Vec<String>,
}

impl Report {
    fn warns_of(&self, variable: &str, reason: &str) -> bool {
        self.warnings.iter().any(|line| line.starts_with(&format!("{variable}=")) && line.contains(reason))
    }
}

/// Runs `interleaf doctor` in `folder` with these variables, and otherwise only the account's home.
fn report(scratch: &Scratch, folder: &Path, variables: &[(&str, &Path)]) -> Report {
    let mut doctor = scratch.command(program());
    doctor.current_dir(folder).args(["doctor", "--json"]).env("CLAUDE_PROJECT_DIR", folder);
    doctor.env_remove("INTERLEAF_HOME").envs(variables.iter().copied());
    let report: Value =
        serde_json::from_str(&run(&mut doctor, b"", HANG_TIMEOUT).out()).expect("doctor prints JSON");
    let warnings = report["troubles"].as_array().expect("a list").iter();
    Report {
        store: report["store"].as_str().expect("a path").into(),
        warnings: warnings.map(|line| line.as_str().expect("text").to_owned()).collect(),
    }
}

/// Checks that no variable takes the session of `folder` to `target`, and that doctor names each with the
/// reason.
#[track_caller]
fn assert_ignored(scratch: &Scratch, folder: &Path, target: &Path, reason: &str) {
    for variable in VARIABLES {
        let found = report(scratch, folder, &[(variable, target)]);

        assert!(found.store.starts_with(&scratch.home), "{variable}: {}", found.store.display());
        assert!(found.warns_of(variable, reason), "{variable}: {:?}", found.warnings);
    }
}

#[track_caller]
fn assert_used(scratch: &Scratch, folder: &Path, variable: &str, target: &Path) {
    let found = report(scratch, folder, &[(variable, target)]);

    assert!(found.store.starts_with(target), "{variable}: {}", found.store.display());
    assert!(found.warnings.iter().all(|line| !line.contains("is ignored")), "{:?}", found.warnings);
}

fn folder(path: PathBuf) -> PathBuf {
    fs::create_dir_all(&path).expect("ours");
    path
}

#[test]
fn a_variable_does_not_lead_into_the_main_work_tree() {
    let scratch = Scratch::new();
    let (inside, outside) = (scratch.project.join(".claude/worktrees/x"), scratch.root.join("elsewhere"));
    for (tree, branch) in [(&inside, "one"), (&outside, "two")] {
        scratch.git(&["worktree", "add", "--quiet", tree.to_str().expect("UTF-8"), "-b", branch]);

        assert_ignored(&scratch, tree, &scratch.project.join(".evil"), "inside the project");
        assert_ignored(&scratch, tree, &tree.join(".evil"), "inside the project");
    }
}

#[test]
fn a_variable_does_not_lead_into_a_repository_around_the_project() {
    let scratch = Scratch::new();
    let module = folder(scratch.project.join("vendor/module"));
    scratch.git(&["init", "--quiet", module.to_str().expect("UTF-8")]);

    for session in [&module, &folder(module.join("src"))] {
        assert_ignored(&scratch, session, &scratch.project.join(".evil"), "inside the project");
    }
}

#[test]
fn a_variable_does_not_lead_through_the_folders_of_processes() {
    let scratch = Scratch::new();
    let app = folder(scratch.root.join("archive/app"));
    folder(scratch.root.join("archive/.evil"));
    let detour = scratch.root.join("detour");
    std::os::unix::fs::symlink("/proc/self/cwd/..", &detour).expect("ours");

    for target in ["/proc/self/cwd/../.evil", "/proc/thread-self/cwd/../.evil", "/dev/fd/../cwd/../.evil"] {
        assert_ignored(&scratch, &app, Path::new(target), "leads through the folders of processes");
    }
    assert_ignored(&scratch, &app, &detour.join(".evil"), "leads through the folders of processes");
}

#[test]
fn a_variable_does_not_lead_through_the_project_to_what_lies_beside_it() {
    let scratch = Scratch::new();
    let app = folder(scratch.root.join("archive/app"));
    folder(scratch.root.join("archive/.evil"));
    std::os::unix::fs::symlink("../.evil", app.join("link")).expect("ours");

    assert_ignored(&scratch, &app, &app.join("link"), "leads through the project");
    assert_ignored(&scratch, &app, &app.join("../.evil"), "leads through the project");
}

#[test]
fn a_variable_that_leads_elsewhere_is_used_even_through_a_link() {
    let scratch = Scratch::new();
    let (real, link) = (folder(scratch.root.join("real")), scratch.root.join("link"));
    std::os::unix::fs::symlink(&real, &link).expect("ours");

    for target in [&real, &link] {
        for variable in ["INTERLEAF_HOME", "XDG_DATA_HOME", "HOME"] {
            assert_used(&scratch, &scratch.project, variable, target);
        }
    }
}

#[test]
fn a_home_that_is_a_repository_keeps_working() {
    let scratch = Scratch::new();
    scratch.git(&["init", "--quiet", scratch.home.to_str().expect("UTF-8")]);
    let below = folder(scratch.home.join("work/shop"));
    scratch.git(&["init", "--quiet", below.to_str().expect("UTF-8")]);

    for session in [&below, &scratch.home] {
        assert_used(&scratch, session, "HOME", &scratch.home);
    }
    assert_used(&scratch, &below, "INTERLEAF_HOME", &folder(scratch.home.join(".interleaf")));
    assert_used(&scratch, &below, "XDG_DATA_HOME", &scratch.home.join(".local/share"));
}

#[test]
fn a_session_in_the_root_folder_or_at_home_keeps_its_memories_at_home() {
    let scratch = Scratch::new();

    for session in [Path::new("/"), &scratch.home] {
        assert_used(&scratch, session, "HOME", &scratch.home);
    }
}

#[test]
fn a_home_that_is_ignored_is_replaced_by_that_of_the_account() {
    let scratch = Scratch::new();
    let account = folder(scratch.root.join("account"));

    let found = report(
        &scratch,
        &scratch.project,
        &[("HOME", &scratch.project.join("home")), (ACCOUNT_HOME_VARIABLE, &account)],
    );

    assert!(found.store.starts_with(&account), "{}", found.store.display());
    assert!(found.warns_of("HOME", "not the home folder of this account"), "{:?}", found.warnings);
}

#[test]
fn where_no_folder_can_be_used_the_reason_and_the_next_step_are_told() {
    let scratch = Scratch::new();
    let inside = scratch.project.join(".il");
    let mut list = scratch.command(program());
    list.args(["memory", "list"]).current_dir(&scratch.project).env_remove("HOME");
    let list = run(list.env("INTERLEAF_HOME", &inside), b"", HANG_TIMEOUT);

    assert_eq!(list.code, Some(1), "{}", list.out());
    let reason = format!("INTERLEAF_HOME={} is ignored: inside the project", inside.display());
    assert!(list.err().contains(&reason), "{}", list.err());
    assert!(list.err().contains("hint: set INTERLEAF_HOME to an absolute path outside "), "{}", list.err());
}

/// Returns a command in the project with only this variable and the account's home.
fn with_variable(scratch: &Scratch, variable: &str, value: &str, arguments: &[&str]) -> Command {
    let mut command = scratch.command(program());
    command.args(arguments).env_remove("INTERLEAF_HOME").env(variable, value);
    command
}

#[test]
fn a_command_that_was_given_an_ignored_variable_ends_with_an_error_and_writes_nothing() {
    let scratch = Scratch::new();
    let inside = scratch.project.join("il").display().to_string();
    let before = fs::read_dir(scratch.home.join(".local/share/interleaf")).expect("recorded folders").count();

    for variable in VARIABLES {
        for (value, reason) in [(inside.as_str(), "inside the project"), ("il", "not an absolute path")] {
            for arguments in [&["remember", "a fact of this project"][..], &["memory", "list"], &["log"]] {
                let ran = run(&mut with_variable(&scratch, variable, value, arguments), b"", HANG_TIMEOUT);

                assert_eq!(ran.code, Some(1), "{variable}={value} {arguments:?}: {}", ran.out());
                let named = format!("{variable}={value} is ignored: {reason}");
                assert!(ran.err().contains(&named), "{}", ran.err());
                let next = format!("to an absolute path outside {}", scratch.project.display());
                assert!(ran.err().contains("hint: set ") && ran.err().contains(&next), "{}", ran.err());
            }
        }
    }
    let after = fs::read_dir(scratch.home.join(".local/share/interleaf")).expect("recorded folders").count();
    assert_eq!(after, before, "nothing was written into the folders of the account");
    assert!(!Path::new(&inside).exists());
}

#[test]
fn the_hint_names_the_repository_around_the_project() {
    let scratch = Scratch::new();
    let module = folder(scratch.project.join("target/demo/app"));
    scratch.git(&["init", "--quiet", module.to_str().expect("UTF-8")]);
    let home = scratch.project.join("target/demo/home").display().to_string();

    let mut list = with_variable(&scratch, "INTERLEAF_HOME", &home, &["memory", "list"]);
    let list = run(list.current_dir(&module), b"", HANG_TIMEOUT);

    let hint = format!(
        "hint: set INTERLEAF_HOME to an absolute path outside {}, or unset it",
        scratch.project.display()
    );
    assert!(list.err().contains(&hint), "{}", list.err());
}

#[test]
fn what_claude_code_starts_falls_back_in_silence() {
    let scratch = Scratch::new();
    let inside = scratch.project.join("il").display().to_string();
    let prompt = scratch.event("UserPromptSubmit", json!({"prompt": "how are you today?"}));
    for (arguments, stdin) in [(&["hook"][..], prompt.as_str()), (&["compile"], ""), (&["work"], "")] {
        let mut command = with_variable(&scratch, "INTERLEAF_HOME", &inside, arguments);

        let ran = run(command.env("CLAUDE_PROJECT_DIR", &scratch.project), stdin.as_bytes(), HANG_TIMEOUT);

        assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{arguments:?}");
    }
    assert!(scratch.home.join(".local/state/interleaf").exists(), "the hook used the account's folders");
    assert!(!Path::new(&inside).exists());
}
