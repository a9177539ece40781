//! A world of its own for one test: a home, Interleaf's folders, and a real git project, all gone at the end.
//!
//! Nothing of the machine comes in but `PATH`: whoever has secrets, proxies or git settings in the
//! environment gets the same result as everybody else.

use crate::program::program;
use crate::run::{Ran, run};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What `interleaf` may take at most before the kit calls it hanging: not a speed limit, which is the
/// benchmark's.
pub const HANG: Duration = Duration::from_secs(60);

/// How long a worker that is still about is waited for. One that waits for the next try of a job that failed
/// takes longer.
const WORKERS_END: Duration = Duration::from_secs(3);

/// The session of [`Scratch::event`] where a test does not care which.
pub const SESSION: &str = "5e551011-0000-4000-8000-000000000001";

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

/// The part of a `config.toml` that gives layers 20 seconds. Most tests are not about time, and on a busy
/// machine a program that was not optimized misses deadlines that are meant for people who wait.
pub fn generous_deadlines() -> String {
    let events =
        ["session-start", "subagent-start", "user-prompt", "pre-tool", "post-tool", "tool-failure", "stop"];
    let deadlines: String = events.iter().map(|event| format!("{event} = 20000\n")).collect();
    format!("[limits.deadline_ms]\n{deadlines}")
}

impl Scratch {
    /// A new world. The project is called `shop` and says nothing that a memory could match by accident.
    pub fn new() -> Scratch {
        let root = fresh_folder();
        let [home, interleaf_home, project] = ["home", "interleaf", "shop"].map(|name| root.join(name));
        for folder in [&home, &interleaf_home, &project] {
            std::fs::create_dir(folder).expect("a fresh folder is writable");
        }
        let scratch = Scratch { root, home, interleaf_home, project };
        scratch.be_patient();
        scratch.write("hello.txt", "hello\n");
        scratch.git(&["init", "--quiet", "--initial-branch", "main"]);
        scratch.git(&["config", "user.name", "Test"]);
        scratch.git(&["config", "user.email", "test@localhost"]);
        scratch.git(&["add", "--all"]);
        scratch.git(&["commit", "--quiet", "--message", "first"]);
        scratch
    }

    /// Raises the deadlines of layers (see [`generous_deadlines`]).
    fn be_patient(&self) {
        let folder = self.interleaf_home.join("config");
        std::fs::create_dir(&folder).expect("a fresh folder is writable");
        std::fs::write(folder.join("config.toml"), generous_deadlines()).expect("a fresh folder is writable");
    }

    /// A command that starts in the project with this world's environment and nothing of the machine's but
    /// `PATH`.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.project)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("INTERLEAF_HOME", &self.interleaf_home)
            .env("TMPDIR", &self.root)
            .envs([("LANG", "C.UTF-8"), ("TERM", "xterm"), ("GIT_CONFIG_NOSYSTEM", "1")]);
        command
    }

    /// Runs `interleaf` as a person would type it, with an empty standard input.
    pub fn interleaf(&self, arguments: &[&str]) -> Ran {
        self.interleaf_with(arguments, b"")
    }

    /// Runs `interleaf` with something on its standard input.
    pub fn interleaf_with(&self, arguments: &[&str], stdin: &[u8]) -> Ran {
        run(self.command(program()).args(arguments), stdin, HANG)
    }

    /// Runs `interleaf hook` with the bytes of an event on its standard input, as Claude Code does.
    pub fn hook(&self, event: impl AsRef<[u8]>) -> Ran {
        run(self.command(program()).arg("hook").env("CLAUDECODE", "1"), event.as_ref(), HANG)
    }

    /// An event of this project in [`SESSION`]: the common fields, then those of `fields`, which win.
    pub fn event(&self, name: &str, fields: Value) -> String {
        let mut event = json!({"session_id": SESSION, "cwd": self.project, "hook_event_name": name});
        let event_fields = event.as_object_mut().expect("written as an object above");
        event_fields.extend(fields.as_object().expect("the fields of an event are an object").clone());
        event.to_string()
    }

    /// Writes a file of the project, with its folders.
    pub fn write(&self, path: impl AsRef<Path>, text: &str) {
        let path = self.project.join(path);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .expect("the project is writable");
        std::fs::write(&path, text)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    }

    /// Runs git in the project.
    pub fn git(&self, arguments: &[&str]) -> String {
        run(self.command("git").args(arguments), b"", HANG).success()
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
            let _ = writeln!(std::io::stderr(), "kept for a look: {}", self.root.display());
        } else {
            let _alone = self.without_workers();
            let _ = std::fs::remove_dir_all(&self.root);
        }
    }
}

impl Scratch {
    /// Waits until no worker is left that a hook of this world has started, and keeps others from beginning:
    /// they would write into what is being removed.
    fn without_workers(&self) -> Vec<File> {
        let projects = std::fs::read_dir(self.interleaf_home.join("data/projects")).into_iter().flatten();
        let locks =
            projects.flatten().filter_map(|project| File::open(project.path().join("worker.lock")).ok());
        let locks: Vec<File> = locks.collect();
        let until = Instant::now() + WORKERS_END;
        while locks.iter().any(|lock| lock.try_lock().is_err()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        locks
    }
}

/// Named by process and count, so that it is new without a source of randomness. Its real path, because the
/// project's identity is a real path and a test compares it.
fn fresh_folder() -> PathBuf {
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
