//! The recorded sessions of the fixtures.

use std::path::{Path, PathBuf};

use crate::rules::{Around, mine};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sessions")
}

#[test]
#[expect(clippy::print_stdout, reason = "for now")]
fn show() {
    for name in ["atlas-mono/s1","atlas-mono/s2","atlas-mono/s3","handbook/s1","handbook/s2","handbook/s3","ledger-api/s1","ledger-api/s2","ledger-api/s2-injected","ledger-api/s3"] {
        let lines = std::fs::read_to_string(folder().join(name).join("transcript.jsonl")).unwrap();
        let talk = super::transcript::talk(&lines);
        let root = format!("/home/dev/{}", name.split('/').next().unwrap());
        let mined = mine(&talk, &Around { session: "s", root: Some(&root), ..Around::default() });
        println!("== {name}");
        for find in &mined.finds { println!("  {:.2} {:?} {:?} {:?}", find.score, find.category, find.text, find.tags); }
        println!("  SUMMARY {:?}", mined.summary.map(|s| s.text));
    }
}
