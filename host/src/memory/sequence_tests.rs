//! Property tests: no sequence of operations by layers, commands and time breaks a write rule. Every rule is
//! checked after each operation of a random sequence. A failing sequence is shrunk and printed.
//!
//! The sequences are the same in every run. `PROPTEST_CASES` sets their number, `PROPTEST_RNG_SEED` selects
//! others.

mod invariants;
mod operations;
mod store_under_test;

use super::test_support::{config, memories};
use invariants::Checker;
use operations::Operation;
use proptest::test_runner::{TestCaseError, TestRunner};
use store_under_test::StoreUnderTest;

/// Number of sequences: some seconds in a debug build.
const CASES: u32 = 256;
/// Maximum number of operations in a sequence.
const MAX_OPERATIONS: usize = 60;

#[test]
fn no_sequence_breaks_a_rule() {
    let memories = memories();
    let mut runner = TestRunner::new(config(CASES));
    let result = runner.run(&operations::sequence(MAX_OPERATIONS), |operations| {
        let (mut store, mut checker) = (StoreUnderTest::new(&memories), Checker::default());
        for operation in &operations {
            for _ in 0..repetitions(operation) {
                checker.perform(&mut store, operation).map_err(TestCaseError::fail)?;
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

fn repetitions(operation: &Operation) -> u8 {
    if let Operation::Rate(_, _, repetitions) = operation { *repetitions } else { 1 }
}
