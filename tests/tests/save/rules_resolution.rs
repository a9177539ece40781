//! Saving by rules: one topic is one memory, however often and in however many sessions it comes up.

use super::lesson;
use super::project::{Project, history};
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::{Value, json};

#[test]
fn a_sentence_with_another_number_supersedes_the_first() {
    let project = Project::new("", None);
    let rule = |seconds: u32| {
        TranscriptBuilder::new()
            .user(&format!(
                "from now on always give the export job a timeout of {seconds} seconds, the disks there are \
                 slow"
            ))
            .assistant("I will.")
            .command("make export", "done")
            .lines()
    };

    project.session("one", &rule(30)).session("two", &rule(30)).session("three", &rule(45));

    let (old, new) = (project.one("preference", "30 seconds"), project.one("preference", "45 seconds"));
    assert_eq!((&old["status"], &new["status"]), (&json!("retired"), &json!("active")), "{old:#}\n{new:#}");
    assert_eq!((&old["superseded_by"], &new["supersedes"]), (&new["id"], &json!([old["id"]])));
    assert!(history(&old).iter().any(|what| what.contains("repeated in a session")), "{old:#}");
    let found = project.search("timeout of the export job");
    assert!(found.contains("45 seconds") && !found.contains("30 seconds"), "{found}");
    assert!(!project.start().contains("30 seconds"));
}

#[test]
fn the_log_names_action_and_reason_for_each_memory_and_quotes_nobody() {
    let project = Project::new("", None);
    let talk = lesson().lines();
    project.session("one", &talk).session("two", &talk);

    let flushes = project.flushes();
    let written = |at: usize| flushes[at]["written"].as_array().expect("a list").clone();

    assert_eq!(flushes.len(), 2, "{flushes:#?}");
    assert!(written(0).iter().all(|memory| memory["action"] == "create"), "{flushes:#?}");
    assert!(written(1).iter().all(|memory| memory["action"] == "update"), "{flushes:#?}");
    assert!(
        flushes
            .iter()
            .flat_map(|flush| flush["written"].as_array())
            .flatten()
            .all(|memory| { memory["because"].as_str().is_some_and(|why| !why.is_empty()) })
    );
    assert!(!json!(flushes).to_string().contains("pnpm"), "{flushes:#?}");
    let log = project.scratch.interleaf(&["log"]).success();
    assert!(
        log.contains("updated ") && log.contains("a duplicate updates the memory that it repeats"),
        "{log}"
    );
}

#[test]
fn two_concurrent_sessions_with_the_same_lesson_leave_one_memory() {
    let project = Project::new("", None);
    std::thread::scope(|scope| {
        for session in ["one", "two"] {
            let project = &project;
            scope.spawn(move || project.end(session, &lesson().lines()));
        }
    });
    project.scratch.interleaf(&["jobs", "run"]).success();

    for category in ["preference", "runbook"] {
        let of: Vec<Value> =
            project.memories().into_iter().filter(|memory| memory["category"] == category).collect();
        assert_eq!(of.len(), 1, "{of:#?}");
    }
}

#[test]
fn known_lessons_do_not_use_up_the_limit_of_new_ones() {
    let project = Project::new("memories = 2", None);
    project.session("one", &lesson().lines());
    let before = project.memories().len();

    let more = lesson()
        .user("from now on commit messages follow conventional commits, the changelog is made of them");
    project.session("two", &more.assistant("I will.").lines());

    assert_eq!(project.with_text("preference", "conventional commits").len(), 1, "{:#?}", project.memories());
    assert!(project.memories().len() > before);
}

