//! Relevance: the probability that a memory belongs to a text, from 0 to 1, and the minimum below which no
//! memory is shown.
//!
//! Every term of the query has a weight: high if few memories contain it, low if it is a common word. A
//! memory covers the weight of the terms that it contains. Its relevance is the covered share of the query's
//! weight, corrected for chance: the weight that one term may share by chance is subtracted from both sides,
//! so one shared term of several is worth nothing. Most prompts should find nothing, because a missed memory
//! costs less than a wrong one.
//!
//! The constants were measured on commit messages of six public projects: subjects as prompts, 20 to 45 words
//! of the bodies as memories. *Found* is how often the right memory is among the first three; *noise* is how
//! often anything is shown for a prompt of another project.
//!
//! | memories | found | noise | found and noise without the correction for chance |
//! |---|---|---|---|
//! | 1 | 76 % | 0.4 % | 74 %, 0.4 % |
//! | 10 | 66 % | 1.2 % | 71 %, 2.6 % |
//! | 100 | 57 % | 2.2 % | 68 %, 12 % |
//! | 1,000 | 48 % | 4.4 % | 61 %, 29 % |
//! | 4,000 | 41 % | 5.5 % | 56 %, 34 % |

use super::tokenizer::{self, Term, TermKind};
use crate::error::Result;

/// Minimum relevance of a memory that is shown without an explicit search.
pub const MIN_RELEVANCE: f32 = 0.35;

/// Number of characters searched for at the beginning of a long text, where the request usually is.
const EXCERPT_HEAD_CHARS: usize = 2_000;
/// Number of characters searched for at the end of a long text.
const EXCERPT_TAIL_CHARS: usize = 500;

/// Maximum number of terms whose frequency is looked up, 2 to 3 microseconds each.
const MAX_FREQUENCY_LOOKUPS: usize = 48;

/// Maximum number of query terms that count, heaviest first. Among 1,000 memories, 4, 6, 10 and 16 terms
/// found 44, 48, 48 and 48 % for prompts of six words, with noise of 5.6, 4.7, 4.4 and 4.4 %; for prompts of
/// sixty words 13, 19, 17 and 13 %, with noise of 3.8, 2.4, 0.8 and 0.1 %.
const MAX_QUERY_TERMS: usize = 10;

/// Number of imaginary memories, which represent the contents of a larger store. Without them, the only
/// memory of a store would make all of its terms worthless. A number ten times higher or lower changes the
/// found share by 2 %.
const BACKGROUND_MEMORIES: f64 = 1_000.0;

/// Weight of a common word relative to another word of the same frequency. With 0.3, two of them cover no
/// more than chance, even in a store of one memory.
const COMMON_WORD_FACTOR: f64 = 0.3;

/// Weight of a word that no memory contains relative to the rarest word. It indicates that the prompt is
/// about something else, but it may be a synonym. Among 10 memories, factors of 0.2, 0.4 and 1.0 found 71, 66
/// and 56 % with noise of 3.2, 1.2 and 0.3 %.
const UNKNOWN_WORD_FACTOR: f64 = 0.4;

/// Share of the query's weight that is attributed to chance.
const CHANCE_SHARE: f64 = 0.6;
/// Minimum weight attributed to chance: that of two common words in a store of one memory. A single rare word
/// weighs 0.7 to 0.9.
const MIN_CHANCE: f64 = 0.52;

/// Growth of the maximum chance with every factor *e* of the number of memories, because in a larger store
/// more memories share a word by chance. Without it, the noise among 4,000 memories is 14 %.
const CHANCE_GROWTH: f64 = 0.05;

/// Minimum weight beyond chance that a memory must cover, for queries too short to require more.
const MIN_EVIDENCE: f64 = 0.2;

/// The terms of a search.
#[derive(Debug, Clone)]
pub struct Query {
    terms: Vec<Term>,
}

impl Query {
    /// Returns the query for a text of any length.
    pub fn new(text: &str) -> Self {
        let mut terms = tokenizer::terms(&excerpt(text));
        // Common words come last, so that they are the first to be dropped.
        terms.sort_by_key(|term| term.kind == TermKind::Common);
        terms.truncate(MAX_FREQUENCY_LOOKUPS);
        Self { terms }
    }

