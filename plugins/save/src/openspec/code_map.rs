//! The source files that a change touched, with what each declares.

use crate::finding::{Evidence, Finding, Origin};
use crate::session::Session;
use crate::word_lists::{BESIDE, CONFIGURATION_EXTENSIONS, CONFIGURATION_NAMES, NAMING, NO_SOURCE};
use interleaf_layer::memory::Category;
use interleaf_text::truncate_at_word;

/// Maximum number of files of a map, and of its characters (seed 001).
const MAX_FILES: usize = 8;
const MAX_CHARS: usize = 400;

/// Maximum number of names of a file.
const MAX_NAMES: usize = 3;

/// Returns the map of the change that the session works on, if it works on one.
pub fn code_map(session: &Session, change: Option<&str>) -> Option<(String, Finding)> {
    let change = change?;
    let mut entries: Vec<(&str, String)> = Vec::new();
    let mut evidence: Vec<Evidence> = Vec::new();
    for call in session.calls {
        let path = call.written().and_then(|path| session.relative(path));
        let Some(path) = path.filter(|path| is_source(path)) else { continue };
        let names = names(&format!("{}\n{}", call.text("content"), call.text("new_string")));
        match entries.iter().position(|(known, _)| *known == path) {
            Some(at) if entries[at].1.is_empty() => entries[at].1 = names,
            Some(_) => {}
            None if entries.len() < MAX_FILES => {
                entries.push((path, names));
                evidence.extend(call.quote(call.text("file_path")));
            }
            None => {}
        }
    }
    (!entries.is_empty()).then(|| (format!("code-map/{change}"), finding(change, &entries, evidence)))
}

fn finding(change: &str, entries: &[(&str, String)], evidence: Vec<Evidence>) -> Finding {
    let mut text = format!("The change {change} touched: ");
    for (path, names) in entries {
        let names = if names.is_empty() { String::new() } else { format!(" ({names})") };
        let entry = [format!("{path}{names}; "), format!("{path}; ")];
        let room = MAX_CHARS - text.chars().count().min(MAX_CHARS);
        text.extend(entry.iter().find(|entry| entry.chars().count() <= room).map(String::as_str));
    }
    Finding {
        category: Category::Context,
        title: Some(truncate_at_word(&format!("Code map of {change}"), 120).into_owned()),
        text: text.trim_end_matches([';', ' ']).to_owned(),
        content: serde_json::json!({}),
        tags: vec!["code-map".to_owned(), format!("change:{change}")],
        files: entries.iter().map(|(path, _)| (*path).to_owned()).collect(),
        confidence: 0.9,
        importance: 0.5,
        origin: Origin::Assistant,
        score: 0.7,
        cues: Vec::new(),
        about: None,
        evidence,
        key: format!("code-map/{change}"),
    }
}

fn is_source(path: &str) -> bool {
    let mut parts = path.split('/').rev();
    let name = parts.next().unwrap_or_default().to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let tested = name.contains(".test.")
        || name.contains(".spec.")
        || name.contains("_test.")
        || name.starts_with("test_");
    let beside = parts.any(|part| BESIDE.has(part));
    !tested && !beside && !is_configuration(path) && !NO_SOURCE.has(extension) && !extension.is_empty()
}

/// Returns what a file declares: names behind the words that declare one, at the beginning of a line.
fn names(text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let declared = |line: &&str| !line.starts_with([' ', '\t', '/', '#', '*']);
    for line in text.lines().take(2_000).filter(declared) {
        let mut words =
            line.split([' ', '(', '<', ':', '=', '{', ';']).filter(|word| !word.is_empty()).take(6);
        let name = words.find(|word| NAMING.has(word)).and_then(|_| words.next());
        let name =
            name.filter(|name| name.len() <= 40 && name.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        if let Some(name) = name.filter(|name| !names.contains(name)) {
            names.push(name);
        }
    }
    names.truncate(MAX_NAMES);
    names.join(", ")
}

/// Tells whether a file says how something is run, not what it does.
fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    CONFIGURATION_NAMES.iter().any(|known| name.starts_with(*known))
        || CONFIGURATION_EXTENSIONS.has(extension)
        || name.contains(".config.")
}
