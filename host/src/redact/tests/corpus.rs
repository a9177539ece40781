//! Tests with the corpus: every kind of secret in every carrier, and ordinary text.
//!
//! Secrets are generated when the test runs, from samples that do not depend on the rules; ordinary text is
//! this repository.

use super::super::KINDS;
use super::carriers::CARRIERS;
use super::{Redactor, corpus_secrets, corpus_texts, redact};
use std::collections::{BTreeMap, BTreeSet};

/// Kinds that are not secrets, or that the user defines.
const NOT_IN_CORPUS: [&str; 2] = ["custom", "home"];

/// Returns whether the text still contains half of the secret, or 40 characters of it.
///
/// Line breaks and escapes are ignored, because the body of a key may be broken at other positions.
fn is_left(secret: &str, text: &str) -> bool {
    let [secret, text] = [secret, text].map(without_breaks);
    let half = (secret.len() / 2).clamp(4, 40);
    secret.as_bytes().windows(half).any(|piece| text.as_bytes().windows(half).any(|other| other == piece))
}

fn without_breaks(text: &str) -> String {
    text.replace("\\n", "").replace(char::is_whitespace, "")
}

/// For each carrier, the number of secrets and the number of those that were left.
type Score = BTreeMap<&'static str, (usize, usize)>;

#[test]
#[allow(clippy::print_stdout, reason = "the figures are for --nocapture")]
fn at_most_one_percent_of_the_secrets_is_left() {
    let (mut score, mut left) = (Score::new(), Vec::new());
    for secret in corpus_secrets::all() {
        for (carrier, carry) in CARRIERS {
            let Some(carried) = carry(&secret) else { continue };
            let redacted = redact(&carried.text).into_owned();
            let is_left = carried.secrets.iter().any(|secret| is_left(secret, &redacted));
            let (all, bad) = score.entry(carrier).or_default();
            (*all, *bad) = (*all + 1, *bad + usize::from(is_left));
            if is_left {
                left.push(format!("{}, {carrier}: {redacted:?}", secret.kind));
            }
            assert_eq!(redact(&redacted), redacted, "a second time");
        }
    }
    let (all, bad) = score.values().fold((0, 0), |(all, bad), one| (all + one.0, bad + one.1));
    println!("{:.2} % of {all} secrets are redacted; by carrier (all, left): {score:?}", percent(all, bad));
    left.iter().take(40).for_each(|left| println!("left: {left}"));

    assert!(percent(all, bad) >= 99.0, "{bad} of {all} are left");
    assert!(score.values().all(|(all, bad)| percent(*all, *bad) >= 97.0), "{score:?}");
}

/// Returns the redacted share, in percent.
fn percent(all: usize, left: usize) -> f64 {
    100.0 - 100.0 * left as f64 / all as f64
}

#[test]
fn every_kind_is_in_the_corpus() {
    let secrets = corpus_secrets::all();
    let mut kinds: BTreeSet<&str> = secrets.iter().map(|secret| secret.kind.as_str()).collect();
    kinds.extend(NOT_IN_CORPUS);

    assert_eq!(kinds, KINDS.iter().map(|kind| kind.name).collect());
}

#[test]
fn a_secret_that_needs_no_name_gets_the_marker_of_its_kind() {
    for secret in corpus_secrets::all().iter().filter(|secret| secret.name.is_none()) {
        let redacted = redact(&secret.text).into_owned();
        assert!(redacted.contains(&format!("[SECRET:{}]", secret.kind)), "{}: {redacted}", secret.kind);
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the figures are for --nocapture")]
fn at_most_one_percent_of_ordinary_lines_is_changed() {
    let (mut all, mut changed) = (0, Vec::new());
    for (file, text) in corpus_texts::all() {
        let has_finding = |line: &&str| {
            let (_, counts) = Redactor::BUILT_IN.redact_and_count(line);
            counts.keys().any(|kind| *kind != "home")
        };
        all += text.lines().count();
        changed.extend(text.lines().filter(has_finding).map(|line| format!("{file}: {line:.120}")));
    }
    let share = 100.0 * changed.len() as f64 / all as f64;
    println!("{share:.3} % of {all} ordinary lines are changed");
    changed.iter().take(60).for_each(|line| println!("changed: {line}"));

    assert!(all > 20_000, "the repository was read");
    assert!(share <= 1.0, "{} of {all} lines are changed", changed.len());
}
