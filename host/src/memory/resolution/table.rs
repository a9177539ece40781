//! The resolution table: what is done about a draft, given what the memories themselves say and what its author wants.
//!
//! It is that of seed 003, with its one inconsistency settled (its principle "update over create" against its row
//! candidate × create): a draft about a known matter is a memory of its own only where it does not say the same. And
//! with one column more: an author may want the draft to come in the place of what is there.

use super::{Action, Intent, Likeness, Structure};

use Action as Do;
use Intent::{Create, Retire, Supersede, Update};
use Structure::{Nothing, UpdateOnly, UpdateOrRetire};

/// One cell. `likeness` is how the draft stands to the candidate; none where that does not matter.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    pub(super) structure: Structure,
    pub(super) intent: Intent,
    pub(super) likeness: Option<Likeness>,
    pub(super) action: Action,
    /// The principle behind it.
    pub(super) because: &'static str,
}

/// Every cell there is. A veto comes before all of them.
#[rustfmt::skip]
pub(super) const TABLE: &[Cell] = &[
    cell(Structure::Create, Create,    Do::Create,    "nothing is known of the matter"),
    cell(Structure::Create, Update,    Do::Create,    "there is nothing to update"),
    cell(Structure::Create, Supersede, Do::Create,    "there is nothing in whose place it could come"),
    cell(Structure::Create, Retire,    Do::Nothing,   "there is nothing to retire, and the two signals contradict each other"),

    same(UpdateOrRetire,    Create,    Do::Update,    "it is told again: update over create"),
    more(UpdateOrRetire,    Create,    Do::Create,    "it says something else of a known matter"),
    cell(UpdateOrRetire,    Update,    Do::Update,    "both signals agree"),
    same(UpdateOrRetire,    Supersede, Do::Update,    "it says the same: nothing is superseded"),
    more(UpdateOrRetire,    Supersede, Do::Supersede, "it comes in the place of what was known"),
    cell(UpdateOrRetire,    Retire,    Do::Retire,    "the category allows it"),

    same(UpdateOnly,        Create,    Do::Update,    "it is told again: update over create"),
    more(UpdateOnly,        Create,    Do::Create,    "it says something else of a known matter"),
    cell(UpdateOnly,        Update,    Do::Update,    "both signals agree"),
    same(UpdateOnly,        Supersede, Do::Update,    "it says the same: nothing is superseded"),
    more(UpdateOnly,        Supersede, Do::Supersede, "it comes in the place of what was known"),
    cell(UpdateOnly,        Retire,    Do::Update,    "the category does not go without a successor: update over retire"),

    cell(Nothing,           Create,    Do::Nothing,   "what it tells the end of is not known"),
    cell(Nothing,           Update,    Do::Nothing,   "what it tells the end of is not known"),
    cell(Nothing,           Supersede, Do::Nothing,   "what it tells the end of is not known"),
    cell(Nothing,           Retire,    Do::Nothing,   "what it tells the end of is not known"),
];

/// The cell that decides.
pub(super) fn look_up(structure: Structure, intent: Intent, likeness: Likeness) -> &'static Cell {
    let fits = |cell: &&Cell| {
        cell.structure == structure && cell.intent == intent && cell.likeness.is_none_or(|it| it == likeness)
    };
    // A test looks up every combination; nothing is the answer to what could not be looked up.
    TABLE.iter().find(fits).unwrap_or(&UNKNOWN)
}

const UNKNOWN: Cell = cell(Nothing, Create, Do::Nothing, "there is no rule for it");

const fn cell(structure: Structure, intent: Intent, action: Action, because: &'static str) -> Cell {
    Cell { structure, intent, likeness: None, action, because }
}

const fn same(structure: Structure, intent: Intent, action: Action, because: &'static str) -> Cell {
    Cell { structure, intent, likeness: Some(Likeness::Same), action, because }
}

const fn more(structure: Structure, intent: Intent, action: Action, because: &'static str) -> Cell {
    Cell { structure, intent, likeness: None, action, because }
}
