//! Removes secrets and personal paths from every text before it is stored, logged or sent.
//!
//! [`prefilter`] scans a text once for anchors, the positions at which a secret may be; detectors examine the
//! text around each anchor, and [`base64`] decodes and searches encoded text; [`spans`] merges the findings
//! and replaces each with `[SECRET:kind]`. A text without findings is returned unchanged.
//!
//! The kinds and the token formats of providers are data: `rules.toml`. Secrets that only their context
//! reveals (the name of a value, a header, a sentence) are found by code over bytes, because the decision
//! depends on the text around a match. The user's own patterns are regular expressions.
//!
//! This module is independent of its callers and stores nothing.

mod ascii;
mod assignments;
mod bare_credentials;
mod base64;
mod command_lines;
mod continuations;
mod home_folders;
mod http_headers;
mod labelled_codes;
mod labelled_values;
mod labels;
mod next_lines;
mod passphrases;
mod placeholders;
mod plausibility;
mod positional_passwords;
mod prefilter;
mod private_keys;
mod prose_passwords;
mod provider_tokens;
mod rule_tables;
mod secret_manifests;
mod secret_names;
mod separators;
mod signing_calls;
mod spans;
mod tables;
mod unnamed_values;
mod url_passwords;
mod value_shape;
mod value_span;
mod view;

#[cfg(test)]
mod tests;

pub use rule_tables::{KINDS, KindInfo};

use std::borrow::Cow;
use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use self::plausibility::Notation;
use self::rule_tables::Kind;
use self::secret_names::{NameClass, SecretName};
use self::spans::Span;
use self::value_shape::MAX_JUDGED_BYTES;
use crate::error::{Error, Result};
use crate::short_digest::short_digest;

/// Maximum number of passes over a long text, because removing one secret may expose another. Of two million
/// random splices with findings, one needed three passes.
const MAX_PASSES: usize = 6;

/// Number of bytes that all passes over a short text may read. A text made for it exposes one secret after
/// another: 195 bytes that a fuzzer found needed seven passes.
const MAX_PASSED_BYTES: usize = 2 << 20;

/// Maximum size of one compiled pattern of the user, in bytes.
const MAX_PATTERN_BYTES: usize = 1 << 20;

/// Minimum number of digits of a password that is a number in JSON.
const MIN_NUMERIC_PASSWORD_DIGITS: usize = 4;

/// Counts the changes of the code that make it find more. Raise it with such a change: recorded sessions are
/// then redacted again.
const CODE_VERSION: u32 = 1;

const CUSTOM: Kind = Kind::of("custom");

/// Returns the text without secrets and home folders, by the built-in rules. Redacting a redacted text
/// changes nothing.
pub fn redact(text: &str) -> Cow<'_, str> {
    Redactor::BUILT_IN.redact(text)
}

/// Removes secrets from text: the built-in kinds, and matches of the user's own patterns.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    patterns: Vec<Regex>,
}

impl Redactor {
    /// A redactor for the built-in kinds only.
    pub const BUILT_IN: Self = Self { patterns: Vec::new() };

    /// Adds patterns of the user, in the syntax of the `regex` crate. Their matches become `[SECRET:custom]`.
    ///
    /// # Errors
    /// `Invalid`, which names the first pattern that does not compile or is too large.
    pub fn new(extra: &[String]) -> Result<Self> {
        Ok(Self { patterns: extra.iter().map(|pattern| compile(pattern)).collect::<Result<_>>()? })
    }

    /// Returns a number that differs for other rules: other token formats, other code, other patterns.
    pub fn version(&self) -> i64 {
        let mut rules = format!("{CODE_VERSION}\n{}", include_str!("redact/rules.toml"));
        for pattern in &self.patterns {
            rules.push_str(pattern.as_str());
            rules.push('\n');
        }
        short_digest(rules.as_bytes())
    }

