//! How many tokens hooks may waste, and the minimum relevances that follow from it.
//!
//! Tokens are wasted on an event that needs no memory. A limit in tokens keeps its meaning when the model of
//! relevance is fitted again; a probability does not.

use super::features::Features;
use super::measured_waste::{COMMANDS, FAILURES, PROMPTS_BY_VECTORS, PROMPTS_BY_WORDS};
use super::occasion::Occasion;
use super::waste_curve::WasteCurve;

/// The tokens that hooks may waste on a hundred events of one occasion that need no memory, on average.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WastedTokens {
    /// Tokens of memories that are shown whole.
    pub whole: u64,
    /// Tokens of titles, and of the text around them.
    pub titles: u64,
}

/// The tokens that hooks may waste at each occasion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WastedTokensByOccasion([WastedTokens; Occasion::ALL.len()]);

/// The minimum relevance of memories.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinRelevance {
    /// That of memories of which only the words were compared.
    pub by_words: f32,
    /// That of memories with sentence vectors.
    pub by_vectors: f32,
}

impl WastedTokensByOccasion {
    /// Returns the tokens that may be wasted at this occasion.
    pub fn of(&self, occasion: Occasion) -> WastedTokens {
        self.0[occasion as usize]
    }

    /// Returns the tokens that may be wasted at this occasion, mutably.
    pub fn of_mut(&mut self, occasion: Occasion) -> &mut WastedTokens {
        &mut self.0[occasion as usize]
    }

    /// Returns the minimum relevance of memories that are shown whole at this occasion.
    pub fn min_relevance(&self, occasion: Occasion) -> MinRelevance {
        MinRelevance::with(occasion, |curve| curve.min_relevance(self.of(occasion).whole))
    }

    /// Returns the minimum relevance of memories whose title is shown at this occasion.
    pub fn min_line_relevance(&self, occasion: Occasion) -> MinRelevance {
        MinRelevance::with(occasion, |curve| curve.min_line_relevance(self.of(occasion).titles))
    }
}

impl Default for WastedTokensByOccasion {
    fn default() -> Self {
        Self(std::array::from_fn(|index| match Occasion::ALL[index] {
            Occasion::Prompt => WastedTokens { whole: 200, titles: 1000 },
            // They come often.
            Occasion::Command => WastedTokens { whole: 100, titles: 500 },
            Occasion::Failure => WastedTokens { whole: 200, titles: 800 },
            // It comes once, and its memories are the first that a session sees.
            Occasion::Start => WastedTokens { whole: 700, titles: 1000 },
        }))
    }
}

impl MinRelevance {
    fn with(occasion: Occasion, minimum: impl Fn(&WasteCurve) -> f32) -> Self {
        match occasion {
            Occasion::Command => minimum(&COMMANDS).into(),
            Occasion::Failure => minimum(&FAILURES).into(),
            // The subject of a commit is searched for as a prompt is.
            Occasion::Prompt | Occasion::Start => {
                Self { by_words: minimum(&PROMPTS_BY_WORDS), by_vectors: minimum(&PROMPTS_BY_VECTORS) }
            }
        }
    }

    /// Returns the minimum for a memory with these features.
    pub fn of(self, features: &Features) -> f32 {
        if features.vectors.is_some() { self.by_vectors } else { self.by_words }
    }

    /// Returns the lower one of two minima.
    #[must_use]
    pub fn or_lower(self, other: Self) -> Self {
        Self {
            by_words: self.by_words.min(other.by_words),
            by_vectors: self.by_vectors.min(other.by_vectors),
        }
    }
}

impl From<f32> for MinRelevance {
    fn from(minimum: f32) -> Self {
        Self { by_words: minimum, by_vectors: minimum }
    }
}
