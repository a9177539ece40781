//! Cloning a project runs nothing of it, whatever files it contains. A clone is another project than its
//! original.

use interleaf_tests::guests;
use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const MEMORY: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const QUESTION: &str = "remember across events: which package manager do we use here, npm or pnpm?";
const GRANTS: &str = "[layers.gate]\nfile = \".claude/layers/gate.wasm\"\non_failure = \
                    \"deny\"\n[layers.gate.grants]\nstate = true\nmemory = \"write\"\ndecide = [\"ask\", \
                    \"deny\"]\n";

/// A project with an accepted layer and a memory, and a clone of it through a common remote.
struct ProjectAndClone {
    scratch: Scratch,
    clone: PathBuf,
}

impl ProjectAndClone {
    fn new() -> ProjectAndClone {
        let scratch = Scratch::new();
        scratch.add_layer("gate", &guests::hostile(), GRANTS);
        let _ = scratch.accept("gate", &[]).success();
        let _ = scratch.interleaf(&["remember", MEMORY]).success();
        let (remote, clone) = (scratch.root.join("remote.git"), scratch.root.join("clone"));
        scratch.git(&["add", "--all"]);
        scratch.git(&["commit", "--quiet", "--message", "a gate"]);
        scratch.git(&["init", "--quiet", "--bare", "--initial-branch", "main", &text(&remote)]);
        scratch.git(&["remote", "add", "origin", &text(&remote)]);
        scratch.git(&["push", "--quiet", "origin", "main"]);
        scratch.git(&["clone", "--quiet", &text(&remote), &text(&clone)]);
        ProjectAndClone { scratch, clone }
    }

    /// Returns the answer to [`QUESTION`] in a session of `folder`, with `more` in the environment.
    fn ask(&self, folder: &Path, more: &[(&str, PathBuf)]) -> String {
        let event = json!({
            "session_id": "s", "cwd": folder, "hook_event_name": "UserPromptSubmit", "prompt": QUESTION,
        });
        self.run(folder, &["hook"], &event.to_string(), more).success()
    }

    fn run(&self, folder: &Path, arguments: &[&str], stdin: &str, more: &[(&str, PathBuf)]) -> ProcessOutput {
        let mut command = self.scratch.command(program());
        command.current_dir(folder).args(arguments).env("CLAUDE_PROJECT_DIR", folder);
        command.envs(more.iter().map(|(name, value)| (*name, value)));
        run(&mut command, stdin.as_bytes(), HANG_TIMEOUT)
    }

    fn project_id(&self, folder: &Path) -> String {
        let doctor: Value =
            serde_json::from_str(&self.run(folder, &["doctor", "--json"], "", &[]).out()).expect("JSON");
        doctor["project_id"].as_str().expect("an id").to_owned()
    }

    /// Plants all of this user's files (lock, copies and compiled code) inside the clone, under the clone's
    /// id.
    fn plant(&self) -> PathBuf {
        let planted = self.clone.join(".interleaf");
        copy(&self.scratch.interleaf_home, &planted);
        let projects = planted.join("data/projects");
        fs::rename(
            projects.join(self.project_id(&self.scratch.project)),
            projects.join(self.project_id(&self.clone)),
        )
        .expect("the project has a folder");
        for place in [".claude", ".claude/layers"] {
            let lock = projects.join(self.project_id(&self.clone)).join("accepted.json");
            fs::copy(lock, self.clone.join(place).join("accepted.json")).expect("the clone is writable");
        }
        for compiled in files(&planted.join("cache")) {
            let name = compiled.file_name().expect("a file");
            fs::copy(&compiled, self.clone.join(".claude/layers").join(name)).expect("the clone is writable");
        }
        planted
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).expect("it lies below"));
        fs::create_dir_all(target.parent().expect("a folder")).expect("writable");
        fs::copy(&file, target).expect("writable");
    }
}

/// Checks that the layer did not run and that no memory of the other project was found.
#[track_caller]
fn assert_nothing_of_it(answer: &str) {
    for trace in ["event 1", "From a hostile layer", "pnpm"] {
        assert!(!answer.contains(trace), "{trace} in {answer}");
    }
}

#[test]
fn the_project_itself_runs_what_it_accepted() {
    let two = ProjectAndClone::new();

    let answer = two.ask(&two.scratch.project, &[]);

    assert!(answer.contains("event 1") && answer.contains("pnpm"), "{answer}");
}

#[test]
fn a_clone_runs_nothing_and_sees_no_memory_of_the_project_with_the_same_remote() {
    let two = ProjectAndClone::new();

    let answer = two.ask(&two.clone, &[]);

    assert_nothing_of_it(&answer);
    assert!(answer.contains("layer gate is new here and does not run"), "{answer}");
    assert!(
        !two.scratch
            .interleaf_home
            .join("data/projects")
            .join(two.project_id(&two.clone))
            .join("accepted.json")
            .exists()
    );
}

#[test]
fn planted_files_in_a_clone_are_never_read() {
    let two = ProjectAndClone::new();
    two.plant();

    assert_nothing_of_it(&two.ask(&two.clone, &[]));
}

#[test]
fn folders_redirected_into_the_clone_are_ignored() {
    let two = ProjectAndClone::new();
    let planted = two.plant();
    let nowhere = two.scratch.root.join("nowhere");

    for variables in [
        vec![("INTERLEAF_HOME", planted.clone())],
        vec![("INTERLEAF_HOME", PathBuf::from(".interleaf"))],
        vec![
            ("INTERLEAF_HOME", PathBuf::new()),
            ("XDG_DATA_HOME", planted.join("data")),
            ("XDG_CACHE_HOME", planted.join("cache")),
        ],
        vec![("INTERLEAF_HOME", nowhere.clone()), ("XDG_CACHE_HOME", planted.join("cache"))],
    ] {
        assert_nothing_of_it(&two.ask(&two.clone, &variables));
        let doctor = two.run(&two.clone, &["doctor"], "", &variables).out();
        let named = variables.iter().any(|(_, value)| *value == nowhere) || doctor.contains("is ignored: ");
        assert!(named, "{variables:?}: {doctor}");
    }
}

#[test]
fn a_user_folder_that_links_into_the_clone_is_ignored() {
    let two = ProjectAndClone::new();
    let planted = two.plant();
    let link = two.scratch.root.join("link");
    std::os::unix::fs::symlink(&planted, &link).expect("writable");

    let answer = two.ask(&two.clone, &[("INTERLEAF_HOME", link)]);

    assert_nothing_of_it(&answer);
}

#[test]
fn another_work_tree_of_the_project_shares_what_was_accepted() {
    let two = ProjectAndClone::new();
    let tree = two.scratch.root.join("tree");
    two.scratch.git(&["worktree", "add", "--quiet", &text(&tree), "-b", "other"]);

    assert!(two.ask(&tree, &[]).contains("event 1"));
}
