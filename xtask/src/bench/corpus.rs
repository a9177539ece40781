//! Invented memories and prompts, the same in every run, with the word frequencies of a natural language.
//!
//! Rank and frequency follow Zipf's law with Mandelbrot's shift. The words represent content words only:
//! function words are not searched for, so they would only make the texts longer.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;
use serde_json::json;

/// Number of distinct words in memories: about as many as a person uses in writing.
const VOCABULARY_SIZE: usize = 20_000;

/// Mandelbrot's shift: the most common words of English are less common than Zipf's law alone predicts.
const MANDELBROT_SHIFT: f64 = 2.7;

/// Number of words in a memory.
const WORDS_PER_MEMORY: usize = 45;

/// Ranks of two common words, which occur in about a third and a sixth of the memories.
const COMMON_WORD_RANKS: [usize; 2] = [10, 25];

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
const OLDEST_MS: u64 = 1_735_689_600_000;

/// An hour, in milliseconds: the newest of 10,000 memories is then 14 months younger.
const HOUR_MS: u64 = 3_600_000;

/// The distribution from which texts are drawn.
pub struct Corpus {
    /// Cumulative weights of the words up to each rank.
    sums: Vec<f64>,
}

impl Corpus {
    /// Returns the corpus, which is always the same.
    pub fn new() -> Self {
        let mut sum = 0.0;
        let weights = (1..=VOCABULARY_SIZE).map(|rank| 1.0 / (rank as f64 + MANDELBROT_SHIFT));
        Self {
            sums: weights
                .map(|weight| {
                    sum += weight;
                    sum
                })
                .collect(),
        }
    }

    /// Returns the ranks of the words of a memory. They depend on its number alone, so a larger store
    /// contains the smaller one.
    fn memory(&self, number: usize) -> Vec<usize> {
        let mut random = Random(number as u64);
        let whole = self.sums.last().copied().unwrap_or_default();
        let mut pick = || {
            let at = random.fraction() * whole;
            self.sums.partition_point(|sum| *sum < at)
        };
        (0..WORDS_PER_MEMORY).map(|_| pick()).collect()
    }

    /// Writes memories for `interleaf memory import`, one at a time to save memory (see `process.rs`).
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
                "created_at": OLDEST_MS + number as u64 * HOUR_MS,
            });
            writeln!(file, "{entry}")?;
        }
        Ok(file.flush()?)
    }

    /// Returns twelve words of which only two common ones occur in memories.
    pub fn silent_prompt(&self) -> String {
        let strange = (0..10).map(|count| VOCABULARY_SIZE + 1_000 * count);
        words(strange.chain(COMMON_WORD_RANKS))
    }

    /// Returns twelve words, of which seven are the rarest of a memory in the middle of the store.
    pub fn matching_prompt(&self, memories: usize) -> String {
        let mut ranks = self.memory(memories / 2);
        ranks.sort_by_key(|rank| std::cmp::Reverse(*rank));
        ranks.dedup();
        let strange = (0..3).map(|count| VOCABULARY_SIZE + 1_000 * count);
        words(ranks.into_iter().take(7).chain(strange).chain(COMMON_WORD_RANKS))
    }

    /// Returns the text of a memory. Those of the numbers beyond a store are new to it.
    pub fn text(&self, number: usize) -> String {
        words(self.memory(number))
    }

    /// Returns the subject of a commit: five words of a memory.
    pub fn subject(&self, number: usize) -> String {
        words(self.memory(number).into_iter().take(5))
    }
}

fn words(ranks: impl IntoIterator<Item = usize>) -> String {
    ranks.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Returns the word of a rank: three syllables of a consonant and a vowel, unique for each rank.
fn word(rank: usize) -> String {
    const CONSONANTS: &[u8] = b"bdfghjklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    const SYLLABLES: usize = CONSONANTS.len() * VOWELS.len();
    // A step that shares no factor with the number of words spreads neighboring ranks over the alphabet.
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

/// The pseudorandom number generator SplitMix64 (Steele, Lea and Flood, 2014). Own code, because the
/// published figures depend on exactly the texts that it yields.
struct Random(u64);

impl Random {
    /// Returns the next number.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, but not including, 1.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_word_is_unique() {
        let words: HashSet<String> = (0..2 * VOCABULARY_SIZE).map(word).collect();

        assert_eq!(words.len(), 2 * VOCABULARY_SIZE);
    }

    #[test]
    fn the_two_common_words_are_in_a_third_and_a_sixth_of_the_memories() {
        let corpus = Corpus::new();
        let share = |rank| (0..1_000).filter(|number| corpus.memory(*number).contains(&rank)).count();

        let [first, second] = COMMON_WORD_RANKS.map(share);

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
