//! Reads a model's answer as untrusted input: it ignores unknown fields, truncates long texts and drops
//! excess entries. The category is always that of the request.

use interleaf_text::is_invisible;

use serde_json::Value;

use super::{clean, one_line, schemas};
use crate::finding::Intent;
use crate::triage::TRIAGED_CATEGORIES;
use interleaf_layer::memory::{Category, LifecycleEvent};

/// Maximum length of an answer, in bytes: ten times what `max_tokens` allows.
const MAX_ANSWER_BYTES: usize = 64 << 10;
/// Maximum number of drafts of one category; a session has one summary.
const MAX_DRAFTS: usize = 5;
/// Maximum number of memories that one answer can retire. A model that retires more has misunderstood the
/// session.
const MAX_RETIREMENTS: usize = 5;
/// Maximum number of quotes of a draft or a retirement.
const MAX_QUOTES: usize = 16;
// Limits of a draft's fields, in characters, entries or bytes.
const MAX_TITLE_CHARS: usize = 80;
const MAX_TEXT_CHARS: usize = 1500;
const MAX_TAGS: usize = 8;
const MAX_TAG_CHARS: usize = 40;
const MAX_FILES: usize = 10;
const MAX_FILE_BYTES: usize = 200;
const MAX_CUES: usize = 5;
const MAX_CUE_CHARS: usize = 120;
/// Confidence in what was said in so many words, and in what only follows from it. A model's own figures are
/// not calibrated.
const STATED: f32 = 0.9;
const IMPLIED: f32 = 0.6;
/// Maximum length of the reason for a retirement, in characters, so that it fits into a memory's history.
const MAX_REASON_CHARS: usize = 240;

/// A draft as the model wrote it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub title: String,
    pub text: String,
    pub content: Value,
    pub tags: Vec<String>,
    pub files: Vec<String>,
    pub cues: Vec<String>,
    pub confidence: f32,
    /// Whether the model names a tool as the only source.
    pub tool: bool,
    pub quotes: Vec<String>,
    /// The known memory it is about.
    pub about: Option<TargetRef>,
}

/// A model's answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Answer {
    pub drafts: Vec<Draft>,
    /// Titles of drafts beyond the limit.
    pub excess: Vec<String>,
    /// Known memories whose subject ended, according to the model.
    pub retirements: Vec<RetirementRef>,
    /// Other categories that the session touched.
    pub also: Vec<Category>,
}

/// Reads an answer.
pub(super) fn read(category: Category, text: &str) -> Result<Answer, String> {
    let answer = object(text)?;
    let memories = answer["memories"].as_array().ok_or("the answer has no list of memories")?;
    let limit = if category == Category::SessionSummary { 1 } else { MAX_DRAFTS };
    Ok(Answer {
        drafts: memories.iter().take(limit).filter_map(|memory| draft(category, memory)).collect(),
        excess: memories.iter().skip(limit).take(limit).map(title).collect(),
        retirements: retirements(&answer["ended"]),
        also: TRIAGED_CATEGORIES
            .into_iter()
            .filter(|it| strings(&answer["also"]).any(|name| name == it.as_str()))
            .collect(),
    })
}

/// Parses the JSON object of an answer, with or without a code fence around it.
pub(super) fn object(text: &str) -> Result<Value, String> {
    if text.len() > MAX_ANSWER_BYTES {
        return Err(format!("the answer has {} bytes; the limit is {MAX_ANSWER_BYTES}", text.len()));
    }
    let text = text.trim().trim_start_matches("```json").trim_matches('`');
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("the answer is not JSON: {error}"))?;
    if value.is_object() { Ok(value) } else { Err("the answer is not a JSON object".to_owned()) }
}

fn draft(category: Category, memory: &Value) -> Option<Draft> {
    let text = clean(memory["text"].as_str()?, MAX_TEXT_CHARS);
    let draft = Draft {
        title: title(memory),
        content: schemas::fit_to_model(category, &memory["content"]),
        tags: tags(&memory["tags"]),
        files: files(&memory["files"]),
        cues: cues(&memory["cues"]),
        confidence: if memory["strength"] == "implied" { IMPLIED } else { STATED },
        tool: memory["origin"] == "tool-output",
        quotes: strings(&memory["quotes"]).map(str::to_owned).take(MAX_QUOTES).collect(),
        about: target(&memory["about"]),
        text,
    };
    (!draft.text.is_empty()).then_some(draft)
}

