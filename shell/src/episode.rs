//! Episodes: a command failed, and the same command passed later with one difference.
//!
//! The rule is strict, because a wrong remedy is worse than none: between the two runs no file was edited
//! and nothing else was changed, and they differ only in the interpreter, in variables of the environment,
//! in what a package manager did between them, or in a relative `cd` that failed and was left out. On 300
//! real sessions, the first three give 128 finds and the last one 50. Another kind of difference may become
//! a memory once fifty finds of it on real sessions are true in at least 95 %. A path that was missing where
//! the shell stood has 38, so it is told only when the same failure comes again.

use std::fmt;

use crate::normalized_command::{NormalizedCommand, quoted};
use crate::path_difference::{self, PathDifference};
use crate::run::Run;
use crate::run_outcome::Outcome;
use crate::side_effect::{self, SideEffect};

/// Maximum number of steps between the failure and the success. Later, too much else was done.
const MAX_DISTANCE: usize = 40;

/// One step of a session.
#[derive(Debug, Clone)]
pub enum Step {
    /// A command line was run.
    Run(Run),
    /// A file was changed, or may have been.
    Edited,
    /// Something was looked at.
    Looked,
}

/// What differed between the failure and the success.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Another interpreter of the same language.
    Interpreter {
        /// With which it failed.
        failing: String,
        /// With which it passed.
        passing: String,
    },
    /// Variables of the environment, with their values.
    Variables(Vec<(String, String)>),
    /// Commands of package managers that succeeded between the two.
    Packages(Vec<String>),
    /// The `cd` to this folder, which failed, was left out: the shell was in the folder already.
    Folder(String),
    /// A path that was missing was given from another folder.
    Path(PathDifference),
}

/// A failure and what made it pass. The numbers are those of the steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    /// The last run that failed.
    pub failed: usize,
    /// The run that passed.
    pub passed: usize,
    /// What differed.
    pub difference: Difference,
}

/// Finds the episodes of a session, in the order in which the commands passed.
pub fn episodes(steps: &[Step]) -> Vec<Episode> {
    (0..steps.len()).filter_map(|passed| of_success(steps, passed)).collect()
}

/// Returns the episode that ends with this step: the latest failure of the same line counts.
fn of_success(steps: &[Step], passed: usize) -> Option<Episode> {
    let success = run(&steps[passed]).filter(|run| run.outcome == Outcome::Passed)?;
    of_same_line(steps, passed, success).or_else(|| of_other_path(steps, passed, success))
}

fn of_same_line(steps: &[Step], passed: usize, success: &Run) -> Option<Episode> {
    let earliest = passed.saturating_sub(MAX_DISTANCE);
    let failed = (earliest..passed).rev().find(|at| is_same_line(&steps[*at], success))?;
    let failure = run(&steps[failed]).filter(|run| run.outcome == Outcome::Failed)?;
    let between = &steps[failed + 1..passed];
    if failure.failure.as_ref().is_some_and(|failure| failure.is_of_cd) {
        let difference = folder(failure, success, between)?;
        return Some(Episode { failed, passed, difference });
    }
    let difference = difference(failure, success, between)?;
    (!may_be_of_folder(failure, success, &difference)).then_some(Episode { failed, passed, difference })
}

fn run(step: &Step) -> Option<&Run> {
    match step {
        Step::Run(run) => Some(run),
        Step::Edited | Step::Looked => None,
    }
}

fn is_same_line(step: &Step, success: &Run) -> bool {
    run(step).is_some_and(|run| run.line.is_like(&success.line) && has_same_folder(run, success))
}

/// Two lines that name different folders run different things.
fn has_same_folder(one: &Run, other: &Run) -> bool {
    let folders = one.folder().zip(other.folder());
    folders.is_none_or(|(one, other)| one.trim_end_matches('/') == other.trim_end_matches('/'))
}

/// Tells whether a file was missing, and perhaps only because the line ran in another folder. Neither an
/// interpreter nor a variable brings a file back.
fn may_be_of_folder(failure: &Run, success: &Run, difference: &Difference) -> bool {
    let is_missing = failure.failure.as_ref().is_some_and(|failure| failure.is_of_missing_file);
    let installs = matches!(difference, Difference::Packages(_));
    is_missing && !(installs && failure.folder() == success.folder())
}

