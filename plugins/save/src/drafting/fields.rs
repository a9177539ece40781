//! What the content of each category holds (seed 003): one table, from which the schema is made that a model must
//! answer by, and by which its answer is read again. What is not in it is dropped.

use serde_json::{Map, Value, json};

use crate::find::Category;

use super::cut::cut;

/// Characters of one value, and entries of one list.
const LONGEST: usize = 500;
const MOST: usize = 8;

/// What one field holds.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Text,
    List,
    OneOf(&'static [&'static str]),
    Flag,
    /// Objects of these texts.
    Objects(&'static [&'static str]),
    /// One object of these lists.
    Lists(&'static [&'static str]),
}

use Shape::{Flag, List, Lists, Objects, OneOf, Text};

const DECISION: &[(&str, Shape)] = &[
    ("status", OneOf(&["proposed", "accepted", "deprecated", "superseded"])),
    ("context", Text),
    ("decision", Text),
    ("alternatives", Objects(&["option", "rejected_reason"])),
    ("rationale", List),
    ("consequences", List),
];

const RUNBOOK: &[(&str, Shape)] = &[
    ("trigger", Text),
    ("symptoms", List),
    ("steps", List),
    ("verification", Text),
    ("root_cause", Text),
    ("environment", Text),
];

const CONSTRAINT: &[(&str, Shape)] = &[
    ("kind", OneOf(&["limitation", "gap", "policy", "technical"])),
    ("rule", Text),
    ("impact", List),
    ("workarounds", List),
    ("severity", OneOf(&["high", "medium", "low"])),
    ("active", Flag),
    ("expires", Text),
];

const DEBT: &[(&str, Shape)] = &[
    ("status", OneOf(&["open", "in_progress", "resolved", "wont_fix"])),
    ("priority", OneOf(&["critical", "high", "medium", "low"])),
    ("description", Text),
    ("reason_deferred", Text),
    ("impact", List),
    ("suggested_fix", Text),
    ("acceptance_criteria", List),
];

const PREFERENCE: &[(&str, Shape)] = &[
    ("topic", Text),
    ("value", Text),
    ("reason", Text),
    ("strength", OneOf(&["strong", "default", "soft"])),
    ("examples", Lists(&["prefer", "avoid"])),
];

const SUMMARY: &[(&str, Shape)] = &[
    ("goal", Text),
    ("outcome", OneOf(&["success", "partial", "blocked", "abandoned"])),
    ("completed", List),
    ("in_progress", List),
    ("blockers", List),
    ("next_actions", List),
    ("key_changes", List),
];

/// The fields of a category.
fn fields(category: Category) -> &'static [(&'static str, Shape)] {
    match category {
        Category::SessionSummary => SUMMARY,
        Category::Decision => DECISION,
        Category::Runbook => RUNBOOK,
        Category::Constraint => CONSTRAINT,
        Category::TechDebt => DEBT,
        Category::Preference => PREFERENCE,
        Category::Learning | Category::Context => &[],
    }
}

/// The schema of a category's content.
pub(super) fn schema(category: Category) -> Value {
    let fields = fields(category).iter().map(|(name, shape)| ((*name).to_owned(), shape_schema(*shape)));
    json!({ "type": "object", "properties": fields.collect::<Map<_, _>>() })
}

fn shape_schema(shape: Shape) -> Value {
    let texts = json!({ "type": "array", "items": { "type": "string" } });
    let object = |names: &[&str], of: &Value| {
        let properties = names.iter().map(|name| ((*name).to_owned(), of.clone()));
        json!({ "type": "object", "properties": properties.collect::<Map<_, _>>() })
    };
    match shape {
        Text => json!({ "type": "string" }),
        List => texts,
        OneOf(words) => json!({ "enum": words }),
        Flag => json!({ "type": "boolean" }),
        Objects(names) => {
            json!({ "type": "array", "items": object(names, &json!({ "type": "string" })) })
        }
        Lists(names) => object(names, &texts),
    }
}

/// What of this content belongs to the category, cut to size.
pub(super) fn clean(category: Category, content: &Value) -> Value {
    let fields = fields(category).iter();
    let kept = fields.filter_map(|(name, shape)| Some(((*name).to_owned(), value(*shape, &content[*name])?)));
    Value::Object(kept.collect())
}

fn value(shape: Shape, value: &Value) -> Option<Value> {
    match shape {
        Text => text(value),
        List => list(value),
        OneOf(words) => words.iter().find(|word| value == **word).map(|word| json!(word)),
        Flag => value.as_bool().map(Value::Bool),
        Objects(names) => {
            let objects = value.as_array()?.iter().take(MOST).map(|it| object(names, it, text));
            Some(Value::Array(objects.filter(|it| it != &json!({})).collect()))
        }
        Lists(names) => Some(object(names, value, list)),
    }
}

fn object(names: &[&str], value: &Value, part: fn(&Value) -> Option<Value>) -> Value {
    let parts = names.iter().filter_map(|name| Some(((*name).to_owned(), part(&value[*name])?)));
    Value::Object(parts.collect())
}

fn text(value: &Value) -> Option<Value> {
    let text = cut(value.as_str()?, LONGEST);
    (!text.is_empty()).then_some(Value::String(text))
}

fn list(value: &Value) -> Option<Value> {
    let texts: Vec<Value> = match value {
        Value::Array(texts) => texts.iter().filter_map(text).take(MOST).collect(),
        one => text(one).into_iter().collect(),
    };
    (!texts.is_empty()).then_some(Value::Array(texts))
}
