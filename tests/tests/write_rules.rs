//! Checks that `docs/write-rules.md` names tests that exist. The host's own tests check that its decision
//! table is the one in the code.

use interleaf_tests::doc_references::{missing_tests, tests_named_in};
use interleaf_tests::workspace;

#[test]
fn every_test_that_the_page_names_exists() {
    let named = tests_named_in("docs/write-rules.md");

    assert!(named.len() > 60, "the tables are there: {named:?}");
    assert_eq!(missing_tests(&named), Vec::<&String>::new());
}

#[test]
fn every_rule_names_a_test() {
    let page = std::fs::read_to_string(workspace::root().join("docs/write-rules.md")).expect("it is there");
    let tables = page.split("| rule |").skip(1).chain(page.split("| stored memories |").skip(1));

    for row in tables.flat_map(|table| table.lines().skip(2).take_while(|line| line.starts_with("| "))) {
        assert!(row.contains("::"), "{row}");
    }
}
