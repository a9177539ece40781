//! The table in `docs/write-rules.md` is the one in the code.

use super::table::{Cell, TABLE};
use super::{AllowedActions, Intent, ResolutionAction, Similarity};
use std::path::Path;

/// A row of the page, up to the test that proves it.
fn row(cell: &Cell) -> String {
    let told_again = |other: &Cell| {
        (other.allowed, other.intent, other.similarity)
            == (cell.allowed, cell.intent, Some(Similarity::Duplicate))
    };
    let known = match cell.allowed {
        AllowedActions::CreateOnly => "nothing",
        AllowedActions::Any => "may be retired",
        AllowedActions::AnyExceptRetire => "goes only with a successor",
        AllowedActions::NoAction => "the end of what is not known",
    };
    let similarity = match cell.similarity {
        Some(Similarity::Duplicate) => "says the same",
        None if TABLE.iter().any(told_again) => "anything else",
        None => "any",
        Some(other) => panic!("the page has no word for {other:?}"),
    };
    let (wanted, done, reason) = (wanted(cell.intent), done(cell.action), cell.reason);
    format!("| {known} | {wanted} | {similarity} | {done} | {reason} | `")
}

fn wanted(intent: Intent) -> &'static str {
    match intent {
        Intent::Create => "create",
        Intent::Update => "update",
        Intent::Retire => "retire",
        Intent::Supersede => "supersede",
    }
}

fn done(action: ResolutionAction) -> &'static str {
    match action {
        ResolutionAction::Created => "create",
        ResolutionAction::Updated => "update",
        ResolutionAction::Retired => "retire",
        ResolutionAction::Superseded => "supersede",
        ResolutionAction::Skipped => "nothing",
    }
}

#[test]
fn the_documentation_has_every_cell_in_order_and_no_other() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/write-rules.md");
    let page = std::fs::read_to_string(&path).expect("docs/write-rules.md is in the repository");
    let table = page.split_once("| what is known |").expect("the table").1;
    let rows: Vec<&str> = table.lines().skip(2).filter(|line| line.starts_with("| ")).collect();

    assert_eq!(rows.len(), TABLE.len());
    for (cell, is) in TABLE.iter().zip(rows) {
        let row = row(cell);
        assert!(
            is.starts_with(&row),
            "this is to be a row of docs/write-rules.md:\n{row}…`\nand it is\n{is}"
        );
    }
}
