//! Changes to a content: by an update, by a lifecycle event of the subject, and by restoring a memory.

use serde_json::{Map, Value, json};

use super::MAX_LIST_ENTRIES;
use super::content_check::check;
use crate::memory::category::Category;
use crate::memory::word_enum::word_enum;

word_enum! {
    /// How the subject of a memory ended. Whether the memory itself is retired is decided elsewhere.
    LifecycleEvent, "lifecycle event" {
        /// The work is done, or the limit is gone.
        Resolved = "resolved",
        /// It was removed.
        Removed = "removed",
        /// The opposite holds now.
        Reversed = "reversed",
        /// It was replaced.
        Superseded = "superseded",
        /// It should no longer be used.
        Deprecated = "deprecated",
    }
}

/// Returns the content `old` after an update with `new`. New list entries are appended, and the oldest
/// entries of a list that is too long are dropped. Other fields of `new` replace those of `old`. An `old`
/// that does not match the current schema is replaced as a whole, so that such a memory can be repaired.
pub fn merge(category: Category, old: &Value, new: &Value) -> Value {
    match (old, new) {
        (old, Value::Null) => old.clone(),
        (Value::Object(fields), Value::Object(update))
            if update.is_empty() || check(category, old).is_ok() =>
        {
            Value::Object(merge_fields(fields, update))
        }
        (_, new) => new.clone(),
    }
}

fn merge_fields(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = old.clone();
    for (name, value) in new {
        let value = match (old.get(name), value) {
            (Some(Value::Array(old)), Value::Array(new)) => Value::Array(append(old, new)),
            (Some(Value::Object(old)), Value::Object(new)) => Value::Object(merge_fields(old, new)),
            (_, new) => new.clone(),
        };
        fields.insert(name.clone(), value);
    }
    fields
}

fn append(old: &[Value], new: &[Value]) -> Vec<Value> {
    let mut entries = old.to_vec();
    for entry in new {
        if !entries.contains(entry) {
            entries.push(entry.clone());
        }
    }
    entries.split_off(entries.len().saturating_sub(MAX_LIST_ENTRIES))
}

/// Returns the content with its status field set for the event. An empty content and categories without such
/// a field stay as they are.
pub fn after_event(category: Category, event: LifecycleEvent, content: &Value) -> Value {
    let mut content = content.clone();
    if let Some(fields) = content.as_object_mut().filter(|fields| !fields.is_empty())
        && let Some((field, value)) = status_field(category, event)
    {
        fields.insert(field.to_owned(), value);
    }
    content
}

/// Returns the content of a restored memory: a status field that records the end of the subject is reset.
pub fn after_restore(category: Category, content: &Value) -> Value {
    let mut content = content.clone();
    let (field, active, ended) = match category {
        Category::Decision => ("status", json!("accepted"), ["superseded", "deprecated"].as_slice()),
        Category::TechDebt => ("status", json!("open"), ["resolved"].as_slice()),
        Category::Constraint => ("active", json!(true), [].as_slice()),
        _ => return content,
    };
    if let Some(value) = content.get_mut(field)
        && (*value == json!(false) || ended.iter().any(|ended| *value == *ended))
    {
        *value = active;
    }
    content
}

/// Returns the field that records the event, and its value.
fn status_field(category: Category, event: LifecycleEvent) -> Option<(&'static str, Value)> {
    use LifecycleEvent::{Deprecated, Removed, Resolved, Reversed, Superseded};
    match (category, event) {
        (Category::Decision, Superseded) => Some(("status", json!("superseded"))),
        (Category::Decision, Removed | Reversed | Deprecated) => Some(("status", json!("deprecated"))),
        (Category::TechDebt, Resolved | Removed) => Some(("status", json!("resolved"))),
        (Category::Constraint, _) => Some(("active", json!(false))),
        _ => None,
    }
}
