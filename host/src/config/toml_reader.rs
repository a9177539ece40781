//! Parses a configuration file into its settings, each with its line.

use std::borrow::Cow;
use std::thread;

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::key_path::{PathEntry, lookup};
use super::layer_settings::{self, LayerSetting};

/// Maximum depth of nested tables and arrays. Values are traversed recursively, here and in the layers.
const MAX_DEPTH: usize = 64;
/// Maximum number of settings in a file, far more than a person writes. Each rejected setting gives a
/// diagnostic.
const MAX_SETTINGS: usize = 250;
/// Minimum number of dots and opening brackets of a file that may be deeply nested.
const MIN_NESTING_BYTES: usize = 256;
/// Stack in bytes for parsing any other file. The parser accepts 80 nested brackets with 80 dots in each key
/// between them, and needs about a kilobyte for each level.
const PARSER_STACK_BYTES: usize = 64 << 20;

/// A setting as it was written.
pub(super) struct Setting {
    pub path: Vec<String>,
    /// Counted from 1.
    pub line: usize,
    pub value: Value,
}

/// The line and the cause of a syntax error.
pub(super) type SyntaxError = (usize, String);

/// Returns the settings of a file: the values of known keys, and everything at unknown paths.
///
/// # Errors
/// The line and the cause, if the file cannot be parsed.
pub(super) fn read_settings(content: &[u8]) -> Result<Vec<Setting>, SyntaxError> {
    let nesting_bytes = content.iter().filter(|byte| matches!(byte, b'.' | b'[' | b'{')).count();
    if nesting_bytes < MIN_NESTING_BYTES {
        return parse(content);
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(PARSER_STACK_BYTES);
        let parser = builder.spawn_scoped(scope, || parse(content));
        parser.ok().and_then(|parser| parser.join().ok())
    })
    .unwrap_or_else(|| Err((1, "file is nested too deeply to parse".to_owned())))
}

fn parse(content: &[u8]) -> Result<Vec<Setting>, SyntaxError> {
    let before = |offset: usize| &content[..offset.min(content.len())];
    let line_at = |offset| 1 + before(offset).iter().filter(|byte| **byte == b'\n').count();
    let text = std::str::from_utf8(content)
        .map_err(|error| (line_at(error.valid_up_to()), "not valid UTF-8".to_owned()))?;
    let document = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        let cause = interleaf_text::collapse_whitespace(error.message());
        (line_at(offset), interleaf_text::for_terminal(&cause))
    })?;
    let mut entries = Vec::new();
    walk(document.get_ref(), &mut Vec::new(), &mut |path, offset, value| {
        entries.push((path.to_vec(), offset, value))
    });
    if entries.len() > MAX_SETTINGS {
        return Err((1, format!("more than {MAX_SETTINGS} settings")));
    }
    let setting = |(path, offset, value)| {
        let line = line_at(offset);
        let too_deep = || (line, format!("more than {MAX_DEPTH} nested tables"));
        Ok(Setting { path, line, value: to_json(value, 0).ok_or_else(too_deep)? })
    };
    entries.into_iter().map(setting).collect()
}

/// Calls `visit` with the path, the offset and the value of each setting.
fn walk<'t>(
    table: &'t DeTable,
    path: &mut Vec<String>,
    visit: &mut dyn FnMut(&[String], usize, &'t DeValue<'t>),
) {
    for (name, value) in table {
        path.push(name.get_ref().to_string());
        match (lookup(path), value.get_ref()) {
            (PathEntry::Section, DeValue::Table(inner)) => walk(inner, path, visit),
            (_, DeValue::Table(inner)) if has_layer_settings(path) => walk(inner, path, visit),
            (_, value) => visit(path, name.span().start, value),
        }
        path.pop();
    }
}

/// Tells whether settings of an embedded layer stand below the path. Each of them is a setting of its own.
fn has_layer_settings(path: &[String]) -> bool {
    layer_settings::split(path).is_some_and(|(layer, rest)| LayerSetting::has_below(layer, rest))
}

/// Converts a value to JSON. A date, or a number that JSON cannot represent, becomes a string. Returns `None`
/// if the value is nested too deeply.
fn to_json(value: &DeValue, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(date) => Value::String(date.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Value::String(number.to_string()), Value::from),
        DeValue::Float(number) => {
            let finite = number.as_str().parse().ok().and_then(Number::from_f64);
            finite.map_or_else(|| Value::String(number.to_string()), Value::Number)
        }
        DeValue::Array(values) => {
            let values = values.iter().map(|value| to_json(value.get_ref(), depth + 1));
            Value::Array(values.collect::<Option<_>>()?)
        }
        DeValue::Table(table) => Value::Object(to_object(table, depth + 1)?),
    })
}

fn to_object(table: &DeTable, depth: usize) -> Option<Map<String, Value>> {
    let entry = |(name, value): (&Spanned<Cow<str>>, &Spanned<DeValue>)| {
        Some((name.get_ref().to_string(), to_json(value.get_ref(), depth)?))
    };
    table.iter().map(entry).collect()
}
