//! `remember`: whose words are written, and which rules hold for them.

use super::*;
use interleaf_tests::mcp_session::McpSession;
use serde_json::json;

#[test]
fn a_memory_is_the_assistants_and_has_its_cues() {
    let scratch = Scratch::new();
    let mut session = McpSession::start(&scratch);

    let answer = session.ask(
        "remember",
        json!({
            "text": LIMIT, "category": "constraint", "tags": ["vendor"], "related_files": ["src/vendor.rs"],
            "asked_as": ["why do we get 429", "wie schnell dürfen wir abfragen"],
        }),
    );

    let id = id_in(&answer);
    let memory = stored(&scratch, &id);
    assert_eq!(
        (&memory["origin"], &memory["category"], &memory["text"], &memory["related_files"]),
        (&json!("assistant"), &json!("constraint"), &json!(LIMIT), &json!(["src/vendor.rs"]))
    );
    assert_eq!(memory["changes"][0]["by"], "interleaf mcp");
    let shown = scratch.interleaf(&["memory", "show", &id]).success();
    assert!(shown.contains("why do we get 429; wie schnell dürfen wir abfragen"), "{shown}");
}

#[test]
fn it_weighs_as_much_as_one_of_the_command_line() {
    let scratch = Scratch::new();
    let typed = remember(&scratch, &["The billing service takes 20 requests a second, by design"]);
    let mut session = McpSession::start(&scratch);
    let said = id_in(&session.ask("remember", json!({"text": LIMIT})));

    let (typed, said) = (stored(&scratch, &typed), stored(&scratch, &said));

    for field in ["importance", "confidence", "category", "origin", "tags"] {
        assert_eq!(typed[field], said[field], "{field}");
    }
}

#[test]
fn a_secret_is_redacted_before_it_is_stored() {
    let scratch = Scratch::new();
    let secret = ["ghp", "_", "a8Kd02mPqLz71XcVbN4wErTy6UiOp3SgHj5F"].concat();
    let mut session = McpSession::start(&scratch);

    let text = format!("The release job pushes with {secret} as its token");
    let id =
        id_in(&session.ask("remember", json!({"text": text, "asked_as": [format!("what is {secret}")]})));

    let exported = scratch.interleaf(&["memory", "export"]).success();
    assert!(exported.contains(&id) && !exported.contains(&secret), "{exported}");
    assert!(
        stored(&scratch, &id)["text"].as_str().is_some_and(|text| text.contains("[SECRET:github-token]"))
    );
}

#[test]
fn a_duplicate_is_named_and_not_written() {
    let scratch = Scratch::new();
    let id =
        remember(&scratch, &["-c", "decision", "The staging robot gets the blue tape of the large supplier"]);
    let mut session = McpSession::start(&scratch);

    let same = session.ask(
        "remember",
        json!({"text": "The staging robot gets the blue tape of the large supplier", "category": "decision"}),
    );
    let nearly = session.refused(
        "remember",
        json!({
            "text": "The staging robots get the blue tape of the large suppliers", "category": "decision",
        }),
    );

    assert!(same.contains(&id) && same.contains("says the same"), "{same}");
    assert!(nearly.contains(&id) && nearly.contains("supersedes"), "{nearly}");
    assert_eq!(scratch.interleaf(&["memory", "export"]).success().lines().count(), 1);
}

#[test]
fn a_correction_supersedes_the_old_memory() {
    let scratch = Scratch::new();
    let old = remember(&scratch, &["-c", "decision", "The packing robot gets blue tape"]);
    let mut session = McpSession::start(&scratch);

    let arguments =
        json!({"text": "The packing robot gets green tape now", "category": "decision", "supersedes": old});
    let answer = session.ask("remember", arguments);

    let new = id_in(&answer);
    assert!(answer.contains(&old), "{answer}");
    assert_eq!(stored(&scratch, &old)["status"], "retired");
    assert_eq!(stored(&scratch, &old)["superseded_by"], json!(new));
    assert_eq!(stored(&scratch, &new)["supersedes"], json!([old]));
}

#[test]
fn the_settings_at_the_time_of_the_call_hold() {
    let scratch = Scratch::new();
    let mut session = McpSession::start(&scratch);
    session.ask("remember", json!({"text": LIMIT, "category": "decision"}));

    scratch.configure("[categories.decision]\nenabled = false\n");
    let error = session.refused("remember", json!({"text": "Robots get blue tape", "category": "decision"}));

    assert!(error.contains("categories.decision.enabled"), "{error}");
}

#[test]
fn a_forgotten_text_stays_forgotten() {
    let scratch = Scratch::new();
    let id = remember(&scratch, &[LIMIT]);
    scratch.interleaf(&["forget", &id, "--yes"]).success();
    let mut session = McpSession::start(&scratch);

    let error = session.refused("remember", json!({"text": LIMIT}));

    assert!(error.contains(&id) && error.contains("restore"), "{error}");
}

#[test]
fn a_wrong_argument_is_named_with_what_is_right() {
    let scratch = Scratch::new();
    let mut session = McpSession::start(&scratch);

    for (arguments, parts) in [
        (json!({}), ["text", "missing"]),
        (json!({"text": 7}), ["7", "string"]),
        (json!({"text": ""}), ["no text", "give a text"]),
        (json!({"text": LIMIT, "category": "rule"}), ["rule", "constraint"]),
        (json!({"text": LIMIT, "asked": ["x"]}), ["asked", "asked_as"]),
        (json!({"text": LIMIT, "origin": "person"}), ["origin", "unknown"]),
        (json!({"text": "x".repeat(200_000)}), ["text", "bytes"]),
    ] {
        let error = session.refused("remember", arguments);
        assert!(parts.iter().all(|part| error.contains(part)), "{parts:?}: {error}");
    }
    assert_eq!(scratch.interleaf(&["memory", "export"]).success(), "");
}

#[test]
fn two_servers_on_one_project_see_each_others_memories() {
    let scratch = Scratch::new();
    let (mut one, mut other) = (McpSession::start(&scratch), McpSession::start(&scratch));
    let subjects = ["tape", "glue", "paper", "ink", "foam", "string"];

    let mut ids = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let writer = if index % 2 == 0 { &mut one } else { &mut other };
        let text = format!("Supplier {index} delivers {subject} on day {index}");
        ids.push(id_in(&writer.ask("remember", json!({"text": text}))));
    }

    for id in ids {
        for reader in [&mut one, &mut other] {
            assert!(reader.ask("show", json!({"id": id})).contains("Supplier"));
        }
    }
}
