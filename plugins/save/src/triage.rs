//! Scores a session per category by its words and activity. A model is called only for the categories that
//! trigger.

mod activity;
mod numeric_limits;
mod retraction;
mod scoring;
pub(crate) mod sentences;
#[cfg(test)]
mod tests;

use crate::finding::Evidence;
use crate::settings::Settings;
use crate::transcript::Transcript;
use activity::Activity;
use interleaf_layer::memory::Category;
use scoring::category_phrases;

/// The categories that triage scores and a model can be asked about.
pub const TRIAGED_CATEGORIES: [Category; 6] = [
    Category::SessionSummary,
    Category::Decision,
    Category::Runbook,
    Category::Constraint,
    Category::TechDebt,
    Category::Preference,
];

/// The score of one category.
#[derive(Debug, Clone, PartialEq)]
pub struct Triaged {
    /// The category.
    pub category: Category,
    /// The score, from 0 to 1.
    pub score: f32,
    /// Whether the score reaches the category's threshold.
    pub triggered: bool,
    /// The lines that contributed to the score, verbatim.
    pub evidence: Vec<Evidence>,
}

/// Scores all categories.
pub fn triage(transcript: &Transcript, settings: &Settings) -> Vec<Triaged> {
    let lines = sentences::lines(transcript);
    let activity = Activity::of(transcript);
    let fixed = activity.fixed_failures();
    let all_phrases = category_phrases();
    let triaged = TRIAGED_CATEGORIES.map(|category| {
        let (score, evidence) = match all_phrases.iter().find(|phrases| phrases.category == category) {
            Some(phrases) => {
                let hits = scoring::hits(&lines, &fixed, phrases);
                (scoring::score(&hits, phrases), scoring::evidence(transcript, &lines, &hits, &fixed))
            }
            None => activity.score(),
        };
        let triggered = score > 0.0 && score >= settings.threshold(category);
        Triaged { category, score, triggered, evidence }
    });
    triaged.into()
}
