//! Export from one project and import into another.

use super::project::{RULE, TestProject, UNRELATED, json, lines, refused};
use serde_json::Value;

/// The fields that an import keeps.
const KEPT_FIELDS: [&str; 13] = [
    "id",
    "category",
    "title",
    "text",
    "tags",
    "origin",
    "created_at",
    "schema_version",
    "status",
    "status_since",
    "status_reason",
    "supersedes",
    "superseded_by",
];

/// Creates a project with one memory in every status, and one that supersedes another.
fn project_with_every_status() -> TestProject {
    let (project, archived) = TestProject::with_memory(RULE);
    let wrong = project.remember(UNRELATED);
    let entries = [
        r#"{"id": "old-limit", "text": "Ten connections are the most", "category": "constraint",
            "status": "retired", "superseded_by": "new-limit"}"#,
        r#"{"id": "new-limit", "text": "Twenty connections are the most", "category": "constraint",
            "supersedes": ["old-limit"]}"#,
    ];
    let file = entries.map(|entry| entry.replace('\n', " ")).join("\n");
    project.0.interleaf_with(&["memory", "import", "-"], file.as_bytes()).success();
    project.memory(&["rate", &archived, "up"]).success();
    project.memory(&["archive", &archived, "--reason", "the vendor is gone"]).success();
    project.memory(&["retire", &wrong, "--yes", "--reason", "it is wrong"]).success();
    project
}

#[test]
fn an_import_that_keeps_origins_keeps_ids_history_statuses_and_links() {
    let (here, there) = (project_with_every_status(), TestProject::new());
    let file = there.0.root.join("export.jsonl");
    std::fs::write(&file, here.exported()).expect("ours");

    let output = there.at_terminal(&format!("import --keep-origins '{}'", file.display()), "").success();

    assert!(output.contains("4 written"), "{output}");
    let (before, after) = (lines(&here.exported()), lines(&there.exported()));
    assert_eq!(after.len(), 4);
    for (before, after) in before.iter().zip(&after) {
        for field in KEPT_FIELDS {
            assert_eq!(before[field], after[field], "{field} of {before}");
        }
        let (was, is) = (changes(before), changes(after));
        assert_eq!((&is[..was.len()], is.len()), (&was[..], was.len() + 1));
        assert_eq!(after["version"].as_u64(), before["version"].as_u64().map(|version| version + 1));
    }
    let (_, output) = refused(there.memory(&["restore", "old-limit"]));
    assert!(output.contains("`new-limit` supersedes it"), "{output}");
}

fn changes(memory: &Value) -> &Vec<Value> {
    memory["changes"].as_array().expect("a history")
}

#[test]
fn an_import_without_keep_origins_has_the_origin_imported() {
    let (here, there) = (project_with_every_status(), TestProject::new());

    let output = there.0.interleaf_with(&["memory", "import", "-", "--json"], here.exported().as_bytes());

    assert_eq!(json(&output.success())["written"], 4);
    for memory in lines(&there.exported()) {
        assert_eq!((&memory["origin"], changes(&memory).len()), (&"imported".into(), 1), "{memory}");
    }
    let (_, output) = refused(there.0.interleaf(&["memory", "import", "--keep-origins", "-"]));
    assert!(output.contains("only a person at a terminal"), "{output}");
}

#[test]
fn an_import_that_breaks_off_keeps_what_it_wrote_and_says_so() {
    let project = TestProject::new();
    let import = |input: &str| project.0.interleaf_with(&["memory", "import", "-"], input.as_bytes());

    let (code, output) = refused(import("[{\"text\": \"The quota is ten\"}, {\"text\": \"The lock"));

    assert!(code != 0 && output.contains("1 written"), "{output}");
    assert!(
        output.contains("the import ended before the end of the file: cannot parse the list"),
        "{output}"
    );
    let output = import("{\"text\": \"The quota is ten\"}\n{\"text\": \"The lock is held\"}\n").success();
    assert!(output.contains("1 written, 1 already known"), "{output}");
}

#[test]
fn secrets_and_escapes_in_an_imported_history_are_removed() {
    let project = TestProject::new();
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let entry = serde_json::json!({
        "id": "of-elsewhere", "text": RULE, "status": "retired", "version": 2,
        "status_reason": format!("\u{1b}[2J{secret}"),
        "changes": [
            { "at": 1, "what": "written", "by": "x" },
            { "at": 2, "what": format!("changed text: {secret}"), "by": "x", "was": { "text": secret } },
        ],
    });
    let file = project.0.root.join("export.jsonl");
    std::fs::write(&file, entry.to_string()).expect("ours");

    project.at_terminal(&format!("import --keep-origins '{}'", file.display()), "").success();

    let exported = project.exported();
    assert!(!exported.contains(&secret) && !exported.contains("\\u001b"), "{exported}");
    assert_eq!(changes(&project.show("of-elsewhere")).len(), 3);
}
