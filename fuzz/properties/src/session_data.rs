//! Properties of what the client sends and writes: hook events and transcripts.

use interleaf::claude::transcript::{Entry, Page};
use interleaf::claude::{Event, EventKind, Transcript};
use serde::de::IgnoredAny;
use serde_json::json;

/// Maximum number of entries on a page.
const MAX_ENTRIES: usize = 50;
/// Maximum number of bytes on a page.
const MAX_BYTES: usize = 64 << 10;

/// An event is refused or parsed; what is passed on to layers is valid JSON and parses to the same event.
pub fn hook_input(input: &[u8]) {
    let Ok(event) = Event::parse(input) else { return };

    assert!(is_json(&event.raw), "{:?}", event.raw);
    let again = Event::parse(event.raw.as_bytes()).expect("what is passed on can be parsed");
    assert_eq!(again, event);
    for json in tool_json(&event.kind) {
        assert!(is_json(json), "{json:?}");
    }
}

/// Tells whether a text is JSON. A number may be larger than any that a program can hold.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn tool_json(kind: &EventKind) -> Vec<&str> {
    match kind {
        EventKind::PreTool { tool_input, .. } | EventKind::ToolFailure { tool_input, .. } => vec![tool_input],
        EventKind::PostTool { tool_input, tool_response, .. } => vec![tool_input, tool_response],
        _ => Vec::new(),
    }
}

/// Reading a transcript page by page ends, loses no entry, and gives the same entries as one large page.
pub fn transcript_lines(input: &[u8]) {
    let text = String::from_utf8_lossy(input).into_owned();
    let transcript = Transcript::from_lines(text.as_str());
    let read = |cursor, entries| transcript.read(cursor, entries, MAX_BYTES).expect("memory can be read");
    let mut by_one = Vec::new();
    let mut cursor = 0;
    loop {
        let page: Page = read(cursor, 1);
        by_one.extend(page.entries);
        assert!(page.cursor >= cursor, "a page never moves back");
        if page.cursor == cursor {
            break;
        }
        cursor = page.cursor;
    }
    let whole = read(0, MAX_ENTRIES);
    let told = |entries: &[Entry]| entries.iter().map(|it| (it.cursor, it.text.clone())).collect::<Vec<_>>();
    assert_eq!(told(&whole.entries), told(&by_one[..whole.entries.len()]), "from {text:?}");
}

/// A prompt with any elements of the client in it gives entries whose text came from the prompt.
pub fn client_elements(input: &[u8]) {
    let prompt = String::from_utf8_lossy(input);
    let line = json!({
        "type": "user", "uuid": "u", "timestamp": "2026-01-01T00:00:00Z",
        "message": {"role": "user", "content": prompt},
    });
    let transcript = Transcript::from_lines(format!("{line}\n"));
    let page = transcript.read(0, MAX_ENTRIES, MAX_BYTES).expect("memory can be read");
    for entry in page.entries {
        // Redaction may have replaced words, so only a text without a marker is compared.
        let is_as_written = !entry.text.contains("[SECRET:") && !entry.text.contains(['~', '…']);
        // A command gets the slash that its name lacks.
        let written = |line: &str| line.strip_prefix('/').unwrap_or(line).to_owned();
        let is_from_prompt = entry.text.lines().all(|line| is_subsequence(&written(line), &prompt));
        assert!(!is_as_written || is_from_prompt, "{:?} from {prompt:?}", entry.text);
    }
}

/// Returns whether the characters of `part` occur in `whole` in the same order.
fn is_subsequence(part: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    part.chars().all(|c| rest.any(|other| other == c))
}
