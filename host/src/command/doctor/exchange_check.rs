//! The exchange of memories with other machines and people: where, when it last succeeded, and what fails.

use crate::clock::format_date_time;
use crate::command::output::count;
use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::state::ReplicaRecord;

/// Number of failures in a row after which an exchange is no longer a short outage.
const MANY_FAILURES: u32 = 3;

/// Returns each place with the time of the last exchange; without one, the place that the configuration
/// names.
pub(super) fn places(context: &ProjectContext) -> Vec<String> {
    let accepted = context.replica_records().accepted().unwrap_or_default();
    let place = |record: ReplicaRecord| match record.synced_at {
        Some(at) => format!("{} (last {})", record.place, format_date_time(at)),
        None => format!("{} (never succeeded)", record.place),
    };
    match (accepted.is_empty(), &context.config.sync.place) {
        (true, Some(kind)) => vec![format!("none yet; the configuration names {kind}: interleaf sync")],
        _ => accepted.into_iter().map(place).collect(),
    }
}

/// Returns what keeps failing, and what was not taken.
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
    Ok(problems)
}
