//! Triggers of a flush: delayed after a turn, immediate before a compaction, and in any case at the session's
//! end.

use super::{after, lesson, saved};
use interleaf::harness::{Completion, Harness, event};
use interleaf_tests::program::program;
use interleaf_tests::run::run;
use interleaf_tests::scratch::{HANG_TIMEOUT, Scratch};
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

/// Maximum wait for a condition, longer than any job takes on a busy machine.
const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

#[test]
fn the_end_of_a_turn_delays_the_flush_and_compaction_does_not_wait() {
    let project = TestProject::new("");

    project.hook("Stop", "s", json!({ "stop_hook_active": false, "last_assistant_message": "done" }));
    project.hook("Stop", "s", json!({ "stop_hook_active": false, "last_assistant_message": "done again" }));

    let jobs = project.jobs();
    assert_eq!(jobs.len(), 1, "asking again asks for the same: {jobs:?}");
    assert_eq!(jobs[0]["progress"], "waiting");
    assert!(project.memories().is_empty(), "it is not due");
    project.hook("PreCompact", "s", json!({ "trigger": "auto" }));
    project.wait("it is saved before the conversation is compacted", || !project.memories().is_empty());
}

#[test]
fn a_subagent_s_flush_does_not_wait_beyond_the_end_of_the_session() {
    let project = TestProject::new("");
    let fields = json!({
        "agent_id": "a1", "agent_type": "general-purpose", "stop_hook_active": false,
        "agent_transcript_path": project.transcript("s"), "last_assistant_message": "done",
    });

    project.hook("SubagentStop", "s", fields);
    project.hook("SessionEnd", "s", json!({ "reason": "other" }));

    project.wait("both flushes have run", || {
        let jobs = project.jobs();
        jobs.len() == 2 && jobs.iter().all(|job| job["progress"] == "done")
    });
}

#[test]
fn a_session_that_never_ended_is_saved_when_the_next_one_starts() {
    // Long enough that the job is not due before the hook of a busy machine has ended.
    let project = TestProject::new("debounce_seconds = 8");
    project.hook("Stop", "s", json!({ "stop_hook_active": false, "last_assistant_message": "done" }));
    std::thread::sleep(Duration::from_millis(8_100));
    assert!(project.memories().is_empty(), "nobody is there to do it");

    project.hook("SessionStart", "next", json!({ "source": "startup" }));

    project.wait("it is saved", || !project.memories().is_empty());
}

#[test]
fn a_session_whose_end_met_a_locked_database_is_saved_when_the_next_one_starts() {
    let project = TestProject::new("");
    let _ = project.scratch.interleaf(&["remember", "Port 8080 is taken by the proxy"]).success();
    let store = rusqlite::Connection::open(project.store()).expect("it exists");

    store.execute_batch("BEGIN EXCLUSIVE").expect("the lock");
    project.hook("Stop", "s", json!({ "stop_hook_active": false, "last_assistant_message": "done" }));
    project.hook("SessionEnd", "s", json!({ "reason": "other" }));
    store.execute_batch("ROLLBACK").expect("the end of the lock");
    assert!(project.jobs().is_empty(), "{:?}", project.jobs());
    project.set_idle("s");
    project.hook("SessionStart", "next", json!({ "source": "startup" }));

    let are_done = || project.jobs().iter().all(|job| job["progress"] == "done");
    project.wait("it is saved", || project.memories().len() > 1 && are_done());
    let saved = project.memories().len();
    project.hook("SessionStart", "third", json!({ "source": "startup" }));
    project.wait("the jobs are done", are_done);
    assert_eq!((project.memories().len(), project.jobs().len()), (saved, 1), "once is enough");
}

#[test]
fn a_session_that_interleaf_did_not_answer_is_not_saved_later() {
    let project = TestProject::new("");
    let _ = project.scratch.interleaf(&["remember", "Port 8080 is taken by the proxy"]).success();
    std::fs::write(project.transcript("elsewhere"), lesson().lines()).expect("ours");
    for name in ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop", "SessionEnd"] {
        project.hook_while_disabled(name, "s");
    }
    project.set_idle("s");
    project.set_idle("elsewhere");

    project.hook("SessionStart", "next", json!({ "source": "startup" }));

    let scanned = || {
        let store = rusqlite::Connection::open(project.store()).expect("it exists");
        let query = "SELECT count(*) FROM state_values WHERE key = 'transcripts-scanned-at'";
        store.query_row(query, [], |row| row.get::<_, i64>(0)).expect("a count") == 1
    };
    project.wait("the transcripts were looked at", scanned);
    assert!(project.jobs().is_empty(), "{:?}", project.jobs());
}

