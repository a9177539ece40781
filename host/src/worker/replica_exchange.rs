//! The exchange of memories that the worker does by itself: with the replicas that this user accepted, when it is
//! due.

use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::replica::{Exchange, ExchangeReport, Replica};

/// Exchanges memories if that is due, and returns what is to be logged.
pub(super) fn run(context: &ProjectContext) -> Result<Vec<String>> {
    let records = context.replica_records();
    if !records.is_any_due()? {
        return Ok(Vec::new());
    }
    let mut notes = context.git_notes()?;
    let place = notes.place().to_owned();
    // Another remote is another place, which this user has not accepted.
    if records.get(&place)?.accepted_at.is_none() {
        return Ok(Vec::new());
    }
    let memories = context.memories()?.with_actor("interleaf sync");
    let report = Exchange { memories: &memories, records: &records, replica: &mut notes }.run()?;
    Ok(message(&report, &place).into_iter().collect())
}

fn message(report: &ExchangeReport, place: &str) -> Option<String> {
    let (applied, sent) = (&report.applied, report.sent.len());
    let came = applied.added.len() + applied.changed.len() + applied.retired.len() + applied.purged;
    let refused = applied.refused.len() + report.unreadable.len();
    (sent + came + refused > 0)
        .then(|| format!("{place}: memories that went out: {sent}, came in: {came}, were refused: {refused}"))
}
