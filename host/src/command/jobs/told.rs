//! One job, told to a person or as JSON.

use std::io::{Result, Write};

use serde_json::{Value, json};

use crate::clock::Millis;
use crate::command::output::{Output, tame};
use crate::command::span::span;
use crate::state::{JobRecord, MAX_JOB_ATTEMPTS, Progress};

/// The job for programs. What it carries is for its layer alone.
pub fn object(job: &JobRecord) -> Value {
    json!({
        "id": job.job.id, "layer": job.job.layer, "kind": job.job.kind, "session": job.job.session,
        "agent": Some(&job.job.agent).filter(|agent| !agent.is_empty()),
        "progress": word(job.progress), "attempts": job.attempts, "submitted_at": job.job.at,
        "due_at": Some(job.due_at).filter(|_| job.progress == Progress::Waiting),
        "settled_at": job.settled_at, "error": job.error,
    })
}

/// Prints the job. `at_work` is whether there is a worker.
pub fn print(job: &JobRecord, now: Millis, at_work: bool, out: &mut Output) -> Result<()> {
    let (progress, id) = (out.strong(&format!("{:<7}", word(job.progress))), tame(&job.job.id));
    let what = out.faint(&what(job, now, at_work));
    writeln!(out, "{progress}  {}  {id}  {what}", job.job.layer)?;
    match &job.error {
        Some(error) => writeln!(out, "         {}", tame(error)),
        None => Ok(()),
    }
}

fn word(progress: Progress) -> &'static str {
    match progress {
        Progress::Waiting => "waiting",
        Progress::Running => "running",
        Progress::Done => "done",
        Progress::Failed => "failed",
    }
}

fn what(job: &JobRecord, now: Millis, at_work: bool) -> String {
    let due = match job.due_at - now {
        ..=0 => "due now".to_owned(),
        left => format!("due in {}", span(left)),
    };
    let ago = job.settled_at.map(|at| format!("{} ago", span(now - at))).unwrap_or_default();
    match (job.progress, job.attempts) {
        (Progress::Waiting, 0) => due,
        (Progress::Waiting, tried) => format!("{due}, attempt {} of {MAX_JOB_ATTEMPTS}", tried + 1),
        (Progress::Running, attempt) if at_work => format!("attempt {attempt} of {MAX_JOB_ATTEMPTS}"),
        (Progress::Running, _) => "its worker is no more; the next event takes it up".to_owned(),
        (Progress::Done, _) => ago,
        (Progress::Failed, attempts) => format!("{ago}, after {attempts} attempts"),
    }
}
