//! Which failures were followed by a success of the same command.

use super::refusal::refuses_work;
use crate::finding::Evidence;
use crate::rules::context::Context;
use crate::rules::runs::{Run, between};
use crate::transcript::Ending;
use crate::word_lists::{TELLING, TRAILING, has_any};
use interleaf_classifier::words::stems;

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

/// Runs among which the success of a command is looked for that a step to it resembles.
const MOST_STEPS: usize = 10;

impl<'a> Pair<'a> {
    /// The last failure.
    pub fn last(&self) -> &'a Run<'a> {
        self.failures.last().copied().unwrap_or(self.success)
    }

    /// The call that failed last and the one that succeeded, as evidence.
    pub fn calls(&self) -> impl Iterator<Item = Evidence> {
        let deeds = [self.last().deed, self.success.deed].into_iter();
        deeds.filter_map(|deed| deed.quote(deed.text("command")))
    }

    /// Where it failed for the first time.
    pub fn begin(&self) -> usize {
        self.failures.first().map_or(0, |run| run.deed.at)
    }

    /// The command that failed.
    pub fn name(&self) -> String {
        self.failures.first().map(|run| run.name()).unwrap_or_default()
    }

    /// Whether another failed and succeeded on the way from this one's failure to its success.
    pub fn encloses(&self, other: &Self) -> bool {
        self.begin() < other.begin() && other.success.deed.at < self.success.deed.at
    }

    /// The failure that the remedy followed: what was refused only counts as one.
    pub fn told(&self) -> Option<&'a Run<'a>> {
        self.failures.iter().rfind(|run| run.ending == Ending::Failed).copied()
    }

    /// The line of its output that says most.
    pub fn error(&self) -> Option<String> {
        let lines = self.told()?.deed.output().lines().map(str::trim).filter(|line| line.len() > 3);
        let tells_error = |line: &&str| !gives_up(line) && !counts_no_failure(line);
        let lines: Vec<&str> = lines.filter(tells_error).take(400).collect();
        let tells = |line: &&&str| has_any(&line.to_lowercase(), &TELLING);
        lines.iter().find(tells).or(lines.last()).map(|line| line[..line.floor_char_boundary(300)].to_owned())
    }
}

/// Tells whether a line counts failures and finds none: `test result: ok. 5 passed; 0 failed`.
fn counts_no_failure(line: &str) -> bool {
    let line = line[..line.floor_char_boundary(300)].to_lowercase();
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let counts = words.windows(2).filter(|pair| ["failed", "failures", "errors", "error"].contains(&pair[1]));
    let counts: Vec<&str> = counts.map(|pair| pair[0]).filter(|count| count.parse::<u64>().is_ok()).collect();
    !counts.is_empty() && counts.iter().all(|count| *count == "0")
}

/// Tells whether a line only says that something gave up.
fn gives_up(line: &str) -> bool {
    let line = line[..line.floor_char_boundary(40)].to_lowercase();
    TRAILING.iter().any(|start| line.starts_with(start))
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
            Ending::Fine => pairs.extend(succeed(context, runs, at, &mut open)),
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

/// Closes what this run repeats, or adds to its failures where the person refused what had been done.
fn succeed<'a>(context: &Context, runs: &'a [Run<'a>], at: usize, open: &mut Vec<Open<'a>>) -> Vec<Pair<'a>> {
    let run = &runs[at];
    let closes = |open: &mut Open| {
        open.failures.last().is_some_and(|last| run.mends(last) && !is_step(runs, at, last))
    };
    let closed: Vec<Open> = open.extract_if(.., closes).collect();
    let was_refused = |open: &Open| open.failures.last().is_some_and(|last| was_refused(context, last, run));
    let (mut refused, mended): (Vec<Open>, Vec<Open>) = closed.into_iter().partition(was_refused);
    refused.iter_mut().for_each(|open| open.failures.push(run));
    open.extend(refused);
    let pair = |open: Open<'a>| Pair { failures: open.failures, success: run, regressed: open.regressed };
    mended.into_iter().map(pair).collect()
}

/// Whether this run is a step to the success, not the success: the command was then run as it had failed, and succeeded.
fn is_step(runs: &[Run], at: usize, failed: &Run) -> bool {
    let run = &runs[at];
    let mut later = runs[at + 1..].iter().take(MOST_STEPS).filter(|later| later.known == failed.known);
    run.known != failed.known && later.next().is_some_and(|later| later.ending == Ending::Fine)
}

/// Whether the person did not want what had been done for this run to succeed.
fn was_refused(context: &Context, failed: &Run, run: &Run) -> bool {
    let Some(next) = context.next_turn(run.deed.at) else { return false };
    let deeds = between(context.deeds, failed.deed.done..run.deed.at).iter();
    let steps: Vec<&str> =
        deeds.flat_map(|deed| [deed.text("command"), name_of(deed.text("file_path"))]).collect();
    let failed = stems(failed.deed.text("command"));
    let own = stems(run.deed.text("command")).into_iter().filter(|stem| !failed.contains(stem));
    let about =
        stems(&steps.join(" ")).into_iter().filter(|stem| !failed.contains(stem)).chain(own).collect();
    refuses_work(next, context.turn_before(next), &about)
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