    /// Tells whether the query has no terms.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Weights the terms for a store with this number of memories; `frequency` returns how many of them
    /// contain a term.
    pub fn weigh(
        &self,
        memories: u64,
        mut frequency: impl FnMut(&str) -> Result<u64>,
    ) -> Result<WeightedQuery> {
        let mut weighted = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let frequency = frequency(&term.text)?;
            // An identifier that no memory contains is represented by its parts.
            if frequency > 0 || term.kind != TermKind::Identifier {
                let weight = weight(term.kind, frequency, memories);
                weighted.push(WeightedTerm { text: term.text.clone(), weight, frequency });
            }
        }
        weighted.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        weighted.truncate(MAX_QUERY_TERMS);
        Ok(WeightedQuery::new(weighted, memories))
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

/// Returns the weight of a term, 0 to 1: its inverse frequency among the memories and the imaginary ones.
fn weight(kind: TermKind, frequency: u64, memories: u64) -> f64 {
    let inverse_frequency = |frequency: f64| {
        let others = (BACKGROUND_MEMORIES + memories as f64 - frequency).max(0.0);
        (1.0 + (others + 0.5) / (frequency + 0.5)).ln()
    };
    let rarity = inverse_frequency(frequency as f64) / inverse_frequency(0.0);
    let common = if kind == TermKind::Common { COMMON_WORD_FACTOR } else { 1.0 };
    let unknown = if frequency == 0 { UNKNOWN_WORD_FACTOR } else { 1.0 };
    rarity * common * unknown
}

/// A query whose terms are weighted for one store.
#[derive(Debug, Clone)]
pub struct WeightedQuery {
    /// The terms that the store contains, the heaviest first.
    known: Vec<WeightedTerm>,
    /// The weight of all terms, known or not.
    total: f64,
    /// The weight that a memory may cover by chance.
    chance: f64,
}

#[derive(Debug, Clone)]
struct WeightedTerm {
    text: String,
    weight: f64,
    frequency: u64,
}

impl WeightedQuery {
    fn new(mut terms: Vec<WeightedTerm>, memories: u64) -> Self {
        let total: f64 = terms.iter().map(|term| term.weight).sum();
        let max_chance = MIN_CHANCE + CHANCE_GROWTH * (memories.max(1) as f64).ln();
        terms.retain(|term| term.frequency > 0);
        Self { known: terms, total, chance: (CHANCE_SHARE * total).clamp(MIN_CHANCE, max_chance) }
    }

    /// Returns the heaviest terms, of which a memory must contain at least one to reach `min_relevance`,
    /// because all other terms together weigh too little. Returns none if no memory can reach it.
    pub fn required_terms(&self, min_relevance: f32) -> impl Iterator<Item = &str> {
        let needed = self.needed_weight(min_relevance);
        let mut rest: f64 = self.known.iter().map(|term| term.weight).sum();
        self.known
            .iter()
            .take_while(move |term| {
                let required = rest >= needed;
                rest -= term.weight;
                required
            })
            .map(|term| term.text.as_str())
    }

    /// Returns the weight that a memory with these distinct terms covers.
    pub fn covered_weight<'a>(&self, terms: impl Iterator<Item = &'a str>) -> f64 {
        terms
            .filter_map(|text| self.known.iter().find(|term| term.text == text))
            .map(|term| term.weight)
            .sum()
    }

    /// Returns the relevance of a memory that covers this weight, 0 to 1.
    pub fn relevance(&self, covered_weight: f64) -> f32 {
        (((covered_weight - self.chance) / self.evidence_range()).clamp(0.0, 1.0)) as f32
    }

    /// Returns the weight that must be covered for this relevance: more than nothing even for 0.
    fn needed_weight(&self, min_relevance: f32) -> f64 {
        if min_relevance <= 0.0 {
            f64::MIN_POSITIVE
        } else {
            self.chance + f64::from(min_relevance) * self.evidence_range()
        }
    }

    /// Returns the weight between chance (relevance 0) and the whole query (relevance 1).
    fn evidence_range(&self) -> f64 {
        (self.total - self.chance).max(MIN_EVIDENCE)
    }
}
