//! Clones of one repository, each with a user of its own.

use std::collections::BTreeSet;
use std::path::PathBuf;

use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use serde_json::Value;

/// A bare repository, from which others are cloned.
pub struct Origin {
    pub scratch: Scratch,
    pub folder: PathBuf,
}

/// A clone, with a user of its own.
pub struct Clone {
    pub scratch: Scratch,
}

impl Origin {
    /// Creates a bare repository with one commit.
    pub fn new() -> Self {
        let scratch = Scratch::new();
        commit(&scratch, "first");
        let folder = scratch.root.join("origin.git");
        scratch.git(&["clone", "--quiet", "--bare", ".", &folder.display().to_string()]);
        Self { scratch, folder }
    }

    /// Clones the repository for a user of this name.
    pub fn clone_for(&self, name: &str) -> Clone {
        let scratch = empty_repository();
        let address = self.folder.display().to_string();
        scratch.git(&["remote", "add", "origin", &address]);
        scratch.git(&["pull", "--quiet", "origin", "main"]);
        scratch.git(&["config", "user.name", name]);
        Clone { scratch }
    }

    /// Returns what git prints in the bare repository.
    pub fn git(&self, arguments: &[&str]) -> String {
        let folder = self.folder.display().to_string();
        self.scratch.git(&[&["--git-dir", &folder], arguments].concat())
    }

    /// Returns what git prints in the bare repository for this input.
    pub fn pipe(&self, arguments: &[&str], input: &[u8]) -> String {
        let mut git = self.scratch.command("git");
        git.arg("--git-dir").arg(&self.folder).args(arguments);
        run(&mut git, input, HANG_TIMEOUT).success()
    }
}

impl Clone {
    pub fn interleaf(&self, arguments: &[&str]) -> ProcessOutput {
        self.scratch.interleaf(arguments)
    }

    /// Saves a memory and returns its id.
    pub fn remember(&self, text: &str) -> String {
        let saved = self.interleaf(&["remember", "-c", "decision", "--json", text]).success();
        let saved: Value = serde_json::from_str(&saved).expect("an object");
        saved["id"].as_str().expect("an id").to_owned()
    }

    /// Exchanges everything, and accepts the place if that was not done before.
    pub fn sync(&self) -> String {
        self.interleaf(&["sync", "--to", "git-notes", "--yes"]).success()
    }

    /// Returns the memory with this id.
    pub fn memory(&self, id: &str) -> Value {
        serde_json::from_str(&self.interleaf(&["memory", "show", id, "--json"]).success()).expect("an object")
    }

    /// Returns all active memories, without what each store counts for itself or decides about origins.
    pub fn active(&self) -> BTreeSet<String> {
        let list = self.interleaf(&["memory", "export"]).success();
        let memories = list.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object"));
        let comparable = |mut memory: Value| {
            let fields = memory.as_object_mut().expect("an object");
            for local in ["version", "uses", "followed", "origin"] {
                fields.remove(local);
            }
            memory.to_string()
        };
        memories.filter(|memory| memory["status"] == "active").map(comparable).collect()
    }
}

/// Returns an environment whose project is a repository without a commit.
pub fn empty_repository() -> Scratch {
    let scratch = Scratch::new();
    std::fs::remove_dir_all(scratch.project.join(".git")).expect("it is ours");
    std::fs::remove_file(scratch.project.join("hello.txt")).expect("it is ours");
    scratch.git(&["init", "--quiet", "--initial-branch", "main"]);
    scratch.git(&["config", "user.name", "Test"]);
    scratch.git(&["config", "user.email", "test@localhost"]);
    scratch
}

/// Makes a commit.
pub fn commit(scratch: &Scratch, message: &str) {
    scratch.write("README.md", message);
    scratch.git(&["add", "-A"]);
    scratch.git(&["commit", "--quiet", "-m", message]);
}
