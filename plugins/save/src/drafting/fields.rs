//! What the content of each category holds: read from the schemas in `docs/schemas/`, which the host makes from its types
//! and checks each memory by. From them come the schema that a model must answer by and what is kept of an answer, so
//! that no memory is refused for its content.

use serde_json::{Map, Value, json};

use crate::find::Category;

use super::cut::cut;

/// How much is kept.
#[derive(Clone, Copy)]
struct Room {
    /// Characters of one text.
    longest: usize,
    /// Entries of one list.
    most: usize,
}

/// What a model may say; the rest it was told to leave out.
const MODEL: Room = Room { longest: 500, most: 8 };

/// What the host takes. Where its schemas allow less, that holds.
const HOST: Room = Room { longest: 2_000, most: 50 };

/// What of a schema a model is shown. Bounds are not in it, for not every client's schemas know them; nor is what is
/// required, for a content may be empty too.
const SHOWN: [&str; 3] = ["type", "enum", "description"];

/// The host's schema of a category's content.
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
    serde_json::from_str(text).unwrap_or_default()
}

/// The schema by which a model fills in the content.
pub(super) fn asked(category: Category) -> Value {
    let schema = schema(category);
    let mut asked = shown(&schema);
    if !required(&schema).is_empty() {
        let needed = required(&schema).join(", ");
        asked["description"] = json!(format!("Needs {needed}; empty where one of them was not said."));
    }
    asked
}

fn shown(schema: &Value) -> Value {
    let known = SHOWN.iter().filter_map(|name| Some(((*name).to_owned(), schema.get(*name)?.clone())));
    let mut shown: Map<String, Value> = known.collect();
    shown.extend(schema.get("items").map(|items| ("items".to_owned(), self::shown(items))));
    if let Some(fields) = schema["properties"].as_object() {
        let fields = fields.iter().map(|(name, field)| (name.clone(), self::shown(field)));
        shown.insert("properties".to_owned(), Value::Object(fields.collect()));
    }
    Value::Object(shown)
}

/// What of this content belongs to the category, cut to what a model may say; empty where something required is missing.
pub(super) fn clean(category: Category, content: &Value) -> Value {
    kept(category, content, MODEL)
}

/// The same, cut to what the host takes.
pub fn fitting(category: Category, content: &Value) -> Value {
    kept(category, content, HOST)
}

fn kept(category: Category, content: &Value, room: Room) -> Value {
    value(&schema(category), content, room).unwrap_or_else(|| json!({}))
}

fn value(schema: &Value, value: &Value, room: Room) -> Option<Value> {
    match schema["type"].as_str()? {
        "string" => match schema["enum"].as_array() {
            Some(words) => words.iter().find(|word| *word == value).cloned(),
            None => text(schema, value, room),
        },
        "array" => list(schema, value, room),
        "object" => object(schema, value, room),
        "boolean" => value.as_bool().map(Value::Bool),
        _ => None,
    }
}

fn text(schema: &Value, value: &Value, room: Room) -> Option<Value> {
    let text = cut(value.as_str()?, room.longest.min(bound(schema, "maxLength")));
    (!text.is_empty()).then_some(Value::String(text))
}

/// A list; one entry that is none is the list of it.
fn list(schema: &Value, value: &Value, room: Room) -> Option<Value> {
    let entries = match value {
        Value::Array(entries) => &entries[..],
        Value::Null => return None,
        one => std::slice::from_ref(one),
    };
    let kept = entries.iter().filter_map(|entry| self::value(&schema["items"], entry, room));
    let kept: Vec<Value> = kept.take(room.most.min(bound(schema, "maxItems"))).collect();
    let enough = kept.len() as u64 >= schema["minItems"].as_u64().unwrap_or_default();
    enough.then_some(Value::Array(kept))
}

/// An object with all that it needs, and something in it.
fn object(schema: &Value, value: &Value, room: Room) -> Option<Value> {
    let fields = schema["properties"].as_object()?.iter();
    let kept = fields.filter_map(|(name, of)| Some((name.clone(), self::value(of, value.get(name)?, room)?)));
    let kept: Map<String, Value> = kept.collect();
    let whole = required(schema).iter().all(|name| kept.contains_key(*name));
    (whole && !kept.is_empty()).then_some(Value::Object(kept))
}

fn required(schema: &Value) -> Vec<&str> {
    schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn bound(schema: &Value, name: &str) -> usize {
    schema[name].as_u64().and_then(|bound| usize::try_from(bound).ok()).unwrap_or(HOST.longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::triage::CATEGORIES;

    #[test]
    fn every_category_that_is_drafted_has_its_schema_and_a_model_sees_no_bounds() {
        for category in CATEGORIES {
            let asked = asked(category);
            assert!(asked["properties"].as_object().is_some_and(|fields| !fields.is_empty()), "{category:?}");
            assert!(asked["description"].as_str().unwrap().starts_with("Needs "));
            for bound in ["maxLength", "minItems", "required", "additionalProperties", "default", "$schema"] {
                assert!(!asked.to_string().contains(&format!("\"{bound}\":")), "{category:?} {bound}");
            }
        }
    }

    #[test]
    fn a_content_that_lacks_what_is_required_is_none() {
        let full = json!({"trigger": "a", "steps": ["b"], "verification": "c"});
        assert_eq!(clean(Category::Runbook, &full), full);
        for field in ["trigger", "steps", "verification"] {
            for nothing in [json!(null), json!(""), json!([]), json!({})] {
                let mut lacking = full.clone();
                lacking[field] = nothing;
                assert_eq!(clean(Category::Runbook, &lacking), json!({}), "{lacking}");
            }
        }
        for nothing in [json!(null), json!([]), json!("a"), json!({})] {
            assert_eq!(clean(Category::Runbook, &nothing), json!({}));
        }
        assert_eq!(clean(Category::Learning, &json!({"what": "a"})), json!({}));
    }

    #[test]
    fn an_alternative_without_its_option_is_left_out_and_a_null_is_no_value() {
        let content = json!({"decision": "a", "rationale": "b", "context": null, "status": "holy", "evil": 1,
            "alternatives": [{"rejected_reason": "c"}, {"option": "d", "cost": 7}, "e"]});

        assert_eq!(
            clean(Category::Decision, &content),
            json!({"decision": "a", "rationale": ["b"], "alternatives": [{"option": "d"}]})
        );
    }

    #[test]
    fn nothing_is_longer_than_the_reader_takes() {
        let content = json!({"trigger": "한 ".repeat(2_500), "steps": vec!["b"; 70], "verification": "c"});
        let size = |kept: &Value| {
            let letters = kept["trigger"].as_str().unwrap().chars().count();
            (letters, kept["steps"].as_array().unwrap().len())
        };

        let (letters, steps) = size(&clean(Category::Runbook, &content));
        assert!(letters > 400 && letters <= 500 && steps == 8);
        let (letters, steps) = size(&fitting(Category::Runbook, &content));
        assert!(letters > 1_900 && letters <= 2_000 && steps == 50);
    }

    #[test]
    fn an_empty_list_may_say_that_nothing_is_left() {
        let content = json!({"goal": "a", "outcome": "success", "completed": ["b"], "next_actions": []});
        assert_eq!(clean(Category::SessionSummary, &content), content);
    }
}
