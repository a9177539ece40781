//! The exchange of memories with other machines and people: where, when it last succeeded, and what fails.

use std::collections::BTreeMap;

use crate::clock::format_date_time;
use crate::command::output::count;
use crate::command::sync_report::{Mode, withheld as withheld_line};
use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::state::ReplicaRecord;

/// Number of failures in a row after which an exchange is no longer a short outage.
const MANY_FAILURES: u32 = 3;

/// Returns each place with the time of the last exchange; without one, the place that the configuration
/// names.
pub(super) fn places(context: &ProjectContext) -> Vec<String> {
    let accepted = context.replica_records().accepted().unwrap_or_default();
    let current = if accepted.is_empty() { Vec::new() } else { context.places() };
    let place = |record: ReplicaRecord| {
        let when = record.synced_at.map(|at| format!("last {}", format_date_time(at)));
        let when = when.unwrap_or_else(|| "never succeeded".to_owned());
        match current.contains(&record.place) {
            true => format!("{} ({when})", record.place),
            false => format!("{} ({when}; no longer the place of this project)", record.place),
        }
    };
    match (accepted.is_empty(), &context.config.sync.place) {
        (true, Some(kind)) => vec![format!("none yet; the configuration names {kind}: interleaf sync")],
        _ => accepted.into_iter().map(place).collect(),
    }
}

/// Returns the number of changes that each place does not take from this account, without zeros.
pub(super) fn withheld(context: &ProjectContext) -> BTreeMap<String, usize> {
    context.replica_records().withheld_counts().unwrap_or_default().into_iter().collect()
}

/// Returns what keeps failing, what was not taken here, and what a place does not take.
pub(super) fn problems(context: &ProjectContext) -> Result<Vec<String>> {
    let records = context.replica_records();
    let failing = records.accepted()?.into_iter().filter(|record| record.failures >= MANY_FAILURES);
    let mut problems: Vec<String> = failing
        .map(|record| {
            let why = record.error.unwrap_or_default();
            let failed = count(record.failures as usize, "time");
            format!(
                "{}: the exchange failed {failed} in a row: {why}; interleaf sync tries again",
                record.place
            )
        })
        .collect();
    let refused = records.refused()?;
    problems.extend(refused.first().map(|first| {
        let entries = count(refused.len(), "record");
        format!(
            "{entries} of other devices not taken; the first is {}: {}; interleaf sync lists all",
            first.id, first.reason
        )
    }));
    let withheld = records.withheld_counts()?.into_iter();
    problems.extend(withheld.map(|(place, count)| format!("{place}: {}", withheld_line(count, Mode::Done))));
    Ok(problems)
}
