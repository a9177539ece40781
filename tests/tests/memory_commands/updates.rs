//! Updates of a memory, and changes of its status.

use super::project::{RULE, TestProject, UNRELATED, json, lines, refused};

const NEWER: &str = "The vendor API allows 20 requests a second, by design";

#[test]
fn an_update_must_name_the_current_version() {
    let (project, id) = TestProject::with_memory(RULE);
    let update = |more: &[&str]| {
        project
            .memory(&[&["update", &id, "--reason", "the vendor raised it", "--text", NEWER], more].concat())
    };

    let (code, output) = refused(update(&[]));
    assert_eq!(code, 2, "{output}");
    assert!(output.contains("has version 1") && output.contains("--version 1"), "{output}");
    let (_, output) = refused(update(&["--version", "7"]));
    assert!(output.contains("is at version 1, not 7"), "{output}");
    assert_eq!(project.show(&id)["text"], RULE);

    let output = update(&["--version", "1"]).success();
    assert!(output.contains("now version 2"), "{output}");
    assert_eq!(project.show(&id)["text"], NEWER);
    refused(update(&["--version", "1"]));
}

#[test]
fn an_update_adds_tags_and_files_and_keeps_the_others() {
    let (project, id) = TestProject::with_memory(RULE);
    let update = |version: &str, more: &[&str]| {
        project.memory(
            &[&["update", &id, "--version", version, "--reason", "it is about more", "--json"], more]
                .concat(),
        )
    };

    let answer = json(&update("1", &["-t", "vendor", "-t", "Rate Limit", "-f", "hello.txt"]).success());
    assert_eq!((&answer["id"], &answer["version"]), (&id.as_str().into(), &2.into()));
    let (_, output) = refused(update("2", &["-t", "new", "--remove-tag", "vendor"]));
    assert!(output.contains("`vendor`"), "{output}");
    let (_, output) = refused(update("2", &["--remove-file", "hello.txt"]));
    assert!(output.contains("`hello.txt`"), "{output}");

    let memory = project.show(&id);
    assert!(memory["tags"].as_array().expect("a list").contains(&"rate-limit".into()), "{memory}");
    std::fs::remove_file(project.0.project.join("hello.txt")).expect("ours");
    update("2", &["--remove-file", "hello.txt"]).success();
    assert_eq!(project.show(&id)["related_files"], serde_json::json!([]));
}

#[test]
fn the_history_shows_earlier_texts() {
    let (project, id) = TestProject::with_memory(RULE);
    let update = ["update", &id, "--version", "1", "--reason", "the vendor raised it", "--text", NEWER];
    project.memory(&update).success();

    let history = project.memory(&["history", &id]).success();
    assert!(history.contains(RULE) && history.contains("the vendor raised it"), "{history}");
    let changes = lines(&project.memory(&["history", &id, "--json"]).success());
    assert_eq!((changes.len(), &changes[1]["was"]["text"]), (2, &RULE.into()));
}

#[test]
fn an_archived_or_retired_memory_comes_back_with_its_history() {
    let (project, id) = TestProject::with_memory(RULE);
    let status = || project.show(&id)["status"].as_str().expect("a word").to_owned();

    let output = project.memory(&["archive", &id, "--reason", "the vendor is gone"]).success();
    assert!(output.starts_with("Archived: ") && output.contains(&id), "{output}");
    assert_eq!(status(), "archived");
    let (_, output) =
        refused(project.memory(&["update", &id, "--version", "2", "--reason", "r", "--text", NEWER]));
    assert!(output.contains(&format!("interleaf memory unarchive {id}")), "{output}");
    let (_, output) = refused(project.memory(&["restore", &id]));
    assert!(output.contains("unarchive"), "{output}");
    project.memory(&["unarchive", &id]).success();

    project.memory(&["retire", &id, "--yes", "--reason", "it is wrong"]).success();
    let (_, output) = refused(project.0.interleaf(&["remember", RULE]));
    assert!(output.contains(&format!("interleaf memory restore {id}")), "{output}");
    let restored = json(&project.memory(&["restore", &id, "--json"]).success());
    assert_eq!((&restored["status"], &restored["version"]), (&"active".into(), &5.into()));
    assert_eq!(lines(&project.memory(&["history", &id, "--json"]).success()).len(), 5);
}

#[test]
fn an_ambiguous_id_prefix_lists_the_matching_memories() {
    let project = TestProject::new();
    let entries = [("twin-one", RULE), ("twin-two", UNRELATED)];
    let file = entries.map(|(id, text)| serde_json::json!({ "id": id, "text": text }).to_string()).join("\n");
    project.0.interleaf_with(&["memory", "import", "-"], file.as_bytes()).success();

    for verb in
        [&["show", "twin"][..], &["retire", "twin", "--yes"], &["archive", "twin"], &["rate", "twin", "up"]]
    {
        let (code, output) = refused(project.memory(verb));
        assert_eq!(code, 2, "{output}");
        for (id, text) in entries {
            let listed = output.lines().any(|line| line.contains(id) && line.contains(text));
            assert!(listed, "{verb:?}: {output}");
        }
    }
    assert!(project.memory(&["show", "twin-o"]).success().contains(RULE));
}
