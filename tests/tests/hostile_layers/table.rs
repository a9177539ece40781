//! That the table of `SECURITY.md` can be believed: each of its rows names a test that exists.

use interleaf_tests::documented::{missing, named};

#[test]
fn every_test_that_the_table_names_exists() {
    let named = named("SECURITY.md");

    assert!(named.len() > 20, "the table is there: {named:?}");
    assert_eq!(missing(&named), Vec::<&String>::new());
}