/// Returns the episode in which a path was missing and is now given from another folder.
fn of_other_path(steps: &[Step], passed: usize, success: &Run) -> Option<Episode> {
    let earliest = passed.saturating_sub(MAX_DISTANCE);
    let changes_nothing = |step: &&Step| match step {
        Step::Run(run) => run.outcome == Outcome::Failed || changes_nothing(run),
        Step::Edited => false,
        Step::Looked => true,
    };
    let unchanged = steps[earliest..passed].iter().rev().take_while(changes_nothing).count();
    let mut before = (passed - unchanged..passed).rev();
    let (failed, difference) =
        before.find_map(|at| Some((at, path_difference::between(run(&steps[at])?, success)?)))?;
    Some(Episode { failed, passed, difference: Difference::Path(difference) })
}

fn changes_nothing(run: &Run) -> bool {
    side_effect::of_line(&run.line) == SideEffect::Nothing
}

/// Returns the folder whose `cd` failed, if the same line passed without it and nothing else was done between
/// the two. An absolute folder that is missing is another matter.
fn folder(failure: &Run, success: &Run, between: &[Step]) -> Option<Difference> {
    let is_still = |step: &Step| match step {
        Step::Run(run) => changes_nothing(run) && run.folder().is_none(),
        Step::Edited => false,
        Step::Looked => true,
    };
    let folder = failure.folder().filter(|folder| !folder.starts_with(['/', '~', '$']))?;
    let is_same = failure.line.commands == success.line.commands && success.folder().is_none();
    (is_same && between.iter().all(is_still)).then(|| Difference::Folder(folder.to_owned()))
}

/// Returns the only difference; none if there are several, or if something else was changed.
fn difference(failure: &Run, success: &Run, between: &[Step]) -> Option<Difference> {
    let (mut installed, mut interpreter) = (Vec::new(), None);
    for step in between {
        match step {
            Step::Edited => return None,
            Step::Looked => {}
            Step::Run(run) => installed.extend(packages(run)?),
        }
    }
    for (failing, passing) in failure.line.commands.iter().zip(&success.line.commands) {
        if failing.program() != passing.program() {
            interpreter = Some((failing.program().to_owned(), passing.program().to_owned()));
        }
    }
    let variables = new_variables(&failure.line.commands, &success.line.commands)?;
    match (interpreter, variables.is_empty(), installed.is_empty()) {
        (Some((failing, passing)), true, true) => Some(Difference::Interpreter { failing, passing }),
        (None, false, true) => Some(Difference::Variables(variables)),
        (None, true, false) => Some(Difference::Packages(installed)),
        _ => None,
    }
}

/// Returns the commands of package managers that succeeded in this run; `None` if it changed something else.
fn packages(run: &Run) -> Option<Vec<String>> {
    match side_effect::of_line(&run.line) {
        SideEffect::Nothing => Some(Vec::new()),
        // What failed changed nothing that could have helped.
        _ if run.outcome == Outcome::Failed => Some(Vec::new()),
        SideEffect::Anything => None,
        SideEffect::Packages => {
            let commands =
                run.line.commands.iter().filter(|command| side_effect::is_package_command(command));
            Some(commands.map(ToString::to_string).collect())
        }
    }
}

/// Returns the variables that only the success has; `None` if the failure had others that it has not.
fn new_variables(
    failing: &[NormalizedCommand],
    passing: &[NormalizedCommand],
) -> Option<Vec<(String, String)>> {
    let all = |commands: &[NormalizedCommand]| -> Vec<(String, String)> {
        commands.iter().flat_map(|command| command.variables.clone()).collect()
    };
    let (before, mut after) = (all(failing), all(passing));
    let is_kept = before.iter().all(|variable| after.contains(variable));
    after.retain(|variable| !before.contains(variable));
    after.dedup();
    is_kept.then_some(after)
}

impl fmt::Display for Difference {
    /// Writes what to do, as a command or a part of one: `python3`, `TZ=UTC`, `pip install x`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Interpreter { passing, .. } => passing.clone(),
            Self::Packages(commands) => commands.join(" && "),
            Self::Folder(folder) => format!("without `cd {folder}`"),
            Self::Path(path) => path.to_string(),
            Self::Variables(variables) => {
                let texts = variables.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
                texts.collect::<Vec<_>>().join(" ")
            }
        };
        formatter.write_str(&text)
    }
}
