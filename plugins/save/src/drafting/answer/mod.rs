//! A model's answer, read as a stranger's: what is not asked for is ignored, what is too long is cut, what is too many is
//! left. Its category is that of the request, whatever it says.

mod about;

pub(super) use about::{End, Pointer};

use serde_json::Value;

use crate::find::Category;
use crate::triage::CATEGORIES;

use super::cut::{cut, one_line};
use super::fields;

/// Bytes of an answer that is read at all: max_tokens allows a tenth of it.
const LARGEST: usize = 64 << 10;
/// Drafts of one category.
const MOST: usize = 5;
/// Candidates that can be wrong: more than the rules ever find.
const MOST_WRONG: usize = 20;
const TITLE: usize = 120;
const TEXT: usize = 1500;
const TAGS: usize = 8;
const TAG: usize = 40;
const FILES: usize = 10;
const FILE: usize = 200;

/// A memory as a model wrote it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Draft {
    pub title: String,
    pub text: String,
    pub content: Value,
    pub tags: Vec<String>,
    pub files: Vec<String>,
    pub confidence: f32,
    pub importance: f32,
    /// Whether it says itself that a tool said it.
    pub tool: bool,
    pub quotes: Vec<String>,
    /// The memory that it is about, of those that were shown.
    pub about: Option<Pointer>,
}

/// What a model answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Answer {
    pub drafts: Vec<Draft>,
    /// Titles of what was too many.
    pub over: Vec<String>,
    /// Candidates of the rules that it says are wrong.
    pub wrong: Vec<usize>,
    /// Memories that it says came to their end.
    pub ended: Vec<End>,
    /// Categories of which it saw something too.
    pub also: Vec<Category>,
}

/// Reads an answer.
pub(super) fn read(category: Category, text: &str) -> Result<Answer, String> {
    let answer = object(text)?;
    let memories = answer["memories"].as_array().ok_or("the answer has no list of memories")?;
    let most = if category == Category::SessionSummary { 1 } else { MOST };
    let wrong = answer["wrong"].as_array().into_iter().flatten().take(MOST_WRONG);
    let wrong = wrong.filter_map(|wrong| usize::try_from(wrong["candidate"].as_u64()?).ok());
    Ok(Answer {
        drafts: memories.iter().take(most).filter_map(|memory| draft(category, memory)).collect(),
        over: memories.iter().skip(most).take(most).map(title).collect(),
        wrong: wrong.collect(),
        ended: about::ended(&answer["ended"]),
        also: CATEGORIES
            .into_iter()
            .filter(|it| strings(&answer["also"]).any(|name| name == it.as_str()))
            .collect(),
    })
}

/// The JSON object of an answer, also where it stands in a fence.
pub(super) fn object(text: &str) -> Result<Value, String> {
    if text.len() > LARGEST {
        return Err(format!("the answer has {} bytes; {LARGEST} are read", text.len()));
    }
    let text = text.trim().trim_start_matches("```json").trim_matches('`');
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("the answer is no JSON: {error}"))?;
    if value.is_object() { Ok(value) } else { Err("the answer is no JSON object".to_owned()) }
}

fn draft(category: Category, memory: &Value) -> Option<Draft> {
    let text = cut(memory["text"].as_str()?, TEXT);
    let share = |name: &str, default: f32| {
        let share = memory[name].as_f64().filter(|share| share.is_finite());
        share.map_or(default, |share| share.clamp(0.0, 1.0) as f32)
    };
    let draft = Draft {
        title: title(memory),
        content: fields::clean(category, &memory["content"]),
        tags: tags(&memory["tags"]),
        files: files(&memory["files"]),
        confidence: share("confidence", 0.6),
        importance: share("importance", 0.5),
        tool: memory["origin"] == "tool-output",
        quotes: strings(&memory["quotes"]).map(str::to_owned).take(MOST_QUOTES).collect(),
        about: about::about(&memory["about"]),
        text,
    };
    (!draft.text.is_empty()).then_some(draft)
}

const MOST_QUOTES: usize = 16;

fn title(memory: &Value) -> String {
    one_line(memory["title"].as_str().unwrap_or_default(), TITLE)
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Tags as words. `hot-topic` is not a layer's to give, and what has a colon is set by who knows it (`branch:main`).
fn tags(list: &Value) -> Vec<String> {
    let plain = strings(list).take(50).map(|tag| {
        let tag: String = tag.trim().to_lowercase().chars().take(TAG).collect();
        tag.split_whitespace().collect::<Vec<_>>().join("-")
    });
    let allowed = |letter: char| letter.is_alphanumeric() || "-_./+#".contains(letter);
    let mut tags: Vec<String> = plain
        .filter(|tag| !tag.is_empty() && tag.chars().all(allowed) && tag.replace('_', "-") != "hot-topic")
        .collect();
    tags.sort();
    tags.dedup();
    tags.truncate(TAGS);
    tags
}

fn files(list: &Value) -> Vec<String> {
    let plain = |file: &&str| !file.is_empty() && file.len() <= FILE && !file.contains(char::is_control);
    strings(list).filter(plain).take(FILES).map(str::to_owned).collect()
}

impl Draft {
    /// All that it says, for checks that a claim could hide from in a field.
    pub fn says(&self) -> Vec<&str> {
        let mut says = vec![self.title.as_str(), self.text.as_str()];
        gather(&self.content, &mut says);
        says
    }
}

fn gather<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(values) => values.iter().for_each(|value| gather(value, into)),
        Value::Object(values) => values.values().for_each(|value| gather(value, into)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_asked_for_is_ignored_and_what_is_too_long_is_cut() {
        let long = "word ".repeat(2000);
        let text = serde_json::json!({"memories": [{
            "title": format!("a\nb {long}"), "text": long, "category": "preference", "id": "mine",
            "tags": ["Hot-Topic", "hot_topic", "hot topic", "branch:main", "CI Job", "ok\u{0}"],
            "content": {"decision": "this", "status": "holy", "rationale": "one", "evil": 1},
            "confidence": 99, "importance": "high", "origin": "person", "quotes": ["q", 7],
        }]});

        let draft = read(Category::Decision, &format!("```json\n{text}\n```")).unwrap().drafts.remove(0);

        assert!(draft.title.chars().count() <= TITLE && draft.title.starts_with("a b word"));
        assert!(draft.text.chars().count() <= TEXT && draft.text.ends_with("word…"));
        assert_eq!(draft.tags, ["ci-job"]);
        assert_eq!(draft.content, serde_json::json!({"decision": "this", "rationale": ["one"]}));
        assert_eq!((draft.confidence, draft.importance, draft.tool), (1.0, 0.5, false));
        assert_eq!(draft.quotes, ["q"]);
    }

    #[test]
    fn what_is_no_answer_is_an_error_and_an_empty_one_is_none() {
        for text in ["", "sure!", "[]", "{}", r#"{"memories": "none"}"#, &"x".repeat(1 << 20)] {
            assert!(read(Category::Decision, text).is_err());
        }
        assert_eq!(read(Category::Decision, r#"{"memories": []}"#), Ok(Answer::default()));
    }
}
