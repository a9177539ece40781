//! A project with memories and registered hooks, and the sessions that a fault must not disturb.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::lchown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use interleaf_tests::harmless::check_harmless;
use interleaf_tests::program::program;
use interleaf_tests::run::{ProcessOutput, run};
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use interleaf_tests::transcript_builder::TranscriptBuilder;
use interleaf_tests::unprivileged::{NOBODY, copied_program, is_root, unprivileged};
use serde_json::{Value, json};

use super::mounts::Mount;

/// Words of the rule that a session start and [`PROMPT`] show.
pub const RULE: &str = "CI rejects an npm lock file";
const MEMORIES: [&str; 3] = [
    "Use pnpm, never npm, as the package manager: CI rejects an npm lock file",
    "The invoice export times out while the archive bucket is cold: warm the archive first",
    "Port 8080 belongs to the proxy of the staging cluster",
];
const PROMPT: &str = "remember across events: which package manager do we use here, npm or pnpm?";

/// Time limit of a hook: far above the deadline of two seconds that [`StoredProject::with_deadlines`] sets,
/// and far below the twenty of the others, so that a hook that waits for a broken thing is noticed.
const HOOK_LIMIT: Duration = Duration::from_secs(12);

/// Maximum wait for a background job on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// A project with memories.
pub struct StoredProject {
    /// Unmounted before the folders of `scratch` are removed.
    pub mounts: Vec<Mount>,
    pub scratch: Scratch,
    /// The program that the user `nobody` can run, if that user is the person here.
    nobodys_program: Option<PathBuf>,
    /// What was stored before the fault.
    pub before: BTreeSet<String>,
}

impl StoredProject {
    pub fn new() -> Self {
        Self::prepare(Scratch::new())
    }

    /// Stores the memories and registers the hooks in these folders.
    pub fn prepare(scratch: Scratch) -> Self {
        let mut project =
            Self { mounts: Vec::new(), scratch, nobodys_program: None, before: BTreeSet::new() };
        let _ = project.run(&["init"]).success();
        for text in MEMORIES {
            let _ = project.run(&["remember", "-c", "decision", text]).success();
        }
        project.before = project.texts();
        assert_eq!(project.before.len(), MEMORIES.len());
        project
    }

    /// Creates a project of a person without privileges, whom file modes restrict.
    pub fn unprivileged() -> Self {
        let mut project = Self::new();
        if is_root() {
            project.nobodys_program = Some(copied_program(&project.scratch));
            give_to_nobody(&project.scratch.root);
        }
        project
    }

    /// Gives each layer two seconds instead of twenty, for faults that a hook waits for.
    pub fn with_deadlines(self) -> Self {
        let config = self.scratch.interleaf_home.join("config/config.toml");
        let text = fs::read_to_string(&config).expect("ours").replace("= 20000", "= 2000");
        fs::write(config, text).expect("ours");
        self
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        match &self.nobodys_program {
            Some(program) => unprivileged(&self.scratch, program, arguments),
            None => {
                let mut command = self.scratch.command(program());
                command.args(arguments);
                command
            }
        }
    }

    pub fn run(&self, arguments: &[&str]) -> ProcessOutput {
        run(&mut self.command(arguments), b"", HANG_TIMEOUT)
    }

    /// Sends an event of a session, and returns the answer of the hook, which must do no harm.
    #[track_caller]
    pub fn hook(&self, session: &str, event: &str, fields: Value) -> String {
        self.hook_of(self.command(&["hook"]), session, event, fields)
    }

    /// Sends an event of a session to this hook.
    #[track_caller]
    pub fn hook_of(&self, mut hook: Command, session: &str, event: &str, mut fields: Value) -> String {
        fields["session_id"] = session.into();
        if fields.get("transcript_path").is_none() {
            fields["transcript_path"] = self.transcript(session).display().to_string().into();
        }
        let event_text = self.scratch.event(event, fields);
        let ran = run(hook.env("CLAUDECODE", "1"), event_text.as_bytes(), HANG_TIMEOUT);
        assert_eq!(check_harmless(&ran), Ok(()), "{event}");
        assert!(ran.took < HOOK_LIMIT, "{event} took {:?}", ran.took);
        ran.out()
    }

    /// Plays a session that teaches something, and returns what was shown at its start, and for a prompt of
    /// another session: one session shows a memory once.
    #[track_caller]
    pub fn session(&self, session: &str) -> [String; 2] {
        self.session_of(&|| self.command(&["hook"]), session)
    }

    /// Plays a session whose events go to these hooks.
    #[track_caller]
    pub fn session_of(&self, hook: &dyn Fn() -> Command, session: &str) -> [String; 2] {
        fs::write(self.transcript(session), lesson()).expect("ours");
        let [start, ..] = events().map(|(name, fields)| self.hook_of(hook(), session, name, fields));
        let asked = self.hook_of(hook(), "asking", "UserPromptSubmit", json!({ "prompt": PROMPT }));
        [start, asked]
    }

