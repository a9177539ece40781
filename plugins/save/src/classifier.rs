//! What the classifier finds in a sentence, as categories of memories.

pub use interleaf_classifier::{MIN_PROBABILITY, Message, Sentence, Speaker};

use interleaf_classifier::words::Word;
use interleaf_layer::memory::Category;

/// The categories, in the order of [`interleaf_classifier::CATEGORIES`].
pub const CATEGORIES: [Category; interleaf_classifier::CATEGORIES.len()] =
    [Category::Preference, Category::Decision, Category::Constraint, Category::TechDebt];

/// The probability that a sentence belongs to each of [`CATEGORIES`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Probabilities(interleaf_classifier::Probabilities);

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
    interleaf_classifier::classify(message).into_iter().map(Probabilities).collect()
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
    use interleaf_classifier::words::words;

    #[test]
    fn a_rule_is_a_preference_and_a_task_is_nothing() {
        let best = |text: &str| classify_alone(text, &words(text)).best();
        let (category, rule) = best("from now on always run the linter before you commit");
        let (_, task) = best("fix the failing test");

        assert_eq!(category, Category::Preference);
        assert!(rule > 0.5, "{rule}");
        assert!(task < 0.2, "{task}");
    }

    #[test]
    fn the_categories_have_the_classifier_s_names_and_order() {
        assert_eq!(CATEGORIES.map(Category::as_str), interleaf_classifier::CATEGORIES);
    }
}
