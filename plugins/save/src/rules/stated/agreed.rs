//! A proposal of the assistant with its reason that the person agrees to: from then on it is decided.

use super::claim::Claim;
use super::group::Group;
use super::signs::{Signs, signs};
use crate::rules::context::Context;
use crate::rules::tongue::{self, Tongue};
use crate::rules::turns::{Said, Turn};
use interleaf_layer::memory::Category;

/// Sentences from the end of an answer among which its proposal is.
const NEAR: usize = 4;

/// Words of a question that only asks whether the proposal is fine.
const ASKING: usize = 7;

/// What is done once, and decides nothing.
const ACTS: &[&str] = &[
    "run",
    "rerun",
    "rename",
    "fix",
    "check",
    "look",
    "commit",
    "push",
    "restart",
    "try",
    "debug",
    "investigate",
    "read",
    "open",
    "wait",
    "retry",
    "test",
    "revert",
    "clean",
    "lancer",
    "vérifier",
    "ejecutar",
    "revisar",
];

/// Words in which a proposal is made.
const VOICE: &[&str] = &[
    "i",
    "id",
    "we",
    "wed",
    "would",
    "d",
    "strongly",
    "propose",
    "suggest",
    "recommend",
    "advise",
    "to",
    "je",
    "j",
    "suggère",
    "recommande",
    "de",
    "propongo",
    "sugiero",
    "recomiendo",
    "yo",
];

/// The proposal that this turn agrees to, if the last thing asked was whether it is fine.
pub fn agreed<'a>(context: &Context, before: &'a Turn<'a>, turn: &'a Turn<'a>) -> Option<Group<'a>> {
    let first = turn.said.first()?;
    let (at, proposal) =
        before.answers.iter().enumerate().rev().take(NEAR).find(|(_, said)| proposes(said))?;
    let asked = &before.answers[at + 1..];
    let other = |said: &Said| said.text.trim_end().ends_with(['?', '？']) && said.words.len() > ASKING;
    if !agrees(first, turn, proposal) {
        return None;
    }
    if context.echoes.has(proposal.text) || asked.iter().any(|said| other(said) || proposes(said)) {
        return None;
    }
    let claim = Claim { category: Category::Decision, score: 0.7, rules: false };
    Some(Group::of(claim, proposal, None, None).confirmed(first, core(proposal)))
}

fn agrees(first: &Said, turn: &Turn, proposal: &Said) -> bool {
    let answer = signs(first, &turn.tongues);
    // A yes is too short to tell its language.
    let same = signs(first, &tongue::of(proposal.text));
    let english = signs(first, &tongue::of(""));
    let yes = answer.agrees || same.agrees || english.agrees || first.text.starts_with(['👍', '✅']);
    yes && !answer.refuses && !answer.asks && !turn.said.iter().any(|said| said.text.contains("but "))
}

fn proposes(said: &Said) -> bool {
    let tongues = tongue::of(said.text);
    let signs = signs(said, &tongues);
    let meant = signs.instead && signs.reason || signs.proposes && reasoned(&signs, said);
    meant && !signs.hearsay && !said.text.ends_with('?') && !acts(said, &tongues)
}

/// With its reason: in so many words, or behind a colon.
fn reasoned(signs: &Signs, said: &Said) -> bool {
    let told = |(_, why): (&str, &str)| why.split_whitespace().count() >= 3;
    signs.reason || said.text.split_once(": ").or(said.text.split_once(" : ")).is_some_and(told)
}

fn voice(said: &Said, tongues: &[&'static Tongue]) -> Option<(usize, usize)> {
    tongues.iter().filter_map(|tongue| tongue::find(&tongue.proposes, &said.words)).min()
}

fn acts(said: &Said, tongues: &[&'static Tongue]) -> bool {
    voice(said, tongues).is_some_and(|(from, to)| {
        said.words[from..(to + 2).min(said.words.len())].iter().any(|word| is_act(&word.text))
    })
}

fn is_act(word: &str) -> bool {
    let bare = word.strip_suffix("ing").filter(|bare| bare.len() >= 3);
    ACTS.contains(&word) || bare.is_some_and(|bare| ACTS.iter().any(|act| act.starts_with(bare)))
}

/// What is proposed, without the words in which it is: `I suggest to …`.
fn core(said: &Said) -> String {
    let words = &said.words;
    let Some((from, _)) = voice(said, &tongue::of(said.text)) else { return said.text.to_owned() };
    let voiced = words[from..].iter().take_while(|word| VOICE.contains(&word.text.as_str())).count();
    let (Some(first), Some(next)) = (words.get(from), words.get(from + voiced)) else {
        return said.text.to_owned();
    };
    format!("{}{}", &said.text[..first.start], &said.text[next.start..])
}
