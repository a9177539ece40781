//! Checks a content against the schema of its category and describes the first violation.

use std::sync::LazyLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::content_schema::schema;
use crate::error::{Error, Result};
use crate::memory::category::Category;

/// Maximum length of an untrusted field name or value in an error message, in characters.
const MAX_QUOTED_CHARS: usize = 40;

struct CompiledSchema {
    value: Value,
    validator: Validator,
}

/// The compiled schema of each category, in their order. An import checks thousands of contents.
static SCHEMAS: LazyLock<Vec<CompiledSchema>> = LazyLock::new(|| {
    let compile = |category: &Category| {
        let value = schema(*category);
        let validator = jsonschema::validator_for(&value).expect("a test reads the schema of every category");
        CompiledSchema { value, validator }
    };
    Category::ALL.iter().map(compile).collect()
});

/// Checks that a content is empty or matches the schema of its category.
///
/// # Errors
/// `invalid`, with the path of the field (`alternatives[1].option`), if a field is unknown, missing, of
/// another type or too long.
pub fn check(category: Category, content: &Value) -> Result<()> {
    if content.is_null() || content.as_object().is_some_and(serde_json::Map::is_empty) {
        return Ok(());
    }
    let schema = &SCHEMAS[category as usize];
    let Some(error) = schema.validator.iter_errors(content).next() else { return Ok(()) };
    let hint = format!("`interleaf schema {category}` prints the fields; or leave the content empty");
    Err(Error::invalid(describe(category, &schema.value, content, &error)).hint(hint))
}

/// Describes the first violation of the schema.
fn describe(category: Category, schema: &Value, content: &Value, error: &ValidationError) -> String {
    let path = field_path(error.instance_path.as_str());
    let field = |name: &str| if path.is_empty() { quote(name) } else { format!("{path}.{}", quote(name)) };
    let subject = if path.is_empty() { "the content".to_owned() } else { format!("`{path}`") };
    let instance = &error.instance;
    let problem = match &error.kind {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let name = unexpected.first().map_or("", String::as_str);
            let known = known_fields(schema, error);
            return format!("a {category} has no field `{}`; its fields are: {known}", field(name));
        }
        ValidationErrorKind::FalseSchema => {
            let name = content.as_object().and_then(|fields| fields.keys().next());
            let name = quote(name.map_or("", String::as_str));
            return format!("a {category} has no field `{name}`; it has only a title and a text");
        }
        ValidationErrorKind::Required { property } => {
            let name = field(property.as_str().unwrap_or_default());
            return format!("a {category} needs the field `{name}`");
        }
        ValidationErrorKind::Enum { options } => {
            format!("is {}, not one of: {}", quote_value(instance), join(options.as_array()))
        }
        ValidationErrorKind::Type { .. } => {
            format!("is {}, not {}", type_name(instance), expected_type(schema, error))
        }
        ValidationErrorKind::MinLength { .. } => "is an empty text".to_owned(),
        ValidationErrorKind::MaxLength { limit } => {
            format!("has {} characters; the maximum is {limit}", length(instance))
        }
        ValidationErrorKind::MinItems { .. } => "is an empty list; it needs at least 1 entry".to_owned(),
        ValidationErrorKind::MaxItems { limit } => {
            format!("has {} entries; the maximum is {limit}", length(instance))
        }
        _ => format!("does not match the schema ({})", quote(&error.to_string())),
    };
    format!("{subject} of a {category} {problem}")
}

/// Returns the valid field names of the object that contains an unknown field.
fn known_fields(schema: &Value, error: &ValidationError) -> String {
    let object = error.schema_path.as_str().trim_end_matches("/additionalProperties");
    let fields = schema.pointer(object).and_then(|object| object["properties"].as_object());
    let names = fields.into_iter().flat_map(serde_json::Map::keys).map(String::as_str);
    names.collect::<Vec<_>>().join(", ")
}

/// Converts the JSON pointer `/alternatives/1/option` to `alternatives[1].option`.
fn field_path(pointer: &str) -> String {
    let part = |part: &str| match part.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) => format!(".{part}"),
    };
    let path: String = pointer.split('/').skip(1).map(part).collect();
    path.trim_start_matches('.').to_owned()
}

fn expected_type(schema: &Value, error: &ValidationError) -> &'static str {
    match schema.pointer(error.schema_path.as_str()).and_then(Value::as_str) {
        Some("string") => "a text",
        Some("array") => "a list",
        Some("boolean") => "true or false",
        _ => "an object",
    }
}

const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn length(value: &Value) -> usize {
    value.as_array().map_or_else(|| value.as_str().unwrap_or_default().chars().count(), Vec::len)
}

fn quote_value(value: &Value) -> String {
    value.as_str().map_or_else(|| type_name(value).to_owned(), |text| format!("`{}`", quote(text)))
}

fn join(options: Option<&Vec<Value>>) -> String {
    options.into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

/// Shortens untrusted text and makes it safe for a terminal.
fn quote(text: &str) -> String {
    interleaf_text::for_terminal(&interleaf_text::truncate(text, MAX_QUOTED_CHARS))
}
