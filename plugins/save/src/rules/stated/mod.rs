//! What somebody stated: rules and wishes of the person, decisions, limits, what was put off.

mod amended;
mod claim;
mod content;
mod group;
pub mod signs;
pub mod wording;

pub use amended::Amendment;

use self::claim::Claim;
use self::group::Group;
use self::signs::{Signs, signs};
use super::context::Context;
use super::turns::{Said, Turn};
use super::words::{likeness, stems};
use crate::find::{Category, Find};

/// What was stated, and which numbers were put right.
pub fn stated(context: &Context) -> (Vec<Find>, Vec<Amendment>) {
    let turns = &context.turns;
    let mut groups: Vec<Group> = Vec::new();
    let mut amendments = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &turns[index]);
        let mut said = of_turn(context, turn, before);
        if let Some((amendment, group)) = before.and_then(|before| amended::amended(turn, before)) {
            groups.retain(|group| !amendment.concerns(group));
            said.retain(|said| !said.overlaps(group.as_ref()));
            said.extend(group);
            amendments.push(amendment);
        }
        if let Some(next) = turns.get(index + 1).filter(|_| !turn.is_work())
            && takes_back(next)
        {
            said.clear();
        }
        said.extend(answered(context, turn, &said));
        said.extend(before.and_then(|before| agreed(context, before, turn)));
        groups.extend(said);
    }
    (superseded(groups).into_iter().map(|group| group.find(context)).collect(), amendments)
}

/// What the person states in one prompt.
fn of_turn<'a>(context: &Context, turn: &'a Turn<'a>, before: Option<&'a Turn<'a>>) -> Vec<Group<'a>> {
    let signs: Vec<Signs> = turn.said.iter().map(|said| signs(said, &turn.tongues)).collect();
    let smiles = || !turn.is_work() && turn.said.iter().any(|said| smiles(said.text));
    if signs.iter().any(|signs| signs.jests) || smiles() {
        return Vec::new();
    }
    let corrects = refused(&turn.said, &signs);
    let alone: Vec<Option<Claim>> =
        signs.iter().map(|signs| claim::of_person(signs, false, corrects)).collect();
    let mut groups: Vec<Group> = Vec::new();
    for (at, said) in turn.said.iter().enumerate() {
        let beside = beside(&turn.said, &signs, &alone, at);
        let claim =
            claim::of_person(&signs[at], beside.is_some(), corrects).or_else(|| noted(&signs[at], said));
        let stresses = signs[at].keep && said.words.len() <= 6;
        match claim.filter(|_| said.words.len() >= 3 && !stresses && !context.echoes.has(said.text)) {
            Some(claim) => group::add(&mut groups, Group::of(claim, said, beside, before)),
            None if stresses => group::stress(&mut groups, said),
            None => {}
        }
    }
    groups
}

/// What is said with a smile, and has nothing done to it, is not meant.
fn smiles(text: &str) -> bool {
    [":)", ";)", ":-)", ";-)", ":D", "😄", "😂", "🤣", "😉", "😜", "xD"]
        .iter()
        .any(|smile| text.contains(smile))
}

/// The sentence beside this one that says why: about the same, with a reason, and nothing else by itself.
fn beside<'a>(
    said: &'a [Said<'a>],
    signs: &[Signs],
    alone: &[Option<Claim>],
    at: usize,
) -> Option<&'a Said<'a>> {
    let about = stems(said[at].text);
    [at + 1, at.wrapping_sub(1)].into_iter().find_map(|other| {
        let sentence = said.get(other)?;
        let plain =
            alone[other].is_none() && signs[other].reason && !signs[other].asks && !signs[other].supposes;
        let shared = stems(sentence.text)
            .intersection(&about)
            .any(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()));
        let decides = (signs[at].decided || signs[at].settled) && other > at;
        (plain && (shared || decides) && sentence.words.len() >= 4).then_some(sentence)
    })
}

/// Something to be remembered that is no rule.
fn noted(signs: &Signs, said: &Said) -> Option<Claim> {
    let states =
        !(signs.asks || signs.supposes || signs.hearsay || signs.passing || signs.idle || signs.quotes);
    (signs.keep && states && said.words.len() >= 7).then_some(Claim {
        category: Category::Context,
        score: 0.6,
        rules: false,
    })
}

/// Whether the person takes back what they said before.
fn takes_back(turn: &Turn) -> bool {
    turn.said.first().is_some_and(|said| signs(said, &turn.tongues).concedes)
}

/// Whether the person does not want what was done or proposed.
pub fn refuses(turn: &Turn) -> bool {
    let signs: Vec<Signs> = turn.said.iter().take(2).map(|said| signs(said, &turn.tongues)).collect();
    refused(&turn.said, &signs)
}

/// Whether a prompt begins with a refusal; `hm.` may stand before it, `ok.` may not.
fn refused(said: &[Said], signs: &[Signs]) -> bool {
    let second =
        || said[0].words.len() <= 2 && !signs[0].agrees && signs.get(1).is_some_and(|signs| signs.refuses);
    signs.first().is_some_and(|first| first.refuses || second())
}

/// What the assistant states in the course of its work, unless it only says the person's words again.
fn answered<'a>(context: &Context, turn: &'a Turn<'a>, said: &[Group]) -> Vec<Group<'a>> {
    if !turn.is_work() {
        return Vec::new();
    }
    let mut found: Vec<Group> = Vec::new();
    for sentence in turn.answers.iter().filter(|sentence| sentence.words.len() >= 6) {
        let tongues = super::tongue::of(sentence.text);
        let claim = claim::of_assistant(&signs(sentence, &tongues));
        let again =
            || said.iter().any(|group| group.stems().intersection(&stems(sentence.text)).count() >= 2);
        if let Some(claim) = claim.filter(|_| !again() && !context.echoes.has(sentence.text)) {
            group::add(&mut found, Group::of(claim, sentence, None, None));
        }
    }
    found
}

/// A proposal of the assistant with its reason that the person agrees to.
fn agreed<'a>(context: &Context, before: &'a Turn<'a>, turn: &'a Turn<'a>) -> Option<Group<'a>> {
    let first = turn.said.first()?;
    let answer = signs(first, &turn.tongues);
    let agrees = answer.agrees
        && !answer.refuses
        && !answer.asks
        && !turn.said.iter().any(|said| said.text.contains("but "));
    let proposal = before.answers.iter().rev().take(3).find(|said| {
        let signs = signs(said, &super::tongue::of(said.text));
        signs.instead && signs.reason && !signs.asks && !signs.hearsay && !context.echoes.has(said.text)
    });
    let claim = Claim { category: Category::Decision, score: 0.62, rules: false };
    proposal.filter(|_| agrees).map(|proposal| Group::of(claim, proposal, None, None).confirmed(first))
}

/// Of two that say the same, the better one; of two limits of the same thing, the later one.
fn superseded(groups: Vec<Group>) -> Vec<Group> {
    let mut kept: Vec<Group> = Vec::new();
    for group in groups {
        let about = group.stems();
        let alike = kept.iter().position(|known| {
            known.category() == group.category() && likeness(&known.stems(), &about) >= 0.5
        });
        match alike {
            Some(at) if group.numbers() != kept[at].numbers() && group.is_of_person() => kept[at] = group,
            Some(at) if likeness(&kept[at].stems(), &about) >= 0.65 => {
                if group.score() > kept[at].score() {
                    kept[at] = group;
                }
            }
            _ => kept.push(group),
        }
    }
    kept
}
