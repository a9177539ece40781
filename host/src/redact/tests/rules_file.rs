//! Tests of `rules.toml` itself: the compiled tables agree with a regular expression engine, each row names
//! its source, and the table in the documentation is up to date.

use super::super::rule_tables::RULES;
use super::super::{KINDS, provider_tokens};
use super::redact;
use super::samples::expand;
use regex::Regex;
use std::path::Path;

const BEGIN: &str = "<!-- kinds: checked against the code by a test -->\n";
const END: &str = "<!-- end of kinds -->";

/// A row of a kind.
struct Row {
    kind: String,
    pattern: String,
    example: String,
    source: String,
}

fn rows() -> Vec<Row> {
    let file: toml::Table = include_str!("../rules.toml").parse().expect("build.rs has read it");
    let kinds = file["kind"].as_array().expect("a list of kinds").iter();
    kinds
        .flat_map(|kind| {
            let rules = kind.get("rules").and_then(|rules| rules.as_array()).into_iter().flatten();
            rules.map(|rule| {
                let text = |row: &toml::Value, key: &str| row[key].as_str().expect("a string").to_owned();
                Row {
                    kind: text(kind, "id"),
                    pattern: text(rule, "pattern"),
                    example: text(rule, "example"),
                    source: text(rule, "source"),
                }
            })
        })
        .collect()
}

#[test]
fn each_example_matches_its_pattern_and_is_redacted() {
    for row in rows() {
        let (pattern, example) = (Regex::new(&row.pattern).expect("a pattern"), expand(&row.example, 1));
        let found = pattern.captures(&example).unwrap_or_else(|| panic!("{} / {example}", row.pattern));

        let whole = found.get(0).expect("the match");
        assert_eq!(whole.as_str(), example, "{} matches the whole example", row.pattern);
        let kept = found.get(1).map_or("", |secret| &example[..secret.start()]);
        assert_eq!(redact(&example), format!("{kept}[SECRET:{}]", row.kind), "{}", row.pattern);
    }
}

/// Checks that the tables which build.rs generates from a pattern agree with a regular expression engine.
#[test]
fn a_truncated_example_is_found_if_and_only_if_its_pattern_matches() {
    for row in rows() {
        let (pattern, example) = (Regex::new(&row.pattern).expect("a pattern"), expand(&row.example, 1));
        for end in example.len() / 2..example.len() {
            let cut = &example[..end];
            assert_eq!(is_found_by_rule(&row.kind, cut), pattern.is_match(cut), "{} / {cut}", row.pattern);
        }
    }
}

/// Returns whether a rule of the kind finds a token in the text, without the other detectors.
fn is_found_by_rule(kind: &str, text: &str) -> bool {
    let mut found = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.kind.name() == kind) {
        for (at, _) in text.match_indices(rule.prefix) {
            provider_tokens::by_rule(text.as_bytes(), at, rule, &mut found);
        }
    }
    !found.is_empty()
}

#[test]
fn each_row_names_its_source() {
    for row in rows() {
        assert!(row.source.len() > 10, "{} has no source", row.pattern);
    }
}

fn table() -> String {
    let rows: String = KINDS.iter().map(|kind| format!("| `{}` | {} |\n", kind.name, kind.covers)).collect();
    format!("\n| kind | covers |\n| --- | --- |\n{rows}\n")
}

/// With `UPDATE_DOCS` set, the test writes the table into the documentation instead.
#[test]
fn the_documentation_has_the_table_of_kinds() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/redaction.md");
    let page = std::fs::read_to_string(&path).expect("docs/redaction.md is in the repository");
    let (before, rest) = page.split_once(BEGIN).expect("the comment above the table");
    let (documented, after) = rest.split_once(END).expect("the comment below the table");

    if std::env::var_os("UPDATE_DOCS").is_some() {
        let updated = format!("{before}{BEGIN}{}{END}{after}", table());
        std::fs::write(&path, updated).expect("docs/redaction.md can be written");
        return;
    }
    assert_eq!(
        documented,
        table(),
        "run UPDATE_DOCS=1 cargo test -p interleaf --lib redact::tests::rules_file"
    );
}
