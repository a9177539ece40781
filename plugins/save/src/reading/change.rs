//! Reads a model's answer as untrusted input: it ignores unknown fields, truncates long texts and drops
//! excess entries.

use interleaf_layer::memory::Category;
use interleaf_text::is_invisible;
use serde_json::Value;

use super::request::CATEGORIES;

/// Maximum length of an answer, in bytes: ten times what `max_tokens` allows.
const MAX_ANSWER_BYTES: usize = 96 << 10;
/// Maximum number of changes. A model that proposes more has misunderstood the session.
const MAX_CHANGES: usize = 12;
/// Maximum number of cited lines.
const MAX_LINES: usize = 8;
// Limits of a change's fields, in characters, entries or bytes.
const MAX_TITLE_CHARS: usize = 80;
const MAX_TEXT_CHARS: usize = 700;
const MAX_DETAIL_CHARS: usize = 300;
const MAX_FILES: usize = 10;
const MAX_FILE_BYTES: usize = 200;
const MAX_CUES: usize = 5;
const MAX_CUE_CHARS: usize = 120;
/// Maximum number of entries of a list of the summary.
const MAX_SUMMARY_ENTRIES: usize = 8;

/// What a change does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Adds a memory.
    Add,
    /// Replaces the known memory with this index.
    Replace(usize),
    /// Ends the known memory with this index.
    Retire(usize),
}

/// A change as the model wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What it does.
    pub operation: Operation,
    /// The category, of an added memory.
    pub category: Option<Category>,
    /// The title; may be empty.
    pub title: String,
    /// The text; empty for the end of a memory.
    pub text: String,
    /// The numbers of the lines that it cites.
    pub from: Vec<usize>,
    /// Questions to which it is the answer.
    pub cues: Vec<String>,
    /// Files.
    pub files: Vec<String>,
    /// Whether every session should see it.
    pub always: bool,
    /// The reason.
    pub why: String,
    /// What was refused.
    pub instead_of: String,
    /// The error text.
    pub error: String,
    /// The step that helped.
    pub fix: String,
}

impl Change {
    /// Returns the texts in which the model could claim something.
    pub fn claims(&self) -> [&str; 5] {
        [&self.title, &self.text, &self.why, &self.instead_of, &self.fix]
    }
}

/// The model's summary of the session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// What the person wanted.
    pub goal: String,
    /// What came of it.
    pub done: Vec<String>,
    /// What was left on purpose.
    pub open: Vec<String>,
}

/// A model's answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The changes.
    pub changes: Vec<Change>,
    /// The summary, if it has a goal.
    pub summary: Option<Told>,
}

/// Reads an answer.
pub fn read(text: &str) -> Result<Answer, String> {
    let answer = object(text)?;
    let changes = answer["changes"].as_array().ok_or("the answer has no list of changes")?;
    Ok(Answer {
        changes: changes.iter().take(MAX_CHANGES).filter_map(change).collect(),
        summary: told(&answer["summary"]),
    })
}

/// Parses the JSON object of an answer, with or without a code fence around it.
pub fn object(text: &str) -> Result<Value, String> {
    if text.len() > MAX_ANSWER_BYTES {
        return Err(format!("the answer has {} bytes; the limit is {MAX_ANSWER_BYTES}", text.len()));
    }
    let text = text.trim().trim_start_matches("```json").trim_matches('`');
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("the answer is not JSON: {error}"))?;
    if value.is_object() { Ok(value) } else { Err("the answer is not a JSON object".to_owned()) }
}

fn change(value: &Value) -> Option<Change> {
    let operation = match value["op"].as_str()? {
        "add" => Operation::Add,
        "replace" => Operation::Replace(index(&value["id"])?),
        "retire" => Operation::Retire(index(&value["id"])?),
        _ => return None,
    };
    let line = |name: &str, max_chars| one_line(value[name].as_str().unwrap_or_default(), max_chars);
    let change = Change {
        operation,
        category: CATEGORIES.into_iter().find(|category| value["category"] == category.as_str()),
        title: line("title", MAX_TITLE_CHARS),
        text: clean(value["text"].as_str().unwrap_or_default(), MAX_TEXT_CHARS),
        from: numbers(&value["from"]),
        cues: strings(&value["cues"]).map(|cue| one_line(cue, MAX_CUE_CHARS)).take(MAX_CUES).collect(),
        files: files(&value["files"]),
        always: value["always"] == true,
        why: line("why", MAX_DETAIL_CHARS),
        instead_of: line("instead_of", MAX_DETAIL_CHARS),
        error: line("error", MAX_DETAIL_CHARS),
        fix: line("fix", MAX_DETAIL_CHARS),
    };
    let is_complete = match operation {
        Operation::Add => change.category.is_some() && !change.text.is_empty(),
        Operation::Replace(_) => !change.text.is_empty(),
        Operation::Retire(_) => !change.why.is_empty(),
    };
    is_complete.then_some(change)
}

