//! The content that a category allows, by the schemas in `docs/schemas/`. The host generates these from its
//! types and checks each memory with them, so it does not refuse a memory for its content.

use interleaf_layer::memory::Category;
use serde_json::{Map, Value, json};

/// Limits of the host for one text in characters, and for one list in entries, unless its schemas set lower
/// ones.
const MAX_CHARS: usize = 2_000;
const MAX_ENTRIES: usize = 50;

/// Returns what a category is for, if nobody described it otherwise.
pub fn description(category: Category) -> String {
    schema(category)["description"].as_str().unwrap_or_default().to_owned()
}

/// Returns the host's schema of a category's content.
fn schema(category: Category) -> Value {
    let text = match category {
        Category::SessionSummary => include_str!("../../../docs/schemas/session_summary.json"),
        Category::Decision => include_str!("../../../docs/schemas/decision.json"),
        Category::Runbook => include_str!("../../../docs/schemas/runbook.json"),
        Category::Constraint => include_str!("../../../docs/schemas/constraint.json"),
        Category::TechDebt => include_str!("../../../docs/schemas/tech_debt.json"),
        Category::Preference => include_str!("../../../docs/schemas/preference.json"),
        Category::Learning => include_str!("../../../docs/schemas/learning.json"),
        Category::Context => include_str!("../../../docs/schemas/context.json"),
        Category::Blocker => include_str!("../../../docs/schemas/blocker.json"),
    };
    // A schema of this program; the tests read all of them.
    serde_json::from_str(text).unwrap_or_default()
}

/// Returns the part of a content that the category allows, or an empty object if something required is
/// missing.
pub fn fit(category: Category, content: &Value) -> Value {
    value(&schema(category), content).unwrap_or_else(|| json!({}))
}

fn value(schema: &Value, value: &Value) -> Option<Value> {
    match schema["type"].as_str()? {
        "string" => match schema["enum"].as_array() {
            Some(words) => words.iter().find(|word| *word == value).cloned(),
            None => text(schema, value),
        },
        "array" => list(schema, value),
        "object" => object(schema, value),
        "boolean" => value.as_bool().map(Value::Bool),
        _ => None,
    }
}

fn text(schema: &Value, value: &Value) -> Option<Value> {
    let text = interleaf_text::strip_invisible(value.as_str()?.trim());
    let max_chars = MAX_CHARS.min(bound(schema, "maxLength"));
    let text = interleaf_text::truncate_at_word(&text, max_chars).into_owned();
    (!text.is_empty()).then_some(Value::String(text))
}

/// Reads a list. A single value counts as a list of one.
fn list(schema: &Value, value: &Value) -> Option<Value> {
    let entries = match value {
        Value::Array(entries) => &entries[..],
        Value::Null => return None,
        one => std::slice::from_ref(one),
    };
    let kept = entries.iter().filter_map(|entry| self::value(&schema["items"], entry));
    let kept: Vec<Value> = kept.take(MAX_ENTRIES.min(bound(schema, "maxItems"))).collect();
    let enough = kept.len() as u64 >= schema["minItems"].as_u64().unwrap_or_default();
    enough.then_some(Value::Array(kept))
}

/// Reads an object with all required fields and at least one value.
fn object(schema: &Value, value: &Value) -> Option<Value> {
    let fields = schema["properties"].as_object()?.iter();
    let kept = fields.filter_map(|(name, of)| Some((name.clone(), self::value(of, value.get(name)?)?)));
    let kept: Map<String, Value> = kept.collect();
    let is_complete = required(schema).iter().all(|name| kept.contains_key(*name));
    (is_complete && !kept.is_empty()).then_some(Value::Object(kept))
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn bound(schema: &Value, name: &str) -> usize {
    schema[name].as_u64().and_then(|bound| usize::try_from(bound).ok()).unwrap_or(MAX_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_read() {
        for category in Category::ALL {
            assert!(schema(category)["type"] == "object", "{category:?}");
        }
    }

    #[test]
    fn content_without_a_required_field_is_empty() {
        let full = json!({"trigger": "a", "steps": ["b"], "verification": "c"});
        assert_eq!(fit(Category::Runbook, &full), full);
        for field in ["trigger", "steps", "verification"] {
            for nothing in [json!(null), json!(""), json!([]), json!({})] {
                let mut incomplete = full.clone();
                incomplete[field] = nothing;
                assert_eq!(fit(Category::Runbook, &incomplete), json!({}), "{incomplete}");
            }
        }
        for nothing in [json!(null), json!([]), json!("a"), json!({})] {
            assert_eq!(fit(Category::Runbook, &nothing), json!({}));
        }
        assert_eq!(fit(Category::Learning, &json!({"what": "a"})), json!({}));
    }

    #[test]
    fn an_alternative_without_its_option_is_dropped_and_null_is_not_a_value() {
        let content = json!({"decision": "a", "rationale": "b", "context": null, "status": "holy", "evil": 1,
            "alternatives": [{"rejected_reason": "c"}, {"option": "d", "cost": 7}, "e"]});

        assert_eq!(
            fit(Category::Decision, &content),
            json!({"decision": "a", "rationale": ["b"], "alternatives": [{"option": "d"}]})
        );
    }

    #[test]
    fn content_is_cut_to_the_limits_of_the_host() {
        let content = json!({"trigger": "한 ".repeat(2_500), "steps": vec!["b"; 70], "verification": "c"});
        let kept = fit(Category::Runbook, &content);
        let letters = kept["trigger"].as_str().expect("a text").chars().count();

        assert!(letters > 1_900 && letters <= 2_000, "{letters}");
        assert_eq!(kept["steps"].as_array().map(Vec::len), Some(50));
    }
}
