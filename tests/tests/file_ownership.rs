//! Files of another user's, seen by a process that really is somebody else: compiled code that another user
//! could have written is not loaded, and a home that cannot be written costs the session nothing.

use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};

use interleaf_tests::harmless::check_harmless;
use interleaf_tests::run::{Ran, run};
use interleaf_tests::scratch::{HANG, Scratch};
use interleaf_tests::skip::{not_skipped, skipped};
use interleaf_tests::unprivileged::{NOBODY, copied_program, is_root, unprivileged};
use serde_json::{Value, json};

const MEMORY: &str = "The invoice export times out while the archive bucket is cold: warm the archive first.";
const PROMPT: &str = "the invoice export times out on the archive bucket";
const ROOT: u32 = 0;

/// Nobody's home, with a memory and compiled layers in it.
struct Nobody {
    scratch: Scratch,
    program: PathBuf,
    home: PathBuf,
}

impl Nobody {
    /// None, and said aloud, where the tests are not run by root.
    #[track_caller]
    fn settled() -> Option<Self> {
        if !is_root() {
            skipped("only root can make files of another user's; run the tests as root, in a container say");
            return None;
        }
        not_skipped();
        let scratch = Scratch::new();
        let (program, home) = (copied_program(&scratch), scratch.root.join("nobodys"));
        std::fs::create_dir_all(home.join("config")).expect("ours");
        let patient = "config/config.toml";
        std::fs::copy(scratch.interleaf_home.join(patient), home.join(patient)).expect("ours");
        give(&home, NOBODY);
        let nobody = Self { scratch, program, home };
        nobody.interleaf(&["remember", MEMORY]).success();
        nobody.interleaf(&["compile"]).success();
        Some(nobody)
    }

    fn interleaf(&self, arguments: &[&str]) -> Ran {
        let mut command = unprivileged(&self.scratch, &self.program, arguments);
        run(command.env("INTERLEAF_HOME", &self.home), b"", HANG)
    }

    fn hook(&self) -> Ran {
        let mut command = unprivileged(&self.scratch, &self.program, &["hook"]);
        let event = self.scratch.event("UserPromptSubmit", json!({"prompt": PROMPT}));
        run(command.env("INTERLEAF_HOME", &self.home), event.as_bytes(), HANG)
    }

    /// Whether `recall` could be loaded without being compiled.
    fn recall_is_compiled(&self) -> bool {
        let report: Value =
            serde_json::from_str(&self.interleaf(&["doctor", "--json"]).success()).expect("JSON");
        report["layers_compiled"]["recall"].as_bool().expect("recall is listed")
    }

    /// The folder of compiled layers.
    fn compiled(&self) -> PathBuf {
        let mut folders = std::fs::read_dir(self.home.join("cache/compiled")).expect("it was compiled");
        folders.next().expect("one engine").expect("it can be named").path()
    }
}

/// Gives a folder and everything in it to a user.
fn give(path: &Path, user: u32) {
    chown(path, Some(user), Some(user)).expect("root may");
    let entries = std::fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
    entries.for_each(|entry| give(&entry.path(), user));
}

fn owners(folder: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir(folder).expect("there").filter_map(Result::ok);
    entries.map(|entry| entry.metadata().expect("there").uid()).collect()
}

fn assert_answered(ran: &Ran) {
    assert_eq!(check_harmless(ran), Ok(()));
    assert!(ran.out().contains("archive bucket is cold"), "{}", ran.out());
}

#[test]
fn compiled_code_of_another_user_s_is_not_loaded_but_made_anew() {
    let Some(nobody) = Nobody::settled() else { return };
    assert!(nobody.recall_is_compiled(), "else this would prove nothing");
    let (folder, count) = (nobody.compiled(), owners(&nobody.compiled()).len());
    give(&folder, ROOT);
    chown(&folder, Some(NOBODY), Some(NOBODY)).expect("root may");

    assert!(!nobody.recall_is_compiled());
    assert_answered(&nobody.hook());

    assert_eq!(owners(&folder).iter().filter(|owner| **owner == NOBODY).count(), 1, "recall, of {count}");
    assert!(nobody.recall_is_compiled());
}

#[test]
fn a_folder_of_another_user_s_is_not_loaded_from() {
    let Some(nobody) = Nobody::settled() else { return };
    chown(nobody.compiled(), Some(ROOT), Some(ROOT)).expect("root may");

    assert!(!nobody.recall_is_compiled());
    assert_answered(&nobody.hook());

    assert!(owners(&nobody.compiled()).iter().all(|owner| *owner == NOBODY), "and nothing there was touched");
}

#[test]
fn a_home_that_cannot_be_written_costs_the_session_nothing() {
    for part in ["data", "state", "cache", "."] {
        let Some(nobody) = Nobody::settled() else { return };
        let folder = nobody.home.join(part);
        std::fs::create_dir_all(&folder).expect("root may");
        give(&folder, ROOT);

        let ran = nobody.hook();

        assert_eq!(check_harmless(&ran), Ok(()), "{part}");
    }
}
