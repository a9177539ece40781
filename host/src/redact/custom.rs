//! The redactor: the built-in finders, and the patterns that a user added to them.

use super::kinds::Kind;
use super::lures;
use super::spans::{self, Span};
use crate::error::{Error, Result};
use regex::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::collections::BTreeMap;

const CUSTOM: Kind = Kind::of("custom");

/// A text is gone over again until nothing is found, because taking one thing out may lay bare another. Of two
/// million random splices in which something was found, one needed three passes.
const ROUNDS: usize = 6;

/// What one pattern may take when compiled, in bytes.
const PATTERN_SIZE: usize = 1 << 20;

/// Takes secrets out of text: the built-in kinds, and whatever else a user wants to keep out.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    patterns: Vec<Regex>,
}

impl Redactor {
    /// Only what is built in.
    pub const BUILT_IN: Self = Self { patterns: Vec::new() };

    /// With patterns of the user's own, in the syntax of the `regex` crate. What they match becomes
    /// `[SECRET:custom]`.
    ///
    /// # Errors
    /// Invalid, naming the first pattern that does not compile or is too large.
    pub fn new(extra: &[String]) -> Result<Self> {
        Ok(Self { patterns: extra.iter().map(|pattern| compile(pattern)).collect::<Result<_>>()? })
    }

    /// The text without secrets; borrowed where there are none.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.redact_and_count(text).0
    }

    /// The text without secrets, and how many of each kind were taken out.
    pub fn redact_and_count<'t>(&self, text: &'t str) -> (Cow<'t, str>, BTreeMap<&'static str, usize>) {
        let (mut text, mut counts) = (Cow::Borrowed(text), BTreeMap::new());
        for _ in 0..ROUNDS {
            let spans = self.spans(&text);
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

    fn spans(&self, text: &str) -> Vec<Span> {
        let mut found = lures::sweep(text.as_bytes(), 0);
        for pattern in &self.patterns {
            found.extend(pattern.find_iter(text).map(|hit| Span::new(hit.start(), hit.end(), CUSTOM)));
        }
        spans::settle(text.as_bytes(), found)
    }
}

fn compile(pattern: &str) -> Result<Regex> {
    RegexBuilder::new(pattern).size_limit(PATTERN_SIZE).build().map_err(|error| {
        // The last line says what is wrong; those above it draw the pattern again.
        let cause = error.to_string();
        let cause = cause.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        Error::invalid(format_args!("redaction pattern `{pattern}`: {cause}"))
            .hint("correct it or take it out of `redact` in your config.toml")
    })
}
