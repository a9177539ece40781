//! What `interleaf doctor` says of the database. Each question has a short time, because the database may be
//! large, or locked by a process that does not let go.

use std::time::{Duration, Instant};

use crate::command::output::count;
use crate::database::Thoroughness;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::state::Progress;
use crate::worker::damage_message;

/// Time limit for each question.
const TIMEOUT: Duration = Duration::from_millis(600);

/// Counts the active memories, and adds a warning for each problem of the database.
pub(super) fn check(context: &ProjectContext, warnings: &mut Vec<String>) -> Option<u64> {
    let in_time = || context.database.set_deadline(Instant::now() + TIMEOUT);
    in_time();
    let memories = match context.memories().and_then(|memories| memories.count()) {
        Ok(memories) => memories,
        Err(error) => {
            // The reason may be known, and what else could be asked would fail for the same one.
            warnings.retain(|known| !error.message.contains(known));
            warnings.push(error.full());
            return None;
        }
    };
    in_time();
    // A large database is checked by the worker, once a day, and its findings are in the log.
    let problems = context.database.problems(Thoroughness::Quick).unwrap_or_else(problem_of);
    warnings.extend(problems.first().map(|problem| damage_message(problem)));
    in_time();
    warnings.extend(dropped_captures(context).ok().flatten());
    warnings.extend(failed_jobs(context).ok().flatten());
    Some(memories)
}

/// Returns the problem behind an error of the check: damage, but not a lack of time.
fn problem_of(error: Error) -> Vec<String> {
    if error.message.contains("damaged") { vec![error.message] } else { Vec::new() }
}

fn dropped_captures(context: &ProjectContext) -> Result<Option<String>> {
    let dropped = context.state()?.dropped_captures()?;
    Ok((dropped > 0).then(|| format!("{dropped} captures were dropped because the queue was full")))
}

fn failed_jobs(context: &ProjectContext) -> Result<Option<String>> {
    let jobs = context.state()?.jobs()?;
    let failed = jobs.iter().filter(|job| job.progress == Progress::Failed).count();
    Ok((failed > 0).then(|| format!("{} failed for good; interleaf jobs shows why", count(failed, "job"))))
}
