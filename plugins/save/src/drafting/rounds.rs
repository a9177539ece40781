//! The rounds of drafting: ask for drafts, check them without a model, have a second model verify them, and
//! merge them with the rules' findings. Each round sends all its requests at once, unless the settings demand
//! one at a time. If the request of a category fails, only the rules' findings of that category remain.

use std::collections::BTreeMap;

use super::answer::{self, Answer, Draft};
use super::checks::{self, DraftChecker};
use super::excerpt::{Excerpt, ExcerptScope};
use super::merge;
use super::prompts::{self, DraftMaterial};
use super::provenance::PhraseSources;
use super::{Drafted, Known, Model, Prompt, Refusal, RefusalReason};
use crate::finding::{Evidence, Finding, Retirement};
use crate::known_memory::KnownMemory;
use crate::rules::is_saved;
use crate::settings::Settings;
use crate::transcript::{Kind, Role, Transcript};
use crate::triage::Triaged;
use interleaf_layer::memory::Category;

/// Maximum number of known memories in a prompt, at about 80 tokens each.
const MAX_KNOWN: usize = 8;

/// The scope of the excerpt for verifying: the quotes and the entries close to them.
const VERIFY_SCOPE: ExcerptScope = ExcerptScope { entries: 5, tool_entries: 2, max_bytes: 7_000 };

/// Returns the scope of the excerpt for drafting. Tool entries fill most of a transcript, but the person or
/// the assistant states decisions, limits, postponed work and preferences. So only failures and the summary
/// need distant tool entries.
const fn draft_scope(category: Category) -> ExcerptScope {
    let tool_entries = if matches!(category, Category::Runbook | Category::SessionSummary) { 10 } else { 2 };
    ExcerptScope { entries: 10, tool_entries, max_bytes: 10_000 }
}

/// Drafts that wait for verification, or that the verifying model supports.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    /// Drafts, and findings of the rules that the drafting model calls wrong.
    findings: Vec<Finding>,
    retirements: Vec<Retirement>,
}

/// Drafts that wait for verification, of all categories.
pub(super) type PendingDrafts = BTreeMap<Category, Drafts>;

pub(super) struct Rounds<'a> {
    transcript: &'a Transcript,
    known: Known<'a>,
    session: &'a str,
    settings: &'a Settings,
    model: &'a dyn Model,
    /// The known memories in each category's prompt, in their order.
    shown: BTreeMap<Category, Vec<KnownMemory>>,
    drafted: Drafted,
    /// Keys of the rules' findings that both models call wrong.
    wrong: Vec<String>,
}

impl<'a> Rounds<'a> {
    pub fn new(
        transcript: &'a Transcript,
        known: Known<'a>,
        session: &'a str,
        settings: &'a Settings,
        model: &'a dyn Model,
    ) -> Self {
        let (shown, drafted, wrong) = (BTreeMap::new(), Drafted::default(), Vec::new());
        Self { transcript, known, session, settings, model, shown, drafted, wrong }
    }

    /// Round 1: asks for drafts, one request per category, and reads the answers.
    pub fn ask(&mut self, asked: &[&Triaged]) -> Vec<(Category, Answer)> {
        for triaged in asked {
            let known = self.known_memories(triaged);
            self.shown.insert(triaged.category, known);
        }
        let prompts: Vec<Prompt> = asked.iter().map(|triaged| self.draft_prompt(triaged)).collect();
        let mut answers = Vec::new();
        for (triaged, answer) in asked.iter().zip(self.complete(&prompts)) {
            match answer.and_then(|text| answer::read(triaged.category, &text)) {
                Ok(answer) => answers.push((triaged.category, answer)),
                Err(why) => self.drafted.failed.push((triaged.category, why)),
            }
        }
        answers
    }

    /// Returns the categories that triage missed but a model named. People state a limit or a habit in more
    /// ways than a list of phrases can hold, and the model that summarizes a session reads all texts of the
    /// person anyway.
    pub fn additional_categories(
        &self,
        triaged: &[Triaged],
        asked: &[&Triaged],
        answers: &[(Category, Answer)],
    ) -> Vec<Triaged> {
        let named = |category| answers.iter().any(|(_, answer)| answer.also.contains(&category));
        let is_new = |category| !asked.iter().any(|asked| asked.category == category);
        let new = triaged.iter().filter(|it| {
            named(it.category) && is_new(it.category) && self.known.policies.is_enabled(it.category)
        });
        let prompts = self.transcript.entries.iter();
        let prompts = prompts.filter(|entry| entry.role == Role::User && entry.kind == Kind::Text);
        let evidence: Vec<Evidence> =
            prompts.map(|entry| Evidence { quote: String::new(), cursor: entry.cursor }).collect();
        let triggered =
            |triaged: &Triaged| Triaged { triggered: true, evidence: evidence.clone(), ..triaged.clone() };
        new.map(triggered).collect()
    }

