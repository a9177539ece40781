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
mod fields;
mod key;
mod merge;
mod model;
mod numbers;
mod prompts;
mod quotes;
#[cfg(test)]
mod tests;
mod verify;

use std::collections::BTreeMap;

use answer::Answer;
use check::Against;
use echo::Echoes;
use excerpt::{Around, Excerpt};

pub use model::{Model, Prompt, Tier};

use crate::find::{Category, Evidence, Find};
use crate::settings::Settings;
use crate::talk::{Kind, Role, Talk};
use crate::triage::Triaged;

/// A draft that is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What it was to be.
    pub category: Category,
    /// What it called itself.
    pub title: String,
    /// Why not.
    pub why: String,
}

/// What came of the drafts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drafted {
    /// What is to be written: what the rules found, in the model's words where it said the same, and what it found
    /// besides; best first.
    pub finds: Vec<Find>,
    /// What is not.
    pub refused: Vec<Refusal>,
    /// Categories for which the model could not be asked, and why; what the rules found there stands.
    pub failed: Vec<(Category, String)>,
}

/// What a draft is made from: the hits with ten entries on either side (seed 003).
const DRAFTING: Around = Around { reach: 10, room: 10_000 };
/// What it is verified with: what it quotes, with what was said shortly before and after.
const VERIFYING: Around = Around { reach: 5, room: 7_000 };

/// Drafts what was triggered. `known` is what the rules found.
pub fn draft(
    talk: &Talk,
    triaged: &[Triaged],
    known: &[Find],
    session: &str,
    settings: &Settings,
    model: &dyn Model,
) -> Drafted {
    let mut work =
        Work { talk, known, session, settings, model, drafted: Drafted::default(), wrong: Vec::new() };
    let asked: Vec<&Triaged> = triaged.iter().filter(|it| it.triggered && settings.model).collect();
    if asked.is_empty() {
        return Drafted { finds: known.to_vec(), ..Drafted::default() };
    }
    let mut answers = work.ask(&asked);
    let also = work.also(triaged, &asked, &answers);
    let also: Vec<&Triaged> = also.iter().collect();
    answers.extend(work.ask(&also));
    let checked = work.check(&[asked, also].concat(), answers);
    let verified = if settings.verify { work.verify(checked) } else { checked };
    work.finish(verified)
}

/// Drafts of a category.
type Batches = BTreeMap<Category, Vec<Find>>;

struct Work<'a> {
    talk: &'a Talk,
    known: &'a [Find],
    session: &'a str,
    settings: &'a Settings,
    model: &'a dyn Model,
    drafted: Drafted,
    /// Keys of the rules' finds that the model says are wrong.
    wrong: Vec<String>,
}

