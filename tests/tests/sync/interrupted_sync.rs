//! Processes that write, sync and are killed at any moment.

use std::process::Stdio;
use std::time::Duration;

use super::clones::{Clone, Origin};
use interleaf_tests::program::program;
use interleaf_tests::random::Random;

/// Number of memories that each side writes, and of processes that are killed.
const WRITES: usize = 40;
const KILLS: usize = 40;
/// Number of memories that each of eight processes writes.
const WRITES_OF_EACH: usize = 5;

#[test]
fn two_clones_that_write_at_the_same_time_hold_the_same_after_two_syncs() {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    let shared: Vec<String> = (0..5).map(|at| ada.remember(&text("Ada", at))).collect();
    ada.sync();
    ben.sync();

    std::thread::scope(|scope| {
        for (clone, name) in [(&ada, "Ada"), (&ben, "Ben")] {
            let shared = &shared;
            scope.spawn(move || {
                for at in 5..WRITES {
                    clone.remember(&text(name, at));
                    let _ = clone.interleaf(&["memory", "rate", &shared[at % shared.len()], "up"]);
                    if at % 5 == 0 {
                        let _ = clone.interleaf(&["sync", "--to", "git-notes", "--yes"]);
                    }
                }
            });
        }
    });
    for _ in 0..2 {
        ada.sync();
        ben.sync();
    }

    let (of_ada, of_ben) = (ada.active(), ben.active());
    assert_eq!(of_ada.len(), WRITES + WRITES - 5);
    let differing: Vec<&String> = of_ada.symmetric_difference(&of_ben).collect();
    assert!(differing.is_empty(), "{differing:#?}");
    origin.git(&["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn what_eight_processes_write_while_others_sync_is_there_on_the_other_side() {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    ada.sync();

    let written: Vec<String> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|writer| {
                let ada = &ada;
                scope.spawn(move || {
                    let text = |at: usize| text("Ada", writer * WRITES_OF_EACH + at);
                    (0..WRITES_OF_EACH).map(|at| ada.remember(&text(at))).collect::<Vec<_>>()
                })
            })
            .collect();
        for clone in [&ada, &ada, &ben] {
            scope.spawn(move || {
                (0..5).for_each(|_| drop(clone.interleaf(&["sync", "--to", "git-notes", "--yes"])));
            });
        }
        writers.into_iter().flat_map(|writer| writer.join().expect("it wrote")).collect()
    });
    ada.sync();
    ben.sync();

    assert_eq!(written.len(), 8 * WRITES_OF_EACH);
    assert_eq!(ben.active().len(), written.len());
    assert_eq!(ada.active(), ben.active());
}

#[test]
fn a_sync_that_is_killed_anywhere_goes_on_the_next_time() {
    let origin = Origin::new();
    let (ada, ben) = (origin.clone_for("Ada"), origin.clone_for("Ben"));
    ada.sync();
    let mut random = Random::new(20_261_125);

    for at in 0..KILLS {
        ada.remember(&text("Ada", at));
        kill_during_sync(&ada, Duration::from_micros(random.below(120_000) as u64));
        if at % 4 == 0 {
            kill_during_sync(&ben, Duration::from_micros(random.below(120_000) as u64));
        }
    }
    // A lock of git that a killed process left is older than any that is in use.
    for folder in [ada.scratch.project.join(".git"), ben.scratch.project.join(".git"), origin.folder.clone()]
    {
        remove_locks(&folder);
    }
    ada.sync();
    ben.interleaf(&["sync", "--to", "git-notes", "--yes"]).success();

    assert_eq!((ada.active().len(), ben.active().len()), (KILLS, KILLS));
    assert_eq!(ada.active(), ben.active());
    origin.git(&["fsck", "--strict", "--no-dangling"]);
}

fn kill_during_sync(clone: &Clone, after: Duration) {
    let mut command = clone.scratch.command(program());
    command.args(["sync", "--to", "git-notes", "--yes"]).stdin(Stdio::null());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    std::thread::sleep(after);
    let _ = child.kill();
    let _ = child.wait();
}

fn remove_locks(folder: &std::path::Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => remove_locks(&path),
            false if path.extension().is_some_and(|extension| extension == "lock") => {
                let _ = std::fs::remove_file(path);
            }
            false => {}
        }
    }
}

/// Returns a text that no other one resembles.
fn text(name: &str, at: usize) -> String {
    let words = [
        "otter", "saffron", "gateway", "lantern", "parcel", "glacier", "violin", "harbor", "walnut", "comet",
    ];
    let (first, second) = (words[at % 10], words[(at / 10 + 3) % 10]);
    format!("{name} stores the {first} of run {at} beside the {second} in shelf {}.", at * 7 + name.len())
}
