//! Transcripts that the real client wrote.

use super::*;
use std::path::Path;

fn recorded(session: &str) -> Transcript {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/sessions");
    let file = folder.join(session).join("transcript.jsonl");
    Transcript::file(file.to_string_lossy(), Redactor::BUILT_IN)
}

const SESSIONS: [&str; 9] = [
    "ledger-api/s1",
    "ledger-api/s2",
    "ledger-api/s3",
    "handbook/s1",
    "handbook/s2",
    "handbook/s3",
    "atlas-mono/s1",
    "atlas-mono/s2",
    "atlas-mono/s3",
];

#[test]
fn every_recorded_prompt_is_there_once_and_nothing_else_of_the_client_s() {
    let mut prompts = 0;
    for session in SESSIONS {
        let entries = all(&recorded(session)).entries;
        let said: Vec<&Entry> = entries.iter().filter(|entry| entry.role == Role::User).collect();
        prompts += said.len();
        for entry in &said {
            assert!(!entry.text.contains("</") && !entry.text.starts_with("[Request"), "{}", entry.text);
            assert_eq!(
                said.iter().filter(|other| other.text == entry.text).count(),
                1,
                "{session}: {}",
                entry.text
            );
        }
        let results = entries.iter().filter(|entry| entry.kind == EntryKind::ToolResult);
        assert!(
            results.clone().count() > 0 && results.clone().all(|entry| entry.tool.is_some()),
            "{session}"
        );
    }
    assert_eq!(prompts, 37);
}

#[test]
fn the_interrupted_command_of_a_recorded_session_is_one_and_its_notice_is_not_said() {
    let entries = all(&recorded("ledger-api/s2")).entries;
    let ended = |outcome| entries.iter().filter(|entry| entry.outcome == outcome).count();

    assert_eq!(ended(ToolOutcome::Interrupted), 1);
    assert!(!texts(&entries).iter().any(|text| text.contains("[Request interrupted")));
}

#[test]
fn the_slash_command_of_a_recorded_session_is_what_was_typed() {
    let entries = all(&recorded("atlas-mono/s2")).entries;

    assert!(texts(&entries).contains(&"/opsx:explore add-webhook-retries poller"));
    assert!(!texts(&entries).iter().any(|text| text.starts_with("Think about add-webhook-retries")));
}