impl<'a> Work<'a> {
    fn known(&self, category: Category) -> Vec<&'a Find> {
        self.known.iter().filter(|find| find.category == category).collect()
    }

    fn excerpt(&self, triaged: &Triaged) -> Excerpt<'a> {
        let known = self.known(triaged.category).into_iter().flat_map(|find| &find.evidence);
        let cursors: Vec<u64> = triaged.evidence.iter().chain(known).map(|it| it.cursor).collect();
        Excerpt::of(self.talk, &cursors, &DRAFTING)
    }

    /// One request for each category, side by side.
    fn ask(&mut self, asked: &[&Triaged]) -> Vec<(Category, Answer)> {
        let prompts: Vec<Prompt> = asked
            .iter()
            .map(|it| prompts::draft(it.category, &self.known(it.category), &self.excerpt(it), self.settings))
            .collect();
        let answers = self.complete(&prompts);
        let mut read = Vec::new();
        for (triaged, answer) in asked.iter().zip(answers) {
            match answer.and_then(|text| answer::read(triaged.category, &text)) {
                Ok(answer) => read.push((triaged.category, answer)),
                Err(why) => self.drafted.failed.push((triaged.category, why)),
            }
        }
        read
    }

    /// What the model saw that the words did not tell: people state a limit or a habit in more ways than a list of
    /// phrases can hold, and whoever summarises a session reads all that the person said anyway.
    fn also(&self, triaged: &[Triaged], asked: &[&Triaged], answers: &[(Category, Answer)]) -> Vec<Triaged> {
        let told = |category| answers.iter().any(|(_, answer)| answer.also.contains(&category));
        let new = triaged
            .iter()
            .filter(|it| told(it.category) && !asked.iter().any(|one| one.category == it.category));
        let said =
            self.talk.entries.iter().filter(|entry| entry.role == Role::User && entry.kind == Kind::Text);
        let evidence: Vec<Evidence> =
            said.map(|entry| Evidence { quote: String::new(), cursor: entry.cursor }).collect();
        new.map(|it| Triaged { triggered: true, evidence: evidence.clone(), ..it.clone() }).collect()
    }

    /// As many answers as prompts, whatever the model gives.
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>> {
        if prompts.is_empty() {
            return Vec::new();
        }
        let mut answers = self.model.complete(prompts);
        answers.resize(prompts.len(), Err("the model gave no answer".to_owned()));
        answers
    }

    /// What code can see of the drafts.
    fn check(&mut self, asked: &[&Triaged], answers: Vec<(Category, Answer)>) -> Batches {
        let says = answers.iter().flat_map(|(_, answer)| &answer.drafts).flat_map(answer::Draft::says);
        let echoes = Echoes::of(says, self.talk);
        let mut checked = Batches::new();
        for (category, answer) in answers {
            let Some(triaged) = asked.iter().find(|it| it.category == category) else { continue };
            let excerpt = self.excerpt(triaged);
            let against = Against { category, session: self.session, excerpt: &excerpt, echoes: &echoes };
            for draft in &answer.drafts {
                match against.check(draft) {
                    Ok(find) => checked.entry(category).or_default().push(find),
                    Err(why) => self.refuse(category, &draft.title, why),
                }
            }
            answer
                .over
                .iter()
                .for_each(|title| self.refuse(category, title, "there were too many".to_owned()));
            self.give_up(category, answer.wrong);
        }
        checked
    }

    /// What the rules found and the model says is wrong.
    fn give_up(&mut self, category: Category, wrong: Vec<(usize, String)>) {
        let known = self.known(category);
        for (at, why) in wrong {
            if let Some(find) = known.get(at).filter(|find| !self.wrong.contains(&find.key)) {
                self.refuse(
                    category,
                    find.title.as_deref().unwrap_or(&find.text),
                    format!("found by rules: {why}"),
                );
                self.wrong.push(find.key.clone());
            }
        }
    }

    fn refuse(&mut self, category: Category, title: &str, why: String) {
        self.drafted.refused.push(Refusal { category, title: title.to_owned(), why });
    }

    /// What a second model finds in the excerpt. Where it cannot be asked, nothing of it is written.
    fn verify(&mut self, checked: Batches) -> Batches {
        let prompts: Vec<Prompt> =
            checked.iter().map(|(category, finds)| self.question(*category, finds)).collect();
        let answers = self.complete(&prompts);
        let mut verified = Batches::new();
        for ((category, finds), answer) in checked.into_iter().zip(answers) {
            match answer.and_then(|answer| verify::verdicts(&finds, &answer)) {
                Ok(verdicts) => {
                    for (find, verdict) in finds.into_iter().zip(verdicts) {
                        match verdict {
                            Ok(()) => verified.entry(category).or_default().push(find),
                            Err(why) => {
                                self.refuse(category, find.title.as_deref().unwrap_or(&find.text), why)
                            }
                        }
                    }
                }
                Err(why) => {
                    self.drafted.failed.push((category, format!("the drafts were not verified: {why}")))
                }
            }
        }
        verified
    }

    fn question(&self, category: Category, finds: &[Find]) -> Prompt {
        let cursors: Vec<u64> = finds.iter().flat_map(|find| &find.evidence).map(|it| it.cursor).collect();
        prompts::verify(category, finds, &Excerpt::of(self.talk, &cursors, &VERIFYING))
    }

    /// What the rules found and what the model drafted, as one.
    fn finish(mut self, verified: Batches) -> Drafted {
        let known = self.known.iter().filter(|find| !self.wrong.contains(&find.key));
        let mut finds: Vec<Find> = known.cloned().collect();
        for draft in verified.into_values().flatten() {
            merge::put(&mut finds, draft);
        }
        for find in merge::best(&mut finds, self.settings.drafts) {
            let title = find.title.unwrap_or(find.text);
            let why = format!("more than {} in a session", self.settings.drafts);
            self.drafted.refused.push(Refusal { category: find.category, title, why });
        }
        merge::promote(&mut finds, self.settings.promote);
        Drafted { finds, ..self.drafted }
    }
}
