//! `interleaf mcp` as a client sees it: what it offers, what its tools do, and what it withstands.

mod forgetting;
mod hostile_text;
mod lifetime;
mod recalling;
mod remembering;

use interleaf_tests::scratch::Scratch;
use serde_json::Value;

/// A memory that shares only the word `vendor` with [`ONE_WORD`].
const LIMIT: &str = "The vendor API takes ten requests a second, by design";

/// A query that a hook would not answer with [`LIMIT`].
const ONE_WORD: &str = "which vendor prints our parcel labels?";

/// A project with memories about other things, so that words have weights.
fn shop() -> Scratch {
    let scratch = Scratch::new();
    for text in [
        "Customs forms for Norway need the tariff number on the first page, or the parcel comes back.",
        "The search index is rebuilt every night at three; a reindex during the day makes queries slow.",
        "Discount codes are compared without case since the spring campaign.",
    ] {
        remember(&scratch, &[text]);
    }
    scratch
}

/// Writes a memory on the command line and returns its id.
fn remember(scratch: &Scratch, arguments: &[&str]) -> String {
    let written = scratch.interleaf(&[&["remember", "--json"], arguments].concat()).success();
    json(&written)["id"].as_str().expect("an id").to_owned()
}

/// Returns the memory with this id, as the command line prints it for programs.
fn stored(scratch: &Scratch, id: &str) -> Value {
    json(&scratch.interleaf(&["memory", "show", id, "--json"]).success())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the id that an answer of the tool `remember` names.
fn id_in(answer: &str) -> String {
    let (_, rest) = answer.split_once("Remembered as ").unwrap_or_else(|| panic!("not written: {answer}"));
    rest.chars().take_while(|c| c.is_ascii_alphanumeric()).collect()
}
