//! Numbers that are the same for the same seed.

use std::io::Write;

const USUAL: u64 = 20_261_122;

/// The seed of a run. It is printed when the test that holds it fails.
pub struct Seed(u64);

impl Seed {
    /// `INTERLEAF_TEST_SEED`, else the usual one.
    pub fn of_this_run() -> Self {
        let asked = std::env::var("INTERLEAF_TEST_SEED").ok();
        Self(asked.map_or(USUAL, |seed| seed.parse().expect("INTERLEAF_TEST_SEED is a number")))
    }

    pub fn number(&self) -> u64 {
        self.0
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = writeln!(std::io::stderr(), "to do the same again: INTERLEAF_TEST_SEED={}", self.0);
        }
    }
}

/// A source of numbers.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let limit = limit as u64;
        usize::try_from((self.0 >> 33) % limit).expect("it is below")
    }

    pub fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
