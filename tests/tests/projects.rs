//! Which project a folder is: after a move, at a path that another repository had, in a clone, without git.

use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const MEMORY: &str = "Use pnpm, never npm, as the package manager: CI rejects an npm lock file";
const PROMPT: &str = "remember across events: which package manager do we use here, npm or pnpm?";

/// Folders beside the project of a [`Scratch`], with the same home.
struct Folders(Scratch, AtomicU32);

impl Folders {
    fn new() -> Self {
        Self(Scratch::new(), AtomicU32::new(0))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.root.join(name)
    }

    fn folder(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(&path).expect("a folder");
        path
    }

    fn repository(&self, name: &str, first_commit: &str) -> PathBuf {
        let path = self.folder(name);
        self.git(&path, &["init", "--quiet", "--initial-branch", "main"]);
        self.git(&path, &["commit", "--quiet", "--allow-empty", "--message", first_commit]);
        path
    }

    fn git(&self, folder: &Path, arguments: &[&str]) {
        let place = ["-C", folder.to_str().expect("utf-8")];
        let author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
        self.0.git(&[&place[..], &author, arguments].concat());
    }

    /// Runs the program as a person does in a folder: no variable names the session's project.
    fn interleaf(&self, folder: &Path, arguments: &[&str]) -> ProcessOutput {
        let mut command = self.0.command(program());
        command.current_dir(folder).args(arguments).env_remove("CLAUDE_PROJECT_DIR");
        run(&mut command, b"", HANG_TIMEOUT)
    }

    /// Returns the reply to an event of a session in this folder.
    fn hook(&self, folder: &Path, event: &str, fields: Value) -> String {
        // A session shows a memory once, so each event has its own.
        let session = self.1.fetch_add(1, Ordering::Relaxed).to_string();
        let mut payload = json!({ "session_id": session, "cwd": folder, "hook_event_name": event });
        payload.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        let mut command = self.0.command(program());
        command.current_dir(folder).arg("hook").env("CLAUDE_PROJECT_DIR", folder);
        run(&mut command, payload.to_string().as_bytes(), HANG_TIMEOUT).success()
    }

    fn ask(&self, folder: &Path) -> String {
        self.hook(folder, "UserPromptSubmit", json!({ "prompt": PROMPT }))
    }

    fn start(&self, folder: &Path) -> String {
        self.hook(folder, "SessionStart", json!({ "source": "startup" }))
    }

    fn remember(&self, folder: &Path, text: &str) {
        let _ = self.interleaf(folder, &["remember", "-c", "decision", text]).success();
    }

    fn doctor(&self, folder: &Path) -> String {
        self.interleaf(folder, &["doctor"]).out()
    }

    fn id(&self, folder: &Path) -> String {
        let doctor: Value =
            serde_json::from_str(&self.interleaf(folder, &["doctor", "--json"]).out()).expect("JSON");
        doctor["project_id"].as_str().expect("an id").to_owned()
    }
}

/// Returns the message of a command that failed.
fn failure(output: &ProcessOutput) -> String {
    assert_ne!(output.code, Some(0), "{}", output.out());
    output.err()
}

#[test]
fn a_moved_repository_shows_its_memories() {
    let folders = Folders::new();
    let old = folders.repository("shop", "first");
    folders.remember(&old, MEMORY);
    let new = folders.path("store");
    fs::rename(&old, &new).expect("a move");

    assert!(folders.start(&new).contains("pnpm"));
    assert!(folders.ask(&new).contains("pnpm") || folders.doctor(&new).contains("memories  1"));
    let list = folders.interleaf(&new, &["project", "list"]).success();
    assert!(list.contains("store") && list.contains("1 memory") && !list.contains("gone"), "{list}");
}

#[test]
fn a_folder_without_git_keeps_its_memories_through_a_move_and_git_init() {
    let folders = Folders::new();
    let old = folders.folder("notes");
    folders.remember(&old, MEMORY);

    folders.git(&old, &["init", "--quiet"]);
    assert!(folders.start(&old).contains("pnpm"));
    fs::rename(&old, folders.path("papers")).expect("a move");
    assert!(folders.start(&folders.path("papers")).contains("pnpm"));
}

