//! The rounds of drafting: ask for drafts ([`asking`]), see what code can see of them ([`checking`]), have them verified
//! ([`verifying`]), join them with what the rules found ([`joining`]). Each round asks everything at once, unless the person
//! wants one question at a time; a category that fails falls out and leaves the rules' finds.

mod asking;
mod checking;
mod joining;
mod verifying;

use std::collections::BTreeMap;

use super::excerpt::{Around, Excerpt};
use super::model::{Model, Prompt};
use super::refusal::{Refusal, Unfit};
use super::{Drafted, Known};
use crate::find::{Category, Find};
use crate::settings::Settings;
use crate::standing::{Ended, Standing};
use crate::talk::Talk;
use crate::triage::Triaged;

/// What a draft is made from: the hits with ten entries on either side (seed 003). Tools are most of a transcript; what
/// is decided, limited, put off or preferred is said, so only a failure and the summary need them from afar.
const fn drafting(category: Category) -> Around {
    let tools = if matches!(category, Category::Runbook | Category::SessionSummary) { 10 } else { 2 };
    Around { reach: 10, tools, room: 10_000 }
}

/// What is to be verified of one category.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Drafts, and finds of the rules that the drafting model says are wrong.
    finds: Vec<Find>,
    /// Memories that it says came to their end.
    ended: Vec<Ended>,
}

/// The same of all categories.
pub(super) type Batches = BTreeMap<Category, Batch>;

/// What is supported.
#[derive(Debug, Default)]
pub(super) struct Supported {
    finds: Vec<Find>,
    ended: Vec<Ended>,
}

pub(super) struct Rounds<'a> {
    talk: &'a Talk,
    known: Known<'a>,
    session: &'a str,
    settings: &'a Settings,
    model: &'a dyn Model,
    /// What each category's prompt showed of the memories that stand, in its order.
    standing: BTreeMap<Category, Vec<Standing>>,
    drafted: Drafted,
    /// Keys of the rules' finds that are wrong.
    wrong: Vec<String>,
}

impl<'a> Rounds<'a> {
    pub fn new(
        talk: &'a Talk,
        known: Known<'a>,
        session: &'a str,
        settings: &'a Settings,
        model: &'a dyn Model,
    ) -> Self {
        let (standing, drafted, wrong) = (BTreeMap::new(), Drafted::default(), Vec::new());
        Self { talk, known, session, settings, model, standing, drafted, wrong }
    }

    /// What the rules found of a category.
    fn candidates(&self, category: Category) -> Vec<&'a Find> {
        self.known.finds.iter().filter(|find| find.category == category).collect()
    }

    fn excerpt(&self, triaged: &Triaged) -> Excerpt<'a> {
        let known = self.candidates(triaged.category).into_iter().flat_map(|find| &find.evidence);
        let cursors: Vec<u64> = triaged.evidence.iter().chain(known).map(|it| it.cursor).collect();
        Excerpt::of(self.talk, &cursors, &drafting(triaged.category))
    }

    /// As many answers as prompts, whatever the model gives.
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>> {
        let at_once = if self.settings.parallel { prompts.len() } else { 1 };
        let asked = prompts.chunks(at_once.max(1)).flat_map(|prompts| {
            let mut answers = self.model.complete(prompts);
            answers.resize(prompts.len(), Err("the model gave no answer".to_owned()));
            answers
        });
        asked.collect()
    }

    fn refuse(&mut self, category: Category, title: &str, why: Unfit) {
        self.drafted.refused.push(Refusal { category, title: title.to_owned(), why });
    }
}
