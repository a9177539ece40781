//! Memories and prompts out of a seed: words that nobody says, as often as words are said.
//!
//! Rank and frequency follow Zipf's law with Mandelbrot's shift. The words stand for those that carry
//! meaning: the function words of a language are not searched for, so they would only make the texts longer.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::random::Random;

/// Words that memories are made of: about as many as a person uses in writing.
const VOCABULARY: usize = 20_000;

/// Mandelbrot's shift: the commonest words of English are less common than Zipf's law alone says.
const SHIFT: f64 = 2.7;

/// Words in a memory.
const LENGTH: usize = 45;

/// Ranks of two everyday words: they stand in about a third and a sixth of the memories.
const EVERYDAY: [usize; 2] = [10, 25];

/// Categories of the memories, in turn.
const CATEGORIES: [&str; 8] = [
    "learning",
    "decision",
    "context",
    "runbook",
    "constraint",
    "session_summary",
    "tech_debt",
    "preference",
];

/// 2025-01-01, in milliseconds since the Unix epoch: the oldest memory.
const OLDEST: u64 = 1_735_689_600_000;

/// An hour, in milliseconds: the newest of 10,000 memories is then 14 months younger.
const HOUR: u64 = 3_600_000;

/// Where texts come from.
pub struct Corpus {
    /// Sums of the weights of the words up to each rank.
    sums: Vec<f64>,
}

impl Corpus {
    /// The corpus. There is only one.
    pub fn new() -> Self {
        let mut sum = 0.0;
        let weights = (1..=VOCABULARY).map(|rank| 1.0 / (rank as f64 + SHIFT));
        Self {
            sums: weights
                .map(|weight| {
                    sum += weight;
                    sum
                })
                .collect(),
        }
    }

    /// The ranks of the words of a memory. They depend on its number alone, so a larger store holds the
    /// smaller one.
    fn memory(&self, number: usize) -> Vec<usize> {
        let mut random = Random(number as u64);
        let whole = self.sums.last().copied().unwrap_or_default();
        let mut pick = || {
            let at = random.fraction() * whole;
            self.sums.partition_point(|sum| *sum < at)
        };
        (0..LENGTH).map(|_| pick()).collect()
    }

    /// Writes memories for `interleaf memory import`, one at a time: see the remark in `process.rs`.
    pub fn write(&self, memories: usize, path: &Path) -> Result<()> {
        let mut file = BufWriter::new(File::create(path)?);
        for number in 0..memories {
            let words: Vec<String> = self.memory(number).into_iter().map(word).collect();
            let entry = json!({
                "id": format!("m{number:06}"),
                "category": CATEGORIES[number % CATEGORIES.len()],
                "title": words[..5].join(" "),
                "text": words.join(" "),
                "tags": [word(number % 50)],
                "created_at": OLDEST + number as u64 * HOUR,
            });
            writeln!(file, "{entry}")?;
        }
        Ok(file.flush()?)
    }

    /// Twelve words that have nothing to do with any memory, but for two everyday ones.
    pub fn silent_prompt(&self) -> String {
        let strange = (0..10).map(|count| VOCABULARY + 1_000 * count);
        said(strange.chain(EVERYDAY))
    }

    /// Twelve words, seven of them the rarest of a memory in the middle of the store.
    pub fn matching_prompt(&self, memories: usize) -> String {
        let mut ranks = self.memory(memories / 2);
        ranks.sort_by_key(|rank| std::cmp::Reverse(*rank));
        ranks.dedup();
        let strange = (0..3).map(|count| VOCABULARY + 1_000 * count);
        said(ranks.into_iter().take(7).chain(strange).chain(EVERYDAY))
    }

    /// The subject of a commit: five words of a memory.
    pub fn subject(&self, number: usize) -> String {
        said(self.memory(number).into_iter().take(5))
    }
}

fn said(ranks: impl IntoIterator<Item = usize>) -> String {
    ranks.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

/// The word of a rank: three syllables of a consonant and a vowel, no two ranks alike.
fn word(rank: usize) -> String {
    const CONSONANTS: &[u8] = b"bdfghjklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    const SYLLABLES: usize = CONSONANTS.len() * VOWELS.len();
    // A step that shares no factor with the number of words spreads neighbours over the alphabet.
    let mut code = rank * 160_001 % SYLLABLES.pow(3);
    let mut word = String::with_capacity(6);
    for _ in 0..3 {
        let syllable = code % SYLLABLES;
        word.push(char::from(CONSONANTS[syllable / VOWELS.len()]));
        word.push(char::from(VOWELS[syllable % VOWELS.len()]));
        code /= SYLLABLES;
    }
    word
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_words_are_alike() {
        let words: HashSet<String> = (0..2 * VOCABULARY).map(word).collect();

        assert_eq!(words.len(), 2 * VOCABULARY);
    }

    #[test]
    fn everyday_words_are_in_a_third_and_a_sixth_of_the_memories() {
        let corpus = Corpus::new();
        let share = |rank| (0..1_000).filter(|number| corpus.memory(*number).contains(&rank)).count();

        let [first, second] = EVERYDAY.map(share);

        assert!((250..420).contains(&first), "{first}");
        assert!((100..240).contains(&second), "{second}");
    }

    #[test]
    fn prompts_have_twelve_words() {
        let corpus = Corpus::new();

        for prompt in [corpus.silent_prompt(), corpus.matching_prompt(0), corpus.matching_prompt(10_000)] {
            assert_eq!(prompt.split(' ').collect::<HashSet<_>>().len(), 12, "{prompt}");
        }
    }
}