    /// Round 2: checks the drafts without a model.
    pub fn check(&mut self, asked: &[&Triaged], answers: Vec<(Category, Answer)>) -> PendingDrafts {
        let drafts = answers.iter().flat_map(|(_, answer)| &answer.drafts).flat_map(Draft::texts);
        let ends = answers.iter().flat_map(|(_, answer)| &answer.retirements).flat_map(|end| end.texts());
        let sources = PhraseSources::of(drafts.chain(ends), self.transcript);
        let mut pending = PendingDrafts::new();
        for (category, answer) in answers {
            let Some(triaged) = asked.iter().find(|asked| asked.category == category) else { continue };
            self.check_category(triaged, &answer, &sources, &mut pending);
        }
        pending.retain(|_, drafts| !(drafts.findings.is_empty() && drafts.retirements.is_empty()));
        pending
    }

    fn check_category(
        &mut self,
        triaged: &Triaged,
        answer: &Answer,
        sources: &PhraseSources,
        pending: &mut PendingDrafts,
    ) {
        let (category, excerpt) = (triaged.category, self.excerpt(triaged));
        let known = self.shown.get(&category).cloned().unwrap_or_default();
        let checker = DraftChecker {
            category,
            session: self.session,
            excerpt: &excerpt,
            sources,
            known: &known,
            saved_until: self.known.saved_until,
        };
        let drafts = pending.entry(category).or_default();
        for draft in &answer.drafts {
            match checker.check(draft) {
                Ok(finding) => drafts.findings.push(finding),
                Err(reason) => self.refuse(category, &draft.title, reason),
            }
        }
        for title in &answer.excess {
            self.refuse(category, title, RefusalReason::new("the answer has too many drafts"));
        }
        let disputed = self.disputed(category, &drafts.findings);
        drafts.findings.extend(disputed);
        // A memory is not retired without verification.
        for end in answer.retirements.iter().filter(|_| self.settings.verify) {
            match checker.check_retirement(end) {
                Ok(retirement) => drafts.retirements.push(retirement),
                Err(reason) => self.refuse(category, &end.why, reason),
            }
        }
    }

    /// Returns the rules' findings that the drafting model did not write again. They are dropped only if the
    /// verifying model does not support them either, so that a transcript cannot remove them by manipulating
    /// the small model.
    fn disputed(&self, category: Category, drafts: &[Finding]) -> Vec<Finding> {
        let candidates = self.candidates(category).into_iter().filter(|_| self.settings.verify);
        let disputed =
            candidates.filter(|finding| !drafts.iter().any(|draft| merge::is_same(finding, draft)));
        disputed.cloned().collect()
    }

    /// Round 3: has a second model verify the drafts. If its request fails, none of them is supported.
    pub fn verify(&mut self, pending: PendingDrafts) -> Drafts {
        let mut verified = Drafts::default();
        if !self.settings.verify {
            verified.findings = pending.into_values().flat_map(|drafts| drafts.findings).collect();
            return verified;
        }
        let prompts: Vec<Prompt> =
            pending.iter().map(|(category, drafts)| self.verify_prompt(*category, drafts)).collect();
        for ((category, drafts), answer) in pending.into_iter().zip(self.complete(&prompts)) {
            let count = drafts.findings.len() + drafts.retirements.len();
            match answer.and_then(|answer| checks::verdicts(count, &answer)) {
                Ok(verdicts) => self.apply_verdicts(category, drafts, verdicts, &mut verified),
                Err(why) => {
                    self.drafted.failed.push((category, format!("the drafts were not verified: {why}")));
                }
            }
        }
        verified
    }

    fn apply_verdicts(
        &mut self,
        category: Category,
        drafts: Drafts,
        mut verdicts: Vec<Result<(), RefusalReason>>,
        verified: &mut Drafts,
    ) {
        let of_retirements = verdicts.split_off(drafts.findings.len());
        for (finding, verdict) in drafts.findings.into_iter().zip(verdicts) {
            self.apply_verdict(finding, verdict, verified);
        }
        for (retirement, verdict) in drafts.retirements.into_iter().zip(of_retirements) {
            match verdict {
                Ok(()) => add_once(&mut verified.retirements, retirement),
                Err(reason) => self.refuse(category, &retirement.why, reason),
            }
        }
    }

    /// Keeps a supported draft, and records a finding of the rules that is not supported.
    fn apply_verdict(&mut self, finding: Finding, verdict: Result<(), RefusalReason>, verified: &mut Drafts) {
        let by_rules = self.known.findings.iter().any(|known| known.key == finding.key);
        match verdict {
            Ok(()) if by_rules => {}
            Err(reason) if by_rules && reason.rule == checks::NO_VERDICT => {}
            Ok(()) => verified.findings.push(finding),
            Err(reason) => {
                self.refuse(finding.category, finding.title.as_deref().unwrap_or(&finding.text), reason);
                self.wrong.extend(by_rules.then_some(finding.key));
            }
        }
    }

