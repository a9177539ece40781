//! One matter is one memory: told again it becomes an update, told otherwise a successor, and what came to its end ends.

use super::project::{Project, history};
use interleaf_tests::conversation::Conversation;
use interleaf_tests::scripted::Scripted;
use interleaf_tests::stub_llm::{Act, StubLlm};
use serde_json::{Value, json};

/// The three sessions of a project, with a model.
fn played(project: &str, model: &Scripted) -> Project {
    let played = Project::new("", Some(&model.url()));
    for session in ["s1", "s2", "s3"] {
        played.recorded(&format!("{project}/{session}"));
    }
    assert!(model.asked() > 0);
    played
}

#[test]
fn a_limit_that_was_raised_takes_the_place_of_the_old_one() {
    let project = played("ledger-api", &Scripted::start("ledger-api"));

    let (old, new) = (project.one("constraint", "10 requests"), project.one("constraint", "20 requests"));
    assert_eq!((&old["status"], &new["status"]), (&json!("retired"), &json!("active")));
    assert_eq!(old["superseded_by"], new["id"], "{old:#}");
    assert_eq!(new["supersedes"], json!([old["id"]]), "{new:#}");
    assert_eq!(old["content"]["active"], json!(false), "{old:#}");
    let found = project.search("vendor limit requests a second");
    assert!(found.contains("20 requests") && !found.contains("10 requests"), "{found}");
    let start = project.start();
    assert!(!start.contains("10 requests"), "{start}");
}

#[test]
fn a_debt_that_was_paid_is_retired_with_what_befell_it() {
    let project = played("ledger-api", &Scripted::start("ledger-api"));

    let debt = project.one("tech_debt", "Idempotency keys");

    assert_eq!((&debt["status"], &debt["content"]["status"]), (&json!("retired"), &json!("resolved")), "{debt:#}");
    assert!(history(&debt).iter().any(|what| what.contains("POST /entries has idempotency keys now")), "{debt:#}");
    let start = project.start();
    assert!(!start.contains("put off until the v2 schema"), "{start}");
}

#[test]
fn what_is_told_again_in_other_words_is_one_memory_with_a_history() {
    let project = played("atlas-mono", &Scripted::start("atlas-mono"));

    let limits: Vec<Value> = project.memories().into_iter().filter(|memory| memory["category"] == "constraint").collect();

    let [limit] = &limits[..] else { panic!("one limit is one memory: {limits:#?}") };
    assert!(limit["text"].as_str().is_some_and(|text| text.contains("30 is above")), "{limit:#}");
    assert!(history(limit).iter().any(|what| what.contains("told it again")), "{limit:#}");
    assert_eq!(limit["status"], "active");
}

#[test]
fn a_decision_that_was_reversed_has_one_successor_and_is_not_shown_again() {
    let model = StubLlm::answering(|asked, _| Act::chat(&decided(&asked.text()).to_string()));
    let settings = "thresholds = { decision = 0.05, session_summary = 1.0 }";
    let project = Project::new(settings, Some(&format!("{}/v1", model.url())));
    let said = |words: &str| Conversation::new().user(words).assistant("I will.").lines();

    project.session("one", &said("we decided to page with cursors instead of offsets, because pages shift"));
    project.session("two", &said("we decided to go back to offsets instead of cursors, because clients jump"));

    let (old, new) = (project.one("decision", "Page with cursors"), project.one("decision", "Page with offsets"));
    assert_eq!((&old["status"], &old["content"]["status"]), (&json!("retired"), &json!("superseded")), "{old:#}");
    assert_eq!((&old["superseded_by"], &new["supersedes"]), (&new["id"], &json!([old["id"]])));
    let (found, start) = (project.search("how do we page"), project.start());
    assert!(found.contains("offsets") && !found.contains("pages shift"), "{found}");
    assert!(!start.contains("pages shift"), "{start}");
    let last = project.flushes().pop().expect("a flush");
    assert_eq!(last["written"][0]["action"], "supersede", "{last:#}");
    assert_eq!(last["written"][0]["superseded"], old["id"], "{last:#}");
}

/// What a good model answers to the two sessions above.
fn decided(prompt: &str) -> Value {
    let of = |title: &str, why: &str, quote: &str| {
        let content = json!({ "status": "accepted", "decision": title, "rationale": [why] });
        let text = format!("{title}, because {why}.");
        json!({ "title": title, "text": text, "content": content, "quotes": [quote], "tags": ["paging"] })
    };
    if prompt.contains("Task: verify") {
        return json!({ "verdicts": [{ "index": 0, "supported": true }] });
    }
    if prompt.contains("go back to offsets") {
        let mut offsets = of("Page with offsets", "clients jump", "we decided to go back to offsets");
        offsets["about"] = json!({ "known": 0, "intent": "supersede" });
        return json!({ "memories": [offsets] });
    }
    json!({ "memories": [of("Page with cursors", "pages shift", "we decided to page with cursors")] })
}

#[test]
fn what_nobody_verifies_changes_nothing_that_stands() {
    let (model, doubting) = (Scripted::start("ledger-api"), Scripted::doubting("ledger-api"));
    let project = Project::new("", Some(&model.url()));
    project.recorded("ledger-api/s1");
    let before = project.memories();
    project.configure("", Some(&doubting.url()));

    project.recorded("ledger-api/s3");

    assert!(doubting.asked() > 0);
    for memory in before {
        let now = project.memories().into_iter().find(|now| now["id"] == memory["id"]).expect("it is kept");
        assert_eq!((&now["status"], &now["text"]), (&memory["status"], &memory["text"]), "{now:#}");
    }
}

