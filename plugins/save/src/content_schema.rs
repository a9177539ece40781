//! JSON schemas of a model's answers, and the content that a category allows. Both come from the schemas in
//! `docs/schemas/`. The host generates these from its types and checks each memory with them, so it does not
//! refuse a memory for its content.

use serde_json::{Map, Value, json};

use super::clean;
use interleaf_layer::memory::Category;

/// Limits of the content.
#[derive(Clone, Copy)]
struct ContentLimits {
    /// Maximum length of one text, in characters.
    max_chars: usize,
    /// Maximum number of entries of one list.
    max_entries: usize,
}

/// Limits for content that a model writes.
const MODEL_LIMITS: ContentLimits = ContentLimits { max_chars: 500, max_entries: 8 };

/// Limits of the host, unless its schemas set lower ones.
const HOST_LIMITS: ContentLimits = ContentLimits { max_chars: 2_000, max_entries: 50 };

/// The schema keywords that a model sees. Bounds are left out because not all model clients support them,
/// `required` because content may also be empty.
const MODEL_KEYWORDS: [&str; 3] = ["type", "enum", "description"];

/// Returns the host's schema of a category's content.
fn schema(category: Category) -> Value {
    let text = match category {
        Category::SessionSummary => include_str!("../../../../docs/schemas/session_summary.json"),
        Category::Decision => include_str!("../../../../docs/schemas/decision.json"),
        Category::Runbook => include_str!("../../../../docs/schemas/runbook.json"),
        Category::Constraint => include_str!("../../../../docs/schemas/constraint.json"),
        Category::TechDebt => include_str!("../../../../docs/schemas/tech_debt.json"),
        Category::Preference => include_str!("../../../../docs/schemas/preference.json"),
        Category::Learning => include_str!("../../../../docs/schemas/learning.json"),
        Category::Context => include_str!("../../../../docs/schemas/context.json"),
        Category::Blocker => include_str!("../../../../docs/schemas/blocker.json"),
    };
    parsed(text)
}

/// Returns the schema that a model sees for a category's content.
fn content_schema(category: Category) -> Value {
    let schema = schema(category);
    let mut simplified = simplify(&schema);
    if !required(&schema).is_empty() {
        let needed = required(&schema).join(", ");
        simplified["description"] =
            json!(format!("Needs {needed}; leave it empty if one of them was not said."));
    }
    simplified
}

fn simplify(schema: &Value) -> Value {
    let known =
        MODEL_KEYWORDS.iter().filter_map(|name| Some(((*name).to_owned(), schema.get(*name)?.clone())));
    let mut simplified: Map<String, Value> = known.collect();
    simplified.extend(schema.get("items").map(|items| ("items".to_owned(), simplify(items))));
    if let Some(fields) = schema["properties"].as_object() {
        let fields = fields.iter().map(|(name, field)| (name.clone(), simplify(field)));
        simplified.insert("properties".to_owned(), Value::Object(fields.collect()));
    }
    Value::Object(simplified)
}

/// Returns the part of a model's content that the category allows, or an empty object if something required
/// is missing.
pub(super) fn fit_to_model(category: Category, content: &Value) -> Value {
    fit(category, content, MODEL_LIMITS)
}

/// Like [`fit_to_model`], but within the limits of the host.
pub fn fit_to_host(category: Category, content: &Value) -> Value {
    fit(category, content, HOST_LIMITS)
}

fn fit(category: Category, content: &Value, limits: ContentLimits) -> Value {
    value(&schema(category), content, limits).unwrap_or_else(|| json!({}))
}

fn value(schema: &Value, value: &Value, limits: ContentLimits) -> Option<Value> {
    match schema["type"].as_str()? {
        "string" => match schema["enum"].as_array() {
            Some(words) => words.iter().find(|word| *word == value).cloned(),
            None => text(schema, value, limits),
        },
        "array" => list(schema, value, limits),
        "object" => object(schema, value, limits),
        "boolean" => value.as_bool().map(Value::Bool),
        _ => None,
    }
}

fn text(schema: &Value, value: &Value, limits: ContentLimits) -> Option<Value> {
    let text = clean(value.as_str()?, limits.max_chars.min(bound(schema, "maxLength")));
    (!text.is_empty()).then_some(Value::String(text))
}

/// Reads a list. A single value counts as a list of one.
fn list(schema: &Value, value: &Value, limits: ContentLimits) -> Option<Value> {
    let entries = match value {
        Value::Array(entries) => &entries[..],
        Value::Null => return None,
        one => std::slice::from_ref(one),
    };
    let kept = entries.iter().filter_map(|entry| self::value(&schema["items"], entry, limits));
    let kept: Vec<Value> = kept.take(limits.max_entries.min(bound(schema, "maxItems"))).collect();
    let enough = kept.len() as u64 >= schema["minItems"].as_u64().unwrap_or_default();
    enough.then_some(Value::Array(kept))
}

