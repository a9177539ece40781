//! How many tokens each minimum relevance wastes: the curves from which the program takes the minimum for a
//! number of tokens.

use super::comparison::{Comparison, SearchedAt};
use super::regression::FittedModel;

/// The minimum relevances for which the waste is measured.
pub const MIN_RELEVANCES: [f64; 24] = [
    0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.18, 0.21, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5,
    0.55, 0.6, 0.7, 0.8, 0.9, 0.95,
];

/// Tokens of the text around the memories of one block.
const BLOCK_TOKENS: usize = 26;
/// Tokens that a line has besides the text of its memory: category, date and id.
const LINE_TOKENS: usize = 10;
/// Maximum number of tokens of a title.
const TITLE_TOKENS: usize = 15;

/// The tokens wasted on a hundred events that need nothing, for each of [`MIN_RELEVANCES`].
#[derive(Debug)]
pub struct WasteCurve {
    /// By memories that are shown whole.
    pub whole: [u64; MIN_RELEVANCES.len()],
    /// By titles, and by the text around them.
    pub titles: [u64; MIN_RELEVANCES.len()],
}

/// A memory that was found at an event that needs none.
struct Found {
    probability: f64,
    tokens: usize,
}

impl WasteCurve {
    /// Measures the events of one occasion.
    pub fn of(comparisons: &[Comparison], searched_at: SearchedAt, model: &FittedModel) -> Self {
        let silent = comparisons.iter().filter(|event| event.searched_at == searched_at && !event.is_needing);
        let events: Vec<Vec<Found>> = silent.map(|event| found(event, model)).collect();
        let measured = |tokens: fn(&[Found]) -> usize| {
            MIN_RELEVANCES.map(|minimum| wasted_on_a_hundred(&events, minimum, tokens))
        };
        Self { whole: measured(tokens_whole), titles: measured(tokens_of_titles) }
    }
}

/// Returns the memories that a hook would show at most, the best first.
fn found(event: &Comparison, model: &FittedModel) -> Vec<Found> {
    let memories = event.memories.iter();
    let mut found: Vec<Found> = memories
        .map(|memory| Found { probability: model.probability(memory), tokens: memory.tokens })
        .collect();
    found.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    found.truncate(max_shown(event.searched_at));
    found
}

/// Returns the tokens of the memories that reach the minimum, per hundred events.
fn wasted_on_a_hundred(events: &[Vec<Found>], minimum: f64, tokens: fn(&[Found]) -> usize) -> u64 {
    let reaching = |event: &[Found]| event.partition_point(|memory| memory.probability >= minimum);
    let total: usize = events.iter().map(|event| tokens(&event[..reaching(event)])).sum();
    (total as f64 * 100.0 / events.len().max(1) as f64).round() as u64
}

fn tokens_whole(shown: &[Found]) -> usize {
    shown.iter().map(|memory| memory.tokens + LINE_TOKENS).sum()
}

fn tokens_of_titles(shown: &[Found]) -> usize {
    let around = if shown.is_empty() { 0 } else { BLOCK_TOKENS };
    shown.iter().map(|memory| memory.tokens.min(TITLE_TOKENS) + LINE_TOKENS).sum::<usize>() + around
}

/// The number of memories that a hook shows at most.
fn max_shown(searched_at: SearchedAt) -> usize {
    if searched_at == SearchedAt::Prompt { 3 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::super::comparison::ComparedMemory;
    use super::*;

    #[test]
    fn only_events_that_need_nothing_waste_tokens() {
        let model =
            FittedModel { intercept: 0.0, categories: [0.0; 9], numbers: [0.0; 5], vectors: [0.0; 2] };
        let memory =
            ComparedMemory { numbers: [0.0; 5], category: 0, vectors: None, is_needed: false, tokens: 40 };
        let event = |is_needing, memories: usize| Comparison {
            searched_at: SearchedAt::Prompt,
            is_needing,
            memories: vec![memory.clone(); memories],
        };
        let events = [event(true, 3), event(false, 2), event(false, 0)];

        let curve = WasteCurve::of(&events, SearchedAt::Prompt, &model);

        // Every relevance is a half; two memories were found for one of two events.
        let at = |minimum: f64| MIN_RELEVANCES.iter().position(|known| *known == minimum).expect("known");
        assert_eq!(curve.whole[at(0.5)], 5000);
        assert_eq!(curve.titles[at(0.5)], 3800);
        assert_eq!(curve.whole[at(0.55)], 0);
    }
}
