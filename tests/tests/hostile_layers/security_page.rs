//! Checks the threat model in `SECURITY.md`: every position has a table, no cell is empty, and every row
//! names tests that exist.

use interleaf_tests::doc_references::{missing_tests, tests_named_in};
use interleaf_tests::workspace;

/// The positions that an attacker can have.
const POSITIONS: [&str; 9] = [
    "A clone",
    "An archive",
    "The environment of a project",
    "Tool output and files that the agent reads",
    "Faults around a gate",
    "An accepted layer",
    "Another local user",
    "Another agent on this machine",
    "A model server",
];

fn page() -> String {
    std::fs::read_to_string(workspace::root().join("SECURITY.md")).expect("the page is there")
}

/// Returns the rows of the page's tables without their heads, each as its cells.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = text.lines().collect();
    let is_row = |index: &usize| {
        let is_head = lines.get(index + 1).is_some_and(|next| next.starts_with("|---"));
        lines[*index].starts_with("| ") && !is_head
    };
    (0..lines.len()).filter(is_row).map(|index| cells(lines[index])).collect()
}

fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split(" | ").map(str::trim).collect()
}

#[test]
fn every_position_has_a_table() {
    let page = page();
    for position in POSITIONS {
        let section = page.split("\n### ").find(|section| section.starts_with(&format!("{position}\n")));
        assert!(!rows(section.unwrap_or_default()).is_empty(), "{position}");
    }
}

#[test]
fn no_cell_is_empty_and_every_row_names_a_test() {
    let page = page();
    for row in rows(&page) {
        assert!(row.iter().all(|cell| !cell.is_empty()), "{row:?}");
        assert!(row.last().is_some_and(|tests| tests.contains("::")), "{row:?}");
    }
}

#[test]
fn every_test_that_the_tables_name_exists() {
    let named = tests_named_in("SECURITY.md");

    assert!(named.len() > 100, "the tables are there: {named:?}");
    assert_eq!(missing_tests(&named), Vec::<&String>::new());
}