#[test]
fn what_came_after_an_interrupted_flush_is_saved_once_it_has_been_repeated() {
    let project = TestProject::new("");
    project.hook("Stop", "s", json!({ "stop_hook_active": false, "last_assistant_message": "done" }));
    // What a flush leaves whose worker is killed, and that began before the conversation.
    project.set_state("s", "save", "batch", json!({ "end": 0, "captures": [] }));

    project.scratch.interleaf(&["jobs", "run", "--all"]).success();

    assert!(!project.memories().is_empty(), "{:?}", project.jobs());
}

#[test]
fn an_interrupted_flush_is_saved_once_although_another_job_runs_first() {
    let project = TestProject::new("debounce_seconds = 0");
    let stop = || project.hook("Stop", "s", json!({ "stop_hook_active": false }));
    project.fail_command("make alpha");
    let store = rusqlite::Connection::open(project.store()).expect("it exists");
    // Interrupts the flush after it has written its memories.
    let interrupt = "CREATE TRIGGER interrupt BEFORE DELETE ON captures BEGIN SELECT RAISE(ABORT, 'no'); END";
    store.execute_batch(interrupt).expect("the table exists");
    stop();
    project.wait("the flush is interrupted", || project.jobs()[0]["error"].is_string());
    store.execute_batch("DROP TRIGGER interrupt").expect("it exists");

    // The next job of the conversation has another id and is due earlier.
    project.set_state("s", "save", "flushed", json!({ "count": 1 }));
    project.fail_command("make beta");
    stop();
    project.wait("the other job ran first", || project.jobs()[0]["progress"] == "done");
    project.scratch.interleaf(&["jobs", "run", "--all"]).success();

    let texts: Vec<String> = project.memories().iter().map(|memory| memory["text"].to_string()).collect();
    for lesson in ["ever use npm", "passed after `pnpm install`", "Goal:"] {
        let count = texts.iter().filter(|text| text.contains(lesson)).count();
        assert_eq!(count, 1, "{lesson}: {texts:#?}");
    }
    let left: i64 = store.query_row("SELECT count(*) FROM captures", [], |row| row.get(0)).expect("a count");
    assert_eq!(left, 0, "captures are settled");
}

#[test]
fn the_final_message_counts_although_the_transcript_does_not_have_it_yet() {
    let unfinished = TranscriptBuilder::new()
        .user("why do the nightly exports fail?")
        .failure("make export", "error: worker ran out of descriptors")
        .command("ulimit -n 4096", "")
        .command("make export", "exported 12 files");
    let last =
        "Fixed: `make export` opens one file per tenant, so it needs `ulimit -n 4096` on a fresh machine.";
    let (harness, prompts) = with_model(&unfinished);

    harness.send(&event::stop(last)).expect("an event");
    harness.run_jobs().expect("the jobs end");

    let prompts = prompts.lock().expect("no test holds it");
    assert!(prompts.iter().any(|prompt| prompt.contains("one file per tenant")), "{prompts:?}");
}

#[test]
fn a_subagent_s_prompt_is_not_a_preference_of_the_person() {
    let talk = TranscriptBuilder::new()
        .user("Always use tabs in this project, never spaces. Find all makefiles and say which fail.")
        .failure("make -C docs", "error: missing plantuml")
        .command("apt-get install -y plantuml", "done")
        .command("make -C docs", "built")
        .assistant("`make -C docs` failed because plantuml was missing; installing plantuml fixed it.")
        .of_subagent();
    let harness = after(&talk);
    let stop = event::in_subagent(&event::event("SubagentStop", json!({ "stop_hook_active": false })), "a1");

    harness.send(&stop).expect("an event");
    let outcome = harness.run_jobs().expect("the jobs end");

    let categories: Vec<&str> = outcome.memories.iter().map(|memory| memory.category.as_str()).collect();
    assert_eq!(categories, ["runbook"], "{:?}", outcome.memories);
}

