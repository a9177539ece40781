//! How large the values of a content are. What is larger is no field of a memory but a document: it belongs into a
//! file, and the file into the memory's related files.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

/// Characters of one text.
const LONGEST: usize = 2_000;
/// Entries of one list.
pub(super) const MOST: usize = 50;

/// A text that says something: 1 to 2,000 characters. One that would say nothing is left out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Text(pub String);

/// At most 50 entries.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct List<T = Text>(pub Vec<T>);

/// One to 50 entries.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Filled<T = Text>(pub Vec<T>);

impl JsonSchema for Text {
    fn schema_name() -> Cow<'static, str> {
        "text".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": LONGEST })
    }
}

impl<T: JsonSchema> JsonSchema for List<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("list of {}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": generator.subschema_for::<T>(), "maxItems": MOST })
    }
}

impl<T: JsonSchema> JsonSchema for Filled<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("filled list of {}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = List::<T>::json_schema(generator);
        schema.insert("minItems".to_owned(), 1.into());
        schema
    }
}
