//! Forgotten memories and disabled categories are not saved.

use super::lesson;
use super::project::Project;
use interleaf_tests::stub_llm::{StubLlm, StubReply};
use serde_json::Value;

#[test]
fn a_forgotten_memory_is_not_saved_again() {
    let project = Project::new("", None);
    let talk = lesson();
    project.session("one", &talk.lines());
    let forgotten: Vec<Value> = project.memories();
    assert!(forgotten.len() > 2, "a rule, a fix and a summary: {forgotten:#?}");
    for memory in &forgotten {
        let id = memory["id"].as_str().expect("an id");
        project.scratch.interleaf(&["forget", "--yes", id]).success();
    }

    let more = talk.user("thanks, and now format the readme").command("make format", "done");
    project.session("one", &more.lines()).session("two", &lesson().lines());

    let back: Vec<Value> =
        project.memories().into_iter().filter(|memory| memory["status"] == "active").collect();
    let has = |category: &str| back.iter().any(|memory| memory["category"] == category);
    assert!(!has("preference") && !has("runbook"), "{back:#?}");
    let own = project.memories().into_iter().find(|memory| memory["id"] == forgotten[0]["id"]);
    assert_eq!(own.expect("it is kept")["status"], "retired");
}

#[test]
fn a_category_that_is_switched_off_is_neither_drafted_nor_written() {
    let model = StubLlm::start([StubReply::chat("{\"changes\": []}")]);
    let project = Project::new("", Some(&format!("{}/v1", model.url())));
    let config = project.scratch.interleaf_home.join("config/config.toml");
    let known = std::fs::read_to_string(&config).expect("ours");
    let off = "[categories.preference]\nauto_capture = false\n[categories.runbook]\nenabled = false\n";
    std::fs::write(&config, format!("{known}{off}")).expect("ours");

    project.session("one", &lesson().lines());

    let sent: String = model.requests().iter().map(|request| request.text()).collect();
    assert!(sent.contains("- decision: "), "{sent}");
    assert!(!sent.contains("- preference: ") && !sent.contains("- runbook: "));
    let categories: Vec<Value> = project.memories().iter().map(|memory| memory["category"].clone()).collect();
    assert_eq!(categories, ["session_summary"], "{:#?}", project.memories());
}
