//! The life of a record that was written elsewhere, as it may be kept: its reasons, its history and the ids it names are words
//! that nobody here has looked at.

use super::super::record::Memory;
use super::limits::{MOST_LINKS, REASON, is_id};
use super::tidy::one_line;
use crate::redact::Redactor;

/// An entry names what was changed, and then the reason.
const MOST_WHAT: usize = REASON + 100;

/// Takes secrets and what is invisible out of it, and cuts what is longer than this program would have written it.
pub fn tame_life(memory: &mut Memory, redactor: &Redactor) {
    let line =
        |text: &str, most: usize| redactor.redact(&one_line(text)).chars().take(most).collect::<String>();
    memory.status_reason = memory.status_reason.take().map(|reason| line(&reason, REASON));
    memory.supersedes.retain(|id| is_id(id));
    memory.supersedes.truncate(MOST_LINKS);
    memory.superseded_by = memory.superseded_by.take().filter(|id| is_id(id));
    for change in &mut memory.changes {
        change.what = line(&change.what, MOST_WHAT);
        change.by = line(&change.by, REASON);
        change.key = change.key.take().map(|key| line(&key, REASON));
        for was in change.was.values_mut() {
            *was = redactor.redact(&interleaf_text::strip_invisible(was)).chars().take(MOST_WHAT).collect();
        }
    }
}
