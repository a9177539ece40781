//! The write rules from outside, in several processes at once: commands as people type them and hooks that run the layer
//! `tests/layers/scribe`, side by side on one project. Whatever was acknowledged is there in the end, and no rule is broken on
//! the way.
//!
//! What is done is drawn from a seed, which is printed when something fails; `INTERLEAF_TEST_SEED` sets another. The order in
//! which processes meet is the machine's.

mod deeds;
mod dice;
mod history;
mod holds;
mod journal;
mod place;
mod watcher;

use dice::Dice;
use journal::Journal;
use place::Place;
use std::sync::atomic::{AtomicBool, Ordering};

/// So many at once, so often each; every third time it is a hook with up to three operations.
const WRITERS: u64 = 6;
const EACH: u64 = 60;

#[test]
fn what_several_processes_write_at_once_is_all_there_and_breaks_no_rule() {
    let seed = dice::Seed::of_this_run();
    let (place, journal, over) = (Place::new(), Journal::default(), AtomicBool::new(false));

    let looked = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| watcher::watch(&place, &over));
        let write = |writer| {
            let (mut dice, place, journal) = (Dice::new(seed.number() + writer), &place, &journal);
            scope.spawn(move || {
                (0..EACH).for_each(|turn| deeds::one(&mut dice, place, journal, writer * EACH + turn))
            })
        };
        let writers: Vec<_> = (0..WRITERS).map(write).collect();
        let ended: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        over.store(true, Ordering::Relaxed);
        ended.into_iter().for_each(|ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        watcher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });

    let exported = place.exported();
    holds::check(&exported, &journal);
    assert!(looked > 5, "the watcher looked {looked} times only");
    assert!(journal.acknowledged() > 150, "{} were acknowledged", journal.acknowledged());
    assert!(journal.refused() > 20, "{} were refused", journal.refused());
}

/// What the checks at the end rest upon.
#[test]
fn the_two_ways_of_every_saying_say_the_same_and_no_others_do() {
    let place = Place::new();
    for saying in deeds::SAYINGS {
        let created = saying.map(|text| {
            let answer = place.scratch.interleaf(&["remember", "--json", text]).success();
            answer.contains("\"created\":true")
        });
        assert_eq!(created, [true, false], "{saying:?}");
    }
}
