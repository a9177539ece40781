//! The write rules from outside, in several processes at once: commands as people type them and hooks that
//! run the layer `tests/layers/scribe`, side by side on one project. In the end every acknowledged change is
//! there, and no rule is broken on the way.
//!
//! The operations are random by a seed, which is printed when something fails; `INTERLEAF_TEST_SEED` sets
//! another. The order in which processes meet depends on the machine.

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
fn writes_of_several_processes_are_all_there_and_break_no_rule() {
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

/// The checks at the end rely on this.
#[test]
fn the_two_wordings_of_every_statement_say_the_same_and_no_others_do() {
    let project = TestProject::new();
    for statement in operations::STATEMENTS {
        let created = statement.map(|text| {
            let answer = project.scratch.interleaf(&["remember", "--json", text]).success();
            answer.contains("\"created\":true")
        });
        assert_eq!(created, [true, false], "{statement:?}");
    }
}
