//! What a memory shares with a query, and its BM25 score.

/// How far a repetition would raise the weight of a term in BM25 (`k1`, the usual value). Here a term counts
/// once, so this only says how much the length of a memory matters.
const SATURATION: f64 = 1.2;
/// How much the length of a memory matters in BM25 (`b`, the usual value).
const LENGTH_SHARE: f64 = 0.75;

/// What a memory shares with a query.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::memory) struct SharedTerms {
    /// The number of all terms of the memory.
    pub(super) length: usize,
    /// The weight of the shared ones.
    weight: f64,
    /// The number of the shared ones.
    pub(super) count: usize,
    /// How many of the shared ones only its cues have.
    pub(super) cue_count: usize,
}

impl SharedTerms {
    /// Counts a term of the memory, with its weight if it is one of the query.
    pub(super) fn add(&mut self, idf: Option<f64>) {
        self.length += 1;
        self.weight += idf.unwrap_or_default();
        self.count += usize::from(idf.is_some());
    }

    /// Counts a term of the memory's cues. They do not make the memory longer: it is not worse for one
    /// question because it has many.
    pub(super) fn add_cue(&mut self, idf: Option<f64>) {
        let length = self.length;
        self.add(idf);
        self.length = length;
        self.cue_count += usize::from(idf.is_some());
    }

    /// Returns the BM25 score among memories of this mean length.
    pub(super) fn bm25(&self, mean_length: f64) -> f64 {
        let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * self.length as f64 / mean_length;
        self.weight * (SATURATION + 1.0) / (1.0 + SATURATION * length)
    }
}
