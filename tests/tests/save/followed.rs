//! Whether a session followed a memory that it was shown is found in its transcript.

use super::project::Project;
use interleaf_tests::transcript_builder::TranscriptBuilder;
use serde_json::{Value, json};

const FOLLOWED: &str =
    "Seed the ledger with `make seed-ledger` before its tests, or they wait for the vendor";
const IGNORED: &str = "The ledger rounds half to even, because the auditors asked for it";

/// A project with both memories.
fn project() -> Project {
    let project = Project::new("", None);
    for text in [FOLLOWED, IGNORED] {
        project.scratch.interleaf(&["remember", "-c", "decision", "-t", "cheat-sheet", text]).success();
    }
    project
}

/// Starts a session, which shows both, and ends it with a transcript of a later time.
fn session(project: &Project, name: &str, transcript: &TranscriptBuilder) {
    let start = json!({ "session_id": name, "source": "startup" });
    let shown = project.scratch.hook(project.scratch.event("SessionStart", start)).success();
    assert!(shown.contains(FOLLOWED) && shown.contains(IGNORED), "{shown}");
    project.session(name, &transcript.lines());
}

fn followed(project: &Project, text: &str) -> (u64, u64) {
    let memory = project.one("decision", text);
    let count = |field: &str| memory[field].as_u64().expect("a number");
    (count("uses"), count("followed"))
}

#[test]
fn a_session_that_runs_a_memory_s_command_followed_it_once() {
    let project = project();
    let work = TranscriptBuilder::new().in_year(2099).user("test the ledger");
    let work = work.command("make seed-ledger", "ok").command("make seed-ledger && make test", "ok");

    session(&project, "one", &work);
    // The same session goes on.
    project.session("one", &work.assistant("Done.").command("make seed-ledger", "ok").lines());

    assert_eq!((followed(&project, FOLLOWED), followed(&project, IGNORED)), ((1, 1), (1, 0)));
    let stats = project.scratch.interleaf(&["memory", "stats", "--json"]).success();
    let stats: Value = serde_json::from_str(&stats).expect("one object");
    assert_eq!((&stats["decision"]["shown"], &stats["decision"]["followed"]), (&json!(2), &json!(1)));
}

#[test]
fn what_was_done_before_the_memory_was_shown_does_not_count() {
    let project = project();
    let work = TranscriptBuilder::new().user("test the ledger").command("make seed-ledger", "ok");

    session(&project, "one", &work);

    assert_eq!(followed(&project, FOLLOWED), (1, 0));
}

#[test]
fn a_memory_that_sessions_follow_comes_first_at_the_start_of_the_next_one() {
    let project = Project::new("", None);
    for text in [FOLLOWED, IGNORED] {
        project.scratch.interleaf(&["remember", "-c", "constraint", text]).success();
    }
    let position = |context: &str, text: &str| context.find(text).unwrap_or_else(|| panic!("{context}"));
    let before = project.start();
    assert!(position(&before, IGNORED) < position(&before, FOLLOWED), "the newer one is first: {before}");

    for name in ["one", "two"] {
        let work = TranscriptBuilder::new().in_year(2099).user("test the ledger");
        let start = json!({ "session_id": name, "source": "startup" });
        project.scratch.hook(project.scratch.event("SessionStart", start)).success();
        project.session(name, &work.command("make seed-ledger", "ok").lines());
    }

    let start = json!({ "session_id": "last", "source": "startup" });
    let after = project.scratch.hook(project.scratch.event("SessionStart", start)).success();
    assert!(position(&after, FOLLOWED) < position(&after, IGNORED), "{after}");
}

/// A project with a tentative memory, which the host's own words cannot make certain.
fn tentative(project: &Project) -> String {
    project.scratch.interleaf(&["remember", "-c", "decision", "-t", "tentative", FOLLOWED]).success();
    project.one("decision", FOLLOWED)["id"].as_str().expect("an id").to_owned()
}

fn is_tentative(project: &Project) -> bool {
    project.one("decision", FOLLOWED)["tags"].to_string().contains("tentative")
}

#[test]
fn a_tentative_memory_that_the_agent_searched_for_and_followed_becomes_an_ordinary_one() {
    for search in ["mcp__interleaf__recall", "Bash"] {
        let project = Project::new("", None);
        let id = tentative(&project);
        let input = json!({ "query": "ledger", "command": "interleaf memory search ledger" });
        let found = format!("{} {FOLLOWED}", &id[..10]);
        let work = TranscriptBuilder::new().in_year(2099).user("test the ledger");
        let searched = work.tool(search, input, &found, false);

        project.session("one", &searched.lines());
        assert!(is_tentative(&project), "{search}: to find it is not to follow it");

        project.session("one", &searched.command("make seed-ledger", "ok").lines());
        assert!(!is_tentative(&project), "{search}");
        assert!(project.start().contains(FOLLOWED), "{search}: the next session is shown it");
    }
}

#[test]
fn a_tentative_memory_stays_so_unless_a_search_found_it_before_it_was_followed() {
    let project = Project::new("", None);
    let id = tentative(&project);
    let work = TranscriptBuilder::new().in_year(2099).user("test the ledger");
    let read = work.tool("Read", json!({ "file_path": "notes.md" }), &format!("{id} {FOLLOWED}"), false);

    project.session("one", &read.command("make seed-ledger", "ok").lines());

    assert!(is_tentative(&project));
}
