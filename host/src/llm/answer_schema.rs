//! Answers that must match a JSON Schema: parsing the schema, checking an answer, and asking for a repair.
//! The clients decide how a schema is sent to a server.

use jsonschema::Validator;
use serde_json::Value;

use super::model_client::one_line;
use crate::error::{Error, Result};

/// Maximum length of the wrong answer that is quoted in a repair request, in characters.
const MAX_QUOTED_CHARS: usize = 8_000;

/// A schema that answers can be checked against.
pub(super) struct AnswerSchema {
    value: Value,
    validator: Validator,
}

impl AnswerSchema {
    /// Parses a schema. References to other documents are refused.
    ///
    /// # Errors
    /// `Invalid` if it is not a valid schema.
    pub fn read(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| Error::invalid(format!("the schema is not JSON: {error}")))?;
        let validator = jsonschema::validator_for(&value).map_err(|error| {
            Error::invalid(format!("invalid JSON Schema: {}", one_line(&error.to_string())))
        })?;
        Ok(Self { value, validator })
    }

    /// Returns the schema if it describes an object; servers accept no other.
    pub fn object(&self) -> Option<&Value> {
        Some(&self.value).filter(|value| value["type"] == "object")
    }

    /// Adds the schema to the system prompt, for servers that do not enforce schemas.
    pub fn instruct(&self, system: &str) -> String {
        let ask = "Answer with one JSON value that matches this JSON Schema, and with nothing else:";
        format!("{system}\n\n{ask}\n{}", self.value).trim_start().to_owned()
    }

    /// Returns the answer as plain JSON, or its violations.
    pub fn check(&self, answer: &str) -> Result<String, String> {
        let value = json(answer).ok_or_else(|| "it is not JSON".to_owned())?;
        let faults: Vec<String> =
            self.validator.iter_errors(&value).take(3).map(|fault| place(&fault)).collect();
        if faults.is_empty() { Ok(value.to_string()) } else { Err(faults.join("; ")) }
    }

    /// Returns what is complete of an answer that was cut off: all up to the last complete entry of a list.
    /// Returns `None` if that does not match the schema.
    pub fn salvage(&self, answer: &str) -> Option<String> {
        let answer = &answer[answer.find('{')?..];
        list_entry_ends(answer).into_iter().rev().find_map(|(end, brackets)| {
            let closed = brackets
                .chars()
                .rev()
                .fold(answer[..end].to_owned(), |text, bracket| text + bracket_pair(bracket));
            self.check(&closed).ok()
        })
    }
}

/// Returns where the entries of lists end in an answer, with the brackets that are open there.
fn list_entry_ends(answer: &str) -> Vec<(usize, String)> {
    let (mut ends, mut open) = (Vec::new(), String::new());
    let (mut in_text, mut is_escaped) = (false, false);
    for (at, letter) in answer.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if in_text => is_escaped = true,
            '"' => in_text = !in_text,
            _ if in_text => {}
            '{' | '[' => open.push(letter),
            '}' | ']' => {
                open.pop();
                if open.ends_with('[') {
                    ends.push((at + 1, open.clone()));
                }
            }
            _ => {}
        }
    }
    ends
}

const fn bracket_pair(bracket: char) -> &'static str {
    if bracket == '[' { "]" } else { "}" }
}

fn place(fault: &jsonschema::ValidationError) -> String {
    let (place, words) = (fault.instance_path.as_str(), one_line(&fault.to_string()));
    if place.is_empty() { words } else { format!("{place}: {words}") }
}

/// Returns the prompt with the first answer and its violations.
pub(super) fn repair(prompt: &str, answer: &str, fault: &str) -> String {
    let answer: String = answer.chars().take(MAX_QUOTED_CHARS).collect();
    format!(
        "{prompt}\n\nYou have answered this already:\n{answer}\n\n\
         That does not match the JSON Schema: {fault}\n\
         Answer again, with JSON that matches it and nothing else."
    )
}

/// Returns the JSON of an answer: all of it, or a fenced block. Thinking aloud before the answer is skipped.
fn json(answer: &str) -> Option<Value> {
    let answer = answer.rsplit("</think>").next().unwrap_or(answer).trim();
    let whole = serde_json::from_str(answer).ok();
    whole.or_else(|| fenced(answer).find_map(|block| serde_json::from_str(block).ok()))
}

fn fenced(answer: &str) -> impl Iterator<Item = &str> {
    let blocks = answer.split("```").skip(1).step_by(2);
    blocks.map(|block| block.strip_prefix("json").or(block.strip_prefix("JSON")).unwrap_or(block).trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORD: &str =
        r#"{"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}"#;

    fn schema(text: &str) -> AnswerSchema {
        AnswerSchema::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn json_is_found_bare_fenced_and_after_thinking_aloud() {
        let answers = [
            r#" {"word": "yes"} "#,
            "```json\n{\"word\": \"yes\"}\n```",
            "Here it is:\n```\n{\"word\": \"yes\"}\n```\nAnything else?",
            "<think>{\"word\": 1}, no</think>\n{\"word\": \"yes\"}",
        ];
        for answer in answers {
            assert_eq!(schema(WORD).check(answer), Ok(r#"{"word":"yes"}"#.to_owned()), "{answer}");
        }
    }

    #[test]
    fn of_an_answer_that_was_cut_off_the_complete_entries_are_kept() {
        let list = r#"{"type": "object", "properties": {"words": {"type": "array", "items": {"type": "object",
            "required": ["word"]}}}, "required": ["words"]}"#;
        let salvage = |answer: &str| schema(list).salvage(answer);

        for cut in [
            r#"{"words": [{"word": "a ] \" }", "tags": ["x", "y"]}, {"word": "b", "ta"#,
            r#"{"words": [{"word": "a ] \" }", "tags": ["x", "y"]}, {"tags": ["x", ["y"], "#,
            "Sure:\n```json\n{\"words\": [{\"word\": \"a ] \\\" }\", \"tags\": [\"x\", \"y\"]}, ",
        ] {
            let kept = r#"{"words":[{"tags":["x","y"],"word":"a ] \" }"}]}"#;
            assert_eq!(salvage(cut).as_deref(), Some(kept), "{cut}");
        }
        for nothing in ["", "{", r#"{"words": ["#, r#"{"words": [{"word": "a"#, r#"{"other": [{}, "#] {
            assert_eq!(salvage(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_violation_is_reported_with_its_path() {
        for (answer, violation) in [
            (r#"{"word": 7}"#, "/word: 7 is not of type \"string\""),
            ("{}", "\"word\" is a required property"),
            ("yes", "it is not JSON"),
            ("", "it is not JSON"),
        ] {
            assert_eq!(schema(WORD).check(answer), Err(violation.to_owned()));
        }
    }

    #[test]
    fn an_invalid_schema_or_one_with_external_references_is_refused() {
        for text in [
            "{",
            r#"{"type": "thing"}"#,
            r#"{"$ref": "https://example.com/schema.json"}"#,
            r#"{"$ref": "file:///etc/passwd"}"#,
        ] {
            assert!(
                AnswerSchema::read(text).is_err_and(|error| error.kind == crate::error::ErrorKind::Invalid),
                "{text}"
            );
        }
    }

    #[test]
    fn only_an_object_s_schema_goes_to_a_server() {
        assert!(schema(WORD).object().is_some());
        assert!(schema(r#"{"type": "array"}"#).object().is_none());
        assert!(schema("true").object().is_none());
    }
}
