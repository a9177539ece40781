//! What the record keeps of the run of a command line: how the crate `interleaf_shell` reads it, in terms of
//! columns, and back.

use interleaf_shell::{Call, Failure, NormalizedLine, Outcome, Reported, Run};
use interleaf_text::truncate_middle;

use super::RunOutcome;
use crate::claude::transcript::ToolOutcome;

/// Maximum length of a stored command, in bytes.
const MAX_COMMAND_BYTES: usize = 320;

/// A call of the shell.
pub(super) struct CallOfShell {
    pub line: String,
    /// The folder in which it ran, as the project shortens it.
    pub folder: String,
    pub in_background: bool,
}

/// The columns of a run.
pub(super) struct RunColumns {
    pub program: String,
    pub command: String,
    pub folder: String,
    pub outcome: RunOutcome,
    pub exit_status: Option<i32>,
    pub signature: Option<i64>,
    pub error: Option<String>,
}

/// Reads a call with its result; `None` if its line runs no program.
pub(super) fn read(call: &CallOfShell, output: &str, reported: ToolOutcome) -> Option<RunColumns> {
    let reported = match reported {
        ToolOutcome::Succeeded => Reported::Succeeded,
        ToolOutcome::Failed => Reported::Failed,
        ToolOutcome::Interrupted => Reported::Interrupted,
    };
    let run = Run::read(&Call { line: &call.line, output, reported, in_background: call.in_background })?;
    let failure = run.failure.as_ref();
    Some(RunColumns {
        program: run.program().to_owned(),
        command: truncate_middle(&run.command(), MAX_COMMAND_BYTES).into_owned(),
        folder: joined(&call.folder, run.folder()),
        outcome: match run.outcome {
            Outcome::Passed => RunOutcome::Passed,
            Outcome::Failed => RunOutcome::Failed,
            Outcome::Unknown => RunOutcome::Unknown,
            Outcome::Interrupted => RunOutcome::Interrupted,
        },
        exit_status: run.exit_status,
        signature: failure.map(|failure| failure.signature.cast_signed()),
        error: failure.map(|failure| failure.line.clone()),
    })
}

/// Reads a call that has not ended yet.
pub(super) fn waiting(call: &CallOfShell) -> RunColumns {
    let line = NormalizedLine::read(&call.line).unwrap_or_default();
    RunColumns {
        program: line.program().to_owned(),
        command: truncate_middle(&line.to_string(), MAX_COMMAND_BYTES).into_owned(),
        // Completing the call joins the folder of its line.
        folder: call.folder.clone(),
        outcome: if call.in_background { RunOutcome::Background } else { RunOutcome::Running },
        exit_status: None,
        signature: None,
        error: None,
    }
}

/// Returns a stored run in the terms of the shell crate; `None` if its line was removed.
pub(super) fn stored_run(
    line: &str,
    outcome: RunOutcome,
    exit_status: Option<i32>,
    signature: Option<i64>,
    error: Option<String>,
) -> Option<Run> {
    let line = NormalizedLine::read(line)?;
    let outcome = match outcome {
        RunOutcome::Passed => Outcome::Passed,
        RunOutcome::Failed => Outcome::Failed,
        RunOutcome::Interrupted => Outcome::Interrupted,
        RunOutcome::Unknown | RunOutcome::Running | RunOutcome::Background => Outcome::Unknown,
    };
    let signature = signature.unwrap_or_default().cast_unsigned();
    let failure = (outcome == Outcome::Failed).then(|| Failure::kept(error.unwrap_or_default(), signature));
    Some(Run { line, outcome, exit_status, failure })
}

/// Returns the folder in which a line runs its commands.
fn joined(folder: &str, changed_to: Option<&str>) -> String {
    match changed_to {
        None => folder.to_owned(),
        Some(absolute) if absolute.starts_with(['/', '~']) => absolute.to_owned(),
        Some(relative) if folder.is_empty() => relative.to_owned(),
        Some(relative) => format!("{folder}/{relative}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(line: &str, output: &str, reported: ToolOutcome) -> RunColumns {
        let call = CallOfShell { line: line.to_owned(), folder: "app".to_owned(), in_background: false };
        read(&call, output, reported).expect("it runs a program")
    }

    #[test]
    fn a_failure_keeps_its_last_error_line_and_its_folder() {
        let output =
            "Exit code 1\nTraceback (most recent call last):\nModuleNotFoundError: No module named 'x'";
        let run = columns("cd api && python run.py", output, ToolOutcome::Failed);

        assert_eq!((run.program.as_str(), run.command.as_str()), ("python", "python run.py"));
        assert_eq!(
            (run.folder.as_str(), run.outcome, run.exit_status),
            ("app/api", RunOutcome::Failed, Some(1))
        );
        assert_eq!(run.error.as_deref(), Some("ModuleNotFoundError: No module named 'x'"));
        assert!(run.signature.is_some());
    }

    #[test]
    fn a_stored_run_is_read_back_as_it_was() {
        let output = "Exit code 2\nmake: *** No rule to make target 'x'.  Stop.";
        let line = "TZ=UTC make x";
        let call = Call { line, output, reported: Reported::Failed, in_background: false };
        let run = columns(line, output, ToolOutcome::Failed);

        let back = stored_run(line, run.outcome, run.exit_status, run.signature, run.error);
        assert_eq!(back, Run::read(&call));
    }

    #[test]
    fn the_failure_of_a_cd_is_that_of_the_cd_whatever_stands_behind_it() {
        let output = "Exit code 1\nbash: line 1: cd: testbed: No such file or directory";
        let signature = |line: &str| columns(line, output, ToolOutcome::Failed).signature;
        assert!(signature("cd testbed && make").is_some());
        assert_eq!(signature("cd testbed && make"), signature("cd testbed && npm test"));
    }
}
