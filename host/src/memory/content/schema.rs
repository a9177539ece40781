//! The JSON Schemas, made from the types (draft 2020-12).

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;

use super::super::kinds::Category;
use super::super::policy::Policy;
use super::{Constraint, Decision, Preference, Runbook, SessionSummary, TechDebt};

/// Nothing: memories of some categories are words only.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// The schema of the content of a memory of this category, which is named by its title. An empty content, which every
/// memory may have, is not in it.
pub fn schema(category: Category) -> Value {
    let mut schema = match category {
        Category::SessionSummary => of::<SessionSummary>(),
        Category::Decision => of::<Decision>(),
        Category::Runbook => of::<Runbook>(),
        Category::Constraint => of::<Constraint>(),
        Category::TechDebt => of::<TechDebt>(),
        Category::Preference => of::<Preference>(),
        Category::Learning | Category::Context | Category::Blocker => of::<Nothing>(),
    };
    schema.insert("title".to_owned(), category.as_str().into());
    schema.insert("description".to_owned(), Policy::default().of(category).description.as_str().into());
    schema.to_value()
}

/// The names of the fields that a content of this category must have.
pub fn required(category: Category) -> Vec<String> {
    let schema = schema(category);
    let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}

fn of<T: JsonSchema>() -> Schema {
    made::<T>(SchemaSettings::draft2020_12())
}

/// The schema of a type, in one piece: who reads it looks nothing up.
pub(in crate::memory) fn made<T: JsonSchema>(settings: SchemaSettings) -> Schema {
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(without_null).transform(&mut schema);
    schema
}

/// A field that says nothing is left out; there is no second way to say nothing.
fn without_null(schema: &mut Schema) {
    let null = |value: &Value| value.is_null() || value == "null";
    for keyword in ["type", "enum"] {
        if let Some(Value::Array(values)) = schema.get_mut(keyword) {
            values.retain(|value| !null(value));
        }
    }
    if let Some(Value::Array(types)) = schema.get("type")
        && let [one] = &types[..]
    {
        let one = one.clone();
        schema.insert("type".to_owned(), one);
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
}
