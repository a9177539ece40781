//! What the log tells of a job: one line of what came of it, and one of what went wrong.

use std::time::Duration;

use crate::error::Error;
use crate::log::{EventRecord, LayerOutcome, LayerRecord, Level, Log, round_to_hundredths};
use crate::state::{ClaimedJob, MAX_JOB_ATTEMPTS};

/// Writes the lines of the job. `again` is whether it will be tried again.
pub(super) fn tell(log: &Log, claimed: &ClaimedJob, error: Option<&Error>, again: bool, took: Duration) {
    let (job, ms) = (&claimed.job, round_to_hundredths(took.as_secs_f64() * 1000.0));
    let of_layer = log.take_layer_objects().into_iter().filter(|(layer, _)| *layer == job.layer);
    let said: Vec<_> = of_layer.map(|(_, object)| object).collect();
    let outcome = match error {
        Some(_) => LayerOutcome::Failed,
        None if said.is_empty() => LayerOutcome::Silent,
        None => LayerOutcome::Answered,
    };
    let part = LayerRecord { layer: job.layer.clone(), ms, outcome, logged: said };
    log.write_event_record(EventRecord {
        tool: Some(job.kind.clone()),
        layers: vec![part],
        ms,
        ..EventRecord::default()
    });
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
