//! What a hook may never do, whatever it is given: the one rule that Claude Code's session depends on.

use crate::run::Ran;
use serde_json::Value;
use std::time::Duration;

/// The longest that a hook may take on hostile input. Far above what it does take (milliseconds): this finds hangs and
/// quadratic loops, not slowness.
pub const LIMIT: Duration = Duration::from_secs(2);

/// A hook exits with 0, writes nothing or exactly one JSON object to standard output and nothing to standard error.
///
/// # Errors
/// The first of these that does not hold, with what was seen instead.
pub fn harmless(ran: &Ran) -> Result<(), String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(code: i32, stdout: &str, stderr: &str) -> Ran {
        let (stdout, stderr) = (stdout.into(), stderr.into());
        Ran { code: Some(code), stdout, stderr, took: Duration::ZERO }
    }

    #[test]
    fn silence_and_one_object_are_harmless() {
        assert_eq!(harmless(&ran(0, "", "")), Ok(()));
        assert_eq!(harmless(&ran(0, "{\"a\":1}\n", "")), Ok(()));
    }

    #[test]
    fn anything_else_is_not() {
        for (code, stdout, stderr) in [
            (1, "", ""),
            (0, "", "warning"),
            (0, "[]", ""),
            (0, "{} {}", ""),
            (0, "{", ""),
            (0, "\n", ""),
            (2, "{}", ""),
        ] {
            assert!(harmless(&ran(code, stdout, stderr)).is_err(), "{code} {stdout:?} {stderr:?}");
        }
    }
}
