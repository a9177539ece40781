//! What the log stores of a layer's search: the memories that it found, and what their relevance follows
//! from. Like the rest of an event's record it holds ids and numbers, never the text that was searched for.

use serde::{Deserialize, Serialize};

use super::round_to_hundredths;
use crate::memory::{Features, Found, Hit, MinRelevance, Occasion, WastedTokensByOccasion};

/// Maximum number of memories in one record, the most relevant: more than a layer shows of one search.
const MAX_HITS: usize = 8;

/// One search of a layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchRecord {
    /// What was searched for.
    pub occasion: Occasion,
    /// Number of memories that were left out, because the conversation was shown them before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shown_before: usize,
    /// The memories that fit or may fit, the most relevant first, followed by the best one that does not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<HitRecord>,
}

/// A memory that a search compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HitRecord {
    /// The memory's id.
    pub memory: String,
    /// Probability that it belongs to the text, from 0 to 1.
    pub relevance: f64,
    /// Minimum relevance of a memory that is shown whole.
    pub min_relevance: f64,
    /// Minimum relevance of a memory that is shown as a line.
    pub min_line_relevance: f64,
    /// What the relevance follows from.
    pub features: Features,
}

impl SearchRecord {
    /// Returns the record of a search at this occasion, without `shown_before` memories.
    pub fn new(
        occasion: Occasion,
        shown_before: usize,
        found: &Found,
        wasted: &WastedTokensByOccasion,
    ) -> Self {
        let hits = found.hits.iter().take(MAX_HITS).chain(&found.best_miss);
        let record = |hit: &Hit| HitRecord::new(occasion, hit, wasted);
        Self { occasion, shown_before, hits: hits.map(record).collect() }
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl HitRecord {
    fn new(occasion: Occasion, hit: &Hit, wasted: &WastedTokensByOccasion) -> Self {
        let rounded = |minimum: MinRelevance| round_to_hundredths(f64::from(minimum.of(&hit.features)));
        Self {
            memory: hit.memory.id.clone(),
            relevance: round_to_hundredths(f64::from(hit.relevance)),
            min_relevance: rounded(wasted.min_relevance(occasion)),
            min_line_relevance: rounded(wasted.min_line_relevance(occasion)),
            features: hit.features.rounded(),
        }
    }
}
