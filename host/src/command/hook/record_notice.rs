//! The notice that sessions can be recorded now, for a person whose project has memories of an Interleaf that
//! could not. They see it once; until they agree, nothing is recorded.

use crate::claude::{Event, EventKind, Reply};
use crate::clock::Millis;
use crate::config::RecordChoice;
use crate::memory::{Filter, Order};
use crate::project_context::ProjectContext;
use crate::sessions::{Consent, is_announced, note_announced};

/// Age of the oldest memory of a project at which its person is told, in milliseconds. `init` asks everybody
/// else.
const MIN_AGE: Millis = 24 * 3_600_000;

/// Adds the notice to the reply to a prompt, unless it was shown before.
pub(super) fn add(reply: &mut Reply, event: &Event, context: &ProjectContext) {
    let is_undecided = context.config.record.choice == RecordChoice::Ask;
    if !matches!(event.kind, EventKind::UserPrompt { .. }) || !is_undecided || context.config.disabled {
        return;
    }
    let database = context.database_file();
    let Some(folder) = database.parent().filter(|folder| !is_announced(folder)) else { return };
    // A notice at every prompt would be worse than none, so it is shown only if that can be noted.
    if context.record_consent() == Consent::NotAsked && has_old_memory(context) && note_announced(folder) {
        reply.add_notice(
            "Interleaf: your sessions can be recorded now, on this machine and without secrets: what was \
             said and run, searchable after Claude Code deleted its transcripts. Nothing is recorded until \
             you run interleaf sessions on",
        );
    }
}

fn has_old_memory(context: &ProjectContext) -> bool {
    let oldest = context.memories().and_then(|memories| memories.list(&Filter::default(), Order::Oldest, 1));
    let before = context.clock.now() - MIN_AGE;
    oldest.is_ok_and(|memories| memories.first().is_some_and(|memory| memory.created_at < before))
}
