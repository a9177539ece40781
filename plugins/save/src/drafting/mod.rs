//! Saving with a model: one draft for each triggered category, from an excerpt around its evidence; what the drafts
//! quote is looked up, what they claim is verified, and only then they are finds.
//!
//! What a model answers is as little trusted as the transcript: it may have followed words that a tool gave back.

mod answer;
mod check;
mod cut;
mod echo;
mod escape;
mod excerpt;
pub mod fields;
mod key;
mod merge;
mod model;
mod numbers;
mod prompts;
mod quotes;
mod refusal;
mod rounds;
#[cfg(test)]
mod tests;
mod verify;

use rounds::Rounds;

pub use model::{Model, Prompt, Tier};
pub use refusal::{Refusal, Unfit};

use crate::categories::Categories;
use crate::find::{Category, Find};
use crate::settings::Settings;
use crate::standing::{Ended, Memories};
use crate::talk::Talk;
use crate::triage::Triaged;

/// What came of the drafts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drafted {
    /// What is to be written: what the rules found, in the model's words where it said the same, and what it found
    /// besides; best first.
    pub finds: Vec<Find>,
    /// Memories that came to their end.
    pub ended: Vec<Ended>,
    /// What is not written.
    pub refused: Vec<Refusal>,
    /// Categories for which the model could not be asked, and why; what the rules found there stands.
    pub failed: Vec<(Category, String)>,
}

/// What is known before anybody is asked.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// What the rules found.
    pub finds: &'a [Find],
    /// What the agent saved itself, as it said it: only what it missed is sought.
    pub saved: &'a [String],
    /// What stands already.
    pub memories: &'a dyn Memories,
    /// How the person wants each category kept: those that are not wanted are not drafted.
    pub categories: &'a Categories,
}

/// Drafts what was triggered.
pub fn draft(
    talk: &Talk,
    triaged: &[Triaged],
    known: Known<'_>,
    session: &str,
    settings: &Settings,
    model: &dyn Model,
) -> Drafted {
    let wanted = triaged.iter().filter(|it| known.categories.are_wanted(it.category));
    let triaged: Vec<Triaged> = wanted.cloned().collect();
    let asked: Vec<&Triaged> = triaged.iter().filter(|it| it.triggered && settings.model).collect();
    if asked.is_empty() {
        return Drafted { finds: known.finds.to_vec(), ..Drafted::default() };
    }
    let mut rounds = Rounds::new(talk, known, session, settings, model);
    let mut answers = rounds.ask(&asked);
    let also = rounds.also(&triaged, &asked, &answers);
    let also: Vec<&Triaged> = also.iter().collect();
    answers.extend(rounds.ask(&also));
    let checked = rounds.check(&[asked, also].concat(), answers);
    let verified = rounds.verify(checked);
    rounds.join(verified)
}
