//! The JSON Schema of a whole memory, as `interleaf memory export` writes it: derived from the record type,
//! with the content schema of each category.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::category::Category;
use super::content;
use super::record::Memory;

/// Returns the schema of one exported line.
pub fn record_schema() -> Value {
    let mut schema = content::json_schema::<Memory>(SchemaSettings::draft2020_12().for_serialize());
    schema.insert("title".to_owned(), json!("memory"));
    schema.insert("allOf".to_owned(), Category::ALL.iter().map(|category| content_rule(*category)).collect());
    schema.to_value()
}

/// Returns the rule that a memory of this category has either no content or one that matches the category's
/// schema.
fn content_rule(category: Category) -> Value {
    let mut full = content::schema(category);
    if let Some(full) = full.as_object_mut() {
        full.remove("$schema");
    }
    let empty = json!({ "type": "object", "maxProperties": 0 });
    json!({
        "if": { "properties": { "category": { "const": category } } },
        "then": { "properties": { "content": { "anyOf": [empty, full] } } },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Change, Citation, Origin, Source, Status};

    fn exported(category: Category, content: Value) -> Value {
        let change =
            Change { at: 1, what: "written".to_owned(), by: "interleaf".to_owned(), ..Change::default() };
        let memory = Memory {
            schema_version: "1.0".to_owned(),
            id: "tcsth9xfj9".to_owned(),
            category,
            title: "Pace 요청 🚀".to_owned(),
            text: "Pace requests".to_owned(),
            content,
            tags: vec!["vendor".to_owned()],
            related_files: Vec::new(),
            asked_as: vec!["how fast may we ask the vendor?".to_owned()],
            citations: vec![Citation { file: "a.rs".to_owned(), term: None }],
            confidence: 0.8,
            importance: 0.5,
            origin: Origin::Person,
            source: Source { branch: Some("main".to_owned()), ..Source::default() },
            created_at: 1,
            updated_at: 2,
            status: Status::Active,
            status_since: 1,
            status_reason: None,
            confirmed_at: None,
            supersedes: vec!["54pwyj2thj".to_owned()],
            superseded_by: None,
            changes: vec![change],
            version: 1,
            uses: 0,
            followed: 0,
        };
        serde_json::to_value(memory).unwrap()
    }

    #[test]
    fn the_schema_accepts_exported_lines_and_rejects_invalid_content() {
        let validator = jsonschema::validator_for(&record_schema()).unwrap();
        let decision = json!({"decision": "pace", "rationale": ["429s"]});

        for category in Category::ALL {
            let line = exported(*category, json!({}));
            assert!(validator.is_valid(&line), "{line}");
        }
        assert!(validator.is_valid(&exported(Category::Decision, decision.clone())));
        assert!(!validator.is_valid(&exported(Category::Decision, json!({"decision": "pace"}))));
        assert!(!validator.is_valid(&exported(Category::Learning, decision.clone())));
        let mut line = exported(Category::Decision, decision);
        line["status"] = json!("lost");
        assert!(!validator.is_valid(&line));
        line["status"] = json!("retired");
        assert!(validator.is_valid(&line));
        line.as_object_mut().unwrap().remove("version");
        assert!(!validator.is_valid(&line));
    }
}