fn title(memory: &Value) -> String {
    one_line(memory["title"].as_str().unwrap_or_default(), MAX_TITLE_CHARS)
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Normalizes tags. A layer may not set `hot-topic`, and only the host sets tags with a colon
/// (`branch:main`).
fn tags(list: &Value) -> Vec<String> {
    let normalized = strings(list).take(50).map(|tag| {
        let tag: String = tag.trim().to_lowercase().chars().take(MAX_TAG_CHARS).collect();
        tag.split_whitespace().collect::<Vec<_>>().join("-")
    });
    let allowed = |letter: char| letter.is_alphanumeric() || "-_./+#".contains(letter);
    let mut tags: Vec<String> = normalized
        .filter(|tag| !tag.is_empty() && tag.chars().all(allowed) && tag.replace('_', "-") != "hot-topic")
        .collect();
    tags.sort();
    tags.dedup();
    tags.truncate(MAX_TAGS);
    tags
}

fn files(list: &Value) -> Vec<String> {
    let is_allowed =
        |file: &&str| !file.is_empty() && file.len() <= MAX_FILE_BYTES && !file.contains(is_invisible);
    strings(list).filter(is_allowed).take(MAX_FILES).map(str::to_owned).collect()
}

fn cues(list: &Value) -> Vec<String> {
    let cues = strings(list).map(|cue| one_line(cue, MAX_CUE_CHARS));
    cues.filter(|cue| !cue.is_empty()).take(MAX_CUES).collect()
}

impl Draft {
    /// Returns the texts of all fields, so that a claim in any field is checked.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts = vec![self.title.as_str(), self.text.as_str()];
        collect_texts(&self.content, &mut texts);
        texts
    }
}

fn collect_texts<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(values) => values.iter().for_each(|value| collect_texts(value, into)),
        Value::Object(values) => values.values().for_each(|value| collect_texts(value, into)),
        _ => {}
    }
}

/// The known memory that a draft is about, by its number in the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TargetRef {
    pub known: usize,
    pub intent: Intent,
}

/// A known memory whose subject ended, by its number in the prompt.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RetirementRef {
    pub known: usize,
    pub event: LifecycleEvent,
    pub why: String,
    pub quotes: Vec<String>,
}

impl RetirementRef {
    /// Returns the reason and the quotes.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.quotes.iter().chain([&self.why]).map(String::as_str)
    }
}

/// Reads which memory a draft is about. If the value is unusable, the host decides.
fn target(value: &Value) -> Option<TargetRef> {
    let intent = match value["intent"].as_str()? {
        "create" => Intent::Create,
        "update" => Intent::Update,
        "supersede" => Intent::Supersede,
        _ => return None,
    };
    Some(TargetRef { known: index(value)?, intent })
}

/// Reads the retirements.
fn retirements(list: &Value) -> Vec<RetirementRef> {
    let ends = list.as_array().into_iter().flatten().filter_map(|value| {
        let event = LifecycleEvent::ALL.into_iter().find(|event| value["event"] == event.as_str())?;
        let why = one_line(value["why"].as_str().unwrap_or_default(), MAX_REASON_CHARS);
        let quotes = strings(&value["quotes"]).map(str::to_owned).take(MAX_QUOTES).collect();
        Some(RetirementRef { known: index(value)?, event, why, quotes })
    });
    ends.filter(|end| !end.why.is_empty()).take(MAX_RETIREMENTS).collect()
}

fn index(value: &Value) -> Option<usize> {
    usize::try_from(value["known"].as_u64()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_fields_of_an_answer_are_dropped_and_long_ones_truncated() {
        let long = "word ".repeat(2000);
        let text = serde_json::json!({"memories": [{
            "title": format!("a\nb {long}"), "text": long, "category": "preference", "id": "mine",
            "tags": ["Hot-Topic", "hot_topic", "hot topic", "branch:main", "CI Job", "ok\u{0}"],
            "content": {"decision": "this", "status": "holy", "rationale": "one", "evil": 1},
            "strength": 99, "cues": ["why?", "", 7, "a", "b", "c", "d"],
            "origin": "person", "quotes": ["q", 7],
        }]});

        let draft = read(Category::Decision, &format!("```json\n{text}\n```")).unwrap().drafts.remove(0);

        assert!(draft.title.chars().count() <= MAX_TITLE_CHARS && draft.title.starts_with("a b word"));
        assert!(draft.text.chars().count() <= MAX_TEXT_CHARS && draft.text.ends_with("word…"));
        assert_eq!(draft.tags, ["ci-job"]);
        assert_eq!(draft.content, serde_json::json!({"decision": "this", "rationale": ["one"]}));
        assert_eq!((draft.confidence, draft.tool), (STATED, false));
        assert_eq!(draft.cues, ["why?", "a", "b", "c", "d"]);
        assert_eq!(draft.quotes, ["q"]);
    }

    #[test]
    fn an_unusable_answer_is_an_error_and_an_empty_list_is_not() {
        for text in ["", "sure!", "[]", "{}", r#"{"memories": "none"}"#, &"x".repeat(1 << 20)] {
            assert!(read(Category::Decision, text).is_err());
        }
        assert_eq!(read(Category::Decision, r#"{"memories": []}"#), Ok(Answer::default()));
    }

    #[test]
    fn a_retirement_without_a_memory_or_a_reason_is_ignored() {
        for broken in [json!(null), json!(1), json!({"known": 1}), json!({"known": -1, "intent": "update"})] {
            assert_eq!(target(&broken), None, "{broken}");
        }
        assert_eq!(target(&json!({"known": 1, "intent": "retire"})), None, "a retirement needs a reason");
        let end = |event: &str, why: &str| json!({"known": 0, "event": event, "why": why, "quotes": ["q"]});
        let list = json!([end("paid", "it was"), end("resolved", " "), end("resolved", "it was"), 7]);
        assert_eq!(retirements(&list).len(), 1);
        assert_eq!(retirements(&json!(vec![end("removed", "gone"); 50])).len(), MAX_RETIREMENTS);
    }
}
