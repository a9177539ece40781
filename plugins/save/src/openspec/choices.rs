//! What a change chose: the `**Choice**:` lines of its design.md.

use serde_json::json;

use crate::finding::{Evidence, Finding, Origin};
use crate::session::calls::ToolCall;
use crate::session::{Design, Session};
use interleaf_layer::memory::Category;
use interleaf_text::truncate_at_word;

/// How the line of a choice begins (seed 001).
const MARKS: &[&str] = &["**Choice**:", "**Choice:**"];

/// Maximum length of all choices and of one, in characters.
const MAX_CHARS: usize = 600;
const MAX_CHOICE_CHARS: usize = 300;

/// Returns the choices of each change, under the name that the caller remembers.
pub fn choices(session: &Session) -> Vec<(String, Finding)> {
    let designs = session.surroundings.designs.iter();
    designs.filter_map(|design| Some((format!("choices/{}", design.change), of(session, design)?))).collect()
}

fn of(session: &Session, design: &Design) -> Option<Finding> {
    let writes: Vec<&ToolCall> = session.calls.iter().filter(|call| writes(session, call, design)).collect();
    let current = current(&design.text, &writes);
    let lines = lines(&current);
    if lines.is_empty() {
        return None;
    }
    let text = joined(&design.change, &lines);
    let evidence: Vec<Evidence> =
        lines.iter().filter_map(|line| writes.iter().rev().find_map(|call| call.quote(line))).collect();
    // The assistant's words only if all of them were written here.
    let own = lines.iter().all(|line| writes.iter().any(|call| written(call).contains(line)));
    Some(Finding {
        category: Category::Decision,
        title: Some(truncate_at_word(&format!("Choices of {}", design.change), 120).into_owned()),
        content: json!({
            "status": "accepted", "context": format!("the OpenSpec change {}", design.change),
            "decision": text, "rationale": ["see its design.md"],
        }),
        text,
        tags: vec![format!("change:{}", design.change)],
        files: vec![design.path.clone()],
        confidence: 0.9,
        importance: 0.7,
        origin: if own { Origin::Assistant } else { Origin::ToolOutput },
        score: 0.9,
        cues: Vec::new(),
        about: None,
        evidence: if own { evidence } else { read(session, &lines) },
        key: format!("choices/{}", design.change),
    })
}

fn writes(session: &Session, call: &ToolCall, design: &Design) -> bool {
    call.written().and_then(|path| session.relative(path)).is_some_and(|path| path == design.path)
}

fn written<'a>(call: &'a ToolCall) -> &'a str {
    let (new, all) = (call.text("new_string"), call.text("content"));
    if new.is_empty() { all } else { new }
}

/// Returns the design as these edits leave it: it may have been read before them.
fn current(text: &str, writes: &[&ToolCall]) -> String {
    let mut text = text.to_owned();
    for call in writes {
        let (old, new) = (call.text("old_string"), call.text("new_string"));
        if old.is_empty() && !call.text("content").is_empty() {
            // What is read later than it was written may be newer; an older one has none of its lines.
            let known = lines(call.text("content")).iter().any(|line| text.contains(line));
            text = if known { text } else { call.text("content").to_owned() };
        } else if !old.is_empty() && (new.is_empty() || !text.contains(new)) {
            text = text.replacen(old, new, 1);
        }
    }
    text
}

/// Returns what stands behind the marks.
fn lines(text: &str) -> Vec<&str> {
    let lines = text.lines().map(|line| line.trim_start_matches(['-', ' ', '\t']));
    let found = lines.filter_map(|line| MARKS.iter().find_map(|mark| line.strip_prefix(mark)));
    found.map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn joined(change: &str, lines: &[&str]) -> String {
    let each = MAX_CHOICE_CHARS.min(MAX_CHARS / lines.len().max(1)).max(60);
    let lines: Vec<String> =
        lines.iter().map(|line| truncate_at_word(line.trim(), each).into_owned()).collect();
    truncate_at_word(&format!("Choices of the change {change}: {}", lines.join(" / ")), MAX_CHARS)
        .into_owned()
}

/// Returns where the lines were read.
fn read(session: &Session, lines: &[&str]) -> Vec<Evidence> {
    let results = session.calls.iter().filter_map(|call| call.result);
    let results: Vec<_> = results.collect();
    let found = lines.iter().filter_map(|line| {
        let result = results.iter().find(|result| result.text.contains(line))?;
        Some(Evidence { quote: (*line).to_owned(), cursor: result.cursor })
    });
    found.collect()
}
