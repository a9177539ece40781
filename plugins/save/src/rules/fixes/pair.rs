//! Which failures were followed by a success of the same command.

use crate::rules::context::Context;
use crate::rules::runs::Run;
use crate::rules::stated::refuses;
use crate::talk::Ending;

/// Failures that are kept open at a time.
const MOST_OPEN: usize = 50;

/// A command that failed, once or several times, and then succeeded.
#[derive(Debug)]
pub struct Pair<'a> {
    /// The failures, in order; attempts that the person refused count as such.
    pub failures: Vec<&'a Run<'a>>,
    /// The success.
    pub success: &'a Run<'a>,
    /// Whether the same command had succeeded before in this stretch.
    pub regressed: bool,
}

/// Beginnings of lines, or parts of them, that say what went wrong.
const TELLING: &[&str] = &[
    "error",
    "failed",
    "fatal",
    "cannot",
    "can't",
    "not found",
    "no such",
    "denied",
    "refused",
    "missing",
    "exception",
    "invalid",
    "unable",
    "unknown",
    "undefined",
    "panic",
    "not set",
    "required",
    "limit",
    "conflict",
    "timed out",
    "broken",
    "unsupported",
];

/// Lines that only say that something gave up.
const TRAILING: &[&str] =
    &["make: ***", "make[", "exit code", "npm error code", "elifecycle", "error: could not compile", "at "];

impl<'a> Pair<'a> {
    /// The last failure.
    pub fn last(&self) -> &'a Run<'a> {
        self.failures.last().copied().unwrap_or(self.success)
    }

    /// The command that failed.
    pub fn name(&self) -> String {
        self.failures.first().map(|run| run.name()).unwrap_or_default()
    }

    /// The line of the first failure's output that says most.
    pub fn error(&self) -> Option<String> {
        let lines = self.failures.first()?.deed.output().lines().map(str::trim).filter(|line| line.len() > 3);
        let lines: Vec<&str> = lines.filter(|line| !begins(line, TRAILING)).take(400).collect();
        let tells = |line: &&&str| TELLING.iter().any(|word| line.to_lowercase().contains(word));
        lines.iter().find(tells).or(lines.last()).map(|line| line[..line.floor_char_boundary(300)].to_owned())
    }
}

fn begins(line: &str, starts: &[&str]) -> bool {
    let line = line[..line.floor_char_boundary(40)].to_lowercase();
    starts.iter().any(|start| line.starts_with(start))
}

struct Open<'a> {
    failures: Vec<&'a Run<'a>>,
    regressed: bool,
}

/// The pairs, in the order of their successes.
pub fn pairs<'a>(context: &Context, runs: &'a [Run<'a>]) -> Vec<Pair<'a>> {
    let mut open: Vec<Open> = Vec::new();
    let mut pairs = Vec::new();
    for (at, run) in runs.iter().enumerate().filter(|(_, run)| !run.known.is_empty()) {
        match run.ending {
            Ending::Failed => fail(&mut open, runs, at),
            Ending::Fine if was_refused(context, run) => {
                let same =
                    open.iter_mut().filter(|open| open.failures.last().is_some_and(|last| run.repeats(last)));
                same.for_each(|open| open.failures.push(run));
            }
            Ending::Fine => {
                let closes = |open: &mut Open| open.failures.last().is_some_and(|last| run.repeats(last));
                let closed = open.extract_if(.., closes);
                pairs.extend(closed.map(|open| Pair {
                    failures: open.failures,
                    success: run,
                    regressed: open.regressed,
                }));
            }
            Ending::Interrupted => {}
        }
    }
    pairs
}

fn fail<'a>(open: &mut Vec<Open<'a>>, runs: &'a [Run<'a>], at: usize) {
    let run = &runs[at];
    let same = |known: &&Run| run.repeats(known) || known.repeats(run);
    let known = open.iter().position(|open| open.failures.last().is_some_and(same));
    match known {
        Some(known) => open[known].failures.push(run),
        None if open.len() < MOST_OPEN => {
            let earlier = runs[at.saturating_sub(MOST_OPEN)..at].iter();
            let regressed =
                earlier.filter(|run| run.ending == Ending::Fine).any(|earlier| earlier.repeats(run));
            open.push(Open { failures: vec![run], regressed });
        }
        None => {}
    }
}

/// Whether the person did not want what came of the turn that this run stands in.
fn was_refused(context: &Context, run: &Run) -> bool {
    context.next_turn(run.deed.at).is_some_and(refuses)
}
