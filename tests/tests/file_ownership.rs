//! Files owned by another user, seen by a process that really runs as a different user: compiled code that
//! another user could have written is not loaded, and a read-only home does not disturb the session.

use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use interleaf_tests::guests;
use interleaf_tests::harmless::check_harmless;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{ACCOUNT_HOME_VARIABLE, HANG_TIMEOUT, Scratch};
use interleaf_tests::skip::{not_skipped, skipped};
use interleaf_tests::unprivileged::{NOBODY, copied_program, is_root, unprivileged};
use serde_json::{Value, json};

const MEMORY: &str = "The invoice export times out while the archive bucket is cold: warm the archive first.";
const PROMPT: &str = "the invoice export times out on the archive bucket";
const ROOT: u32 = 0;

const GATE: &str = "[layers.gate.grants]\ndecide = [\"deny\"]\n";

/// The home of the user `nobody`, with a memory and an accepted layer.
struct Nobody {
    scratch: Scratch,
    program: PathBuf,
    home: PathBuf,
}

impl Nobody {
    /// Prepares the home. Marks the calling test as skipped and returns `None` unless the tests run as root.
    #[track_caller]
    fn prepare() -> Option<Self> {
        if !is_root() {
            skipped("only root can make files of another user's; run the tests as root, in a container say");
            return None;
        }
        not_skipped();
        let scratch = Scratch::new();
        scratch.add_layer("gate", &guests::hostile(), GATE);
        let (program, home) = (copied_program(&scratch), scratch.root.join("nobodys"));
        std::fs::create_dir_all(home.join("config")).expect("ours");
        let patient = "config/config.toml";
        std::fs::copy(scratch.interleaf_home.join(patient), home.join(patient)).expect("ours");
        change_owner(&home, NOBODY);
        let digest = scratch.digest("gate");
        let nobody = Self { scratch, program, home };
        nobody.interleaf(&["remember", MEMORY]).success();
        nobody.interleaf(&["layer", "accept", "gate", "--digest", &digest]).success();
        Some(nobody)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = unprivileged(&self.scratch, &self.program, arguments);
        command.env("INTERLEAF_HOME", &self.home).env(ACCOUNT_HOME_VARIABLE, &self.home);
        command
    }

    fn interleaf(&self, arguments: &[&str]) -> ProcessOutput {
        run(&mut self.command(arguments), b"", HANG_TIMEOUT)
    }

    fn hook(&self, event: &str, fields: Value) -> ProcessOutput {
        let event = self.scratch.event(event, fields);
        run(self.command(&["hook"]).env("CLAUDECODE", "1"), event.as_bytes(), HANG_TIMEOUT)
    }

    fn prompt(&self) -> ProcessOutput {
        self.hook("UserPromptSubmit", json!({"prompt": PROMPT}))
    }

    /// Tells whether compiled code of the accepted layer can be loaded.
    fn gate_is_compiled(&self) -> bool {
        let report: Value = serde_json::from_str(&self.interleaf(&["doctor", "--json"]).out()).expect("JSON");
        report["layers_compiled"]["gate"].as_bool().expect("the gate is listed")
    }

    /// Returns the folder of compiled layers.
    fn compiled(&self) -> PathBuf {
        let mut folders = std::fs::read_dir(self.home.join("cache/compiled")).expect("it was compiled");
        folders.next().expect("one engine").expect("it can be named").path()
    }
}

/// Changes the owner of a folder and everything in it.
fn change_owner(path: &Path, user: u32) {
    chown(path, Some(user), Some(user)).expect("root may");
    let entries = std::fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
    entries.for_each(|entry| change_owner(&entry.path(), user));
}

fn owners(folder: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir(folder).expect("there").filter_map(Result::ok);
    entries.map(|entry| entry.metadata().expect("there").uid()).collect()
}

#[test]
fn compiled_code_owned_by_another_user_is_recompiled_instead_of_loaded() {
    let Some(nobody) = Nobody::prepare() else { return };
    assert!(nobody.gate_is_compiled(), "else this would prove nothing");
    let folder = nobody.compiled();
    change_owner(&folder, ROOT);
    chown(&folder, Some(NOBODY), Some(NOBODY)).expect("root may");

    assert!(!nobody.gate_is_compiled());
    nobody.interleaf(&["compile"]).success();

    assert!(owners(&folder).iter().all(|owner| *owner == NOBODY));
    assert!(nobody.gate_is_compiled());
}

#[test]
fn a_folder_owned_by_another_user_is_not_loaded_from() {
    let Some(nobody) = Nobody::prepare() else { return };
    chown(nobody.compiled(), Some(ROOT), Some(ROOT)).expect("root may");

    assert!(!nobody.gate_is_compiled());
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1"});
    let answer = nobody.hook("PreToolUse", fields);

    assert_eq!(check_harmless(&answer), Ok(()));
    assert!(answer.out().contains("gate: no"), "compiled for this run: {}", answer.out());
    assert!(owners(&nobody.compiled()).iter().all(|owner| *owner == NOBODY), "and nothing there was touched");
}

#[test]
fn a_home_that_cannot_be_written_does_not_disturb_the_session() {
    for part in ["data", "state", "cache", "."] {
        let Some(nobody) = Nobody::prepare() else { return };
        let folder = nobody.home.join(part);
        std::fs::create_dir_all(&folder).expect("root may");
        change_owner(&folder, ROOT);

        let ran = nobody.prompt();

        assert_eq!(check_harmless(&ran), Ok(()), "{part}");
    }
}