#[test]
fn a_fact_that_another_session_sees_is_one_memory_with_a_count() {
    let project = Project::new("", None);
    let mended = |command: &str, line: u32| {
        let error = format!("src/db.py:{line}: error: no driver for the test database");
        let session = TranscriptBuilder::new().user("add a field to the exporter").failure(command, &error);
        let session = session.command("pip install psycopg", "").command(command, "ok. 12 passed");
        session.assistant("The field is in.").lines()
    };
    let facts_at_start = || project.start().contains("pip install psycopg");

    project.session("one", &mended("make test", 12));
    let once = facts_at_start();
    project.session("two", &mended("make test FILTER=export", 80)).session("two", &mended("make test", 12));

    let fact = project.one("runbook", "passed after `pip install psycopg` (seen in 2 sessions)");
    assert_eq!((&fact["origin"], &fact["version"]), (&json!("tool_output"), &json!(2)), "{fact:#}");
    assert!(history(&fact).iter().any(|what| what.contains("another session saw it")), "{fact:#}");
    assert!(fact["content"]["symptoms"][0].as_str().is_some_and(|line| line.contains(":12:")), "{fact:#}");
    assert!(!once, "one session shows a fact at no start");
    assert!(project.start_of("a-third-one").contains("passed after `pip install psycopg`"));
    let other = TranscriptBuilder::new().user("what is a driver?").assistant("A library.").lines();
    project.session("three", &other);
    assert_eq!(project.one("runbook", "pip install psycopg")["version"], json!(2));
}

#[test]
fn one_session_has_one_summary_that_grows_with_it() {
    let project = Project::new("", None);
    let talk = lesson();
    project.session("one", &talk.lines());
    let more = talk
        .user("now add the exporter")
        .tool("Write", json!({ "file_path": "/x/export.rs", "content": "fn main() {}" }), "written", false)
        .command("make test", "ok. 13 passed")
        .command("git commit -qam 'Add the exporter'", "")
        .assistant("The exporter is in and covered by a test of its own.");

    project.session("one", &more.lines());

    let summaries: Vec<Value> =
        project.memories().into_iter().filter(|memory| memory["category"] == "session_summary").collect();
    let [summary] = &summaries[..] else { panic!("one summary: {summaries:#?}") };
    assert_eq!(summary["status"], "active");
    assert!(summary["text"].as_str().is_some_and(|text| text.contains("exporter")), "{summary:#}");
    assert!(history(summary).iter().any(|what| what.contains("the session continued")), "{summary:#}");
    for field in ["goal", "outcome", "completed", "next_actions"] {
        assert!(summary["content"].get(field).is_some(), "{field}: {summary:#}");
    }
}

#[test]
fn a_summary_that_makes_room_for_a_newer_one_is_no_failure_to_doctor() {
    let project = Project::new("", None);
    let tasks = [
        "add the exporter of invoices",
        "write the importer for ledgers",
        "speed up the nightly scheduler",
        "render statements with colors",
        "send mails through the relay",
        "archive closed accounts weekly",
        "poll the vendor less often",
    ];
    for (number, task) in tasks.into_iter().enumerate() {
        let file = json!({ "file_path": format!("/x/part{number}.rs"), "content": "fn main() {}" });
        let talk = TranscriptBuilder::new()
            .user(task)
            .tool("Write", file, "written", false)
            .command(&format!("git commit -qam '{task}'"), "")
            .assistant(&format!("Done: {task}. It is covered by test number {number}."));
        project.session(&format!("session-{number}"), &talk.lines());
    }

    let memories = project.memories();
    let doctor = project.scratch.interleaf(&["doctor"]).out();

    let is_retired =
        |memory: &&Value| memory["category"] == "session_summary" && memory["status"] == "retired";
    assert!(memories.iter().filter(is_retired).count() > 0, "{memories:#?}");
    assert!(!doctor.contains("to make room"), "{doctor}");
}

#[test]
fn failures_without_a_fix_are_no_memories() {
    let project = Project::new("", None);
    for part in ["alpha", "beta", "gamma"] {
        let fields = json!({
            "session_id": "one", "tool_name": "Bash", "tool_use_id": part, "is_interrupt": false,
            "tool_input": { "command": format!("cargo build --package {part}") },
            "error": format!("Exit code 101\nerror[E0382]: borrow of moved value: `{part}`\n --> a.rs:4:5"),
        });
        project.scratch.hook(project.scratch.event("PostToolUseFailure", fields)).success();
    }
    assert_ne!(project.scratch.interleaf(&["queue", "list"]).success(), "", "posttool captured them");

    project.session("one", &TranscriptBuilder::new().user("build all parts").assistant("Done.").lines());

    assert_eq!(project.memories(), Vec::<Value>::new());
    let queue = project.scratch.interleaf(&["queue", "list"]).success();
    assert!(!queue.contains("E0382"), "the flush settles captures: {queue}");
}
