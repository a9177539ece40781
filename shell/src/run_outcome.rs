//! How a run ended. The exit status counts only where it is that of the program: behind a pipe, behind `||`
//! or in the background, the outcome is unknown unless the output proves it.

use crate::call::{Call, Reported};
use crate::error_line::is_certain_error;
use crate::normalized_line::NormalizedLine;
use crate::read_only::answers_by_exit_code;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeded.
    Passed,
    /// It failed.
    Failed,
    /// Nothing proves how it ended.
    Unknown,
    /// It was stopped.
    Interrupted,
}

/// What stands before the exit status in the output of a failed call.
const EXIT_CODE: &str = "Exit code ";

/// Exit statuses of programs that a signal stopped: interrupt and termination.
const STOPPED: [i32; 2] = [130, 143];

/// What test runners, compilers and package managers print at the end if all went well.
const SUCCESSES: [&str; 9] = [
    " passed in ",
    "test result: ok.",
    "OK (",
    "Successfully installed",
    "BUILD SUCCESSFUL",
    "BUILD SUCCESS",
    "Finished `",
    "0 failures",
    "All checks passed!",
];

/// Number of lines at the end of an output that say how a run ended.
const LAST_LINES: usize = 6;

/// Returns the exit status that an output begins with, and the rest of the output.
pub fn exit_status(output: &str) -> (Option<i32>, &str) {
    let Some(rest) = output.trim_start().strip_prefix(EXIT_CODE) else { return (None, output) };
    let (first, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    match first.trim().parse() {
        Ok(status) => (Some(status), rest),
        Err(_) => (None, output),
    }
}

/// Returns how a call ended. `output` is its output without the exit status.
pub fn outcome(call: &Call, line: &NormalizedLine, exit_status: Option<i32>, output: &str) -> Outcome {
    let is_stopped = exit_status.is_some_and(|status| STOPPED.contains(&status));
    match call.reported {
        _ if call.in_background => Outcome::Unknown,
        Reported::Interrupted => Outcome::Interrupted,
        Reported::Failed if is_stopped => Outcome::Interrupted,
        Reported::Failed => failed(line, exit_status, output),
        Reported::Succeeded => succeeded(line, output),
    }
}

/// A program such as `grep` answers a question with status 1, and behind a pipe the status is another
/// program's.
fn failed(line: &NormalizedLine, exit_status: Option<i32>, output: &str) -> Outcome {
    let is_answer = answers_by_exit_code(line.program()) && exit_status == Some(1);
    match (is_answer || line.is_masked) && !proves_failure(output) {
        true => Outcome::Unknown,
        false => Outcome::Failed,
    }
}

fn succeeded(line: &NormalizedLine, output: &str) -> Outcome {
    match (line.is_masked || line.is_compound, proves_failure(output)) {
        (true, true) => Outcome::Failed,
        // The program may have handled what it printed.
        (false, true) => Outcome::Unknown,
        (false, false) => Outcome::Passed,
        (true, false) if proves_success(output) => Outcome::Passed,
        (true, false) => Outcome::Unknown,
    }
}

fn last_lines(output: &str) -> impl Iterator<Item = &str> {
    output.lines().rev().map(str::trim).filter(|line| !line.is_empty()).take(LAST_LINES)
}

/// Tells whether the output ends with an error. One in its middle may have been handled: some interpreters
/// print a traceback at every start.
fn proves_failure(output: &str) -> bool {
    last_lines(output).next().is_some_and(is_certain_error)
}

fn proves_success(output: &str) -> bool {
    let says = |line: &str| SUCCESSES.iter().any(|success| line.contains(success)) && !says_failure(line);
    last_lines(output).any(|line| line == "OK" || says(line))
}

/// Tells whether a summary names failures: `2 failed, 3 passed in 1.0s`.
fn says_failure(line: &str) -> bool {
    let mut words = line.split([' ', ',', '=']).filter(|word| !word.is_empty());
    let mut before = "";
    words.any(|word| {
        let is_count = before.parse::<u32>().is_ok_and(|count| count > 0);
        before = word;
        is_count && ["failed", "error", "errors", "failures"].contains(&word.trim_end_matches(';'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;

    fn of(line: &str, reported: Reported, output: &str) -> Outcome {
        Run::read(&Call { line, output, reported, in_background: false }).expect(line).outcome
    }

    #[test]
    fn the_exit_status_counts_where_it_is_the_programs() {
        assert_eq!(of("make", Reported::Succeeded, "done"), Outcome::Passed);
        assert_eq!(of("make", Reported::Failed, "Exit code 2\nerror: no rule"), Outcome::Failed);
        assert_eq!(of("make", Reported::Interrupted, ""), Outcome::Interrupted);
        assert_eq!(of("make", Reported::Failed, "Exit code 130\n"), Outcome::Interrupted);
    }

    #[test]
    fn behind_a_pipe_only_the_output_proves_anything() {
        for (output, expected) in [
            ("some output", Outcome::Unknown),
            ("Traceback (most recent call last):\n  File \"a.py\"\nKeyError: 'a'", Outcome::Failed),
            ("a.py: error\nSyntaxError: invalid syntax", Outcome::Failed),
            ("/usr/bin/python3: No module named pytest", Outcome::Failed),
            ("======= 12 passed in 0.50s =======", Outcome::Passed),
            ("===== 1 failed, 12 passed in 0.50s =====", Outcome::Unknown),
            ("Ran 4 tests in 0.1s\n\nOK", Outcome::Passed),
        ] {
            assert_eq!(of("pytest 2>&1 | tail -5", Reported::Succeeded, output), expected, "{output}");
        }
        assert_eq!(of("pytest || true", Reported::Succeeded, ""), Outcome::Unknown);
    }

    #[test]
    fn a_background_job_has_no_outcome() {
        let call = Call { line: "make", output: "", reported: Reported::Succeeded, in_background: true };
        assert_eq!(Run::read(&call).expect("a run").outcome, Outcome::Unknown);
        assert_eq!(of("make &", Reported::Succeeded, ""), Outcome::Unknown);
    }

    #[test]
    fn no_match_is_no_failure() {
        assert_eq!(of("grep x y", Reported::Failed, "Exit code 1\n"), Outcome::Unknown);
        assert_eq!(of("find . | grep x", Reported::Failed, "Exit code 1"), Outcome::Unknown);
        let missing = "Exit code 2\ngrep: y: No such file or directory";
        assert_eq!(of("grep x y", Reported::Failed, missing), Outcome::Failed);
    }

    #[test]
    fn a_success_that_ends_with_an_error_is_unknown() {
        let output = "Traceback (most recent call last):\nValueError: x";
        assert_eq!(of("python3 a.py", Reported::Succeeded, output), Outcome::Unknown);
        let handled = format!("{output}\nall fine");
        assert_eq!(of("python3 a.py", Reported::Succeeded, &handled), Outcome::Passed);
    }
}