#[test]
fn with_only_with_skills_other_sessions_save_nothing() {
    let only = r#"[layers.save.settings]
        only_with_skills = true"#;
    let skill = json!({ "skill": "opsx:apply", "args": "add-retries" });
    let with = lesson().tool("Skill", skill, "Launching skill: opsx:apply", false).assistant("Applied.");

    let without = saved(&after(&lesson()).config(only).expect("a setting"));
    let with = saved(&after(&with).config(only).expect("a setting"));

    assert!(without.memories.is_empty(), "{:?}", without.memories);
    assert!(!with.memories.is_empty());
}

/// Returns the layer with this conversation, and the instructions that a model gets, which changes nothing.
fn with_model(conversation: &TranscriptBuilder) -> (Harness, Arc<Mutex<Vec<String>>>) {
    let prompts = Arc::new(Mutex::new(Vec::new()));
    let asked = prompts.clone();
    let harness = after(conversation).model(move |request| {
        asked.lock().expect("no test holds it").push(format!("{}\n{}", request.system, request.prompt));
        Ok(Completion { text: r#"{"changes": []}"#.to_owned(), input_tokens: 1, output_tokens: 1 })
    });
    (harness, prompts)
}

#[test]
fn of_a_subagent_s_session_a_model_is_asked_about_runbooks_alone() {
    let talk = lesson().user("we decided to keep the queue in Postgres, because nobody wants to run Kafka");
    let (of_person, asked_of_person) = with_model(&talk);
    let (of_subagent, asked_of_subagent) = with_model(&talk.of_subagent());
    let stop = event::in_subagent(&event::event("SubagentStop", json!({ "stop_hook_active": false })), "a1");

    saved(&of_person);
    of_subagent.send(&stop).expect("an event");
    of_subagent.run_jobs().expect("the jobs end");

    let categories = |prompts: &Mutex<Vec<String>>| {
        let prompts = prompts.lock().expect("no test holds it");
        let lines =
            prompts.iter().flat_map(|prompt| prompt.lines()).filter_map(|line| line.strip_prefix("- "));
        lines
            .filter_map(|line| line.split_once(": "))
            .filter(|(name, _)| !name.starts_with('{'))
            .map(|(name, _)| name.to_owned())
            .collect::<BTreeSet<_>>()
    };
    let of_person = categories(&asked_of_person);
    assert!(of_person.contains("decision") && of_person.contains("preference"), "{of_person:?}");
    assert_eq!(categories(&asked_of_subagent), BTreeSet::from(["runbook".to_owned()]));
}

#[test]
fn with_only_with_skills_a_model_is_not_asked_about_other_sessions() {
    let (harness, prompts) = with_model(&lesson());

    saved(&harness.config("[layers.save.settings]\nonly_with_skills = true").expect("a setting"));

    assert_eq!(*prompts.lock().expect("no test holds it"), Vec::<String>::new());
}

#[test]
fn durable_memories_are_shown_at_the_next_session_start() {
    let harness = after(&lesson()).and(Harness::embedded("warmstart").expect("it is embedded"));
    let outcome = saved(&harness);

    let start = event::in_session(&event::session_start("startup"), "the-next-one");
    let shown = harness.send(&start).expect("an event");

    let leading = |tag: &String| tag == "cheat-sheet";
    let led = outcome.memories.iter().filter(|memory| memory.tags.iter().any(leading)).count();
    assert_eq!(led, 0, "by rules, nothing joins the cheat sheet: {:?}", outcome.memories);
    assert!(shown.context().to_lowercase().contains("never use npm"), "{}", shown.context());
}

#[test]
fn triage_prints_what_would_be_saved_and_why_and_writes_nothing() {
    let project = TestProject::new("");
    let file = project.transcript("s").display().to_string();

    let judged = project.scratch.interleaf(&["triage", "--transcript", &file]).success();

    let judged: Value = serde_json::from_str(&judged).expect("one JSON object");
    assert!(judged["candidates"].is_number(), "{judged}");
    let memories = judged["memories"].as_array().expect("a list");
    let preference = memories.iter().find(|memory| memory["category"] == "preference");
    let preference = preference.unwrap_or_else(|| panic!("{judged}"));
    assert!(preference["evidence"].to_string().contains("never use npm"), "{judged}");
    assert!(memories.iter().any(|memory| memory["category"] == "runbook"), "{judged}");
    assert!(project.memories().is_empty() && project.jobs().is_empty());
    let missing = project.scratch.interleaf(&["triage", "--transcript", "nowhere.jsonl"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err().contains("nowhere.jsonl"), "{}", missing.err());
}

/// A project with the transcript of a session that has a lesson.
struct TestProject {
    scratch: Scratch,
}

impl TestProject {
    fn new(settings: &str) -> Self {
        let scratch = Scratch::new();
        scratch.configure(&format!("[layers.save.settings]\n{settings}\n"));
        // `init` compiles the layers, too.
        scratch.interleaf(&["compile"]).success();
        let project = Self { scratch };
        std::fs::write(project.transcript("s"), lesson().lines()).expect("ours");
        project
    }

    fn transcript(&self, session: &str) -> std::path::PathBuf {
        self.scratch.root.join(session).with_extension("jsonl")
    }

    fn hook(&self, name: &str, session: &str, mut fields: Value) {
        fields["session_id"] = session.into();
        fields["transcript_path"] = self.transcript(session).display().to_string().into();
        let _ = self.scratch.hook(self.scratch.event(name, fields)).success();
    }

    /// Lets this command of session `s` fail.
    fn fail_command(&self, command: &str) {
        let fields = json!({
            "tool_name": "Bash", "tool_use_id": command, "is_interrupt": false,
            "tool_input": { "command": command },
            "error": format!("Exit code 2\nerror: the rule of {command} is missing"),
        });
        self.hook("PostToolUseFailure", "s", fields);
    }

    /// Sends an event of a session for which Interleaf is switched off.
    fn hook_while_disabled(&self, name: &str, session: &str) {
        let fields = json!({
            "session_id": session, "transcript_path": self.transcript(session), "source": "startup",
            "prompt": "hello", "reason": "other", "stop_hook_active": false, "tool_name": "Bash",
            "tool_input": { "command": "git push --force" }, "tool_use_id": "t1",
        });
        let mut command = self.scratch.command(program());
        let event = self.scratch.event(name, fields);
        command.arg("hook").env("INTERLEAF_DISABLE", "1");
        let _ = run(&mut command, event.as_bytes(), HANG_TIMEOUT).success();
    }

    /// Lets the transcript look as if nothing had been written to it for an hour.
    fn set_idle(&self, session: &str) {
        let file = std::fs::File::options().append(true).open(self.transcript(session)).expect("ours");
        file.set_modified(SystemTime::now() - Duration::from_secs(3_600)).expect("ours");
    }

    fn store(&self) -> String {
        let doctor = self.scratch.interleaf(&["doctor", "--json"]).out();
        let doctor: Value = serde_json::from_str(&doctor).expect("JSON");
        doctor["store"].as_str().expect("a path").to_owned()
    }

    fn set_state(&self, session: &str, layer: &str, key: &str, value: Value) {
        let store = rusqlite::Connection::open(self.store()).expect("it exists");
        let insert = "INSERT INTO state_values (session, owner, key, value, bytes, updated_at)
             VALUES (?1, ?2, ?3, ?4, 0, 0)";
        store.execute(insert, [session, layer, key, &value.to_string()]).expect("the table exists");
    }

    fn jobs(&self) -> Vec<Value> {
        lines(&self.scratch.interleaf(&["jobs", "--json"]).success())
    }

    fn memories(&self) -> Vec<Value> {
        lines(&self.scratch.interleaf(&["memory", "list", "--json"]).success())
    }

    #[track_caller]
    fn wait(&self, what: &str, holds: impl Fn() -> bool) {
        let began = Instant::now();
        while !holds() {
            assert!(began.elapsed() < WAIT_TIMEOUT, "never: {what}\n{:?}", self.jobs());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}
