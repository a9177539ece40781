//! The assistant's own words for what was wrong: what it says after the success, or before the fix.

use std::collections::BTreeSet;

use super::news;
use super::pair::Pair;
use super::remedy::Remedy;
use crate::finding::Evidence;
use crate::rules::context::Context;
use crate::rules::languages::{self, Language, Phrase};
use crate::rules::replies::asks;
use crate::rules::turns::Said;
use crate::rules::wording::{cleaned, cut, raised};
use interleaf_classifier::words::{stems, words};

/// Sentences, and characters, of an explanation.
const MOST: usize = 3;
const LONGEST: usize = 420;

/// Bytes of an output by which an explanation is known.
const COMPARED: usize = 6_000;

/// An explanation.
#[derive(Debug)]
pub struct Explanation {
    /// The sentences.
    pub text: String,
    /// Where they stand.
    pub evidence: Vec<Evidence>,
}

impl Explanation {
    /// What the assistant said after the success, up to the next command that fails or the next prompt; else before.
    pub fn of(context: &Context, pair: &Pair, remedy: &Remedy) -> Option<Self> {
        let end = context.next_turn(pair.success.deed.at).map_or(usize::MAX, |turn| turn.at);
        let about = about(pair, remedy);
        let within = |from: usize, to: usize| {
            let first = context.turns.partition_point(|turn| turn.at <= from).saturating_sub(1);
            let turns = context.turns[first..].iter().take_while(|turn| turn.at < to);
            let all = turns.flat_map(|turn| &turn.answers);
            all.filter(move |said| said.at > from && said.at < to)
                .filter_map(|said| cause(context, said, &about, remedy.is_code()))
                .collect::<Vec<_>>()
        };
        let after = within(pair.success.deed.at, end);
        let before = || within(pair.last().deed.at, pair.success.deed.at);
        let said = if after.is_empty() { before() } else { after };
        (!said.is_empty()).then(|| Self::from(&said[..said.len().min(MOST)]))
    }

    fn from(said: &[Said]) -> Self {
        let text: Vec<String> = said.iter().map(|said| raised(cleaned(said))).collect();
        let text = text.iter().map(|text| text.trim_end_matches(['.', '!', '。'])).collect::<Vec<_>>();
        Self {
            // One sentence, whatever the number of those that explain.
            text: cut(&text.join("; "), LONGEST),
            evidence: said.iter().map(|said| said.evidence()).collect(),
        }
    }
}

/// What an explanation of this would name.
fn about(pair: &Pair, remedy: &Remedy) -> BTreeSet<String> {
    let output = pair.last().deed.output();
    let output = &output[output.ceil_char_boundary(output.len().saturating_sub(COMPARED))..];
    let mut about = stems(&format!("{} {} {output}", pair.name(), remedy.names()));
    about.retain(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()));
    about
}

/// The part of a sentence that says why, if one does: behind the news that all is well, or all of it. Of code, such news
/// only say what it does now.
fn cause<'a>(context: &Context, said: &Said<'a>, about: &BTreeSet<String>, code: bool) -> Option<Said<'a>> {
    let part = news::behind(said.text).map(|text| Said { text, words: words(text), ..said.clone() });
    let part = part.filter(|part| !code && explains(context, part, about, true));
    part.or_else(|| explains(context, said, about, false).then(|| said.clone()))
}

/// Whether this says why: a cause, of what failed or was changed, and no report; `told` where the news before it say that
/// it is one.
fn explains(context: &Context, said: &Said, about: &BTreeSet<String>, told: bool) -> bool {
    let has = |phrases: fn(&Language) -> &[Phrase]| languages::has(said.text, &said.words, phrases);
    let near = |stem: &String| {
        about.contains(stem)
            || about.iter().any(|known| {
                known.chars().count() >= 4
                    && (known.starts_with(stem.as_str()) || stem.starts_with(known.as_str()))
            })
    };
    let says = (told || has(|t| &t.cause)) && !has(|t| &t.report);
    let says = says && !asks(said) && said.words.len() >= 4;
    says && stems(said.text).iter().any(near) && !context.echoes.has(said.text)
}
