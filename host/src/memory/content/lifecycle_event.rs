//! What can befall what a memory tells of, and which field then says so.

use serde_json::{Value, json};

use super::super::kinds::{Category, words};

words! {
    /// What befell what a memory tells of (seed 003). The memory itself is retired or kept by other rules.
    LifecycleEvent, "lifecycle event" {
        /// It was settled: the work is done, the limit is gone.
        Resolved = "resolved",
        /// It was taken out.
        Removed = "removed",
        /// The opposite holds now.
        Reversed = "reversed",
        /// Another one took its place.
        Superseded = "superseded",
        /// It is no longer to be used.
        Deprecated = "deprecated",
    }
}

/// The content with the field changed that tells of the event; as it was where its category has none for it, and where
/// the memory is one of words only.
pub fn status_after(category: Category, event: LifecycleEvent, content: &Value) -> Value {
    let mut content = content.clone();
    if let Some(fields) = content.as_object_mut().filter(|fields| !fields.is_empty())
        && let Some((field, value)) = told_by(category, event)
    {
        fields.insert(field.to_owned(), value);
    }
    content
}

/// The content of a memory that holds again, after it was restored: what told of its end says so no more.
pub fn status_restored(category: Category, content: &Value) -> Value {
    let mut content = content.clone();
    let holds = match category {
        Category::Decision => ("status", json!("accepted"), ["superseded", "deprecated"].as_slice()),
        Category::TechDebt => ("status", json!("open"), ["resolved"].as_slice()),
        Category::Constraint => ("active", json!(true), [].as_slice()),
        _ => return content,
    };
    if let Some(value) = content.get_mut(holds.0)
        && (*value == json!(false) || holds.2.iter().any(|ended| *value == *ended))
    {
        *value = holds.1;
    }
    content
}

/// The field that tells of the event, and what it then says.
fn told_by(category: Category, event: LifecycleEvent) -> Option<(&'static str, Value)> {
    use LifecycleEvent::{Deprecated, Removed, Resolved, Reversed, Superseded};
    match (category, event) {
        (Category::Decision, Superseded) => Some(("status", json!("superseded"))),
        (Category::Decision, Removed | Reversed | Deprecated) => Some(("status", json!("deprecated"))),
        (Category::TechDebt, Resolved | Removed) => Some(("status", json!("resolved"))),
        (Category::Constraint, _) => Some(("active", json!(false))),
        _ => None,
    }
}
