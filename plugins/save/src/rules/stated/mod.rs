//! What somebody stated: rules and wishes of the person, decisions, limits, what was put off.

mod agreed;
mod amended;
mod claim;
mod content;
mod group;
mod listed;
mod prompt;
pub mod signs;
pub mod wording;

pub use amended::Amendment;
pub use prompt::refuses;

use std::collections::BTreeSet;

use self::group::Group;
use self::prompt::Prompt;
use self::signs::signs;
use super::context::Context;
use super::deeds::Deed;
use super::turns::Turn;
use super::words::{likeness, stems};
use crate::finding::Finding;

/// How alike two statements are that are about the same, and that are the same.
const ALIKE: f32 = 0.5;
const SAME: f32 = 0.65;

/// Bytes of an output whose words the assistant may only be repeating.
const MOST_READ: usize = 10_000;

/// Statements that a new one is compared with.
const MOST_COMPARED: usize = 100;

/// What was stated, and which numbers were put right.
pub fn stated(context: &Context) -> (Vec<Finding>, Vec<Amendment>) {
    let turns = &context.turns;
    let mut groups: Vec<Group> = Vec::new();
    let mut amendments = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &turns[index]);
        let mut said = Prompt::new(turn, before).groups(context);
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
        said.extend(before.and_then(|before| agreed::agreed(context, before, turn)));
        groups.extend(said);
    }
    (superseded(groups).into_iter().map(|group| group.find(context)).collect(), amendments)
}

/// Whether the person takes back what they said before.
fn takes_back(turn: &Turn) -> bool {
    turn.said.first().is_some_and(|said| signs(said, &turn.tongues).concedes)
}

/// What the assistant states in the course of its work, unless it only says the person's words again.
fn answered<'a>(context: &Context, turn: &'a Turn<'a>, said: &[Group]) -> Vec<Group<'a>> {
    let deeds = context.deeds.get(turn.deeds.clone()).unwrap_or_default();
    // Where nothing was changed, nothing was decided: it may say what it was shown from the memory.
    if !deeds.iter().any(Deed::changes) {
        return Vec::new();
    }
    let read: BTreeSet<String> = deeds.iter().flat_map(|deed| stems(beginning(deed.output()))).collect();
    let mut found: Vec<Group> = Vec::new();
    for sentence in turn.answers.iter().filter(|sentence| sentence.words.len() >= 6) {
        let claim = claim::of_assistant(&signs(sentence, &super::tongue::of(sentence.text)));
        let about = stems(sentence.text);
        let again = || said.iter().any(|group| group.stems().intersection(&about).count() >= 2);
        let told =
            || context.echoes.has(sentence.text) || about.intersection(&read).count() * 10 >= about.len() * 7;
        if let Some(claim) = claim.filter(|_| !again() && !told()) {
            group::add(&mut found, Group::of(claim, sentence, None, None));
        }
    }
    found
}

/// As much of an output as is compared.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST_READ)]
}

/// Of two that say the same, the better one; of two limits of the same thing, the later one.
fn superseded(groups: Vec<Group>) -> Vec<Group> {
    let mut kept: Vec<(Group, BTreeSet<String>)> = Vec::new();
    for group in groups {
        let about = group.stems();
        // What was said long ago is not looked at again: the host knows what is in the memory.
        let recent = kept.len().saturating_sub(MOST_COMPARED);
        let alike = |(known, other): &(Group, _)| {
            known.category() == group.category() && likeness(other, &about) >= ALIKE
        };
        match kept[recent..].iter().position(alike).map(|at| at + recent) {
            Some(at) if group.numbers() != kept[at].0.numbers() && group.is_of_person() => {
                kept[at] = (group, about)
            }
            Some(at) if likeness(&kept[at].1, &about) >= SAME => {
                if group.score() > kept[at].0.score() {
                    kept[at] = (group, about);
                }
            }
            _ => kept.push((group, about)),
        }
    }
    kept.into_iter().map(|(group, _)| group).collect()
}
