//! Tells whether a sentence states something to remember: a preference, a decision, a constraint or tech
//! debt.
//!
//! The classifier is a multinomial logistic regression over the words of a sentence and of its neighbors. It
//! was fitted to the examples in `plugins/save/data` by `cargo xtask train`, which writes `weights.bin`. The
//! layer save applies it to what is said in a session, and the host to a memory that names no category.

mod features;
mod sentences;
mod weights;
pub mod words;

pub use features::{Message, Sentence, Speaker, features};
pub use sentences::sentences;
pub use weights::{Calibration, Weights};

use std::hash::Hasher;
use std::sync::LazyLock;

use fnv::FnvHasher;

use words::{Word, words};

/// The categories that a sentence can belong to, by their names in a memory.
pub const CATEGORIES: [&str; 4] = ["preference", "decision", "constraint", "tech_debt"];

/// The probability that a sentence belongs to each of [`CATEGORIES`].
pub type Probabilities = [f32; CATEGORIES.len()];

/// Minimum probability that a sentence belongs to any category of one that does.
pub const MIN_PROBABILITY: f32 = 0.5;

/// The weights that come with the program.
static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| Weights::from_bytes(include_bytes!("weights.bin")).unwrap_or_default());

/// Classifies each sentence of a message.
pub fn classify(message: &Message<'_>) -> Vec<Probabilities> {
    (0..message.sentences.len()).map(|at| WEIGHTS.probabilities(&features(message, at))).collect()
}

/// Returns the category of a text that somebody wants to be remembered: that of its most certain sentence, or
/// `None` if no sentence states anything of these categories.
pub fn category(text: &str) -> Option<&'static str> {
    let sentences: Vec<(&str, Vec<Word>)> =
        sentences(text).into_iter().map(|text| (text, words(text))).collect();
    let sentences = sentences.iter().map(|(text, words)| Sentence { text, words }).collect();
    let message = Message { sentences, speaker: Speaker::Person, previous: None };
    let any = |probabilities: &Probabilities| probabilities.iter().sum::<f32>();
    let likely = classify(&message).into_iter().filter(|each| any(each) >= MIN_PROBABILITY);
    let best = likely.max_by(|one, other| any(one).total_cmp(&any(other)))?;
    let ranked = CATEGORIES.into_iter().zip(best);
    ranked.max_by(|one, other| one.1.total_cmp(&other.1)).map(|(category, _)| category)
}

/// Returns the FNV-1a hash of a text. The weights are stored by the hashes of their features, which must not
/// change with the compiler, as the standard library's hashes may.
pub fn stable_hash(text: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::category;

    #[test]
    fn a_text_has_the_category_of_what_it_states() {
        for (text, expected) in [
            ("Never force push to main", Some("preference")),
            ("We chose Postgres over SQLite because two services write at once.", Some("decision")),
            ("The vendor's API allows at most 10 requests a second.", Some("constraint")),
            ("The parser lives in src/parse.rs.", None),
        ] {
            assert_eq!(category(text), expected, "{text}");
        }
    }
}
