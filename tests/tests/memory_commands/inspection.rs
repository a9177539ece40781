//! Statistics, ratings, verification and JSON output.

use super::project::{RULE, TestProject, UNRELATED, json, lines, refused};
use interleaf_tests::scratch::Scratch;
use serde_json::Value;

#[test]
fn a_rating_changes_the_importance_and_is_in_the_history() {
    let (project, id) = TestProject::with_memory(RULE);
    let importance = || project.show(&id)["importance"].as_f64().expect("a number");
    let before = importance();

    let output = project.memory(&["rate", &id, "down"]).success();

    assert!(output.contains("0.70"), "{output}");
    assert!(importance() < before);
    assert!(project.memory(&["history", &id]).success().contains("rated down"));
    refused(project.memory(&["rate", &id, "sideways"]));
}

#[test]
fn stats_count_each_category_and_status() {
    let (project, id) = TestProject::with_memory(RULE);
    project.remember(UNRELATED);
    project.memory(&["archive", &id]).success();

    let stats = json(&project.memory(&["stats", "--json"]).success());
    let counts = &stats["learning"];
    assert_eq!(
        (&counts["active"], &counts["retired"], &counts["archived"]),
        (&1.into(), &0.into(), &1.into())
    );
    assert_eq!(stats["decision"]["active"], 0);
    let table = project.memory(&["stats"]).success();
    assert!(table.contains("learning") && table.contains("1 active in"), "{table}");
}

#[test]
fn verify_names_secrets_that_an_older_version_stored_and_the_remedy() {
    let (project, id) = TestProject::with_memory(RULE);
    project.remember(UNRELATED);
    assert!(project.memory(&["verify"]).success().contains("no memory breaks a rule"));
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let store = rusqlite::Connection::open(project.store()).expect("it is there");
    let planted = format!("The token is {secret}");
    store.execute("UPDATE memories SET text = ? WHERE id = ?", [&planted, &id]).expect("planted");
    drop(store);

    let (code, output) = refused(project.memory(&["verify"]));
    assert_eq!(code, 1, "{output}");
    assert!(output.contains("contains a secret") && output.contains("1 of 2"), "{output}");
    assert!(
        output.contains(&format!("interleaf memory retire {id}")) && !output.contains(&secret),
        "{output}"
    );
    let flaws = lines(&project.memory(&["verify", "--json"]).out());
    assert_eq!((flaws.len(), &flaws[0]["id"]), (1, &id.as_str().into()));
}

#[test]
fn verify_checks_tags_files_and_the_history() {
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let history = format!(r#"[{{"at": 1, "what": "changed text: was {secret}", "by": "somebody"}}]"#);
    let listed = format!(r#"["{secret}"]"#);
    for (column, value) in [("tags", &listed), ("related_files", &listed), ("changes", &history)] {
        let (project, id) = TestProject::with_memory(RULE);
        let store = rusqlite::Connection::open(project.store()).expect("it is there");
        let plant = format!("UPDATE memories SET {column} = ? WHERE id = ?");
        store.execute(&plant, [value, &id]).expect("planted");
        drop(store);

        let (_, output) = refused(project.memory(&["verify"]));
        assert!(output.contains("contains a secret") && output.contains(&id), "{column}: {output}");
    }
}

#[test]
fn every_json_output_is_one_object_per_line() {
    let (project, id) = TestProject::with_memory(RULE);

    for command in [
        &["show", &id, "--json"][..],
        &["list", "--json"],
        &["history", &id, "--json"],
        &["search", "vendor", "requests", "--json"],
        &["stats", "--json"],
        &["gc", "--dry-run", "--json"],
        &["archive", &id, "--json"],
        &["unarchive", &id, "--json"],
        &["retire", &id, "--yes", "--json"],
        &["retire", &id, "--json"],
        &["restore", &id, "--json"],
        &["export"],
    ] {
        let values = lines(&project.memory(command).success());
        assert!(values.iter().all(|value| value.is_object()) && !values.is_empty(), "{command:?}");
    }
    assert_eq!(project.memory(&["verify", "--json"]).success(), "");
}

#[test]
fn a_memory_is_shown_with_its_files_as_they_were_when_it_was_written() {
    let scratch = Scratch::new();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    scratch.write("src/cart.rs", &format!("fn round_down() {{}}\n// token: {secret}\n"));
    scratch.git(&["add", "-A"]);
    scratch.git(&["commit", "--quiet", "-m", "cart"]);
    let text = "The cart rounds down in src/cart.rs, and src/gone.rs is to come.";
    let saved = scratch.interleaf(&["remember", "-c", "decision", "-f", "src/gone.rs", "--json", text]);
    let saved: Value = serde_json::from_str(&saved.success()).expect("JSON");
    let id = saved["id"].as_str().expect("an id");
    scratch.write("src/cart.rs", "fn truncate() {}\n");

    let shown = scratch.interleaf(&["memory", "show", id, "--detail", "files"]).success();
    assert!(shown.contains("src/cart.rs at ") && shown.contains("fn round_down() {}"), "{shown}");
    assert!(!shown.contains("truncate") && !shown.contains(&secret), "{shown}");
    assert!(shown.contains("src/gone.rs at ") && shown.contains("not part of that commit"), "{shown}");

    let summary = scratch.interleaf(&["memory", "show", id, "--detail", "summary"]).success();
    assert_eq!(summary.lines().count(), 1, "{summary}");
    let json = scratch.interleaf(&["memory", "show", id, "--detail", "files", "--json"]).success();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert!(json["files"].as_array().is_some_and(|files| files.len() == 2), "{json}");
}

#[test]
fn a_related_file_lies_in_the_project_and_one_that_is_missing_is_named() {
    let scratch = Scratch::new();
    scratch.write("src/tax.rs", "");
    let remember = |file: &str, text: &str| scratch.interleaf(&["remember", "--json", "-f", file, text]);

    let outside = remember("../elsewhere.rs", "Taxes are rounded down.");
    assert_eq!((outside.code, outside.out()), (Some(2), String::new()));
    assert!(outside.err().contains("../elsewhere.rs lies outside the project"), "{}", outside.err());

    let missing = remember("src/vat.rs", "Vouchers are taxed by their country.");
    assert!(missing.err().contains("the project has no file src/vat.rs now"), "{}", missing.err());
    let known = remember(&scratch.project.join("src/./tax.rs").display().to_string(), RULE);
    assert_eq!((missing.code, known.code, known.err().as_str()), (Some(0), Some(0), ""));
    let shown =
        scratch.interleaf(&["memory", "show", "--json", json(&known.out())["id"].as_str().expect("an id")]);
    assert_eq!(json(&shown.success())["related_files"], serde_json::json!(["src/tax.rs"]));
}
