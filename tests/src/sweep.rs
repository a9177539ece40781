//! Thousands of cases, two processes at a time, and the first failures told together: one failing byte out of thirty
//! thousand says little, ten say what kind they are.

use crate::hostile::Case;
use crate::run::Ran;
use crate::verdict::{LIMIT, harmless};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// As many failures as a test tells before it stops.
const ENOUGH: usize = 10;

/// Runs `hook` on every case, and counts them.
///
/// A case that takes too long gets a second try: the machine may have been busy once.
///
/// # Panics
/// When a case does harm or takes too long, with the first of them.
#[track_caller]
pub fn sweep(cases: impl Iterator<Item = Case> + Send, hook: impl Fn(&[u8]) -> Ran + Sync) -> usize {
    let (cases, failures, done) = (Mutex::new(cases), Mutex::new(Vec::new()), AtomicUsize::new(0));
    let next = || cases.lock().expect("making a case does not panic").next();
    let tell = |failure| failures.lock().expect("telling does not panic").push(failure);
    let enough = || failures.lock().expect("telling does not panic").len() >= ENOUGH;
    let work = || {
        while let Some(case) = next().filter(|_| !enough()) {
            done.fetch_add(1, Ordering::Relaxed);
            if let Err(harm) = verdict(&case, &hook) {
                tell(format!("{}: {harm}", case.name));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let (failures, done) = (failures.into_inner().expect("telling does not panic"), done.into_inner());
    assert!(failures.is_empty(), "after {done} cases:\n{}", failures.join("\n"));
    done
}

fn verdict(case: &Case, hook: impl Fn(&[u8]) -> Ran) -> Result<(), String> {
    let first = hook(&case.stdin);
    harmless(&first)?;
    if first.took < LIMIT {
        return Ok(());
    }
    let second = hook(&case.stdin);
    if second.took < LIMIT {
        Ok(())
    } else {
        Err(format!("took {:?} and then {:?}", first.took, second.took))
    }
}
