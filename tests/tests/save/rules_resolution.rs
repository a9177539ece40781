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
fn a_failure_that_comes_back_elsewhere_with_the_same_remedy_is_one_memory() {
    let project = Project::new("", None);
    let mended = |command: &str, line: u32| {
        let error = format!("src/db.rs:{line}: error: the test database refused the connection");
        let session = TranscriptBuilder::new().user("add a field to the exporter").failure(command, &error);
        let session = session.command("docker compose up -d db", "").command(command, "ok. 12 passed");
        session.assistant("The field is in.").lines()
    };

    project.session("one", &mended("make test", 12)).session("two", &mended("make test FILTER=export", 80));

    let fix = project.one("runbook", "docker compose up -d db");
    assert!(history(&fix).iter().any(|what| what.contains("repeated in a session")), "{fix:#}");
    let all: Vec<Value> =
        project.memories().into_iter().filter(|memory| memory["category"] == "runbook").collect();
    assert_eq!(all.len(), 1, "{all:#?}");
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
            .command("make test", "ok. 13 passed")
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

/// Lets the build of these parts fail in a session, each with an error of its own.
fn fail_parts(project: &Project, session: &str, parts: std::ops::Range<usize>) {
    for part in parts.map(part_name) {
        let fields = json!({
            "session_id": session, "tool_name": "Bash", "tool_use_id": part, "is_interrupt": false,
            "tool_input": { "command": format!("cargo build --package {part}") },
            "error": format!("Exit code 101\nerror[E0382]: borrow of moved value: `{part}`\n --> a.rs:4:5"),
        });
        project.scratch.hook(project.scratch.event("PostToolUseFailure", fields)).success();
    }
    project.session(session, &TranscriptBuilder::new().user("build all parts").assistant("Done.").lines());
}

fn part_name(number: usize) -> String {
    format!("part{number:02}")
}

fn is_tentative(memory: &Value) -> bool {
    memory["tags"].as_array().expect("a list").contains(&json!("tentative"))
}

#[test]
fn a_session_of_many_failures_shows_three_lists_of_them_and_keeps_the_others_as_tentative() {
    let project = Project::new("", None);

    fail_parts(&project, "one", 0..40);

    let lists = project.with_text("learning", "without a known remedy");
    let tentative = lists.iter().filter(|list| is_tentative(list)).count();
    assert_eq!((tentative, lists.len()), (2, 5), "{lists:#?}");
    let texts: String = lists.iter().map(|list| list["text"].to_string()).collect();
    let missing: Vec<String> = (0..40).map(part_name).filter(|part| !texts.contains(part)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_list_of_failures_that_an_earlier_session_had_takes_no_place_of_a_new_one() {
    let project = Project::new("", None);
    fail_parts(&project, "one", 0..24);
    assert_eq!(project.with_text("learning", "without a known remedy").len(), 3);

    fail_parts(&project, "two", 0..32);

    let lists = project.with_text("learning", "without a known remedy");
    assert_eq!(lists.len(), 4, "{lists:#?}");
    assert!(!lists.iter().any(is_tentative), "{lists:#?}");
}