#[test]
fn another_repository_at_the_path_starts_empty_says_so_once_and_can_be_joined() {
    let folders = Folders::new();
    let at = folders.repository("workspace", "alpha");
    folders.remember(&at, MEMORY);
    let first = folders.id(&at);
    fs::remove_dir_all(&at).expect("a folder");
    let at = folders.repository("workspace", "beta");

    let start = folders.start(&at);
    let prompts = [folders.ask(&at), folders.ask(&at)];
    assert!(!start.contains("pnpm") && !prompts.concat().contains("CI rejects"), "{start} {prompts:?}");
    let notice = format!("interleaf project join {first}");
    let shown: Value = serde_json::from_str(&prompts[0]).expect("a notice");
    assert!(shown["systemMessage"].as_str().is_some_and(|text| text.contains(&notice)), "{shown}");
    assert!(!prompts[1].contains(&notice), "only once: {}", prompts[1]);
    assert!(folders.doctor(&at).contains(&notice));

    folders.remember(&at, "Deployments run from the tag, never from a branch");
    let joined = folders.interleaf(&at, &["project", "join", &first]).success();
    assert!(joined.contains("1 memory") && joined.contains("1 memory from here"), "{joined}");
    let start = folders.start(&at);
    assert!(start.contains("pnpm") && start.contains("Deployments"), "{start}");
    let _ = folders.interleaf(&at, &["project", "join", "--undo"]).success();
    assert!(!folders.start(&at).contains("pnpm"));
}

#[test]
fn a_clone_is_offered_the_memories_of_its_original_by_name() {
    let folders = Folders::new();
    let original = folders.repository("shop", "first");
    folders.remember(&original, MEMORY);
    let clone = folders.path("copy");
    folders.git(
        &original,
        &["clone", "--quiet", original.to_str().expect("utf-8"), clone.to_str().expect("utf-8")],
    );

    let doctor = folders.doctor(&clone);
    assert!(doctor.contains("the project shop") && doctor.contains("the same remote"), "{doctor}");
    let initialized = folders.interleaf(&clone, &["init"]).success();
    assert!(initialized.contains("interleaf project join"), "{initialized}");
    let _ = folders.interleaf(&clone, &["project", "join", "shop"]).success();

    assert!(folders.start(&clone).contains("pnpm"));
    let list = folders.interleaf(&clone, &["project", "list"]).success();
    assert!(list.contains("uses the memories of"), "{list}");
}

#[test]
fn a_command_in_a_subfolder_without_git_writes_where_the_session_reads() {
    let folders = Folders::new();
    let (root, deep) = (folders.folder("notes"), folders.folder("notes/a/b"));
    let _ = folders.interleaf(&root, &["init"]).success();

    folders.remember(&deep, MEMORY);

    assert!(folders.start(&root).contains("pnpm"));
}

#[test]
fn a_forgotten_project_has_no_memories_and_the_others_keep_theirs() {
    let folders = Folders::new();
    let (shop, other) = (folders.repository("shop", "first"), folders.folder("other"));
    folders.remember(&shop, MEMORY);
    folders.remember(&other, "Deployments run from the tag, never from a branch");
    fs::rename(&shop, folders.path("moved")).expect("a move");
    let _ = folders.start(&folders.path("moved"));

    let unanswered = folders.interleaf(&other, &["project", "forget", "moved"]);
    assert_eq!(unanswered.code, Some(2), "it asks, and there is no terminal");
    let forgotten = folders.interleaf(&other, &["project", "forget", "moved", "--yes"]).success();

    assert!(forgotten.contains("moved"), "{forgotten}");
    assert_eq!(folders.start(&folders.path("moved")), "");
    assert!(folders.start(&other).contains("Deployments"));
    let unknown = folders.interleaf(&other, &["project", "forget", "moved", "--yes"]);
    assert!(failure(&unknown).contains("no project is known as `moved`"));
}

#[test]
fn a_project_that_others_use_is_not_forgotten() {
    let folders = Folders::new();
    let (shop, other) = (folders.folder("shop"), folders.folder("other"));
    folders.remember(&shop, MEMORY);
    let _ = folders.interleaf(&other, &["project", "join", "shop"]).success();

    let refused = failure(&folders.interleaf(&other, &["project", "forget", "shop", "--yes"]));

    assert!(refused.contains("uses the memories of") && refused.contains("--undo"), "{refused}");
    assert!(folders.start(&other).contains("pnpm"));
}

#[test]
fn an_agent_neither_joins_nor_forgets_a_project() {
    let folders = Folders::new();
    let (shop, other) = (folders.folder("shop"), folders.folder("other"));
    folders.remember(&shop, MEMORY);

    for arguments in [["project", "join", "shop"], ["project", "forget", "shop"]] {
        let mut command = folders.0.command(program());
        command.current_dir(&other).args(arguments).env("CLAUDECODE", "1");
        let refused = failure(&run(&mut command, b"", HANG_TIMEOUT));
        assert!(refused.contains("needs a person"), "{refused}");
    }
    assert!(!folders.start(&other).contains("pnpm"));
}
