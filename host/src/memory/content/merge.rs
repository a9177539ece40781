//! How an update changes a content: lists grow, everything else is replaced (seed 003).

use serde_json::{Map, Value};

use super::super::kinds::Category;
use super::check::check;
use super::size::MOST;

/// The content `old` with what `new` says: what a list of `new` has more is appended, and where there are too many
/// entries the oldest go; other fields are replaced; what `new` does not speak of stays. An `old` that is none by
/// today's schema gives way as a whole, or such a memory could never be put right.
pub fn merged(category: Category, old: &Value, new: &Value) -> Value {
    match (old, new) {
        (old, Value::Null) => old.clone(),
        (Value::Object(fields), Value::Object(more)) if more.is_empty() || check(category, old).is_ok() => {
            Value::Object(both(fields, more))
        }
        (_, new) => new.clone(),
    }
}

fn both(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = old.clone();
    for (name, value) in new {
        let value = match (old.get(name), value) {
            (Some(Value::Array(old)), Value::Array(new)) => Value::Array(appended(old, new)),
            (Some(Value::Object(old)), Value::Object(new)) => Value::Object(both(old, new)),
            (_, new) => new.clone(),
        };
        fields.insert(name.clone(), value);
    }
    fields
}

fn appended(old: &[Value], new: &[Value]) -> Vec<Value> {
    let mut entries = old.to_vec();
    for entry in new {
        if !entries.contains(entry) {
            entries.push(entry.clone());
        }
    }
    entries.split_off(entries.len().saturating_sub(MOST))
}
