//! Sentences that state one thing together, and the find that is made of them.

use std::collections::BTreeSet;

use super::claim::Claim;
use super::content::{content, importance, pointed_to};
use super::wording::{cleaned, cut, raised, text};
use crate::finding::{Evidence, Finding, Origin};
use crate::rules::context::Context;
use crate::rules::turns::{Said, Turn};
use crate::rules::words::stems;
use crate::transcript::Role;
use interleaf_layer::memory::Category;

/// Sentences that state one thing.
#[derive(Debug, Clone)]
pub struct Group<'a> {
    pub(super) claim: Claim,
    /// In the order in which they were said.
    said: Vec<&'a Said<'a>>,
    /// What it was said of, where it does not say so itself.
    pub(super) of: Option<&'a Said<'a>>,
    /// The person's agreement.
    agreed: Option<&'a Said<'a>>,
    /// The reason.
    pub(super) why: Option<&'a Said<'a>>,
    /// What was agreed to.
    decided: Option<String>,
    /// What is said before everything else.
    head: Option<String>,
}

impl<'a> Group<'a> {
    /// A sentence, the one that gives its reason, and the turn before it, which it may point to.
    pub fn of(
        claim: Claim,
        said: &'a Said<'a>,
        why: Option<&'a Said<'a>>,
        before: Option<&'a Turn<'a>>,
    ) -> Self {
        let mut all = vec![said];
        all.extend(why);
        all.sort_by_key(|said| said.text.as_ptr());
        let of = before.and_then(|before| pointed_to(said, before));
        Self { claim, said: all, of, agreed: None, why, decided: None, head: None }
    }

    /// With what is said first.
    pub fn headed(self, head: String) -> Self {
        Self { head: Some(head), ..self }
    }

    /// With a sentence that belongs to it.
    pub fn along(mut self, said: &'a Said<'a>) -> Self {
        self.said.push(said);
        self.said.sort_by_key(|said| said.text.as_ptr());
        self.said.dedup_by_key(|said| said.text.as_ptr());
        self
    }

    /// At least as sure as what it was joined with.
    pub fn raised_to(mut self, other: Claim) -> Self {
        if self.claim.category == other.category {
            self.claim.score = self.claim.score.max(other.score);
            self.claim.rules |= other.rules;
        }
        self
    }

    /// With the person's agreement, told as what is decided.
    pub fn confirmed(self, agreed: &'a Said<'a>, decided: String) -> Self {
        Self { agreed: Some(agreed), decided: Some(decided), ..self }
    }

    /// The kind.
    pub fn category(&self) -> Category {
        self.claim.category
    }

    /// How sure it is worth keeping.
    pub fn score(&self) -> f32 {
        self.claim.score
    }

    /// What it is about.
    pub fn stems(&self) -> BTreeSet<String> {
        self.said.iter().flat_map(|said| stems(said.text)).collect()
    }

    /// The numbers in it.
    pub fn numbers(&self) -> BTreeSet<&str> {
        let words = self.said.iter().flat_map(|said| &said.words);
        words
            .map(|word| word.text.as_str())
            .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
            .collect()
    }

    /// Whether these sentences are in both.
    pub fn overlaps(&self, other: Option<&Group>) -> bool {
        other.is_some_and(|other| {
            self.said
                .iter()
                .any(|said| other.said.iter().any(|known| known.text.as_ptr() == said.text.as_ptr()))
        })
    }

    /// Whether the person said it; what is agreed to is the assistant's.
    pub fn is_of_person(&self) -> bool {
        self.agreed.is_none()
    }

    /// The find.
    pub fn find(self, context: &Context) -> Finding {
        let category = self.claim.category;
        let text = self.text();
        let evidence = self.said.iter().copied().chain(self.of).chain(self.agreed).map(Said::evidence);
        let evidence: Vec<Evidence> = evidence.collect();
        let person = self.said.iter().all(|said| context.role(said.at) == Role::User);
        Finding {
            category,
            title: None,
            content: content(&self, &text),
            tags: if self.claim.rules && person { vec!["convention".to_owned()] } else { Vec::new() },
            files: context.files_in(&text),
            confidence: if person { 0.9 } else { 0.75 },
            importance: importance(category, self.claim.rules),
            origin: Origin::Assistant,
            score: self.claim.score,
            about: None,
            key: context.key(category, &evidence[0]),
            evidence,
            text,
        }
    }

    fn text(&self) -> String {
        if let Some(decided) = &self.decided {
            return format!("Decided: {}", cut(&raised(decided.trim()), 480));
        }
        let said = text(&self.said);
        let said = self.head.iter().fold(said, |said, head| format!("{head}: {said}"));
        match self.of {
            Some(of) => format!("{said} (About: {})", cut(cleaned(of), 200)),
            None => said,
        }
    }
}

/// Adds a group; to the one before it, where both say one thing.
pub fn add<'a>(groups: &mut Vec<Group<'a>>, group: Group<'a>) {
    let joins =
        groups.last().filter(|last| last.claim.category == group.claim.category && last.said.len() < 4);
    let shared = joins.is_some_and(|last| {
        last.stems().intersection(&group.stems()).any(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()))
    });
    match groups.last_mut().filter(|_| shared) {
        Some(last) => {
            last.claim.score = last.claim.score.max(group.claim.score);
            last.claim.rules |= group.claim.rules;
            last.why = last.why.or(group.why);
            let new = group
                .said
                .into_iter()
                .filter(|said| !last.said.iter().any(|known| known.text.as_ptr() == said.text.as_ptr()));
            let new: Vec<&Said> = new.collect();
            last.said.extend(new);
        }
        None => groups.push(group),
    }
}

/// `keep it in mind`: what was said just before weighs more.
pub fn stress(groups: &mut [Group], said: &Said) {
    let last = groups.last_mut().filter(|last| last.said.iter().any(|known| known.at == said.at));
    last.into_iter().for_each(|last| last.claim.score = (last.claim.score + 0.05).min(0.99));
}
