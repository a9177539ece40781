//! Candidates that the person states again in another session. A rule that has to be said twice is one that
//! was forgotten.

use interleaf_classifier::sentences;
use interleaf_classifier::words::{likeness, stems, words};

use super::is_absolute;
use crate::classifier::{MIN_PROBABILITY, classify_alone};
use crate::finding::Finding;
use crate::languages;

/// Minimum likeness of two sentences that say the same.
const MIN_LIKENESS: f32 = 0.65;

/// Minimum number of content words that they share. "I write them no" and "we only write the English" share
/// all that the first one has, the word "write".
const MIN_SHARED_WORDS: usize = 3;

/// Maximum number of candidates that are looked up, because each is a search.
const MAX_CANDIDATES: usize = 10;

/// What the person said in earlier sessions.
pub trait EarlierPrompts {
    /// Returns lines of the person's prompts in other sessions that hold these words, the best first.
    fn lines_with(&self, words: &str) -> Vec<String>;
}

/// Returns the candidates that the person stated in an earlier session too.
pub fn repeated(candidates: &[Finding], earlier: &dyn EarlierPrompts) -> Vec<Finding> {
    let compared = candidates.iter().take(MAX_CANDIDATES);
    compared.filter(|candidate| is_repeated(candidate, earlier)).cloned().collect()
}

fn is_repeated(candidate: &Finding, earlier: &dyn EarlierPrompts) -> bool {
    let Some(evidence) = candidate.evidence.first() else { return false };
    let lines = earlier.lines_with(&evidence.quote);
    lines.iter().flat_map(|line| sentences(line)).any(|sentence| says_the_same(&evidence.quote, sentence))
}

/// Tells whether two sentences say the same, and the other one states something too: people also repeat
/// tasks.
fn says_the_same(quote: &str, sentence: &str) -> bool {
    let (said, earlier) = (stems(quote), stems(sentence));
    likeness(&said, &earlier) >= MIN_LIKENESS
        && said.intersection(&earlier).count() >= MIN_SHARED_WORDS
        && states(sentence)
}

fn states(sentence: &str) -> bool {
    let words = words(sentence);
    classify_alone(sentence, &words).any() >= MIN_PROBABILITY || is_absolute(&words, &languages::of(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_script::found;

    struct Lines(&'static [&'static str]);

    impl EarlierPrompts for Lines {
        fn lines_with(&self, _: &str) -> Vec<String> {
            self.0.iter().map(|line| (*line).to_owned()).collect()
        }
    }

    fn repeated_after(prompt: &str, lines: &'static [&'static str]) -> usize {
        repeated(&found(&format!("u: {prompt}\na: ok")).candidates, &Lines(lines)).len()
    }

    #[test]
    fn a_rule_that_is_stated_again_is_repeated() {
        let rule = "never use npm in this repository, we only use pnpm";

        assert_eq!(repeated_after(rule, &["please never use npm in this repository, only pnpm!"]), 1);
        assert_eq!(repeated_after(rule, &["thanks. never use yarn in the other one"]), 0);
        assert_eq!(repeated_after(rule, &[]), 0);
        let absolute = "do not touch legacy_sync, the warehouse cronjob imports from it";
        assert_eq!(
            repeated_after(absolute, &["hey, do not touch legacy_sync, the warehouse cronjob needs it"]),
            1
        );
        assert_eq!(repeated_after("no, i never write them", &["we never write the english, only german"]), 0);
    }

    #[test]
    fn a_task_that_is_given_again_is_not() {
        let task = "commit this, then push and open a draft PR";

        assert_eq!(repeated_after(task, &["commit this, then push and open a draft PR"]), 0);
    }
}