/// Reads an id such as `m3`, and returns the index of the memory.
fn index(id: &Value) -> Option<usize> {
    id.as_str()?.trim().strip_prefix('m')?.parse::<usize>().ok()?.checked_sub(1)
}

fn numbers(list: &Value) -> Vec<usize> {
    let numbers = list.as_array().into_iter().flatten();
    let numbers = numbers.filter_map(|number| usize::try_from(number.as_u64()?).ok());
    numbers.take(MAX_LINES).collect()
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).filter(|text| !text.trim().is_empty())
}

fn files(list: &Value) -> Vec<String> {
    let is_allowed = |file: &&str| file.len() <= MAX_FILE_BYTES && !file.contains(is_invisible);
    strings(list).filter(is_allowed).take(MAX_FILES).map(str::to_owned).collect()
}

fn told(value: &Value) -> Option<Told> {
    let entries = |name: &str| {
        let entries = strings(&value[name]).map(|text| one_line(text, MAX_DETAIL_CHARS));
        entries.take(MAX_SUMMARY_ENTRIES).collect::<Vec<_>>()
    };
    let goal = one_line(value["goal"].as_str().unwrap_or_default(), MAX_DETAIL_CHARS);
    (!goal.is_empty()).then(|| Told { goal, done: entries("done"), open: entries("open") })
}

/// Removes invisible characters and truncates the text at a word, because a model's answer can have any
/// length.
fn clean(text: &str, max_chars: usize) -> String {
    let text = interleaf_text::strip_invisible(text.trim());
    interleaf_text::truncate_at_word(&text, max_chars).into_owned()
}

/// Like [`clean`], on one line.
pub fn one_line(text: &str, max_chars: usize) -> String {
    // Enough to fill the line even if most of it is white space.
    let head: String = text.chars().take(4 * max_chars).collect();
    clean(&interleaf_text::collapse_whitespace(&head), max_chars)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changes(list: Value) -> Vec<Change> {
        read(&json!({ "changes": list }).to_string()).expect("an answer").changes
    }

    #[test]
    fn an_answer_is_read_with_and_without_a_fence_and_nonsense_is_named() {
        let text = r#"{"changes": [], "summary": {"goal": "a", "done": ["b", " "]}}"#;
        let told = Told { goal: "a".to_owned(), done: vec!["b".to_owned()], open: Vec::new() };

        for text in [text.to_owned(), format!("```json\n{text}\n```")] {
            assert_eq!(read(&text).expect("an answer").summary, Some(told.clone()));
        }
        for text in ["", "no", "[]", "{}", r#"{"changes": 1}"#, &"x".repeat(200_000)] {
            assert!(read(text).is_err());
        }
    }

    #[test]
    fn incomplete_changes_are_dropped() {
        let complete = json!({"op": "add", "category": "decision", "text": "a", "from": [1, -2, "x", 3]});
        assert_eq!(changes(json!([complete]))[0].from, [1, 3]);

        for broken in [
            json!({"op": "add", "category": "session_summary", "text": "a", "from": [1]}),
            json!({"op": "add", "category": "decision", "text": " ", "from": [1]}),
            json!({"op": "replace", "id": "m0", "text": "a", "from": [1]}),
            json!({"op": "replace", "id": "7", "text": "a", "from": [1]}),
            json!({"op": "retire", "id": "m1", "from": [1]}),
            json!({"op": "drop", "id": "m1", "from": [1]}),
            json!(7),
        ] {
            assert_eq!(changes(json!([broken])), [], "{broken}");
        }
    }

    #[test]
    fn long_texts_and_lists_are_cut() {
        let many: Vec<Value> = (0..15)
            .map(|_| "word ".repeat(900))
            .map(|text| json!({"op": "add", "category": "decision", "text": text, "from": vec![1; 90]}))
            .collect();
        let read = changes(json!(many));

        assert_eq!(read.len(), MAX_CHANGES);
        assert!(read[0].text.chars().count() <= MAX_TEXT_CHARS && read[0].from.len() == MAX_LINES);
    }
}
