//! Whether a content keeps the schema of its category, and in words what is wrong with one that does not.

use std::sync::LazyLock;

use jsonschema::error::ValidationErrorKind as Fault;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::super::kinds::Category;
use super::schema::schema;
use crate::error::{Error, Result};

/// Letters that are shown of a word that somebody else wrote.
const SHOWN: usize = 40;

/// A schema, and what holds a content against it.
struct Schema {
    value: Value,
    validator: Validator,
}

/// One for each category, in their order: an import checks thousands of contents.
static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    let read = |category: &Category| {
        let value = schema(*category);
        let validator = jsonschema::validator_for(&value).expect("a test reads the schema of every category");
        Schema { value, validator }
    };
    Category::ALL.iter().map(read).collect()
});

/// Whether this content may stand in a memory of this category: none at all, or the whole of one.
///
/// # Errors
/// `invalid`, naming the field by its path (`alternatives[1].option`), where a field is unknown, missing, of another
/// type, too long or too many.
pub fn check(category: Category, content: &Value) -> Result<()> {
    if content.is_null() || content.as_object().is_some_and(serde_json::Map::is_empty) {
        return Ok(());
    }
    let schema = &SCHEMAS[category as usize];
    let Some(fault) = schema.validator.iter_errors(content).next() else { return Ok(()) };
    let hint = format!("`interleaf schema {category}` prints its fields; or leave the content empty");
    Err(Error::invalid(told(category, &schema.value, content, &fault)).hint(hint))
}

/// What is wrong, in words.
fn told(category: Category, schema: &Value, content: &Value, fault: &ValidationError) -> String {
    let path = path(fault.instance_path.as_str());
    let inside = |name: &str| if path.is_empty() { shown(name) } else { format!("{path}.{}", shown(name)) };
    let it = if path.is_empty() { "the content".to_owned() } else { format!("`{path}`") };
    let wrong = match &fault.kind {
        Fault::AdditionalProperties { unexpected } => {
            let name = unexpected.first().map_or("", String::as_str);
            return format!("a {category} has no field `{}`; {}", inside(name), known(schema, fault));
        }
        Fault::FalseSchema => {
            let name = content.as_object().and_then(|fields| fields.keys().next());
            let name = shown(name.map_or("", String::as_str));
            return format!(
                "a {category} has no field `{name}`; it has no content beside its title and text"
            );
        }
        Fault::Required { property } => {
            return format!(
                "a {category} needs the field `{}`",
                inside(property.as_str().unwrap_or_default())
            );
        }
        Fault::Enum { options } => {
            format!("is {}, not one of: {}", value(&fault.instance), words(options.as_array()))
        }
        Fault::Type { .. } => format!("is {}, not {}", kind_of(&fault.instance), wanted(schema, fault)),
        Fault::MinLength { .. } => "is an empty text".to_owned(),
        Fault::MaxLength { limit } => format!("has {} characters; at most {limit}", length(&fault.instance)),
        Fault::MinItems { .. } => "is an empty list; at least 1 entry".to_owned(),
        Fault::MaxItems { limit } => format!("has {} entries; at most {limit}", length(&fault.instance)),
        _ => format!("does not keep the schema ({})", shown(&fault.to_string())),
    };
    format!("{it} of a {category} {wrong}")
}

/// The fields that the object knows in which an unknown one stands.
fn known(schema: &Value, fault: &ValidationError) -> String {
    let object = fault.schema_path.as_str().trim_end_matches("/additionalProperties");
    let fields = schema.pointer(object).and_then(|object| object["properties"].as_object());
    let names = fields.into_iter().flat_map(serde_json::Map::keys).map(String::as_str);
    format!("it knows: {}", names.collect::<Vec<_>>().join(", "))
}

/// `/alternatives/1/option` as people write it.
fn path(pointer: &str) -> String {
    let part = |part: &str| match part.parse::<usize>() {
        Ok(place) => format!("[{place}]"),
        Err(_) => format!(".{part}"),
    };
    let path: String = pointer.split('/').skip(1).map(part).collect();
    path.trim_start_matches('.').to_owned()
}

fn wanted(schema: &Value, fault: &ValidationError) -> &'static str {
    match schema.pointer(fault.schema_path.as_str()).and_then(Value::as_str) {
        Some("string") => "a text",
        Some("array") => "a list",
        Some("boolean") => "true or false",
        _ => "an object",
    }
}

const fn kind_of(value: &Value) -> &'static str {
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

fn value(value: &Value) -> String {
    value.as_str().map_or_else(|| kind_of(value).to_owned(), |word| format!("`{}`", shown(word)))
}

fn words(options: Option<&Vec<Value>>) -> String {
    options.into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

/// The beginning of somebody else's words, without what would move a terminal's cursor.
fn shown(word: &str) -> String {
    let head: String = word.chars().take(SHOWN).collect();
    let dots = if head.len() < word.len() { "…" } else { "" };
    format!("{}{dots}", head.replace(char::is_control, "\u{fffd}"))
}
