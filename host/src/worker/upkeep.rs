//! What the worker does when the jobs are done: it applies the retention rules, records which project this
//! is, exchanges memories with replicas, computes sentence vectors, keeps the recorded sessions within their
//! limits, and once a day checks the database and makes a backup. Nobody is asked and nobody waits, so each
//! change and each failure goes to the log.

use std::time::{Duration, Instant};

use super::{BOOKKEEPING_TIME, branch_states, replica_exchange, session_recording};
use crate::clock::Millis;
use crate::database::{RollingBackups, Thoroughness};
use crate::error::{Error, Result};
use crate::log::Level;
use crate::project_context::ProjectContext;
use crate::state::{HOST_OWNER, Scope};
use crate::watchdog::Watchdog;

/// Time limit for checking the database and making a backup: 300,000 memories take 5 s.
const DAILY_TIME: Duration = Duration::from_secs(60);

/// Time limit for computing sentence vectors; the next worker goes on. Jobs wait meanwhile.
const EMBEDDING_TIME: Duration = Duration::from_secs(20);

/// Time limit for keeping the recorded sessions within their limits.
const RECORD_TIME: Duration = Duration::from_secs(120);

/// Number of memories whose vectors are computed at a time, a few milliseconds each.
const EMBEDDED_AT_ONCE: usize = 16;

/// Time limit for exchanging memories with a replica over a slow network.
const EXCHANGE_TIME: Duration = Duration::from_secs(300);

/// The key of the value that holds when the database was checked last.
const CHECKED_KEY: &str = "checked-at";

/// Time between two checks: less than a day, so that the hour of work may vary.
const CHECK_INTERVAL: Millis = 20 * 3_600_000;

/// Does the upkeep. After an error, the next worker does the work.
pub(super) fn run(context: &ProjectContext, watchdog: &Watchdog) {
    let log = context.log.for_event(&context.project.id, "upkeep");
    let report = |what: &str, error: &Error| {
        log.write(Level::Warn, None, format!("{what}: {}", error.full()));
    };
    watchdog.set_timeout_from_now(2 * BOOKKEEPING_TIME);
    context.database.set_deadline(Instant::now() + BOOKKEEPING_TIME);
    match retired_and_removed(context) {
        Ok(messages) => messages.iter().for_each(|message| log.write(Level::Info, None, message)),
        Err(error) => report("cannot retire or remove old memories", &error),
    }
    if let Err(error) = context.database.remove_abandoned_files() {
        report("cannot tidy up", &error);
    }
    if let Err(error) = record_project(context) {
        report("cannot record which project this is", &error);
    }
    watchdog.set_timeout_from_now(2 * EXCHANGE_TIME);
    context.database.set_deadline(Instant::now() + EXCHANGE_TIME);
    if let Err(error) = branch_states::record(context) {
        report("cannot find out which branches were merged", &error);
    }
    match replica_exchange::run(context) {
        Ok(messages) => messages.iter().for_each(|message| log.write(Level::Info, None, message)),
        Err(error) => report("cannot exchange memories", &error),
    }
    watchdog.set_timeout_from_now(2 * EMBEDDING_TIME);
    context.database.set_deadline(Instant::now() + 2 * EMBEDDING_TIME);
    if let Err(error) = embed(context) {
        report("cannot compute sentence vectors", &error);
    }
    watchdog.set_timeout_from_now(RECORD_TIME);
    match session_recording::keep_up(context) {
        Ok(messages) => messages.iter().for_each(|message| log.write(Level::Info, None, message)),
        Err(error) => report("cannot keep the recorded sessions within their limits", &error),
    }
    watchdog.set_timeout_from_now(2 * DAILY_TIME);
    context.database.set_deadline(Instant::now() + DAILY_TIME);
    match check_daily(context) {
        Ok(None) => {}
        Ok(Some(problem)) => log.write(Level::Error, None, damage_message(&problem)),
        Err(error) => report("cannot check the database or make a backup", &error),
    }
    watchdog.set_timeout_from_now(2 * BOOKKEEPING_TIME);
    context.database.set_deadline(Instant::now() + BOOKKEEPING_TIME);
    let _ = context.database.checkpoint_if_long();
}

/// Computes the sentence vectors of memories that lack them.
fn embed(context: &ProjectContext) -> Result<()> {
    let (memories, end) = (context.memories()?, Instant::now() + EMBEDDING_TIME);
    while memories.embed_some(EMBEDDED_AT_ONCE)? > 0 && Instant::now() < end {}
    Ok(())
}

/// Returns what is said of a database with this problem.
pub fn damage_message(problem: &str) -> String {
    format!("the database is damaged ({problem}); next step: interleaf memory repair")
}

/// Checks the database and makes a backup, once a day. Returns a problem of the database, of which no backup
/// is made.
fn check_daily(context: &ProjectContext) -> Result<Option<String>> {
    let (state, now) = (context.state()?, context.clock.now());
    let checked = state.get(Scope::Project, HOST_OWNER, CHECKED_KEY)?;
    let at = checked.as_ref().and_then(|at| at.parse::<Millis>().ok());
    if at.is_some_and(|at| (0..CHECK_INTERVAL).contains(&(now - at))) {
        return Ok(None);
    }
    if let Some(problem) = context.database.problems(Thoroughness::Quick)?.into_iter().next() {
        return Ok(Some(problem));
    }
    RollingBackups::beside(&context.database_file()).make(&context.database, now)?;
    context.memories()?.check_vectors()?;
    state.swap(Scope::Project, HOST_OWNER, CHECKED_KEY, checked.as_deref(), &now.to_string())?;
    Ok(None)
}

/// Records which project this is, with its first and its newest commits, for which git may need seconds.
fn record_project(context: &ProjectContext) -> Result<()> {
    context.record_project()?;
    if !context.project.can_run_git() {
        return Ok(());
    }
    context.project.record_history(&context.folders.data)?;
    context.refresh_commits()
}

/// Applies the retention rules, and returns a message for each memory that changed.
fn retired_and_removed(context: &ProjectContext) -> Result<Vec<String>> {
    let report = context.memories()?.with_actor("the upkeep").apply_retention()?;
    let removed = if context.config.policy.archive_retired { "archived" } else { "deleted" };
    let messages = |change: &str, memories: &[(String, String)]| -> Vec<String> {
        memories.iter().map(|(id, title)| format!("memory {id} was {change}: {title}")).collect()
    };
    Ok([messages("retired", &report.expired), messages(removed, &report.collected)].concat())
}
