//! Tells whether a sentence holds something to save: a preference, a decision, a constraint or tech debt.
//!
//! The classifier is a multinomial logistic regression over the words of a sentence and of its neighbors. It
//! was fitted to the examples in `plugins/save/data` by `cargo xtask train`, which writes `weights.bin`.

mod features;
mod weights;

pub use features::{Message, Sentence, Speaker, features};
pub use weights::{Calibration, Weights};

use std::sync::LazyLock;

use interleaf_layer::memory::Category;

use crate::rules::words::Word;

/// The categories that a sentence can belong to.
pub const CATEGORIES: [Category; 4] =
    [Category::Preference, Category::Decision, Category::Constraint, Category::TechDebt];

/// The weights that come with the layer.
static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| Weights::from_bytes(include_bytes!("classifier/weights.bin")).unwrap_or_default());

/// The probability that a sentence belongs to each of [`CATEGORIES`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Probabilities(pub [f32; CATEGORIES.len()]);

impl Probabilities {
    /// Returns the most probable category and its probability.
    pub fn best(&self) -> (Category, f32) {
        let ranked = CATEGORIES.into_iter().zip(self.0);
        ranked.reduce(|best, each| if each.1 > best.1 { each } else { best }).unwrap_or((CATEGORIES[0], 0.0))
    }

    /// Returns the probability that a sentence belongs to any category.
    pub fn any(&self) -> f32 {
        self.0.iter().sum::<f32>().min(1.0)
    }

    /// Returns the probability of a category.
    pub fn of(&self, category: Category) -> f32 {
        CATEGORIES.iter().zip(self.0).find(|(each, _)| **each == category).map_or(0.0, |(_, value)| value)
    }
}

/// Classifies each sentence of a message.
pub fn classify(message: &Message<'_>) -> Vec<Probabilities> {
    (0..message.sentences.len()).map(|at| WEIGHTS.probabilities(&features(message, at))).collect()
}

/// Classifies a sentence of the person by itself.
pub fn classify_alone(text: &str, words: &[Word]) -> Probabilities {
    let sentences = vec![Sentence { text, words }];
    let message = Message { sentences, speaker: Speaker::Person, previous: None };
    classify(&message).first().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::words::words;

    fn best(text: &str) -> (Category, f32) {
        classify_alone(text, &words(text)).best()
    }

    #[test]
    fn a_rule_is_a_preference_and_a_task_is_nothing() {
        let (category, rule) = best("from now on always run the linter before you commit");
        let (_, task) = best("fix the failing test");

        assert_eq!(category, Category::Preference);
        assert!(rule > 0.5, "{rule}");
        assert!(task < 0.2, "{task}");
    }
}
