//! JSON: every string in it, and whole the string that stands under the name of a secret.

use super::Redactor;
use super::judge::{self, Form};
use super::kinds::Kind;
use super::letters;
use super::names::{self, Class, Name};
use super::placeholders;
use super::values;
use serde_json::{Map, Value};

impl Redactor {
    /// Takes secrets out of all strings, keys included. A string under a telling name (`password`, `api_key`) is
    /// replaced whole, and so are the strings of a list under one, unless it is a placeholder or a word that
    /// stands for none; a number only under the name of a password.
    pub fn redact_json(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let std::borrow::Cow::Owned(clean) = self.redact(text) {
                    *text = clean;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_json(item)),
            Value::Object(fields) => self.object(fields),
            _ => {}
        }
    }

    fn object(&self, fields: &mut Map<String, Value>) {
        hide_named_value(fields);
        for (key, value) in fields.iter_mut() {
            if let Some(name) = read(key) {
                hide(name, value);
            }
            self.redact_json(value);
        }
        let dirty = |key: &&String| matches!(self.redact(key), std::borrow::Cow::Owned(_));
        let keys: Vec<String> = fields.keys().filter(dirty).cloned().collect();
        for key in keys {
            if let Some(value) = fields.remove(&key) {
                fields.insert(self.redact(&key).into_owned(), value);
            }
        }
    }
}

/// What a key announces: as in text, and also in the plural and as a header.
fn read(key: &str) -> Option<Name> {
    let key = key.as_bytes();
    names::read(key).or_else(|| names::read(key.strip_suffix(b"s")?)).or_else(|| of_header(key))
}

/// Headers are named in what programs record of requests.
fn of_header(key: &[u8]) -> Option<Name> {
    let ends =
        |ending: &[u8]| key.len() >= ending.len() && letters::has(key, key.len() - ending.len(), ending);
    let kind = match () {
        () if ends(b"authorization") => Kind::of("authorization"),
        () if ends(b"cookie") => Kind::of("cookie"),
        () => return None,
    };
    Some(Name { class: Class::Token, kind })
}

/// `{"name": "DB_PASSWORD", "value": "…"}`, as lists of variables are written.
fn hide_named_value(fields: &mut Map<String, Value>) {
    let name = ["name", "key", "Name", "Key"]
        .iter()
        .find_map(|field| names::read(fields.get(*field)?.as_str()?.as_bytes()));
    let Some(name) = name else { return };
    for field in ["value", "Value"] {
        if let Some(value) = fields.get_mut(field) {
            hide(name, value);
        }
    }
}

fn hide(name: Name, value: &mut Value) {
    match value {
        Value::String(text) if is_secret(name.class, text.as_bytes()) => *text = name.kind.mark(),
        Value::Number(number) if name.class == Class::Password && number.to_string().len() >= 4 => {
            *value = Value::String(name.kind.mark());
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(name, item)),
        _ => {}
    }
}

/// Whether a string under such a name goes. A name that only hints needs a value that shows it.
fn is_secret(class: Class, value: &[u8]) -> bool {
    if matches!(class, Class::Vague | Class::Session | Class::Pair) {
        return judge::is_secret(class, Form::Quoted, value);
    }
    let head = &value[..value.len().min(values::LOOK)];
    let stands_in = placeholders::is_placeholder(head)
        || placeholders::is_ordinary(head)
        || placeholders::names_itself(head);
    let number = values::is_number(head) && class != Class::Password;
    let ordinary = class == Class::Pass && is_word(head);
    !(stands_in || number || ordinary || head.len() <= 1)
}

fn is_word(value: &[u8]) -> bool {
    letters::run(value, 0, letters::ALPHA) == value.len()
}
