//! A project with the layer that submits jobs, and views of its jobs from outside.

use interleaf_tests::guests;
use interleaf_tests::program::program;
use interleaf_tests::run::ProcessOutput;
use interleaf_tests::scratch::Scratch;
use serde_json::{Value, json};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The grants of the layer.
const GRANTS: &str =
    "[layers.worker.grants]\nmemory = \"write\"\nstate = true\njobs = true\ntranscript = true\n";

/// Maximum wait for a condition, longer than any job of these tests takes on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// A project with the worker layer.
pub struct TestProject {
    pub scratch: Scratch,
}

impl TestProject {
    /// Creates a project whose jobs may take twenty seconds, without other layers that submit jobs.
    pub fn new() -> Self {
        Self::with(
            "[limits.deadline_ms]\nstop = 20000\nuser-prompt = 20000\nsession-end = 20000\njob = 20000\n",
        )
    }

    /// Creates a project with this personal configuration.
    pub fn with(config: &str) -> Self {
        let scratch = configured(&format!("{config}\n[layers.save]\nenabled = false\n"));
        scratch.add_layer("worker", &guests::worker(), GRANTS);
        let _ = scratch.accept("worker", &[]).success();
        Self { scratch }
    }

    /// Creates a project with the embedded layers and without the worker layer.
    pub fn with_embedded_layers(config: &str) -> Self {
        Self { scratch: configured(config) }
    }

    /// Ends a turn of this session with this message.
    pub fn stop(&self, session: &str, message: &str) -> ProcessOutput {
        self.scratch.hook(self.stop_event(session, message))
    }

    /// Returns the event of the end of a turn with this message.
    pub fn stop_event(&self, session: &str, message: &str) -> String {
        let fields = json!({
            "session_id": session, "transcript_path": self.transcript(session), "stop_hook_active": false,
            "last_assistant_message": message,
        });
        self.scratch.event("Stop", fields)
    }

    /// Starts a session.
    pub fn start_session(&self, session: &str) {
        let fields = json!({"session_id": session, "source": "startup"});
        let _ = self.scratch.hook(self.scratch.event("SessionStart", fields)).success();
    }

    /// Returns an event that makes the layer capture these words.
    pub fn capture_event(&self, session: &str, id: &str, words: &str) -> String {
        let fields = json!({"session_id": session, "prompt": format!("capture {id} {words}")});
        self.scratch.event("UserPromptSubmit", fields)
    }

    /// Returns the path of a session's transcript.
    pub fn transcript(&self, session: &str) -> PathBuf {
        self.scratch.root.join(session).with_extension("jsonl")
    }

    /// Returns the jobs, newest first, as `interleaf jobs` prints them.
    pub fn jobs(&self) -> Vec<Value> {
        lines(&self.scratch.interleaf(&["jobs", "--json"]).success())
    }

    /// Returns the job with this id.
    pub fn job(&self, id: &str) -> Value {
        self.jobs().into_iter().find(|job| job["id"] == id).unwrap_or_else(|| panic!("no job {id}"))
    }

    /// Returns the progress of the job with this id.
    pub fn progress(&self, id: &str) -> String {
        self.job(id)["progress"].as_str().expect("a word").to_owned()
    }

    /// Returns the texts of the memories.
    pub fn memories(&self) -> Vec<String> {
        let listed =
            lines(&self.scratch.interleaf(&["memory", "list", "--json", "--limit", "1000"]).success());
        listed.iter().map(|memory| memory["text"].as_str().expect("a text").to_owned()).collect()
    }

    /// Returns the number of waiting captures.
    pub fn waiting_captures(&self) -> usize {
        self.scratch.interleaf(&["queue", "list", "--json"]).success().lines().count()
    }

    /// Waits until no job is waiting or running.
    #[track_caller]
    pub fn wait_until_finished(&self) {
        self.wait_until("every job is over", || {
            self.jobs().iter().all(|job| job["progress"] == "done" || job["progress"] == "failed")
        });
    }

    /// Waits until a condition holds.
    #[track_caller]
    pub fn wait_until(&self, what: &str, holds: impl Fn() -> bool) {
        let began = Instant::now();
        while !holds() {
            let jobs = || self.scratch.interleaf(&["jobs"]).out();
            let doctor = || self.scratch.interleaf(&["doctor"]).out();
            assert!(began.elapsed() < WAIT_TIMEOUT, "never: {what}\n{}\n{}", jobs(), doctor());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Keeps workers from running until the returned lock is dropped.
    pub fn block_workers(&self) -> File {
        let doctor: Value =
            serde_json::from_str(&self.scratch.interleaf(&["doctor", "--json"]).out()).expect("JSON");
        let lock = PathBuf::from(doctor["store"].as_str().expect("a path")).with_file_name("worker.lock");
        std::fs::create_dir_all(lock.parent().expect("a folder")).expect("ours");
        let file = File::options().create(true).append(true).open(lock).expect("ours");
        file.lock().expect("a lock can be had");
        file
    }

    /// Starts a worker as a hook does, and returns its process.
    pub fn spawn_worker(&self) -> Child {
        let mut command = self.scratch.command(program());
        spawn_silent(command.arg("work").env("CLAUDE_PROJECT_DIR", &self.scratch.project))
    }
}

fn configured(config: &str) -> Scratch {
    let scratch = Scratch::new();
    std::fs::write(scratch.interleaf_home.join("config/config.toml"), config).expect("ours");
    scratch
}

/// Starts a command without input and output.
pub fn spawn_silent(command: &mut Command) -> Child {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("it can be started")
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}
