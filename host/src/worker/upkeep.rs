//! What is done about the memories while the worker is at it anyway: those beyond their days are retired, those retired
//! long enough ago are collected. Nobody is there to be asked, so the log tells which.

use crate::error::Result;
use crate::log::Level;
use crate::project_context::ProjectContext;

/// Looks after the memories. What goes wrong is tried again by the next worker.
pub(super) fn keep_up(context: &ProjectContext) {
    let log = context.log.for_event(&context.project.id, "upkeep");
    match done(context) {
        Ok(lines) => lines.iter().for_each(|line| log.write(Level::Info, None, line)),
        Err(error) => log.write(Level::Warn, None, format!("the memories were not looked after: {error}")),
    }
}

fn done(context: &ProjectContext) -> Result<Vec<String>> {
    let done = context.memories()?.with_actor("the upkeep").apply_retention()?;
    let gone = if context.config.policy.archive_retired { "archived" } else { "deleted" };
    let lines = |what: &str, list: &[(String, String)]| -> Vec<String> {
        list.iter().map(|(id, title)| format!("memory {id} was {what}: {title}")).collect()
    };
    Ok([lines("retired", &done.expired), lines(gone, &done.collected)].concat())
}
