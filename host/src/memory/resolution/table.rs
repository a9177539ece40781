//! The resolution table: what is done about a draft, given what the memories themselves say and what its author wants.
//!
//! It is that of seed 003, with its one inconsistency settled (its principle "update over create" against its row
//! candidate × create): a draft about a known matter is a memory of its own only where it does not say the same. And
//! with one column more: an author may want the draft to come in the place of what is there.

use super::{AllowedActions, Intent, ResolutionAction, Similarity};

use AllowedActions::{Any, AnyExceptRetire, CreateOnly, NoAction};
use Intent::{Create, Retire, Supersede, Update};
use ResolutionAction::{Created, Retired, Skipped, Superseded, Updated};

/// One cell. `similarity` is how the draft stands to the candidate; none where that does not matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) allowed: AllowedActions,
    pub(super) intent: Intent,
    pub(super) similarity: Option<Similarity>,
    pub(super) action: ResolutionAction,
    /// The principle behind it.
    pub(super) reason: &'static str,
}

/// Every cell there is. A veto comes before all of them.
#[rustfmt::skip]
pub(super) const TABLE: &[Cell] = &[
    cell(CreateOnly, Create,    Created,    "nothing is known of the matter"),
    cell(CreateOnly, Update,    Created,    "there is nothing to update"),
    cell(CreateOnly, Supersede, Created,    "there is nothing in whose place it could come"),
    cell(CreateOnly, Retire,    Skipped,   "there is nothing to retire, and the two signals contradict each other"),

    same(Any,    Create,    Updated,    "it is told again: update over create"),
    more(Any,    Create,    Created,    "it says something else of a known matter"),
    cell(Any,    Update,    Updated,    "both signals agree"),
    same(Any,    Supersede, Updated,    "it says the same: nothing is superseded"),
    more(Any,    Supersede, Superseded, "it comes in the place of what was known"),
    cell(Any,    Retire,    Retired,    "the category allows it"),

    same(AnyExceptRetire,        Create,    Updated,    "it is told again: update over create"),
    more(AnyExceptRetire,        Create,    Created,    "it says something else of a known matter"),
    cell(AnyExceptRetire,        Update,    Updated,    "both signals agree"),
    same(AnyExceptRetire,        Supersede, Updated,    "it says the same: nothing is superseded"),
    more(AnyExceptRetire,        Supersede, Superseded, "it comes in the place of what was known"),
    cell(AnyExceptRetire,        Retire,    Updated,    "the category does not go without a successor: update over retire"),

    cell(NoAction,           Create,    Skipped,   "what it tells the end of is not known"),
    cell(NoAction,           Update,    Skipped,   "what it tells the end of is not known"),
    cell(NoAction,           Supersede, Skipped,   "what it tells the end of is not known"),
    cell(NoAction,           Retire,    Skipped,   "what it tells the end of is not known"),
];

/// The cell that decides.
pub(super) fn look_up(allowed: AllowedActions, intent: Intent, similarity: Similarity) -> &'static Cell {
    let fits = |cell: &&Cell| {
        cell.allowed == allowed && cell.intent == intent && cell.similarity.is_none_or(|it| it == similarity)
    };
    // A test looks up every combination; nothing is the answer to what could not be looked up.
    TABLE.iter().find(fits).unwrap_or(&UNKNOWN)
}

const UNKNOWN: Cell = cell(NoAction, Create, Skipped, "there is no rule for it");

const fn cell(
    allowed: AllowedActions,
    intent: Intent,
    action: ResolutionAction,
    reason: &'static str,
) -> Cell {
    Cell { allowed, intent, similarity: None, action, reason }
}

const fn same(
    allowed: AllowedActions,
    intent: Intent,
    action: ResolutionAction,
    reason: &'static str,
) -> Cell {
    Cell { allowed, intent, similarity: Some(Similarity::Duplicate), action, reason }
}

const fn more(
    allowed: AllowedActions,
    intent: Intent,
    action: ResolutionAction,
    reason: &'static str,
) -> Cell {
    Cell { allowed, intent, similarity: None, action, reason }
}
