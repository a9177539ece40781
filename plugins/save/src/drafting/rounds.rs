//! The rounds of drafting: ask for drafts, see what code can see of them, have them verified, join them with what the
//! rules found. Each round asks everything at once; a category that fails falls out and leaves the rules' finds.

use std::collections::BTreeMap;

use super::answer::{self, Answer};
use super::check::Against;
use super::echo::Echoes;
use super::excerpt::{Around, Excerpt};
use super::model::{Model, Prompt};
use super::{Drafted, Known, Refusal, merge, prompts, verify};
use crate::find::{Category, Evidence, Find};
use crate::rules::is_saved;
use crate::settings::Settings;
use crate::talk::{Kind, Role, Talk};
use crate::triage::Triaged;

/// What a draft is made from: the hits with ten entries on either side (seed 003). Tools are most of a transcript; what
/// is decided, limited, put off or preferred is said, so only a failure and the summary need them from afar.
const fn drafting(category: Category) -> Around {
    let tools = if matches!(category, Category::Runbook | Category::SessionSummary) { 10 } else { 2 };
    Around { reach: 10, tools, room: 10_000 }
}

/// What a draft is verified with: what it quotes, with what was said shortly before and after.
const VERIFYING: Around = Around { reach: 5, tools: 2, room: 7_000 };

/// What is to be verified of a category: drafts, and finds of the rules that the drafting model says are wrong.
type Batches = BTreeMap<Category, Vec<Find>>;

pub(super) struct Rounds<'a> {
    talk: &'a Talk,
    known: Known<'a>,
    session: &'a str,
    settings: &'a Settings,
    model: &'a dyn Model,
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
        Self { talk, known, session, settings, model, drafted: Drafted::default(), wrong: Vec::new() }
    }

    fn known(&self, category: Category) -> Vec<&'a Find> {
        self.known.finds.iter().filter(|find| find.category == category).collect()
    }

    fn excerpt(&self, triaged: &Triaged) -> Excerpt<'a> {
        let known = self.known(triaged.category).into_iter().flat_map(|find| &find.evidence);
        let cursors: Vec<u64> = triaged.evidence.iter().chain(known).map(|it| it.cursor).collect();
        Excerpt::of(self.talk, &cursors, &drafting(triaged.category))
    }

    fn prompt(&self, it: &Triaged) -> Prompt {
        let (known, excerpt) = (self.known(it.category), self.excerpt(it));
        prompts::draft(it.category, &known, self.known.saved, &excerpt, self.settings)
    }

    /// One request for each category, side by side.
    pub fn ask(&mut self, asked: &[&Triaged]) -> Vec<(Category, Answer)> {
        let prompts: Vec<Prompt> = asked.iter().map(|it| self.prompt(it)).collect();
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
    pub fn also(
        &self,
        triaged: &[Triaged],
        asked: &[&Triaged],
        answers: &[(Category, Answer)],
    ) -> Vec<Triaged> {
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
    pub fn check(&mut self, asked: &[&Triaged], answers: Vec<(Category, Answer)>) -> Batches {
        let says = answers.iter().flat_map(|(_, answer)| &answer.drafts).flat_map(answer::Draft::says);
        let echoes = Echoes::of(says, self.talk);
        let mut checked = Batches::new();
        for (category, answer) in answers {
            let Some(triaged) = asked.iter().find(|it| it.category == category) else { continue };
            let excerpt = self.excerpt(triaged);
            let against = Against { category, session: self.session, excerpt: &excerpt, echoes: &echoes };
            let batch = checked.entry(category).or_default();
            for draft in &answer.drafts {
                match against.check(draft) {
                    Ok(find) => batch.push(find),
                    Err(why) => self.refuse(category, &draft.title, why),
                }
            }
            for title in &answer.over {
                self.refuse(category, title, "there were too many".to_owned());
            }
            batch.extend(self.doubted(category, &answer.wrong));
        }
        checked.retain(|_, batch| !batch.is_empty());
        checked
    }

    /// The rules' finds that the drafting model says are wrong. They fall only if who verifies says so too: a transcript
    /// that talks a small model into it loses nobody's words.
    fn doubted(&self, category: Category, wrong: &[usize]) -> Vec<Find> {
        let verified = self.settings.verify;
        let known = self.known(category).into_iter().enumerate();
        known.filter(|(at, _)| verified && wrong.contains(at)).map(|(_, find)| find.clone()).collect()
    }

    fn refuse(&mut self, category: Category, title: &str, why: String) {
        self.drafted.refused.push(Refusal { category, title: title.to_owned(), why });
    }

    /// What a second model finds in the excerpt. Where it cannot be asked, nothing of it is written.
    pub fn verify(&mut self, checked: Batches) -> Vec<Find> {
        if !self.settings.verify {
            return checked.into_values().flatten().collect();
        }
        let questions = checked.iter().map(|(category, finds)| self.question(*category, finds));
        let prompts: Vec<Prompt> = questions.collect();
        let mut verified = Vec::new();
        for ((category, finds), answer) in checked.into_iter().zip(self.complete(&prompts)) {
            match answer.and_then(|answer| verify::verdicts(&finds, &answer)) {
                Ok(verdicts) => verified.extend(self.supported(finds, verdicts)),
                Err(why) => {
                    self.drafted.failed.push((category, format!("the drafts were not verified: {why}")));
                }
            }
        }
        verified
    }

    /// The drafts that are supported; of the rules' finds, those that are not are noted.
    fn supported(&mut self, finds: Vec<Find>, verdicts: Vec<Result<(), String>>) -> Vec<Find> {
        let mut supported = Vec::new();
        for (find, verdict) in finds.into_iter().zip(verdicts) {
            let rules = self.known.finds.iter().any(|known| known.key == find.key);
            match verdict {
                Ok(()) if rules => {}
                Ok(()) => supported.push(find),
                Err(why) => {
                    self.refuse(find.category, find.title.as_deref().unwrap_or(&find.text), why);
                    self.wrong.extend(rules.then_some(find.key));
                }
            }
        }
        supported
    }

    fn question(&self, category: Category, finds: &[Find]) -> Prompt {
        let cursors: Vec<u64> = finds.iter().flat_map(|find| &find.evidence).map(|it| it.cursor).collect();
        prompts::verify(category, finds, &Excerpt::of(self.talk, &cursors, &VERIFYING))
    }

    /// What the rules found and what the model drafted, as one.
    pub fn join(mut self, verified: Vec<Find>) -> Drafted {
        let known = self.known.finds.iter().filter(|find| !self.wrong.contains(&find.key));
        let mut finds: Vec<Find> = known.cloned().collect();
        for draft in verified.into_iter().filter(|draft| !is_saved(self.known.saved, draft)) {
            merge::put(&mut finds, draft);
        }
        for find in merge::best(&mut finds, self.settings.drafts) {
            let why = format!("more than {} in a session", self.settings.drafts);
            self.refuse(find.category, find.title.as_deref().unwrap_or(&find.text), why);
        }
        merge::promote(&mut finds, self.settings.promote);
        Drafted { finds, ..self.drafted }
    }
}