    pub fn transcript(&self, session: &str) -> PathBuf {
        self.scratch.root.join(session).with_extension("jsonl")
    }

    /// Returns the texts of all memories.
    pub fn texts(&self) -> BTreeSet<String> {
        let export = self.run(&["memory", "export"]).success();
        let memories = export.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        memories.map(|memory| memory["text"].as_str().expect("a text").to_owned()).collect()
    }

    /// Asserts that what was stored before the fault is still stored.
    #[track_caller]
    pub fn assert_nothing_lost(&self) {
        let lost: Vec<_> = self.before.difference(&self.texts()).cloned().collect();
        assert!(lost.is_empty(), "{lost:?}");
    }

    pub fn doctor(&self) -> Value {
        let doctor = self.run(&["doctor", "--json"]);
        let report: Value = serde_json::from_str(&doctor.out()).expect("JSON");
        let count = points_of(&report).len();
        assert_eq!(doctor.code, Some(i32::from(count > 0)), "{report}");
        report
    }

    /// Returns what `interleaf doctor` says needs attention.
    pub fn points(&self) -> Vec<String> {
        points_of(&self.doctor())
    }

    /// Asserts that `interleaf doctor` names this fault in one line, and nothing but this fault.
    #[track_caller]
    pub fn assert_doctor_names(&self, fault: &str) {
        let points = self.points();
        assert!(points.len() == 1 && points[0].contains(fault), "not one line of {fault:?}: {points:#?}");
    }

    /// Returns the path of the database.
    pub fn store(&self) -> PathBuf {
        self.doctor()["store"].as_str().expect("a path").into()
    }

    /// Asserts that the program works again, and that what a session said during the fault is saved now.
    #[track_caller]
    pub fn assert_saved_later(&self, session: &str) {
        self.assert_nothing_lost();
        let file = File::options().append(true).open(self.transcript(session)).expect("ours");
        // Interleaf looks for the transcripts of sessions that have been idle for a while.
        file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).expect("ours");
        self.hook("a-later-one", "SessionStart", json!({ "source": "startup" }));
        self.wait("what the session taught is saved", || self.texts().len() > self.before.len());
        self.assert_nothing_lost();
    }

    /// Waits until a condition holds.
    #[track_caller]
    pub fn wait(&self, what: &str, holds: impl Fn() -> bool) {
        let began = Instant::now();
        while !holds() {
            let jobs = || self.run(&["jobs"]).out();
            assert!(began.elapsed() < WAIT_TIMEOUT, "never: {what}\n{}\n{:?}", jobs(), self.points());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Returns the path of a file beside the database.
pub fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut path = database.to_owned().into_os_string();
    path.push(suffix);
    path.into()
}

/// Empties the write-ahead log into the database, as a worker does.
pub fn checkpoint(database: &Path) {
    let sqlite = rusqlite::Connection::open(database).expect("a database");
    sqlite.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("a checkpoint");
}

fn points_of(report: &Value) -> Vec<String> {
    let list = |key: &str| report[key].as_array().expect("a list").clone();
    let warnings = list("troubles").into_iter();
    let failures = list("failures").into_iter().map(|failure| failure["message"].clone());
    warnings.chain(failures).map(|point| point.as_str().expect("a text").to_owned()).collect()
}

fn give_to_nobody(path: &Path) {
    lchown(path, Some(NOBODY), Some(NOBODY)).expect("root may");
    if path.is_dir() && !path.is_symlink() {
        let entries = fs::read_dir(path).expect("root may").filter_map(Result::ok);
        entries.for_each(|entry| give_to_nobody(&entry.path()));
    }
}

/// Returns the events of a session: two that show memories, and those that note down what it taught.
fn events() -> [(&'static str, Value); 6] {
    let command =
        json!({ "tool_name": "Bash", "tool_input": { "command": "make test" }, "tool_use_id": "t1" });
    let mut failed = command.clone();
    failed["error"] = "Exit code 1\nerror: config/test.toml not found".into();
    [
        ("SessionStart", json!({ "source": "startup" })),
        ("UserPromptSubmit", json!({ "prompt": PROMPT })),
        ("PreToolUse", command),
        ("PostToolUseFailure", failed),
        ("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" })),
        ("SessionEnd", json!({ "reason": "other" })),
    ]
}

/// Returns the transcript of a session with a fix.
pub fn lesson() -> String {
    let talk = TranscriptBuilder::new()
        .user("run the tests please")
        .failure("make test", "error: config/test.toml not found\nmake: *** [Makefile:7: test] Error 1")
        .command("cp config/example.toml config/test.toml", "")
        .command("make test", "ok. 12 passed")
        .assistant(
            "Tests pass. `make test` needs `config/test.toml`; copying `config/example.toml` there is \
             enough.",
        )
        .user("from now on never use yarn here, always use pnpm: yarn writes a lockfile of its own");
    talk.lines()
}
