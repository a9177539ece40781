//! The corpus: every kind of secret in everything that carries secrets, and everything that is ordinary here.
//!
//! Nothing of it is written down. Secrets are made up when the test runs; ordinary text is this repository itself.

mod carriers;
mod ordinary;
mod samples;

use super::super::KINDS;
use super::{Redactor, redact};
use carriers::CARRIERS;
use samples::Sample;
use std::collections::{BTreeMap, BTreeSet};

/// Kinds that are no secrets, or are the user's own to define.
const NO_SECRETS: [&str; 2] = ["custom", "home"];

/// Whether half of the secret, or so much that it could be guessed at, is still in the text.
///
/// Line breaks and escapes are nothing: a key's body is the same key when it is broken elsewhere.
fn is_left(secret: &str, text: &str) -> bool {
    let [secret, text] = [secret, text].map(joined);
    let half = (secret.len() / 2).clamp(4, 40);
    secret.as_bytes().windows(half).any(|piece| text.as_bytes().windows(half).any(|other| other == piece))
}

fn joined(text: &str) -> String {
    text.replace("\\n", "").replace(char::is_whitespace, "")
}

/// Of each carrier, how many secrets it brought and how many of them were left.
type Score = BTreeMap<&'static str, (usize, usize)>;

#[test]
#[allow(clippy::print_stdout, reason = "the figures are for whoever asks with --nocapture")]
fn of_a_hundred_secrets_at_most_one_is_left_by_half() {
    let (mut score, mut left) = (Score::new(), Vec::new());
    for sample in samples::all() {
        for (carrier, carry) in CARRIERS {
            let Some(carried) = carry(&sample) else { continue };
            let clean = redact(&carried.text).into_owned();
            let is_left = carried.secrets.iter().any(|secret| is_left(secret, &clean));
            let (all, bad) = score.entry(carrier).or_default();
            (*all, *bad) = (*all + 1, *bad + usize::from(is_left));
            if is_left {
                left.push(format!("{}, {carrier}: {clean:?}", sample.kind));
            }
            assert_eq!(redact(&clean), clean, "a second time");
        }
    }
    let (all, bad) = score.values().fold((0, 0), |(all, bad), one| (all + one.0, bad + one.1));
    println!("{:.2} % of {all} secrets are gone; by carrier (all, left): {score:?}", gone(all, bad));
    left.iter().take(40).for_each(|left| println!("left: {left}"));

    assert!(gone(all, bad) >= 99.0, "{bad} of {all} are left");
    assert!(score.values().all(|(all, bad)| gone(*all, *bad) >= 97.0), "{score:?}");
}

fn gone(all: usize, bad: usize) -> f64 {
    100.0 - 100.0 * bad as f64 / all as f64
}

#[test]
fn every_kind_is_in_the_corpus() {
    let samples: Vec<Sample> = samples::all();
    let mut kinds: BTreeSet<&str> = samples.iter().map(|sample| sample.kind).collect();
    kinds.extend(NO_SECRETS);

    assert_eq!(kinds, KINDS.iter().map(|kind| kind.name).collect());
}

#[test]
fn what_tells_by_itself_is_called_what_it_is() {
    for sample in samples::all().iter().filter(|sample| sample.name.is_none()) {
        let clean = redact(&sample.text).into_owned();
        assert!(clean.contains(&format!("[SECRET:{}]", sample.kind)), "{}: {clean}", sample.kind);
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the figures are for whoever asks with --nocapture")]
fn of_a_hundred_ordinary_lines_at_most_one_is_changed() {
    let (mut all, mut changed) = (0, Vec::new());
    for (file, text) in ordinary::texts() {
        let secret_free = |line: &&str| {
            let (_, taken) = Redactor::BUILT_IN.redact_and_count(line);
            taken.keys().any(|kind| *kind != "home")
        };
        all += text.lines().count();
        changed.extend(text.lines().filter(secret_free).map(|line| format!("{file}: {line:.120}")));
    }
    let share = 100.0 * changed.len() as f64 / all as f64;
    println!("{share:.3} % of {all} ordinary lines are changed");
    changed.iter().take(60).for_each(|line| println!("changed: {line}"));

    assert!(all > 20_000, "the repository was read");
    assert!(share <= 1.0, "{} of {all} lines are changed", changed.len());
}
