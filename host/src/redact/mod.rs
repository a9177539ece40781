//! Secrets and personal paths out of everything before it is stored, logged or sent.
//!
//! The way of a text: [`lures`] passes over it once and finds the places at which anything could be found; the
//! finders look around those places ([`tokens`], [`keys`], [`addresses`], [`headers`], [`commands`], [`places`],
//! [`assignments`], [`prose`], [`paths`]), and [`encoded`] looks into base64; [`spans`] merges what they found and replaces each find with
//! `[SECRET:kind]`. A text in which nothing is found is handed back as it came.
//!
//! Everything is written by hand over bytes rather than as regular expressions: eighty of those take longer to
//! compile than a hook may take, and most need to see what stands around a match anyway. Only the user's own
//! patterns are regular expressions.
//!
//! This module knows nothing of who asks, and keeps nothing of what it saw.

mod addresses;
mod arguments;
mod assignments;
mod commands;
mod custom;
mod encoded;
mod extents;
mod headers;
mod json;
mod judge;
mod keys;
mod kinds;
mod letters;
mod links;
mod lures;
mod names;
mod paths;
mod placeholders;
mod places;
mod prose;
mod rules;
mod spans;
mod tokens;
mod values;

#[cfg(test)]
mod tests;

pub use custom::Redactor;
pub use kinds::{About, KINDS};

use std::borrow::Cow;

/// The text without secrets and home folders, by the built-in rules. Redacting what was redacted changes nothing.
pub fn redact(text: &str) -> Cow<'_, str> {
    Redactor::BUILT_IN.redact(text)
}
