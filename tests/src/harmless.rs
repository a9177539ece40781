//! The rule that every session of Claude Code depends on: whatever a hook receives, it does no harm. A runner
//! checks it in thousands of cases.

use crate::hostile_input::Case;
use crate::run::ProcessOutput;
use serde_json::Value;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of failures after which a run stops: one failing case out of thirty thousand says little, ten show
/// what they share.
const MAX_FAILURES: usize = 10;

/// Checks that a hook exited with 0, wrote nothing or exactly one JSON object to standard output and nothing
/// to standard error. A hook that hangs is killed by the kit, so it has no exit code.
///
/// # Errors
/// The first of these conditions that does not hold, with the actual value.
pub fn check_harmless(ran: &ProcessOutput) -> Result<(), String> {
    if ran.code != Some(0) {
        return Err(format!("exit code {:?} after {:?}, stderr {:?}", ran.code, ran.took, start(&ran.err())));
    }
    if !ran.stderr.is_empty() {
        return Err(format!("stderr is not empty: {:?}", start(&ran.err())));
    }
    match serde_json::from_slice(&ran.stdout) {
        _ if ran.stdout.is_empty() => Ok(()),
        Ok(Value::Object(_)) => Ok(()),
        Ok(_) => Err(format!("stdout is JSON but not an object: {:?}", start(&ran.out()))),
        Err(error) => Err(format!("stdout is not one JSON value ({error}): {:?}", start(&ran.out()))),
    }
}

fn start(text: &str) -> String {
    text.chars().take(300).collect()
}

/// Runs `hook` on every case, two processes at a time, checks each, and returns the number of cases.
///
/// # Panics
/// If a case does harm, with the first failures.
#[track_caller]
pub fn run_cases(
    cases: impl Iterator<Item = Case> + Send,
    hook: impl Fn(&[u8]) -> ProcessOutput + Sync,
) -> usize {
    let (cases, failures, done) = (Mutex::new(cases), Mutex::new(Vec::new()), AtomicUsize::new(0));
    let next = || cases.lock().expect("making a case does not panic").next();
    let failures_so_far = || failures.lock().expect("adding a failure does not panic");
    let work = || {
        while let Some(case) = next().filter(|_| failures_so_far().len() < MAX_FAILURES) {
            done.fetch_add(1, Ordering::Relaxed);
            if let Err(harm) = check_harmless(&hook(&case.stdin)) {
                failures_so_far().push(format!("{}: {harm}", case.name));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let (failures, done) = (failures_so_far(), done.load(Ordering::Relaxed));
    assert!(failures.is_empty(), "after {done} cases:\n{}", failures.join("\n"));
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn ran(code: i32, stdout: &str, stderr: &str) -> ProcessOutput {
        let (stdout, stderr) = (stdout.into(), stderr.into());
        ProcessOutput { code: Some(code), stdout, stderr, took: Duration::ZERO }
    }

    #[test]
    fn silence_and_one_object_are_harmless() {
        assert_eq!(check_harmless(&ran(0, "", "")), Ok(()));
        assert_eq!(check_harmless(&ran(0, "{\"a\":1}\n", "")), Ok(()));
    }

    #[test]
    fn anything_else_is_not_harmless() {
        for (code, stdout, stderr) in [
            (1, "", ""),
            (0, "", "warning"),
            (0, "[]", ""),
            (0, "{} {}", ""),
            (0, "{", ""),
            (0, "\n", ""),
            (2, "{}", ""),
        ] {
            assert!(check_harmless(&ran(code, stdout, stderr)).is_err(), "{code} {stdout:?} {stderr:?}");
        }
    }
}
