//! What is done about the memories while the worker is at it anyway: those beyond their days are retired, those retired
//! long enough ago are collected. Nobody is there to be asked, so the log tells which.

use crate::error::Result;
use crate::here::Here;
use crate::log::Level;

/// Looks after the memories. What goes wrong is tried again by the next worker.
pub(super) fn keep_up(here: &Here) {
    let log = here.log.about(&here.project.id, "upkeep");
    match done(here) {
        Ok(lines) => lines.iter().for_each(|line| log.write(Level::Info, None, line)),
        Err(error) => log.write(Level::Warn, None, format!("the memories were not looked after: {error}")),
    }
}

fn done(here: &Here) -> Result<Vec<String>> {
    let done = here.memories()?.written_by("the upkeep").keep_up()?;
    let gone = if here.config.policy.archive_retired { "archived" } else { "deleted" };
    let lines = |what: &str, list: &[(String, String)]| -> Vec<String> {
        list.iter().map(|(id, title)| format!("memory {id} was {what}: {title}")).collect()
    };
    Ok([lines("retired", &done.expired), lines(gone, &done.collected)].concat())
}
