//! That `docs/write-rules.md` can be believed. That no cell of the resolution's table is missing, the host's own tests check.

use interleaf_tests::documented::{missing, named};
use interleaf_tests::workspace;

#[test]
fn every_test_that_the_page_names_exists() {
    let named = named("docs/write-rules.md");

    assert!(named.len() > 60, "the tables are there: {named:?}");
    assert_eq!(missing(&named), Vec::<&String>::new());
}

#[test]
fn every_rule_names_a_test() {
    let page = std::fs::read_to_string(workspace::root().join("docs/write-rules.md")).expect("it is there");
    let tables = page.split("| rule |").skip(1).chain(page.split("| what is known |").skip(1));

    for row in tables.flat_map(|table| table.lines().skip(2).take_while(|line| line.starts_with("| "))) {
        assert!(row.contains("::"), "{row}");
    }
}
