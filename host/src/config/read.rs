//! From the text of a file to its settings, each with the line it stands on.

use std::borrow::Cow;
use std::thread;

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::lookup::{Spot, spot};

/// Tables within tables. What is handed on is walked by recursion, here and in the layers.
const DEEPEST: usize = 64;
/// Each setting that is refused costs a note; nobody writes this many.
const MOST_SETTINGS: usize = 250;
/// A file with fewer dots and opening brackets than this cannot nest deeply.
const FEW: usize = 256;
/// Stack for any other, in bytes. The parser takes 80 brackets within each other and 80 dots in each key between
/// them, and needs about a kilobyte for each level.
const ROOM: usize = 64 << 20;

/// One setting as it was written.
pub(super) struct Setting {
    pub path: Vec<String>,
    /// Counted from 1.
    pub line: usize,
    pub value: Value,
}

/// The settings of a file: values of known keys, and whatever stands at a place that is not known.
///
/// # Errors
/// Line and cause, for what is not TOML.
pub(super) fn settings(content: &[u8]) -> Result<Vec<Setting>, (usize, String)> {
    if content.iter().filter(|byte| matches!(byte, b'.' | b'[' | b'{')).count() < FEW {
        return parse(content);
    }
    thread::scope(|scope| {
        let parser = thread::Builder::new().stack_size(ROOM).spawn_scoped(scope, || parse(content));
        parser.ok().and_then(|parser| parser.join().ok())
    })
    .unwrap_or_else(|| Err((1, "no room to read it".to_owned())))
}

fn parse(content: &[u8]) -> Result<Vec<Setting>, (usize, String)> {
    let before = |offset: usize| &content[..offset.min(content.len())];
    let line = |offset| 1 + before(offset).iter().filter(|byte| **byte == b'\n').count();
    let text = std::str::from_utf8(content)
        .map_err(|error| (line(error.valid_up_to()), "it is not UTF-8".to_owned()))?;
    let document = DeTable::parse(text).map_err(|error| {
        (line(error.span().map_or(0, |span| span.start)), error.message().replace(char::is_control, " "))
    })?;
    let mut found = Vec::new();
    walk(document.get_ref(), &mut Vec::new(), &mut |path, offset, value| {
        found.push((path.to_vec(), offset, value))
    });
    if found.len() > MOST_SETTINGS {
        return Err((1, format!("it has more than {MOST_SETTINGS} settings")));
    }
    let setting = |(path, offset, value)| {
        let line = line(offset);
        let value =
            plain(value, 0).ok_or_else(|| (line, format!("more than {DEEPEST} tables within each other")))?;
        Ok(Setting { path, line, value })
    };
    found.into_iter().map(setting).collect()
}

fn walk<'t>(
    table: &'t DeTable,
    path: &mut Vec<String>,
    found: &mut dyn FnMut(&[String], usize, &'t DeValue<'t>),
) {
    for (name, value) in table {
        path.push(name.get_ref().to_string());
        match (spot(path), value.get_ref()) {
            (Spot::Section, DeValue::Table(inner)) => walk(inner, path, found),
            (_, value) => found(path, name.span().start, value),
        }
        path.pop();
    }
}

/// The value as JSON; a moment or a number that JSON does not have becomes a text. `None` for what is too deep.
fn plain(value: &DeValue, depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    Some(match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(yes) => Value::Bool(*yes),
        DeValue::Datetime(moment) => Value::String(moment.to_string()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Value::String(number.to_string()), Value::from),
        DeValue::Float(number) => {
            let finite = number.as_str().parse().ok().and_then(Number::from_f64);
            finite.map_or_else(|| Value::String(number.to_string()), Value::Number)
        }
        DeValue::Array(values) => {
            Value::Array(values.iter().map(|value| plain(value.get_ref(), depth + 1)).collect::<Option<_>>()?)
        }
        DeValue::Table(table) => Value::Object(object(table, depth + 1)?),
    })
}

fn object(table: &DeTable, depth: usize) -> Option<Map<String, Value>> {
    let entry = |(name, value): (&Spanned<Cow<str>>, &Spanned<DeValue>)| {
        Some((name.get_ref().to_string(), plain(value.get_ref(), depth)?))
    };
    table.iter().map(entry).collect()
}