#[test]
fn by_rules_a_sentence_with_another_number_takes_the_place_of_the_first() {
    let project = Project::new("", None);
    let rule = |seconds: u32| {
        Conversation::new()
            .user(&format!("from now on always give the export job a timeout of {seconds} seconds, the disks there are slow"))
            .assistant("I will.")
            .command("make export", "done")
            .lines()
    };

    project.session("one", &rule(30)).session("two", &rule(30)).session("three", &rule(45));

    let (old, new) = (project.one("preference", "30 seconds"), project.one("preference", "45 seconds"));
    assert_eq!((&old["status"], &new["status"]), (&json!("retired"), &json!("active")), "{old:#}\n{new:#}");
    assert_eq!((&old["superseded_by"], &new["supersedes"]), (&new["id"], &json!([old["id"]])));
    assert!(history(&old).iter().any(|what| what.contains("told it again")), "{old:#}");
    let found = project.search("timeout of the export job");
    assert!(found.contains("45 seconds") && !found.contains("30 seconds"), "{found}");
    assert!(!project.start().contains("30 seconds"));
}

#[test]
fn the_log_says_of_each_memory_what_was_done_and_why_and_nobody_s_words() {
    let project = Project::new("", None);
    let talk = super::lesson().lines();
    project.session("one", &talk).session("two", &talk);

    let flushes = project.flushes();
    let written = |at: usize| flushes[at]["written"].as_array().expect("a list").clone();

    assert_eq!(flushes.len(), 2, "{flushes:#?}");
    assert!(written(0).iter().all(|memory| memory["action"] == "create"), "{flushes:#?}");
    assert!(written(1).iter().all(|memory| memory["action"] == "update"), "{flushes:#?}");
    assert!(flushes.iter().flat_map(|flush| flush["written"].as_array()).flatten().all(|memory| {
        memory["because"].as_str().is_some_and(|why| !why.is_empty())
    }));
    assert!(!json!(flushes).to_string().contains("pnpm"), "{flushes:#?}");
    let told = project.scratch.interleaf(&["log"]).success();
    assert!(told.contains("updated ") && told.contains("update over create"), "{told}");
}

#[test]
fn who_forgot_a_memory_does_not_get_it_back() {
    let project = Project::new("", None);
    let talk = super::lesson();
    project.session("one", &talk.lines());
    let forgotten: Vec<Value> = project.memories();
    assert!(forgotten.len() > 2, "a rule, a fix and a summary: {forgotten:#?}");
    for memory in &forgotten {
        let id = memory["id"].as_str().expect("an id");
        project.scratch.interleaf(&["forget", "--yes", id]).success();
    }

    let more = talk.user("thanks, and now format the readme").command("make format", "done");
    project.session("one", &more.lines()).session("two", &super::lesson().lines());

    let back: Vec<Value> =
        project.memories().into_iter().filter(|memory| memory["status"] == "active").collect();
    let said = |category: &str| back.iter().any(|memory| memory["category"] == category);
    assert!(!said("preference") && !said("runbook"), "{back:#?}");
    let own = project.memories().into_iter().find(|memory| memory["id"] == forgotten[0]["id"]);
    assert_eq!(own.expect("it is kept")["status"], "retired");
}

#[test]
fn two_sessions_that_tell_the_same_at_once_leave_one_memory() {
    let project = Project::new("", None);
    std::thread::scope(|scope| {
        for session in ["one", "two"] {
            let project = &project;
            scope.spawn(move || project.end(session, &super::lesson().lines()));
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
fn what_is_told_again_takes_no_place_of_what_is_new() {
    let project = Project::new("memories = 2", None);
    project.session("one", &super::lesson().lines());
    let before = project.memories().len();

    let more = super::lesson().user("from now on commit messages follow conventional commits, the changelog is made of them");
    project.session("two", &more.assistant("I will.").lines());

    assert_eq!(project.that_say("preference", "conventional commits").len(), 1, "{:#?}", project.memories());
    assert!(project.memories().len() > before);
}

#[test]
fn a_category_that_is_switched_off_is_neither_drafted_nor_written() {
    let model = StubLlm::start([Act::chat("{\"memories\": []}")]);
    let project = Project::new("", Some(&format!("{}/v1", model.url())));
    let config = project.scratch.interleaf_home.join("config/config.toml");
    let known = std::fs::read_to_string(&config).expect("ours");
    let off = "[categories.preference]\nauto_capture = false\n[categories.runbook]\nenabled = false\n";
    std::fs::write(&config, format!("{known}{off}")).expect("ours");

    project.session("one", &super::lesson().lines());

    let asked: String = model.asked().iter().map(|asked| asked.text()).collect();
    assert!(asked.contains("Category: session_summary"), "{asked}");
    assert!(!asked.contains("Category: preference") && !asked.contains("Category: runbook"));
    let categories: Vec<Value> = project.memories().iter().map(|memory| memory["category"].clone()).collect();
    assert_eq!(categories, ["session_summary"], "{:#?}", project.memories());
}

#[test]
fn one_session_has_one_summary_that_grows_with_it() {
    let project = Project::new("", None);
    let talk = super::lesson();
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
    assert!(history(summary).iter().any(|what| what.contains("the session went on")), "{summary:#}");
    for field in ["goal", "outcome", "completed", "next_actions"] {
        assert!(summary["content"].get(field).is_some(), "{field}: {summary:#}");
    }
}
