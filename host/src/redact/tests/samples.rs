//! Tests with secrets and near misses of every kind from `samples.toml`, which does not depend on the rules.

use super::super::KINDS;
use super::super::rule_tables::RULES;
use super::{ALNUM, BASE64, DIGITS, HEX, LETTERS, assert_redacted, assert_unchanged, random_text};
use std::collections::BTreeMap;

/// Kinds without a sample, because the user defines them.
const WITHOUT_SAMPLE: [&str; 1] = ["custom"];

const SURROUNDINGS: [(&str, &str); 6] =
    [("", ""), ("so ", " it is"), ("`", "`"), ("{\"a\":\"x\\n", "\\ny\"}"), ("(", ")"), ("ü\r\n", "\r\nü")];

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct KindSamples {
    secrets: Vec<Shape>,
    near_misses: Vec<Shape>,
}

/// A text with placeholders, in one piece or several.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Shape {
    Whole(String),
    Pieces(Vec<String>),
}

impl Shape {
    fn text(&self, variant: u64) -> String {
        match self {
            Self::Whole(text) => expand(text, variant),
            Self::Pieces(pieces) => expand(&pieces.concat(), variant),
        }
    }
}

/// Replaces each `<36 alnum>` with generated characters, which differ for another variant. Other angle
/// brackets stay.
pub fn expand(shape: &str, variant: u64) -> String {
    let mut parts = shape.split('<');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (part, seed) in parts.zip(100 * variant..) {
        match part.split_once('>').and_then(|(count, rest)| Some((body(count, seed)?, rest))) {
            Some((body, rest)) => text.extend([body.as_str(), rest]),
            None => text.extend(["<", part]),
        }
    }
    text
}

fn body(count: &str, seed: u64) -> Option<String> {
    let (count, alphabet) = count.split_once(' ')?;
    Some(random_text(alphabet_of(alphabet)?, count.parse().ok()?, seed))
}

fn alphabet_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => ALNUM,
        "letters" => LETTERS,
        "digits" => DIGITS,
        "lower" => "abcdefghijklmnopqrstuvwxyz",
        "upper" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "hex" => HEX,
        "uppernum" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "lowernum" => "abcdefghijklmnopqrstuvwxyz0123456789",
        "base32" => super::BASE32,
        "base32lower" => "abcdefghijklmnopqrstuvwxyz234567",
        "bech32" => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
        "base64" => BASE64,
        "base64url" => super::BASE64_URL,
        _ => return None,
    })
}

fn samples() -> BTreeMap<String, KindSamples> {
    toml::from_str(include_str!("samples.toml"))
        .expect("samples.toml has the format that its header describes")
}

/// Returns kind and text of each sample that needs no context.
pub fn tokens(variant: u64) -> Vec<(String, String)> {
    let of_kind = |(kind, samples): (String, KindSamples)| {
        let texts = samples.secrets.into_iter().map(move |sample| sample.text(variant));
        texts.filter(|text| !text.contains('«')).map(move |text| (kind.clone(), text))
    };
    samples().into_iter().flat_map(of_kind).collect()
}

fn marker_of(kind: &str) -> String {
    if kind == "home" { "~".to_owned() } else { format!("[SECRET:{kind}]") }
}

#[test]
fn each_sample_becomes_the_marker_of_its_kind() {
    for (kind, samples) in samples() {
        let marker = marker_of(&kind);
        for sample in &samples.secrets {
            let text = sample.text(1);
            match text.split_once('«') {
                Some((before, rest)) => {
                    let (secret, after) = rest.split_once('»').expect("« is closed by »");
                    assert_redacted(&format!("{before}{secret}{after}"), &format!("{before}{marker}{after}"));
                }
                None => SURROUNDINGS.iter().for_each(|(before, after)| {
                    assert_redacted(&format!("{before}{text}{after}"), &format!("{before}{marker}{after}"));
                }),
            }
        }
    }
}

#[test]
fn near_misses_stay() {
    for samples in samples().values() {
        samples.near_misses.iter().for_each(|sample| assert_unchanged(&sample.text(1)));
    }
}

#[test]
fn every_kind_has_a_sample_and_a_near_miss() {
    let samples = samples();
    for kind in KINDS.iter().filter(|kind| !WITHOUT_SAMPLE.contains(&kind.name)) {
        let has_both =
            samples.get(kind.name).is_some_and(|of| !of.secrets.is_empty() && !of.near_misses.is_empty());
        assert!(has_both, "add `[{}]` with secrets and near_misses to tests/samples.toml", kind.name);
    }
    assert_eq!(
        samples.len() + WITHOUT_SAMPLE.len(),
        KINDS.len(),
        "samples.toml has a kind that is not in rules.toml"
    );
}

#[test]
fn every_token_format_has_a_sample() {
    let samples = samples();
    for rule in &RULES {
        let of_kind = samples.get(rule.kind.name()).map_or(&[][..], |samples| &samples.secrets);
        let has_sample = of_kind.iter().any(|sample| sample.text(1).replace('«', "").contains(rule.prefix));
        assert!(
            has_sample,
            "no sample of {} in tests/samples.toml begins with {}",
            rule.kind.name(),
            rule.prefix
        );
    }
}
