//! Answers that must match a JSON Schema: what the schema is, whether an answer keeps it, and how a model is told that it
//! does not. How a schema is put to a server is the clients' business.

use jsonschema::Validator;
use serde_json::Value;

use super::client::tame;
use crate::error::{Error, Result};

/// Of an answer that does not match so many letters are sent back.
const LONGEST: usize = 8_000;

/// A schema that can be held against an answer.
pub(super) struct Schema {
    value: Value,
    validator: Validator,
}

impl Schema {
    /// Reads a schema. It refers to nothing outside of itself.
    ///
    /// # Errors
    /// `Invalid` for what is no schema.
    pub fn read(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text)
            .map_err(|error| Error::invalid(format!("the schema is not JSON: {error}")))?;
        let validator = jsonschema::validator_for(&value)
            .map_err(|error| Error::invalid(format!("the schema is none: {}", tame(&error.to_string()))))?;
        Ok(Self { value, validator })
    }

    /// The schema, where it is of an object: others no server takes.
    pub fn object(&self) -> Option<&Value> {
        Some(&self.value).filter(|value| value["type"] == "object")
    }

    /// The instructions with the schema in them, for who cannot be held to one otherwise.
    pub fn instruct(&self, system: &str) -> String {
        let ask = "Answer with one JSON value that matches this JSON Schema, and with nothing else:";
        format!("{system}\n\n{ask}\n{}", self.value).trim_start().to_owned()
    }

    /// The answer as plain JSON, or what is wrong with it.
    pub fn check(&self, answer: &str) -> Result<String, String> {
        let value = json(answer).ok_or_else(|| "it is not JSON".to_owned())?;
        let faults: Vec<String> =
            self.validator.iter_errors(&value).take(3).map(|fault| place(&fault)).collect();
        if faults.is_empty() { Ok(value.to_string()) } else { Err(faults.join("; ")) }
    }
}

fn place(fault: &jsonschema::ValidationError) -> String {
    let (place, words) = (fault.instance_path.as_str(), tame(&fault.to_string()));
    if place.is_empty() { words } else { format!("{place}: {words}") }
}

/// The question again, with what was wrong with the first answer.
pub(super) fn repair(prompt: &str, answer: &str, fault: &str) -> String {
    let answer: String = answer.chars().take(LONGEST).collect();
    format!(
        "{prompt}\n\nYou have answered this already:\n{answer}\n\nThat does not match the JSON Schema: {fault}\n\
         Answer again, with JSON that matches it and nothing else."
    )
}

/// The JSON of an answer: the whole of it, or a block that is fenced off as JSON. What a model thinks aloud before it
/// answers is passed over.
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

    fn schema(text: &str) -> Schema {
        Schema::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
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
    fn what_does_not_match_is_told_with_its_place() {
        for (answer, told) in [
            (r#"{"word": 7}"#, "/word: 7 is not of type \"string\""),
            ("{}", "\"word\" is a required property"),
            ("yes", "it is not JSON"),
            ("", "it is not JSON"),
        ] {
            assert_eq!(schema(WORD).check(answer), Err(told.to_owned()));
        }
    }

    #[test]
    fn a_schema_that_is_none_or_points_elsewhere_is_refused() {
        for text in [
            "{",
            r#"{"type": "thing"}"#,
            r#"{"$ref": "https://example.com/schema.json"}"#,
            r#"{"$ref": "file:///etc/passwd"}"#,
        ] {
            assert!(
                Schema::read(text).is_err_and(|error| error.kind == crate::error::ErrorKind::Invalid),
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
