//! Queries: the terms of a text, weighted for one store.
//!
//! A term weighs much if few memories contain it, and little if it is a common word.

use super::occasion::Occasion;
use super::shared_terms::SharedTerms;

use crate::error::Result;
use crate::memory::tokenizer::{self, Term, TermKind};

/// Number of characters searched for at the beginning of a long text, where the request usually is.
const EXCERPT_HEAD_CHARS: usize = 2_000;
/// Number of characters searched for at the end of a long text.
const EXCERPT_TAIL_CHARS: usize = 500;

/// Number of characters from which a sentence vector is computed: more than its tokens have.
const MAX_EMBEDDED_CHARS: usize = 400;

/// Maximum number of terms whose frequency is looked up, 2 to 3 microseconds each.
const MAX_FREQUENCY_LOOKUPS: usize = 48;

/// Maximum number of query terms that count, the rarest first.
const MAX_QUERY_TERMS: usize = 24;

/// Number of imaginary memories without the term, which represent what a larger store would contain. Without
/// them, the terms of a store's only memory would weigh next to nothing, and it would be shown for 59 % of
/// the events that need it instead of 75 %. Larger stores are not affected.
const IMAGINARY_MEMORIES: u64 = 100;

/// Weight of a common word relative to another word of the same frequency.
const COMMON_WORD_FACTOR: f64 = 0.5;

/// The terms of a search.
#[derive(Debug, Clone)]
pub struct Query {
    /// The beginning of the text.
    text: String,
    terms: Vec<Term>,
    occasion: Occasion,
}

impl Query {
    /// Returns the query for a text of any length.
    pub fn new(text: &str) -> Self {
        let mut terms = tokenizer::terms(&excerpt(text));
        // Common words come last, so that they are the first to be dropped.
        terms.sort_by_key(|term| term.kind == TermKind::Common);
        terms.truncate(MAX_FREQUENCY_LOOKUPS);
        let text = text.chars().take(MAX_EMBEDDED_CHARS).collect();
        Self { text, terms, occasion: Occasion::default() }
    }

    /// Sets the occasion.
    #[must_use]
    pub fn at(mut self, occasion: Occasion) -> Self {
        self.occasion = occasion;
        self
    }

    /// Returns the beginning of the text, if its sentence vector is to be compared with those of the
    /// memories.
    pub(in crate::memory) fn embedded_text(&self) -> Option<&str> {
        self.occasion.compares_vectors().then_some(&self.text)
    }

    /// Tells whether the query has no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Weights the terms for a store with this number of memories; `frequency` returns how many of them
    /// contain a term.
    ///
    /// # Errors
    /// Those of `frequency`.
    pub fn weigh(
        &self,
        memories: u64,
        mut frequency: impl FnMut(&str) -> Result<u64>,
    ) -> Result<WeightedQuery> {
        let mut known = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let frequency = frequency(&term.text)?;
            if frequency > 0 {
                known.push(WeightedTerm::new(term, frequency, memories));
            }
        }
        known.sort_by(|a, b| b.idf.total_cmp(&a.idf));
        known.truncate(MAX_QUERY_TERMS);
        Ok(WeightedQuery { known, memories, occasion: self.occasion })
    }
}

/// Returns the beginning and the end of a text.
fn excerpt(text: &str) -> std::borrow::Cow<'_, str> {
    let Some((head, _)) = text.char_indices().nth(EXCERPT_HEAD_CHARS) else { return text.into() };
    let tail = text[head..].char_indices().rev().nth(EXCERPT_TAIL_CHARS - 1);
    match tail {
        Some((start, _)) if start > 0 => format!("{}\n{}", &text[..head], &text[head + start..]).into(),
        _ => text.into(),
    }
}

/// A query whose terms are weighted for one store.
#[derive(Debug, Clone)]
pub struct WeightedQuery {
    /// The terms that the store contains, those of the greatest weight first.
    known: Vec<WeightedTerm>,
    /// The number of memories of the store.
    pub(super) memories: u64,
    pub(super) occasion: Occasion,
}

/// A term of a query.
#[derive(Debug, Clone)]
pub struct WeightedTerm {
    /// The term.
    pub text: String,
    /// The number of memories that contain it.
    pub frequency: u64,
    /// Its weight: the inverse of its frequency, as in BM25.
    pub idf: f64,
}

impl WeightedTerm {
    fn new(term: &Term, frequency: u64, memories: u64) -> Self {
        let common = if term.kind == TermKind::Common { COMMON_WORD_FACTOR } else { 1.0 };
        let others = (memories + IMAGINARY_MEMORIES).saturating_sub(frequency) as f64;
        let idf = (1.0 + (others + 0.5) / (frequency as f64 + 0.5)).ln();
        Self { text: term.text.clone(), frequency, idf: idf * common }
    }
}

impl WeightedQuery {
    /// Returns the terms that the store contains, those of the greatest weight first.
    pub fn known_terms(&self) -> &[WeightedTerm] {
        &self.known
    }

    /// Returns the number of memories of the store.
    pub(in crate::memory) fn memories(&self) -> u64 {
        self.memories
    }

    /// Finds out what a memory with these distinct terms shares with the query. `cues` are the terms that
    /// only its cues have.
    pub(in crate::memory) fn shared_terms<'a>(
        &self,
        own: impl Iterator<Item = &'a [u8]>,
        cues: impl Iterator<Item = &'a [u8]>,
    ) -> SharedTerms {
        let mut shared = SharedTerms::default();
        // Most terms differ in their first byte. To compare that saves nine calls of `memcmp` out of ten.
        let is = |term: &[u8], text: &[u8]| term.first() == text.first() && term == text;
        let find = |text| self.known.iter().find(|term| is(term.text.as_bytes(), text)).map(|term| term.idf);
        own.for_each(|text| shared.add(find(text)));
        cues.for_each(|text| shared.add_cue(find(text)));
        shared
    }

    /// Returns what a memory shares at most: all terms, and it has no others.
    pub(super) fn all_terms(&self) -> SharedTerms {
        self.shared_terms(self.known.iter().map(|term| term.text.as_bytes()), std::iter::empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the terms of a query with their weights, in a store of ten memories of which one contains each
    /// term but `port`, which is in nine.
    fn weighed(text: &str) -> Vec<(String, f64)> {
        let frequency = |term: &str| Ok(if term == "port" { 9 } else { u64::from(term != "unheard") });
        let weighted = Query::new(text).weigh(10, frequency).expect("frequencies");
        weighted.known_terms().iter().map(|term| (term.text.clone(), term.idf)).collect()
    }

    #[test]
    fn rare_terms_weigh_more_than_frequent_and_common_ones_and_unknown_ones_do_not_count() {
        let terms = weighed("unheard port of the proxy, show");

        let names: Vec<&str> = terms.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(names, ["prox", "port", "show"]);
        assert!(terms[0].1 > terms[1].1 && terms[1].1 > terms[2].1 && terms[2].1 > 0.0, "{terms:?}");
    }

    #[test]
    fn of_a_long_text_the_beginning_and_the_end_count() {
        let middle = "filler ".repeat(2_000);
        let terms = weighed(&format!("alphabet {middle} middleman {middle} omegapoint"));

        let names: Vec<&str> = terms.iter().map(|(text, _)| text.as_str()).collect();
        assert!(names.contains(&"alphabet") && names.contains(&"omegapoint"), "{names:?}");
        assert!(!names.contains(&"middleman"), "{names:?}");
    }
}
