//! The JSON Schemas of contents (draft 2020-12), derived from their types, and the types of fields with a
//! size limit.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

use super::{MAX_LIST_ENTRIES, MAX_TEXT_CHARS, type_schema};
use crate::memory::category::Category;

/// A text of 1 to 2,000 characters.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Text(pub String);

/// A list of at most 50 entries.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct List<T = Text>(pub Vec<T>);

/// A list of 1 to 50 entries.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct NonEmptyList<T = Text>(pub Vec<T>);

impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        "text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": MAX_TEXT_CHARS })
    }
}

impl<T: JsonSchema> JsonSchema for List<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("list of {}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<T>();
        json_schema!({ "type": "array", "items": items, "maxItems": MAX_LIST_ENTRIES })
    }
}

impl<T: JsonSchema> JsonSchema for NonEmptyList<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("non-empty list of {}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = List::<T>::json_schema(generator);
        schema.insert("minItems".to_owned(), 1.into());
        schema
    }
}

/// Returns the schema of a category's content. An empty content, which every memory may have, does not match
/// it.
pub fn schema(category: Category) -> Value {
    let mut schema = type_schema(category);
    schema.insert("title".to_owned(), category.as_str().into());
    schema.insert("description".to_owned(), category.properties().description.into());
    schema.to_value()
}

/// Returns the names of the fields that a content of this category must have.
pub fn required_fields(category: Category) -> Vec<String> {
    let schema = schema(category);
    let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}

/// Returns the schema of a type without references, so that it can be read from top to bottom.
pub(in crate::memory) fn json_schema<T: JsonSchema>(settings: SchemaSettings) -> Schema {
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(forbid_null).transform(&mut schema);
    schema
}

/// Removes `null` from a schema: an optional field is left out, and there is no second way to leave it empty.
fn forbid_null(schema: &mut Schema) {
    let is_null = |value: &Value| value.is_null() || value == "null";
    for keyword in ["type", "enum"] {
        if let Some(Value::Array(values)) = schema.get_mut(keyword) {
            values.retain(|value| !is_null(value));
        }
    }
    if let Some(Value::Array(types)) = schema.get("type")
        && let [only] = &types[..]
    {
        let only = only.clone();
        schema.insert("type".to_owned(), only);
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
}
