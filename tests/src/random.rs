//! Random input that is reproducible by its seed.

use std::io::Write;

/// The seed if `INTERLEAF_TEST_SEED` sets none.
const DEFAULT_SEED: u64 = 20_261_122;

/// The seed of a test run. It is printed if the test that holds it fails.
pub struct Seed(u64);

impl Seed {
    /// Returns `INTERLEAF_TEST_SEED`, or the default.
    ///
    /// # Panics
    /// If the variable is not a number.
    pub fn of_this_run() -> Self {
        let variable = std::env::var("INTERLEAF_TEST_SEED").ok();
        Self(variable.map_or(DEFAULT_SEED, |seed| seed.parse().expect("INTERLEAF_TEST_SEED is a number")))
    }

    /// Returns its number.
    pub fn number(&self) -> u64 {
        self.0
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = writeln!(std::io::stderr(), "to repeat this run: INTERLEAF_TEST_SEED={}", self.0);
        }
    }
}

/// A source of random numbers, choices and words.
pub struct Random(fastrand::Rng);

impl Random {
    /// Creates a source that yields the same sequence for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Returns a number from 0 up to, but not including, `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.usize(0..limit)
    }

    /// Returns an element of a list that is not empty.
    pub fn choose<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// Returns words of four syllables of two letters: pronounceable, never a secret or a stop word, and too
    /// many for one to repeat.
    pub fn words(&mut self, count: usize) -> String {
        let mut letter = |letters: &str| char::from(letters.as_bytes()[self.below(letters.len())]);
        let mut word =
            || -> String { (0..4).flat_map(|_| [letter("bdfgklmnprtv"), letter("aeiou")]).collect() };
        (0..count).map(|_| word()).collect::<Vec<_>>().join(" ")
    }
}