/// Reads an object with all required fields and at least one value.
fn object(schema: &Value, value: &Value, limits: ContentLimits) -> Option<Value> {
    let fields = schema["properties"].as_object()?.iter();
    let kept =
        fields.filter_map(|(name, of)| Some((name.clone(), self::value(of, value.get(name)?, limits)?)));
    let kept: Map<String, Value> = kept.collect();
    let is_complete = required(schema).iter().all(|name| kept.contains_key(*name));
    (is_complete && !kept.is_empty()).then_some(Value::Object(kept))
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn bound(schema: &Value, name: &str) -> usize {
    schema[name].as_u64().and_then(|bound| usize::try_from(bound).ok()).unwrap_or(HOST_LIMITS.max_chars)
}

/// Returns the schema of a drafting answer. Limits apply when the answer is read.
pub(super) fn draft_answer(category: Category) -> Value {
    let mut schema = parsed(include_str!("schemas/draft-answer.json"));
    schema["properties"]["memories"]["items"]["properties"]["content"] = content_schema(category);
    schema
}

/// Returns the schema of a verifying answer.
pub(super) fn verdicts_answer() -> Value {
    parsed(include_str!("schemas/verdicts-answer.json"))
}

/// Returns a schema of this program; the tests read all of them.
fn parsed(schema: &str) -> Value {
    serde_json::from_str(schema).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::TRIAGED_CATEGORIES;
    use interleaf_layer::memory::LifecycleEvent;

    #[test]
    fn the_schemas_of_the_answers_are_read_and_name_every_event() {
        let draft = draft_answer(Category::Decision);
        let events = draft["properties"]["ended"]["items"]["properties"]["event"]["enum"].clone();
        assert_eq!(events, json!(LifecycleEvent::ALL.map(LifecycleEvent::as_str)));
        let content = &draft["properties"]["memories"]["items"]["properties"]["content"];
        assert_eq!(*content, content_schema(Category::Decision));
        assert!(verdicts_answer().is_object());
    }

    #[test]
    fn a_model_sees_a_schema_without_bounds_for_every_drafted_category() {
        for category in TRIAGED_CATEGORIES {
            let asked = content_schema(category);
            assert!(asked["properties"].as_object().is_some_and(|fields| !fields.is_empty()), "{category:?}");
            assert!(asked["description"].as_str().unwrap().starts_with("Needs "));
            for bound in ["maxLength", "minItems", "required", "additionalProperties", "default", "$schema"] {
                assert!(!asked.to_string().contains(&format!("\"{bound}\":")), "{category:?} {bound}");
            }
        }
    }

    #[test]
    fn content_without_a_required_field_is_empty() {
        let full = json!({"trigger": "a", "steps": ["b"], "verification": "c"});
        assert_eq!(fit_to_model(Category::Runbook, &full), full);
        for field in ["trigger", "steps", "verification"] {
            for nothing in [json!(null), json!(""), json!([]), json!({})] {
                let mut incomplete = full.clone();
                incomplete[field] = nothing;
                assert_eq!(fit_to_model(Category::Runbook, &incomplete), json!({}), "{incomplete}");
            }
        }
        for nothing in [json!(null), json!([]), json!("a"), json!({})] {
            assert_eq!(fit_to_model(Category::Runbook, &nothing), json!({}));
        }
        assert_eq!(fit_to_model(Category::Learning, &json!({"what": "a"})), json!({}));
    }

    #[test]
    fn an_alternative_without_its_option_is_dropped_and_null_is_not_a_value() {
        let content = json!({"decision": "a", "rationale": "b", "context": null, "status": "holy", "evil": 1,
            "alternatives": [{"rejected_reason": "c"}, {"option": "d", "cost": 7}, "e"]});

        assert_eq!(
            fit_to_model(Category::Decision, &content),
            json!({"decision": "a", "rationale": ["b"], "alternatives": [{"option": "d"}]})
        );
    }

    #[test]
    fn content_is_truncated_to_the_limits_of_its_reader() {
        let content = json!({"trigger": "한 ".repeat(2_500), "steps": vec!["b"; 70], "verification": "c"});
        let size = |kept: &Value| {
            let letters = kept["trigger"].as_str().unwrap().chars().count();
            (letters, kept["steps"].as_array().unwrap().len())
        };

        let (letters, steps) = size(&fit_to_model(Category::Runbook, &content));
        assert!(letters > 400 && letters <= 500 && steps == 8);
        let (letters, steps) = size(&fit_to_host(Category::Runbook, &content));
        assert!(letters > 1_900 && letters <= 2_000 && steps == 50);
    }

    #[test]
    fn an_empty_list_is_kept() {
        let content = json!({"goal": "a", "outcome": "success", "completed": ["b"], "next_actions": []});
        assert_eq!(fit_to_model(Category::SessionSummary, &content), content);
    }
}
