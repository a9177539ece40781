//! Checks that each row of the table in `SECURITY.md` names a test that exists.

use interleaf_tests::doc_references::{missing_tests, tests_named_in};

#[test]
fn every_test_that_the_table_names_exists() {
    let named = tests_named_in("SECURITY.md");

    assert!(named.len() > 20, "the table is there: {named:?}");
    assert_eq!(missing_tests(&named), Vec::<&String>::new());
}
