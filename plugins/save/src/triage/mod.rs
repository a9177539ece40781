//! Which kinds of knowledge a session holds, before anybody is asked: a score for each category from the words that
//! were said, and the lines that made it. A model is called only for what is triggered here.

mod doubt;
mod families;
pub(crate) mod lines;
mod measure;
mod score;
#[cfg(test)]
mod tests;
pub(crate) mod words;
pub(crate) mod work;

use families::families;

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
pub fn triage(talk: &Talk, settings: &Settings) -> Vec<Triaged> {
    let lines = lines::lines(talk);
    let done = work::Done::of(talk);
    let fixed = done.fixed();
    let families = families();
    let judged = CATEGORIES.map(|category| {
        let (score, evidence) = match families.iter().find(|family| family.category == category) {
            Some(family) => {
                let hits = score::hits(&lines, &fixed, family);
                (score::score(&hits, family), score::evidence(talk, &lines, &hits, &fixed))
            }
            None => done.score(),
        };
        let triggered = score > 0.0 && score >= settings.threshold(category);
        Triaged { category, score, triggered, evidence }
    });
    judged.into()
}
