//! The examples of the layer save: the parts share no family, the weights are those that the examples give,
//! and the docs hold what is measured.

mod kit;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use interleaf_tests::workspace;
use serde_json::Value;

const PARTS: [&str; 3] = ["train", "development", "sealed"];

/// Returns what `interleaf-eval` prints.
fn printed(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_interleaf-eval")).args(arguments).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the examples of a part, each with its author.
fn examples(part: &str) -> Vec<(String, Value)> {
    let folder = workspace::root().join("plugins/save/data").join(part);
    let mut examples = Vec::new();
    for entry in fs::read_dir(folder).expect("the part is there").flatten() {
        let author = entry.file_name().to_string_lossy().into_owned();
        let text = fs::read_to_string(entry.path()).expect("readable");
        examples.extend(
            text.lines()
                .map(|line| (author.clone(), serde_json::from_str(line).expect("an example is an object"))),
        );
    }
    examples
}

#[test]
fn the_committed_weights_are_those_of_the_examples() {
    printed(&["train", "--check"]);
    let weights = workspace::root().join("classifier/src/weights.bin");
    assert!(fs::metadata(weights).expect("the weights are there").len() <= 300_000);
}

#[test]
fn the_parts_share_no_family_and_half_of_the_examples_hold_nothing() {
    let mut parts_of: BTreeMap<(String, String), BTreeSet<&str>> = BTreeMap::new();
    let (mut all, mut empty, mut english) = (0, 0, 0);
    let mut languages = BTreeSet::new();
    for part in PARTS {
        for (author, example) in examples(part) {
            let family = example["family"].as_str().expect("a family").to_owned();
            parts_of.entry((author, family)).or_default().insert(part);
            let language = example["language"].as_str().expect("a language").to_owned();
            all += 1;
            empty += usize::from(example["keep"] == serde_json::json!([]));
            english += usize::from(language == "en");
            languages.insert(language);
        }
    }
    let split: Vec<_> = parts_of.iter().filter(|(_, parts)| parts.len() > 1).collect();
    assert_eq!(split, [], "a family is in two parts");
    assert!(all >= 6_000 && languages.len() >= 8, "{all} examples in {languages:?}");
    for (share, of) in [(empty, "hold nothing"), (english, "are English")] {
        assert!(
            (0.4..=0.6).contains(&(f64::from(share as u32) / f64::from(all as u32))),
            "{share} of {all} {of}"
        );
    }
}

#[test]
fn the_docs_hold_what_is_measured_on_the_sealed_examples() {
    let page = fs::read_to_string(workspace::root().join("docs/saving.md")).expect("the page is there");
    let measured = printed(&["saving"]);
    for line in measured.lines().filter(|line| !line.is_empty()) {
        assert!(page.contains(line), "docs/saving.md lacks a line that `cargo xtask saving` prints:\n{line}");
    }
}
