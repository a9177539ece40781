//! No sequence of what layers, commands and time may do to a store breaks a write rule: made-up sequences, each rule
//! looked at after every step. A sequence that breaks one is made as short as it can be and printed.
//!
//! The sequences are the same in every run. `PROPTEST_CASES` asks for more of them, `PROPTEST_RNG_SEED` for others.

mod deeds;
mod record;
mod watch;
mod world;

use super::*;
use deeds::Deed;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use watch::Watch;
use world::World;

/// How many sequences, and how long they are at most: some seconds of an unoptimised build.
const CASES: u32 = 256;
const LONGEST: usize = 60;
const SEED: u64 = 20_261_122;

#[test]
fn no_sequence_breaks_a_rule() {
    let memories = memories();
    let mut runner = TestRunner::new(config());
    let done = runner.run(&deeds::sequence(LONGEST), |deeds| {
        let (mut world, mut watch) = (World::new(&memories), Watch::default());
        for deed in &deeds {
            for _ in 0..times(deed) {
                watch.observe(&mut world, deed).map_err(TestCaseError::fail)?;
            }
        }
        Ok(())
    });
    done.unwrap_or_else(|error| panic!("{error}"));
}

fn config() -> Config {
    let asked = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { CASES };
    let rng_seed = if asked.rng_seed == RngSeed::Random { RngSeed::Fixed(SEED) } else { asked.rng_seed };
    Config { cases, rng_seed, failure_persistence: None, ..asked }
}

fn times(deed: &Deed) -> u8 {
    if let Deed::Rate(_, _, times) = deed { *times } else { 1 }
}
