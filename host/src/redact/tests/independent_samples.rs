//! Tests with samples that people wrote who did not know the rules: `tests/fixtures/redaction`.
//!
//! A family of samples lies in one split as a whole, and the hash of its name says in which. The rules are
//! tuned on the first split and checked on the second. Nobody reads the sealed one: only its totals are
//! printed, so that the figures say how well the rules do on what they were not made for.

use super::{Redactor, redact, samples};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The splits, and the remainders of the hash that belong to each.
const SPLITS: [(&str, &[u64]); 3] = [("train", &[0, 1]), ("development", &[2]), ("sealed", &[3, 4])];
/// The split of which only totals are printed.
const SEALED: &str = "sealed";
/// Number of different expansions of each sample.
const VARIANTS: u64 = 3;
/// Marks around the table in the documentation.
const TABLE: [&str; 2] =
    ["<!-- figures: checked against the measurement by a test -->\n", "<!-- end of figures -->"];

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    group: String,
    family: String,
    text: String,
}

/// The counts of secrets and of lines without one.
#[derive(Debug, Default, Clone, Copy)]
struct Figures {
    secrets: usize,
    found: usize,
    harmless: usize,
    changed: usize,
}

impl Figures {
    fn add(&mut self, other: Self) {
        self.secrets += other.secrets;
        self.found += other.found;
        self.harmless += other.harmless;
        self.changed += other.changed;
    }

    fn row(&self) -> String {
        let share = |part: usize, whole: usize| match whole {
            0 => "–".to_owned(),
            whole => format!("{:.1} % of {whole}", 100.0 * part as f64 / whole as f64),
        };
        format!("{} | {}", share(self.found, self.secrets), share(self.changed, self.harmless))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(split: &str) -> Vec<Sample> {
    let file = root().join("tests/fixtures/redaction").join(format!("{split}.jsonl"));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a sample is a group, a family and a text"))
        .collect()
}

/// Returns a text without the marks around its secrets, and the secrets.
fn unmarked(text: &str) -> (String, Vec<String>) {
    let (mut plain, mut secrets, mut rest) = (String::new(), Vec::new(), text);
    while let Some((before, (secret, after))) =
        rest.split_once('«').and_then(|(before, rest)| Some((before, rest.split_once('»')?)))
    {
        plain.extend([before, secret]);
        secrets.push(secret.to_owned());
        rest = after;
    }
    (plain + rest, secrets)
}

/// Returns whether half of the secret is left, or 40 characters of it.
fn is_left(secret: &str, redacted: &str) -> bool {
    let [secret, redacted] =
        [secret, redacted].map(|text| text.replace("\\n", "").replace(char::is_whitespace, ""));
    let half = (secret.len() / 2).clamp(secret.len().clamp(1, 4), 40);
    secret.as_bytes().windows(half).any(|part| redacted.as_bytes().windows(half).any(|other| other == part))
}

fn measure(sample: &Sample, seed: u64) -> Figures {
    let (text, secrets) = unmarked(&samples::expand(&sample.text, seed));
    if secrets.is_empty() {
        let (_, counts) = Redactor::BUILT_IN.redact_and_count(&text);
        let is_changed = counts.keys().any(|kind| *kind != "home");
        return Figures { harmless: 1, changed: usize::from(is_changed), ..Figures::default() };
    }
    let redacted = redact(&text);
    let found = secrets.iter().filter(|secret| !is_left(secret, &redacted)).count();
    Figures { secrets: secrets.len(), found, ..Figures::default() }
}

/// Returns the figures of a split by group.
fn measure_split(split: &str) -> BTreeMap<String, Figures> {
    let mut groups: BTreeMap<String, Figures> = BTreeMap::new();
    for (number, sample) in (0..).zip(read(split)) {
        for variant in 1..=VARIANTS {
            let figures = measure(&sample, 10 * number + variant);
            groups.entry(sample.group.clone()).or_default().add(figures);
        }
    }
    groups
}

fn total(groups: &BTreeMap<String, Figures>) -> Figures {
    groups.values().fold(Figures::default(), |mut sum, figures| {
        sum.add(*figures);
        sum
    })
}

fn table() -> String {
    let [train, development, sealed] = SPLITS.map(|(split, _)| measure_split(split));
    let mut table =
        "| samples | train: found | false | development: found | false |\n| --- | --- | --- | --- | --- |\n"
            .to_owned();
    let groups: std::collections::BTreeSet<&String> = train.keys().chain(development.keys()).collect();
    for group in groups {
        let [train, development] =
            [&train, &development].map(|split| split.get(group).copied().unwrap_or_default().row());
        let _ = writeln!(table, "| {group} | {train} | {development} |");
    }
    let _ = writeln!(table, "| **all** | {} | {} |", total(&train).row(), total(&development).row());
    let _ = writeln!(table, "\n| samples | found | false |\n| --- | --- | --- |");
    let _ = writeln!(table, "| **{SEALED}** | {} |", total(&sealed).row());
    table
}

#[test]
#[allow(clippy::print_stdout, reason = "the table is for --nocapture, to be copied into the documentation")]
fn the_documentation_states_the_measured_figures() {
    let table = table();
    println!("{table}");
    let page = fs::read_to_string(root().join("docs/redaction.md")).expect("docs/redaction.md is there");
    let published = page.split_once(TABLE[0]).and_then(|(_, rest)| rest.split_once(TABLE[1]));
    let published = published.expect("the page has the marks of the table").0;

    assert_eq!(published.trim(), table.trim(), "copy the table that this test prints with --nocapture");
}

#[test]
fn the_name_of_a_family_decides_its_split() {
    for (split, remainders) in SPLITS {
        for sample in read(split) {
            let hash = sample.family.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            });
            assert!(remainders.contains(&(hash % 5)), "the family {} is not one of {split}", sample.family);
        }
    }
}
