//! An isolated environment for one test: a home, Interleaf's folders and a real git project, all removed at
//! the end.
//!
//! Of the machine's environment only `PATH` is inherited, so secrets, proxies and git settings of a developer
//! do not change the result.

use crate::program::program;
use crate::run::{ProcessOutput, run};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Time after which an `interleaf` process counts as hanging. Speed is measured by the benchmark, not here.
pub const HANG_TIMEOUT: Duration = Duration::from_secs(60);

/// Maximum wait for running workers at the end of a test. A worker that waits to retry a failed job takes
/// longer.
const WORKER_EXIT_TIMEOUT: Duration = Duration::from_secs(3);

/// The default session of [`Scratch::event`].
pub const SESSION: &str = "5e551011-0000-4000-8000-000000000001";

/// Names the home folder of the account to a program with debug assertions; others do not read it.
pub const ACCOUNT_HOME_VARIABLE: &str = "INTERLEAF_TEST_ACCOUNT_HOME";

/// A temporary folder with a home, Interleaf's folders and a project.
pub struct Scratch {
    /// The real path of the folder that holds all the others.
    pub root: PathBuf,
    /// `HOME`.
    pub home: PathBuf,
    /// `INTERLEAF_HOME`.
    pub interleaf_home: PathBuf,
    /// A git work tree with one commit.
    pub project: PathBuf,
}

/// Returns the part of a `config.toml` that gives layers 20 seconds. Most tests are not about time, and on a
/// busy machine an unoptimized program misses the default deadlines.
pub fn generous_deadlines() -> String {
    let events = [
        "session-start",
        "subagent-start",
        "user-prompt",
        "pre-tool",
        "post-tool",
        "tool-failure",
        "stop",
        "subagent-stop",
        "pre-compact",
        "session-end",
    ];
    let deadlines: String = events.iter().map(|event| format!("{event} = 20000\n")).collect();
    format!("[limits.deadline_ms]\n{deadlines}")
}

impl Scratch {
    /// Creates a new environment. The project is called `shop` and contains nothing that a memory could match
    /// by accident.
    pub fn new() -> Scratch {
        let root = fresh_folder();
        let [home, interleaf_home, project] = ["home", "interleaf", "shop"].map(|name| root.join(name));
        for folder in [&home, &interleaf_home, &project] {
            std::fs::create_dir(folder).expect("a fresh folder is writable");
        }
        let scratch = Scratch { root, home, interleaf_home, project };
        scratch.configure("");
        scratch.record_folders();
        scratch.write("hello.txt", "hello\n");
        scratch.git(&["init", "--quiet", "--initial-branch", "main"]);
        scratch.git(&["config", "user.name", "Test"]);
        scratch.git(&["config", "user.email", "test@localhost"]);
        scratch.git(&["add", "--all"]);
        scratch.git(&["commit", "--quiet", "--message", "first"]);
        scratch
    }

    /// Records the folders in [`Scratch::interleaf_home`] as this person's, as `interleaf init` does.
    fn record_folders(&self) {
        let folder = self.home.join(".local/share/interleaf");
        std::fs::create_dir_all(&folder).expect("a fresh folder is writable");
        let folders = ["config", "data"].map(|name| self.interleaf_home.join(name));
        let record = json!({ "folders": folders });
        std::fs::write(folder.join("folders.json"), record.to_string()).expect("a fresh folder is writable");
    }

    /// Writes the user's configuration: the raised deadlines of layers (see [`generous_deadlines`]) and
    /// `more`, which begins with a table.
    pub fn configure(&self, more: &str) {
        let folder = self.interleaf_home.join("config");
        std::fs::create_dir_all(&folder).expect("a fresh folder is writable");
        let config = format!("{}\n{more}", generous_deadlines());
        std::fs::write(folder.join("config.toml"), config).expect("a fresh folder is writable");
    }

    /// Returns a command that starts in the project with this environment, and only `PATH` from the machine.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.project)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("INTERLEAF_HOME", &self.interleaf_home)
            // A program with debug assertions takes this for the home in the account database, so that the
            // secret of the tests is not that of the person who runs them.
            .env(ACCOUNT_HOME_VARIABLE, &self.home)
            .env("TMPDIR", &self.root)
            .envs([("LANG", "C.UTF-8"), ("TERM", "xterm"), ("GIT_CONFIG_NOSYSTEM", "1")]);
        command
    }

    /// Runs `interleaf` as a person would type it, with an empty standard input.
    pub fn interleaf(&self, arguments: &[&str]) -> ProcessOutput {
        self.interleaf_with(arguments, b"")
    }

    /// Runs `interleaf` with this standard input.
    pub fn interleaf_with(&self, arguments: &[&str], stdin: &[u8]) -> ProcessOutput {
        run(self.command(program()).args(arguments), stdin, HANG_TIMEOUT)
    }

    /// Runs `interleaf hook` with the bytes of an event on its standard input, as Claude Code does.
    pub fn hook(&self, event: impl AsRef<[u8]>) -> ProcessOutput {
        run(self.command(program()).arg("hook").env("CLAUDECODE", "1"), event.as_ref(), HANG_TIMEOUT)
    }

    /// Builds an event of this project in [`SESSION`] from the common fields and `fields`, which override
    /// them.
    pub fn event(&self, name: &str, fields: Value) -> String {
        let mut event = json!({"session_id": SESSION, "cwd": self.project, "hook_event_name": name});
        let event_fields = event.as_object_mut().expect("written as an object above");
        event_fields.extend(fields.as_object().expect("the fields of an event are an object").clone());
        event.to_string()
    }

    /// Writes a file of the project and creates its folders.
    pub fn write(&self, path: impl AsRef<Path>, text: &str) {
        let path = self.project.join(path);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .expect("the project is writable");
        std::fs::write(&path, text)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    }

    /// Runs git in the project.
    pub fn git(&self, arguments: &[&str]) -> String {
        run(self.command("git").args(arguments), b"", HANG_TIMEOUT).success()
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch::new()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = writeln!(std::io::stderr(), "kept for inspection: {}", self.root.display());
        } else {
            let _locks = self.lock_out_workers();
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }
}

impl Scratch {
    /// Waits until the workers that hooks of this environment started have exited, and keeps new ones from
    /// starting: they would write into the folder while it is removed.
    fn lock_out_workers(&self) -> Vec<File> {
        let projects = std::fs::read_dir(self.interleaf_home.join("data/projects")).into_iter().flatten();
        let locks =
            projects.flatten().filter_map(|project| File::open(project.path().join("worker.lock")).ok());
        let locks: Vec<File> = locks.collect();
        let until = Instant::now() + WORKER_EXIT_TIMEOUT;
        while locks.iter().any(|lock| lock.try_lock().is_err()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        locks
    }
}

/// Creates a folder named by process and count, which makes it unique without randomness. Returns its real
/// path, because the project's identity is a real path and tests compare it.
pub(crate) fn fresh_folder() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let base = std::env::temp_dir().canonicalize().expect("there is a temporary folder");
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = base.join(format!("interleaf-test-{}-{count}", std::process::id()));
        match std::fs::create_dir(&folder) {
            Ok(()) => return folder,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
            Err(error) => panic!("cannot create {}: {error}", folder.display()),
        }
    }
}
