//! Every recorded payload, complete and damaged.

use std::path::Path;

use serde_json::{Value, json};

use super::*;

/// The events with an interface of their own, by `hook_event_name`.
const TYPED: [&str; 10] = [
    "SessionStart",
    "SubagentStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "SessionEnd",
];

/// The recorded payloads, each with its file name.
fn recorded() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/events");
    let mut events: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .map(|file| (file.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&file).unwrap()))
        .collect();
    events.sort();
    assert!(events.len() >= 79, "the recorded events are missing");
    events
}

fn prompt_event(prompt_json: &str) -> String {
    format!(r#"{{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":{prompt_json}}}"#)
}

#[test]
fn a_recorded_event_is_typed_if_it_has_an_interface_and_raw_otherwise() {
    for (file, bytes) in recorded() {
        let event = Event::parse(&bytes).unwrap();

        let name = file.split(['-', '.']).next().unwrap();
        assert_eq!(event.name, name, "{file}");
        assert_eq!(event.parse_issue, None, "{file}");
        assert_eq!(event.kind != EventKind::Other, TYPED.contains(&name), "{file}");
        assert_eq!(event.raw.as_bytes(), bytes, "{file}");
    }
}

#[test]
fn no_field_of_a_recorded_event_is_lost_or_changed() {
    for (file, bytes) in recorded() {
        let sent: Value = serde_json::from_slice(&bytes).unwrap();
        let event = Event::parse(&bytes).unwrap();

        for (field, read) in parsed_fields(&event) {
            let sent = sent.get(field).cloned().unwrap_or(Value::Null);
            assert_eq!(read, sent, "{field} of {file}");
        }
    }
}

/// The parsed fields under their names in the payload, with JSON text parsed again.
fn parsed_fields(event: &Event) -> Vec<(&'static str, Value)> {
    let parsed = |text: &String| serde_json::from_str::<Value>(text).unwrap();
    let common = &event.common;
    let mut fields = vec![
        ("session_id", json!(common.session_id)),
        ("agent_id", json!(common.agent_id)),
        ("agent_type", json!(common.agent_type)),
        ("cwd", json!(common.cwd)),
        ("transcript_path", json!(common.transcript_path)),
        ("permission_mode", json!(common.permission_mode)),
        ("prompt_id", json!(common.prompt_id)),
        ("hook_event_name", json!(event.name)),
    ];
    fields.extend(match &event.kind {
        EventKind::SessionStart { source, model } => vec![("source", json!(source)), ("model", json!(model))],
        EventKind::UserPrompt { prompt } => vec![("prompt", json!(prompt))],
        EventKind::PreTool { tool_name, tool_input, tool_use_id } => vec![
            ("tool_name", json!(tool_name)),
            ("tool_input", parsed(tool_input)),
            ("tool_use_id", json!(tool_use_id)),
        ],
        EventKind::PostTool { tool_name, tool_input, tool_use_id, tool_response, duration_ms } => vec![
            ("tool_name", json!(tool_name)),
            ("tool_input", parsed(tool_input)),
            ("tool_use_id", json!(tool_use_id)),
            ("tool_response", parsed(tool_response)),
            ("duration_ms", json!(duration_ms)),
        ],
        EventKind::ToolFailure { tool_name, tool_input, tool_use_id, error, is_interrupt } => vec![
            ("tool_name", json!(tool_name)),
            ("tool_input", parsed(tool_input)),
            ("tool_use_id", json!(tool_use_id)),
            ("error", json!(error)),
            ("is_interrupt", json!(is_interrupt)),
        ],
        EventKind::Stop { stop_hook_active, last_assistant_message } => vec![
            ("stop_hook_active", json!(stop_hook_active)),
            ("last_assistant_message", json!(last_assistant_message)),
        ],
        EventKind::SubagentStop { stop_hook_active, last_assistant_message, agent_transcript_path } => vec![
            ("stop_hook_active", json!(stop_hook_active)),
            ("last_assistant_message", json!(last_assistant_message)),
            ("agent_transcript_path", json!(agent_transcript_path)),
        ],
        EventKind::PreCompact { trigger, custom_instructions } => {
            vec![("trigger", json!(trigger)), ("custom_instructions", json!(custom_instructions))]
        }
        EventKind::SessionEnd { reason } => vec![("reason", json!(reason))],
        EventKind::SubagentStart | EventKind::Other => vec![],
    });
    fields
}

#[test]
fn a_truncated_event_is_refused() {
    for (file, bytes) in recorded() {
        let length = bytes.trim_ascii_end().len();
        let step = if bytes.len() < 4096 { 1 } else { length.div_ceil(500) };

        for cut in (0..length).step_by(step) {
            assert!(Event::parse(&bytes[..cut]).is_err(), "{file} cut at {cut}");
        }
    }
}

#[test]
fn a_field_of_the_wrong_type_leaves_the_other_fields_intact() {
    let wrong =
        [json!(null), json!(7), json!(-1.5e300), json!(true), json!([]), json!({}), json!([[{"a": 1}]])];
    for (file, bytes) in recorded() {
        let sent: Value = serde_json::from_slice(&bytes).unwrap();

        for field in sent.as_object().unwrap().keys() {
            for value in &wrong {
                let mut changed = sent.clone();
                changed[field] = value.clone();
                let event = Event::parse(changed.to_string().as_bytes()).unwrap();

                assert_eq!(
                    event.parse_issue.is_some(),
                    is_required(&event.name, field, value),
                    "{field}={value} in {file}"
                );
                assert!(
                    field == "cwd" || Some(&*event.common.cwd) == sent["cwd"].as_str(),
                    "{field} in {file}"
                );
            }
        }
    }
}

/// Tells whether the event requires this field, so that the wrong value makes it unusable.
fn is_required(name: &str, field: &str, value: &Value) -> bool {
    match field {
        "session_id" | "hook_event_name" => true,
        "source" => name == "SessionStart",
        "prompt" => name == "UserPromptSubmit",
        "trigger" => name == "PreCompact",
        "reason" => name == "SessionEnd",
        "error" => name == "PostToolUseFailure",
        "tool_name" => ["PreToolUse", "PostToolUse", "PostToolUseFailure"].contains(&name),
        "stop_hook_active" => {
            ["Stop", "SubagentStop"].contains(&name) && !value.is_null() && !value.is_boolean()
        }
        "is_interrupt" => name == "PostToolUseFailure" && !value.is_null() && !value.is_boolean(),
        _ => false,
    }
}

#[test]
fn a_missing_field_is_named() {
    let event =
        Event::parse(br#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash"}"#).unwrap();
    assert_eq!(
        (event.kind, event.parse_issue.as_deref()),
        (EventKind::Other, Some("`tool_input` is missing"))
    );

    let event = Event::parse(prompt_event("7").as_bytes()).unwrap();
    assert_eq!(event.parse_issue.as_deref(), Some("`prompt` is a number instead of a string"));

    let event = Event::parse(b"{}").unwrap();
    assert_eq!(
        (event.name.as_str(), event.parse_issue.as_deref()),
        ("", Some("`hook_event_name` is missing"))
    );
}

#[test]
fn an_unknown_event_is_other_without_an_issue() {
    let event = Event::parse(br#"{"session_id":"s","hook_event_name":"Dreaming","depth":3}"#).unwrap();

    assert_eq!((event.name.as_str(), event.kind, event.parse_issue), ("Dreaming", EventKind::Other, None));
}

#[test]
fn a_lone_surrogate_does_not_lose_the_event() {
    let event = Event::parse(prompt_event(r#""cut \ud83d and \ud83d\ude00""#).as_bytes()).unwrap();
    assert_eq!(event.kind, EventKind::UserPrompt { prompt: "cut \u{fffd} and \u{1f600}".to_owned() });
    serde_json::from_str::<Value>(&event.raw).unwrap();

    let input = concat!(
        r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","#,
        r#""tool_input":{"command":"\udc00"}}"#,
    );
    let EventKind::PreTool { tool_input, .. } = Event::parse(input.as_bytes()).unwrap().kind else {
        panic!()
    };
    assert_eq!(serde_json::from_str::<Value>(&tool_input).unwrap(), json!({"command": "\u{fffd}"}));
}

#[test]
fn ten_thousand_levels_of_nesting_are_passed_on_unparsed() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let deeper = "{\"a\":".repeat(10_000) + "1" + &"}".repeat(10_000);
    for nested in [deep, deeper] {
        let input = format!(
            r#"{{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"T",
                "tool_input":{nested},"x":{nested}}}"#
        );
        let EventKind::PostTool { tool_input, tool_response, .. } =
            Event::parse(input.as_bytes()).unwrap().kind
        else {
            panic!()
        };
        assert_eq!((tool_input, tool_response.as_str()), (nested.clone(), "null"));

        assert!(Event::parse(prompt_event(&nested).as_bytes()).unwrap().parse_issue.is_some());
        assert_eq!(Event::parse(nested.as_bytes()).is_ok(), nested.starts_with('{'));
        assert!(Event::parse(&nested.as_bytes()[..nested.len() / 2]).is_err());
    }
}

#[test]
fn invalid_bytes_and_huge_texts_never_panic() {
    let huge = format!("\"{}\"", "\\ud83d é ".repeat(1_000_000));
    let event = Event::parse(prompt_event(&huge).as_bytes()).unwrap();
    assert!(matches!(event.kind, EventKind::UserPrompt { prompt } if prompt.len() == 7_000_000));

    let escaped_nul = Event::parse(prompt_event(r#""a\u0000b""#).as_bytes()).unwrap();
    assert_eq!(escaped_nul.kind, EventKind::UserPrompt { prompt: "a\0b".to_owned() });
    assert!(Event::parse(prompt_event("\"a\0b\"").as_bytes()).is_err());

    let invalid = [
        b"{\"session_id\":\"s\",\"hook_event_name\":\"Stop\",\"x\":\"\xff\xc3\"}".as_slice(),
        b"\xff",
        b"\0",
    ];
    assert!(Event::parse(invalid[0]).is_ok());
    assert!(Event::parse(invalid[1]).is_err() && Event::parse(invalid[2]).is_err());
}

#[test]
fn private_text_reaches_no_layer_not_even_in_the_payload() {
    let prompt = json!({
        "hook_event_name": "UserPromptSubmit", "session_id": "s", "n": 7,
        "prompt": "use pnpm <Private>Zebrafish</private>",
    });
    let event = Event::parse(prompt.to_string().as_bytes()).expect("an event");
    assert_eq!(event.kind, EventKind::UserPrompt { prompt: "use pnpm".to_owned() });
    let raw: Value = serde_json::from_str(&event.raw).expect("JSON");
    assert_eq!((&raw["prompt"], &raw["n"]), (&json!("use pnpm"), &json!(7)), "{raw}");

    let stop = json!({
        "hook_event_name": "Stop", "session_id": "s", "stop_hook_active": false,
        "last_assistant_message": "Done. <private>Zebrafish",
    });
    let event = Event::parse(stop.to_string().as_bytes()).expect("an event");
    let last_assistant_message = Some("Done.".to_owned());
    assert_eq!(event.kind, EventKind::Stop { stop_hook_active: false, last_assistant_message });
    assert!(!event.raw.contains("Zebrafish"), "{}", event.raw);
}
