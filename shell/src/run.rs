//! A run of a command line: what was run, in a form in which two runs can be compared, and how it ended.

use crate::call::Call;
use crate::failure::Failure;
use crate::normalized_line::NormalizedLine;
use crate::run_outcome::{self, Outcome};

/// A run of a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// What was run, without what does not matter for a comparison.
    pub line: NormalizedLine,
    /// How it ended, as far as that is known.
    pub outcome: Outcome,
    /// The exit status, if the client says it.
    pub exit_status: Option<i32>,
    /// How it failed, if it did.
    pub failure: Option<Failure>,
}

impl Run {
    /// Reads a call; `None` if its line runs no program.
    pub fn read(call: &Call) -> Option<Self> {
        let line = NormalizedLine::read(call.line)?;
        let (exit_status, output) = run_outcome::exit_status(call.output);
        let outcome = run_outcome::outcome(call, &line, exit_status, output);
        let failure = (outcome == Outcome::Failed).then(|| Failure::read(line.program(), output));
        Some(Self { line, outcome, exit_status, failure })
    }

    /// Returns the program of the command that the line is about: the last one.
    pub fn program(&self) -> &str {
        self.line.program()
    }

    /// Returns the line without redirections, folders, variables and what reads its output.
    pub fn command(&self) -> String {
        self.line.to_string()
    }

    /// Returns the folder that the line changes to before it runs anything.
    pub fn folder(&self) -> Option<&str> {
        self.line.folder.as_deref()
    }
}
