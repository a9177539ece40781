//! What an OpenSpec change chose: the `**Choice**:` lines of its design.md.

use serde_json::json;

use super::context::Context;
use super::wording::cut;
use super::{Design, deeds::Deed};
use crate::finding::{Evidence, Finding, Origin};
use interleaf_layer::memory::Category;

/// How a choice begins (seed 001).
const MARKS: &[&str] = &["**Choice**:", "**Choice:**"];

/// Characters of all choices, and of one.
const MOST: usize = 600;
const LONGEST: usize = 300;

/// The choices of each change, under the name that the caller remembers.
pub fn choices(context: &Context) -> Vec<(String, Finding)> {
    let designs = context.around.designs.iter();
    designs.filter_map(|design| Some((format!("choices/{}", design.change), of(context, design)?))).collect()
}

fn of(context: &Context, design: &Design) -> Option<Finding> {
    let writes: Vec<&Deed> = context.deeds.iter().filter(|deed| writes(context, deed, design)).collect();
    let current = current(&design.text, &writes);
    let lines = lines(&current);
    if lines.is_empty() {
        return None;
    }
    let text = joined(&design.change, &lines);
    let evidence: Vec<Evidence> =
        lines.iter().filter_map(|line| writes.iter().rev().find_map(|deed| deed.quote(line))).collect();
    // The assistant's words only if all of them were written here.
    let own = lines.iter().all(|line| writes.iter().any(|deed| written(deed).contains(line)));
    Some(Finding {
        category: Category::Decision,
        title: Some(cut(&format!("Choices of {}", design.change), 120)),
        content: json!({ "status": "accepted", "context": format!("the OpenSpec change {}", design.change), "decision": text, "rationale": ["see its design.md"] }),
        text,
        tags: vec![format!("change:{}", design.change)],
        files: vec![design.path.clone()],
        confidence: 0.9,
        importance: 0.7,
        origin: if own { Origin::Assistant } else { Origin::ToolOutput },
        score: 0.9,
        cues: Vec::new(),
        about: None,
        evidence: if own { evidence } else { read(context, &lines) },
        key: format!("choices/{}", design.change),
    })
}

fn writes(context: &Context, deed: &Deed, design: &Design) -> bool {
    deed.written().and_then(|path| context.relative(path)).is_some_and(|path| path == design.path)
}

fn written<'a>(deed: &'a Deed) -> &'a str {
    let (new, all) = (deed.text("new_string"), deed.text("content"));
    if new.is_empty() { all } else { new }
}

/// The design as these edits leave it: it may have been read before them.
fn current(text: &str, writes: &[&Deed]) -> String {
    let mut text = text.to_owned();
    for deed in writes {
        let (old, new) = (deed.text("old_string"), deed.text("new_string"));
        if old.is_empty() && !deed.text("content").is_empty() {
            // What is read later than it was written may be newer; an older one has none of its lines.
            let known = lines(deed.text("content")).iter().any(|line| text.contains(line));
            text = if known { text } else { deed.text("content").to_owned() };
        } else if !old.is_empty() && (new.is_empty() || !text.contains(new)) {
            text = text.replacen(old, new, 1);
        }
    }
    text
}

/// What stands behind the marks.
fn lines(text: &str) -> Vec<&str> {
    let lines = text.lines().map(|line| line.trim_start_matches(['-', ' ', '\t']));
    let found = lines.filter_map(|line| MARKS.iter().find_map(|mark| line.strip_prefix(mark)));
    found.map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn joined(change: &str, lines: &[&str]) -> String {
    let each = LONGEST.min(MOST / lines.len().max(1)).max(60);
    let lines: Vec<String> = lines.iter().map(|line| cut(line, each)).collect();
    cut(&format!("Choices of the change {change}: {}", lines.join(" / ")), MOST)
}

/// Where the lines were read.
fn read(context: &Context, lines: &[&str]) -> Vec<Evidence> {
    let results = context.deeds.iter().filter_map(|deed| deed.result);
    let results: Vec<_> = results.collect();
    let found = lines.iter().filter_map(|line| {
        let result = results.iter().find(|result| result.text.contains(line))?;
        Some(Evidence { quote: (*line).to_owned(), cursor: result.cursor })
    });
    found.collect()
}
