//! A project with the layer that puts work off, and what is seen of its work from outside.

use interleaf_tests::guests;
use interleaf_tests::program::program;
use interleaf_tests::run::Ran;
use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What the layer is granted.
const ASKS: &str =
    "[layers.worker.grants]\nmemory = \"write\"\nstate = true\njobs = true\ntranscript = true\n";

/// Longer than any job of these tests takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The project.
pub struct TestProject {
    pub scratch: Scratch,
}

impl TestProject {
    /// With jobs that may take twenty seconds, and no other layer that puts work off.
    pub fn new() -> Self {
        Self::with(
            "[limits.deadline_ms]\nstop = 20000\nuser-prompt = 20000\nsession-end = 20000\njob = 20000\n",
        )
    }

    /// With this configuration of the person's.
    pub fn with(config: &str) -> Self {
        let scratch = configured(&format!("{config}\n[layers.save]\nenabled = false\n"));
        scratch.offer("worker", &guests::worker(), ASKS);
        let _ = scratch.accept("worker", &[]).success();
        Self { scratch }
    }

    /// With the layers that come with Interleaf, and none of ours.
    pub fn saving(config: &str) -> Self {
        Self { scratch: configured(config) }
    }

    /// A turn of this session ends with this message.
    pub fn stop(&self, session: &str, message: &str) -> Ran {
        self.scratch.hook(self.stopping(session, message))
    }

    /// The event of it.
    pub fn stopping(&self, session: &str, message: &str) -> String {
        let fields = json!({
            "session_id": session, "transcript_path": self.transcript(session), "stop_hook_active": false,
            "last_assistant_message": message,
        });
        self.scratch.event("Stop", fields)
    }

    /// Another session begins.
    pub fn begin(&self, session: &str) {
        let fields = json!({"session_id": session, "source": "startup"});
        let _ = self.scratch.hook(self.scratch.event("SessionStart", fields)).success();
    }

    /// The event that has these words captured.
    pub fn noticing(&self, session: &str, id: &str, words: &str) -> String {
        let fields = json!({"session_id": session, "prompt": format!("capture {id} {words}")});
        self.scratch.event("UserPromptSubmit", fields)
    }

    /// Where the transcript of a session is.
    pub fn transcript(&self, session: &str) -> PathBuf {
        self.scratch.root.join(session).with_extension("jsonl")
    }

    /// The jobs, newest first, by `interleaf jobs`.
    pub fn jobs(&self) -> Vec<Value> {
        lines(&self.scratch.interleaf(&["jobs", "--json"]).success())
    }

    /// The job of this id.
    pub fn job(&self, id: &str) -> Value {
        self.jobs().into_iter().find(|job| job["id"] == id).unwrap_or_else(|| panic!("no job {id}"))
    }

    /// How far the job of this id has come.
    pub fn progress(&self, id: &str) -> String {
        self.job(id)["progress"].as_str().expect("a word").to_owned()
    }

    /// What was written down.
    pub fn memories(&self) -> Vec<String> {
        let listed =
            lines(&self.scratch.interleaf(&["memory", "list", "--json", "--limit", "1000"]).success());
        listed.iter().map(|memory| memory["text"].as_str().expect("a text").to_owned()).collect()
    }

    /// Captures that wait.
    pub fn waiting(&self) -> usize {
        self.scratch.interleaf(&["queue", "list", "--json"]).success().lines().count()
    }

    /// Waits until nothing waits or runs.
    #[track_caller]
    pub fn finished(&self) {
        self.wait("every job is over", || {
            self.jobs().iter().all(|job| job["progress"] == "done" || job["progress"] == "failed")
        });
    }

    /// Waits until this holds.
    #[track_caller]
    pub fn wait(&self, what: &str, holds: impl Fn() -> bool) {
        let began = Instant::now();
        while !holds() {
            let jobs = || self.scratch.interleaf(&["jobs"]).out();
            let doctor = || self.scratch.interleaf(&["doctor"]).out();
            assert!(began.elapsed() < PATIENCE, "never: {what}\n{}\n{}", jobs(), doctor());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Keeps every worker away as long as the answer lives.
    pub fn hold_workers_off(&self) -> File {
        let doctor: Value =
            serde_json::from_str(&self.scratch.interleaf(&["doctor", "--json"]).success()).expect("JSON");
        let lock = PathBuf::from(doctor["store"].as_str().expect("a path")).with_file_name("worker.lock");
        std::fs::create_dir_all(lock.parent().expect("a folder")).expect("ours");
        let file = File::options().create(true).append(true).open(lock).expect("ours");
        file.lock().expect("a lock can be had");
        file
    }

    /// A worker as a hook starts it, in our hands.
    pub fn worker(&self) -> Child {
        let mut command = self.scratch.command(program());
        quiet(command.arg("work").env("CLAUDE_PROJECT_DIR", &self.scratch.project))
    }
}

fn configured(config: &str) -> Scratch {
    let scratch = Scratch::new();
    std::fs::write(scratch.interleaf_home.join("config/config.toml"), config).expect("ours");
    scratch
}

/// Starts it with nothing to read and nothing to say.
pub fn quiet(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("it can be started")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}
