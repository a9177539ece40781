//! The exchange of memories that the worker does by itself: with the replicas that this user accepted, when
//! it is due.

use crate::error::Result;
use crate::project_context::ProjectContext;
use crate::replica::{Exchange, ExchangeReport};

/// Exchanges memories if that is due, and returns what is to be logged.
pub(super) fn run(context: &ProjectContext) -> Result<Vec<String>> {
    let records = context.replica_records();
    let (mut messages, mut first_error) = (Vec::new(), None);
    if !records.is_any_due()? {
        return Ok(messages);
    }
    let memories = context.memories()?.with_actor("interleaf sync");
    for mut replica in context.accepted_replicas()? {
        let place = replica.place().to_owned();
        if !records.is_due(&place)? {
            continue;
        }
        let (memories, replica) = (&memories, &mut *replica);
        match (Exchange { memories, records: &records, replica, on_progress: &|_| {} }).run() {
            Ok(report) => {
                if report.applied.purged > 0 {
                    context.erase_deleted()?;
                }
                messages.extend(message(&report, &place));
            }
            Err(error) => first_error = first_error.or(Some(error.context(&place))),
        }
    }
    first_error.map_or(Ok(messages), Err)
}

fn message(report: &ExchangeReport, place: &str) -> Option<String> {
    let (applied, sent) = (&report.applied, report.sent.len());
    let came = applied.added.len() + applied.changed.len() + applied.retired.len() + applied.purged;
    let refused = applied.refused.len() + report.unreadable.len();
    let withheld = report.withheld.len();
    // What was withheld before is withheld again each time, and says nothing new.
    (sent + came + refused > 0).then(|| {
        format!(
            "{place}: memories that went out: {sent}, came in: {came}, were refused: {refused}, \
             are withheld: {withheld}"
        )
    })
}
