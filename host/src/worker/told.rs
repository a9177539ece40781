//! What the log tells of a job: one line of what came of it, and one of what went wrong.

use std::time::Duration;

use crate::error::Error;
use crate::log::{Account, Level, Log, Outcome, Part, rounded};
use crate::state::{ClaimedJob, MAX_JOB_ATTEMPTS};

/// Writes the lines of the job. `again` is whether it will be tried again.
pub(super) fn tell(log: &Log, claimed: &ClaimedJob, error: Option<&Error>, again: bool, took: Duration) {
    let (job, ms) = (&claimed.job, rounded(took.as_secs_f64() * 1000.0));
    let of_layer = log.said().into_iter().filter(|(layer, _)| *layer == job.layer);
    let said: Vec<_> = of_layer.map(|(_, object)| object).collect();
    let outcome = match error {
        Some(_) => Outcome::Failed,
        None if said.is_empty() => Outcome::Silent,
        None => Outcome::Answered,
    };
    let part = Part { layer: job.layer.clone(), ms, outcome, said };
    log.account(Account { tool: Some(job.kind.clone()), layers: vec![part], ms, ..Account::default() });
    if let Some(error) = error {
        let (level, words) = trouble(claimed, error, again);
        log.write(level, Some(&job.layer), words);
    }
}

fn trouble(claimed: &ClaimedJob, error: &Error, again: bool) -> (Level, String) {
    let (id, attempt, why) = (&claimed.job.id, claimed.attempt, error.full());
    match again {
        true => (
            Level::Warn,
            format!("job {id} failed (attempt {attempt} of {MAX_JOB_ATTEMPTS}) and is tried again: {why}"),
        ),
        false => (Level::Error, format!("job {id} was given up after {attempt} attempts: {why}")),
    }
}
