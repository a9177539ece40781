//! docs/recall.md publishes the very figures that `interleaf-eval recall` measures.

mod kit;

use interleaf_tests::workspace;
use kit::{eval, sentence_model};

#[test]
fn the_tables_in_the_docs_hold_the_measured_figures() {
    let page = std::fs::read_to_string(workspace::root().join("docs/recall.md")).expect("the page is there");

    for split in ["development", "sealed"] {
        let rows = eval(&["recall", "--split", split, "--model", &sentence_model()]);
        assert_eq!(
            rows.len(),
            6,
            "without and with a model: the program without and with cues, and the classic"
        );
        for row in rows {
            let measured = row["markdown"].as_str().expect("a row of a table");
            assert!(
                page.lines().any(|line| line == measured),
                "docs/recall.md publishes other figures than are measured on the {split} stores: if the \
                 change is meant, copy the table that `cargo xtask recall --split {split} --model FILE` \
                 prints\n{measured}"
            );
        }
    }
}