    /// Returns the text without secrets; borrowed if it has none.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.redact_and_count(text).0
    }

    /// Returns the text without secrets, and the number of removed secrets of each kind.
    pub fn redact_and_count<'t>(&self, text: &'t str) -> (Cow<'t, str>, BTreeMap<&'static str, usize>) {
        let (mut text, mut counts) = (Cow::Borrowed(text), BTreeMap::new());
        for _ in 0..MAX_PASSES.max(MAX_PASSED_BYTES / text.len().max(1)) {
            let spans = self.find(&text);
            if spans.is_empty() {
                break;
            }
            for span in &spans {
                *counts.entry(span.kind.name()).or_default() += 1;
            }
            text = Cow::Owned(spans::replace(&text, &spans));
        }
        (text, counts)
    }

    fn find(&self, text: &str) -> Vec<Span> {
        let found = match view::visible(text) {
            None => self.find_in(text),
            Some((visible, payloads)) => {
                let seen = self.find_in(visible.text());
                let mut found: Vec<Span> = seen.iter().map(|span| visible.in_source(span)).collect();
                for payload in payloads {
                    let hidden = self.find_in(&text[payload.clone()]);
                    found.extend(hidden.iter().map(|span| span.shifted(payload.start)));
                }
                found
            }
        };
        spans::merge_overlaps(text.as_bytes(), found)
    }

    /// Finds secrets in what is visible of a text, as it is and with its escapes decoded.
    fn find_in(&self, text: &str) -> Vec<Span> {
        let mut found = self.search(text);
        view::decoded_windows(text, |decoded| {
            found.extend(self.search(decoded.text()).iter().map(|span| decoded.in_source(span)));
        });
        found
    }

    fn search(&self, text: &str) -> Vec<Span> {
        let mut found = prefilter::find_all(text.as_bytes(), 0);
        for pattern in &self.patterns {
            found.extend(pattern.find_iter(text).map(|hit| Span::new(hit.start(), hit.end(), CUSTOM)));
        }
        found.retain(|span| span.start < span.end);
        found
    }

    /// Removes secrets from all strings of a JSON value, keys included. A string under the name of a secret
    /// (`password`, `api_key`) is replaced as a whole, and so are the strings of a list under one, unless it
    /// is a placeholder or an ordinary word; a number only under the name of a password.
    pub fn redact_json(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(redacted) = self.redact(text) {
                    *text = redacted;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact_json(item)),
            Value::Object(fields) => self.redact_object(fields),
            _ => {}
        }
    }

    fn redact_object(&self, fields: &mut Map<String, Value>) {
        redact_variable(fields);
        for (key, value) in fields.iter_mut() {
            if let Some(name) = classify_key(key) {
                replace_named(name, value);
            }
            self.redact_json(value);
        }
        let has_secret = |key: &&String| matches!(self.redact(key), Cow::Owned(_));
        let keys: Vec<String> = fields.keys().filter(has_secret).cloned().collect();
        for key in keys {
            if let Some(value) = fields.remove(&key) {
                fields.insert(self.redact(&key).into_owned(), value);
            }
        }
    }
}

fn compile(pattern: &str) -> Result<Regex> {
    RegexBuilder::new(pattern).size_limit(MAX_PATTERN_BYTES).build().map_err(|error| {
        // The last line states the problem; those above it repeat the pattern.
        let cause = error.to_string();
        let cause = cause.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        Error::invalid(format_args!("redaction pattern `{pattern}`: {cause}"))
            .hint("correct it or remove it from `redact` in your config.toml")
    })
}

/// Returns the class of secret that a JSON key names: as in text, but also in the plural and as a header.
fn classify_key(key: &str) -> Option<SecretName> {
    let key = key.as_bytes();
    secret_names::classify(key)
        .or_else(|| secret_names::classify(key.strip_suffix(b"s")?))
        .or_else(|| classify_header(key))
}

/// Returns the class of secret that the name of a header names, as in a program's log of requests.
fn classify_header(key: &[u8]) -> Option<SecretName> {
    let kind = match () {
        () if ascii::has_suffix(key, b"authorization") => Kind::of("authorization"),
        () if ascii::has_suffix(key, b"cookie") => Kind::of("cookie"),
        () => return None,
    };
    Some(SecretName { class: NameClass::Token, kind })
}

/// Redacts `{"name": "DB_PASSWORD", "value": "…"}`, an item of a list of variables.
fn redact_variable(fields: &mut Map<String, Value>) {
    let name = ["name", "key", "Name", "Key"]
        .iter()
        .find_map(|field| secret_names::classify(fields.get(*field)?.as_str()?.as_bytes()));
    let Some(name) = name else { return };
    for field in ["value", "Value"] {
        if let Some(value) = fields.get_mut(field) {
            replace_named(name, value);
        }
    }
}

fn replace_named(name: SecretName, value: &mut Value) {
    match value {
        Value::String(text) if is_secret_string(name.class, text.as_bytes()) => *text = name.kind.marker(),
        Value::Number(number)
            if name.class == NameClass::Password
                && number.to_string().len() >= MIN_NUMERIC_PASSWORD_DIGITS =>
        {
            *value = Value::String(name.kind.marker());
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_named(name, item)),
        _ => {}
    }
}

/// Returns whether a string under a name of this class is replaced. Under an ambiguous name it must look like
/// a secret.
fn is_secret_string(class: NameClass, value: &[u8]) -> bool {
    if matches!(class, NameClass::Ambiguous | NameClass::Session | NameClass::CredentialPair) {
        return plausibility::is_secret(class, Notation::Quoted, value);
    }
    let head = &value[..value.len().min(MAX_JUDGED_BYTES)];
    let is_stand_in = placeholders::is_placeholder(head)
        || placeholders::is_ordinary_word(head)
        || placeholders::names_itself(head);
    let is_count = value_shape::is_number(head) && class != NameClass::Password;
    let is_plain_word = class == NameClass::ShortPassword && ascii::is_all(head, ascii::ALPHA);
    !(is_stand_in || is_count || is_plain_word || head.len() <= 1)
}
