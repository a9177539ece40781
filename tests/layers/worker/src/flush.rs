//! Every capture of the session becomes a memory, once, wherever the work is cut off.

use crate::bindings::exports::interleaf::layer::job::Job;
use crate::bindings::interleaf::layer::types::Error;
use crate::bindings::interleaf::layer::{jobs, state};
use crate::deeds;

/// How many flushes were done.
pub(crate) const DONE: &str = "done";
/// The captures of the flush at hand, by id.
const BATCH: &str = "batch";

pub(crate) fn run(job: &Job) -> Result<(), Error> {
    let waiting: Vec<jobs::Waiting> = jobs::captures(1000)?;
    let batch = fixed(job, &waiting)?;
    for capture in waiting.iter().filter(|capture| batch.contains(&capture.id)) {
        deeds::write(&capture.id, capture.payload.trim_matches('"'))?;
    }
    jobs::settle_captures(&batch)?;
    let done: u64 = state::get(state::Scope::Session, DONE)?.and_then(|done| done.parse().ok()).unwrap_or(0);
    state::set(state::Scope::Session, DONE, &(done + 1).to_string())?;
    state::set(state::Scope::Session, BATCH, "")
}

/// What an earlier try has fixed, else all that waits.
fn fixed(job: &Job, waiting: &[jobs::Waiting]) -> Result<Vec<String>, Error> {
    if let Some(batch) = state::get(state::Scope::Session, BATCH)?.filter(|batch| !batch.is_empty()) {
        return Ok(batch.split(' ').map(str::to_owned).collect());
    }
    let mine = waiting.iter().filter(|capture| capture.session_id == job.session_id);
    let ids: Vec<String> = mine.map(|capture| capture.id.clone()).collect();
    state::set(state::Scope::Session, BATCH, &ids.join(" "))?;
    Ok(ids)
}
