//! The write rules under concurrency: several processes work on one project, as commands that people type and
//! as hooks that run the layer `tests/layers/scribe`. At the end every acknowledged change is stored, and no
//! rule was broken at any time.
//!
//! The operations are random by a seed, which is printed on failure; `INTERLEAF_TEST_SEED` sets another. The
//! interleaving of the processes depends on the machine.

mod acknowledged;
mod history;
mod invariants;
mod limit_monitor;
mod operations;
mod project;

use acknowledged::Journal;
use interleaf_tests::random::{Random, Seed};
use project::TestProject;
use std::sync::atomic::{AtomicBool, Ordering};

const WRITERS: u64 = 6;
/// Operations of each writer; every third is a hook with up to three operations.
const OPERATIONS_PER_WRITER: u64 = 120;

#[test]
fn concurrent_writes_are_all_stored_and_break_no_rule() {
    let seed = Seed::of_this_run();
    let (project, journal, over) = (TestProject::new(), Journal::default(), AtomicBool::new(false));

    std::thread::scope(|scope| {
        let monitor = scope.spawn(|| limit_monitor::monitor(&project, &over));
        let write = |writer| {
            let (mut random, project, journal) = (Random::new(seed.number() + writer), &project, &journal);
            scope.spawn(move || {
                (0..OPERATIONS_PER_WRITER).for_each(|turn| {
                    operations::run_one(&mut random, project, journal, writer * OPERATIONS_PER_WRITER + turn)
                })
            })
        };
        let writers: Vec<_> = (0..WRITERS).map(write).collect();
        let ended: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        over.store(true, Ordering::Relaxed);
        ended.into_iter().for_each(|ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        monitor.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });

    let exported = project.exported();
    invariants::check(&exported, &journal);
    for (what, times) in journal.counts() {
        assert!(times > 0, "{what}: never, so nothing is proved about it");
    }
}

/// Checks an assumption of the invariants.
#[test]
fn only_the_two_wordings_of_a_statement_are_duplicates() {
    let project = TestProject::new();
    for statement in operations::STATEMENTS {
        let created = statement.map(|text| {
            // A wording of a known statement is an error, which names the statement.
            let answer = project.scratch.interleaf(&["remember", "--json", text]).out();
            answer.contains("\"created\":true")
        });
        assert_eq!(created, [true, false], "{statement:?}");
    }
}