    /// Round 4: merges the rules' findings and the drafts.
    pub fn merge(mut self, verified: Drafts) -> Drafted {
        let kept = self.known.findings.iter().filter(|finding| !self.wrong.contains(&finding.key));
        let mut findings: Vec<Finding> = kept.cloned().collect();
        for draft in verified.findings.into_iter().filter(|draft| !is_saved(self.known.saved, draft)) {
            if let Err(reason) = merge::add(&mut findings, &draft) {
                self.refuse(draft.category, draft.title.as_deref().unwrap_or(&draft.text), reason);
            }
        }
        for finding in merge::split_excess(&mut findings, self.settings.max_drafts) {
            let title = finding.title.as_deref().unwrap_or(&finding.text);
            let reason = RefusalReason::new("the session has reached its maximum number of memories");
            self.refuse(finding.category, title, reason);
        }
        merge::limit_cheat_sheet(&mut findings, self.settings.promote);
        // A memory with a successor is superseded, not retired.
        let mut retirements = verified.retirements;
        retirements.retain(|end| !findings.iter().any(|finding| is_about(finding, &end.memory.id)));
        Drafted { findings, retirements, ..self.drafted }
    }

    /// Returns the rules' findings of a category.
    fn candidates(&self, category: Category) -> Vec<&'a Finding> {
        self.known.findings.iter().filter(|finding| finding.category == category).collect()
    }

    fn excerpt(&self, triaged: &Triaged) -> Excerpt<'a> {
        let known = self.candidates(triaged.category).into_iter().flat_map(|finding| &finding.evidence);
        let cursors: Vec<u64> = triaged.evidence.iter().chain(known).map(|it| it.cursor).collect();
        Excerpt::of(self.transcript, &cursors, &draft_scope(triaged.category))
    }

    fn draft_prompt(&self, triaged: &Triaged) -> Prompt {
        let category = triaged.category;
        let material = DraftMaterial {
            category,
            description: self.known.policies.description(category),
            candidates: self.candidates(category),
            saved: self.known.saved,
            known: self.shown.get(&category).map_or(&[], Vec::as_slice),
            excerpt: &self.excerpt(triaged),
            saved_until: self.known.saved_until,
        };
        prompts::draft(&material, self.settings.tier(category))
    }

    fn verify_prompt(&self, category: Category, drafts: &Drafts) -> Prompt {
        let findings = drafts.findings.iter().flat_map(|finding| &finding.evidence);
        let ends = drafts.retirements.iter().flat_map(|retirement| &retirement.evidence);
        let cursors: Vec<u64> = findings.chain(ends).map(|evidence| evidence.cursor).collect();
        let excerpt = Excerpt::of(self.transcript, &cursors, &VERIFY_SCOPE);
        let saved_until = self.known.saved_until;
        prompts::verify(category, &drafts.findings, &drafts.retirements, &excerpt, saved_until)
    }

    /// Returns the known memories to show for a category. The prompt for a summary shows postponed work and
    /// blockers instead of earlier summaries: that model reads all texts of the person, so it can see that
    /// such work is done.
    fn known_memories(&self, triaged: &Triaged) -> Vec<KnownMemory> {
        let categories = match triaged.category {
            Category::SessionSummary => &[Category::TechDebt, Category::Blocker][..],
            _ => std::slice::from_ref(&triaged.category),
        };
        let texts = triaged.evidence.iter().map(|evidence| self.evidence_text(evidence));
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        self.known.memories.known(categories, &texts, MAX_KNOWN)
    }

    fn evidence_text<'e>(&'e self, evidence: &'e Evidence) -> &'e str {
        let entry = || self.transcript.entries.iter().find(|entry| entry.cursor == evidence.cursor);
        match evidence.quote.as_str() {
            "" => entry().map_or("", |entry| &entry.text),
            quote => quote,
        }
    }

    /// Sends the prompts and returns one answer per prompt.
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>> {
        let at_once = if self.settings.parallel { prompts.len() } else { 1 };
        let answers = prompts.chunks(at_once.max(1)).flat_map(|prompts| {
            let mut answers = self.model.complete(prompts);
            answers.resize(prompts.len(), Err("the model gave no answer".to_owned()));
            answers
        });
        answers.collect()
    }

    fn refuse(&mut self, category: Category, title: &str, reason: RefusalReason) {
        self.drafted.refused.push(Refusal { category, title: title.to_owned(), reason });
    }
}

fn is_about(finding: &Finding, id: &str) -> bool {
    finding.about.as_ref().is_some_and(|about| about.memory.id == id)
}

/// Adds a retirement unless the list has one of the same memory: two prompts may have shown it.
fn add_once(all: &mut Vec<Retirement>, retirement: Retirement) {
    if all.iter().all(|known| known.memory.id != retirement.memory.id) {
        all.push(retirement);
    }
}
