//! What the person does not want is not written: what they forgot, and what they switched off.

use super::lesson;
use super::project::Project;
use interleaf_tests::stub_llm::{Act, StubLlm};
use serde_json::Value;

#[test]
fn who_forgot_a_memory_does_not_get_it_back() {
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
    let said = |category: &str| back.iter().any(|memory| memory["category"] == category);
    assert!(!said("preference") && !said("runbook"), "{back:#?}");
    let own = project.memories().into_iter().find(|memory| memory["id"] == forgotten[0]["id"]);
    assert_eq!(own.expect("it is kept")["status"], "retired");
}

#[test]
fn a_category_that_is_switched_off_is_neither_drafted_nor_written() {
    let model = StubLlm::start([Act::chat("{\"memories\": []}")]);
    let project = Project::new("", Some(&format!("{}/v1", model.url())));
    let config = project.scratch.interleaf_home.join("config/config.toml");
    let known = std::fs::read_to_string(&config).expect("ours");
    let off = "[categories.preference]\nauto_capture = false\n[categories.runbook]\nenabled = false\n";
    std::fs::write(&config, format!("{known}{off}")).expect("ours");

    project.session("one", &lesson().lines());

    let asked: String = model.asked().iter().map(|asked| asked.text()).collect();
    assert!(asked.contains("Category: session_summary"), "{asked}");
    assert!(!asked.contains("Category: preference") && !asked.contains("Category: runbook"));
    let categories: Vec<Value> = project.memories().iter().map(|memory| memory["category"].clone()).collect();
    assert_eq!(categories, ["session_summary"], "{:#?}", project.memories());
}
