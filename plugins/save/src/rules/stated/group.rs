//! Sentences that state one thing together, and the find that is made of them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::claim::Claim;
use super::wording::{cleaned, cut, text};
use crate::find::{Category, Evidence, Find, Origin};
use crate::rules::context::Context;
use crate::rules::turns::{Said, Turn};
use crate::rules::words::stems;
use crate::talk::Role;

/// Words that stand for something said before.
const POINTING: &[&str] = &[
    "it", "that", "this", "they", "these", "those", "its", "das", "es", "dies", "die", "sie", "cela", "ça",
    "ce", "eso", "esto", "isso", "isto", "questo", "quello", "dat", "dit", "这",
];

/// Sentences that state one thing.
#[derive(Debug, Clone)]
pub struct Group<'a> {
    claim: Claim,
    /// In the order in which they were said.
    said: Vec<&'a Said<'a>>,
    /// What it was said of, where it does not say so itself.
    of: Option<&'a Said<'a>>,
    /// The person's agreement.
    agreed: Option<&'a Said<'a>>,
    /// The reason.
    why: Option<&'a Said<'a>>,
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
        Self { claim, said: all, of, agreed: None, why, head: None }
    }

    /// With what is said first.
    pub fn headed(self, head: String) -> Self {
        Self { head: Some(head), ..self }
    }

    /// With the person's agreement.
    pub fn confirmed(self, agreed: &'a Said<'a>) -> Self {
        Self { agreed: Some(agreed), ..self }
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
    pub fn find(self, context: &Context) -> Find {
        let category = self.claim.category;
        let text = self.text();
        let evidence = self.said.iter().copied().chain(self.of).chain(self.agreed).map(Said::evidence);
        let evidence: Vec<Evidence> = evidence.collect();
        let person = self.said.iter().all(|said| context.role(said.at) == Role::User);
        Find {
            category,
            title: None,
            content: self.content(&text),
            tags: if self.claim.rules && person { vec!["convention".to_owned()] } else { Vec::new() },
            files: context.files_in(&text),
            confidence: if person { 0.9 } else { 0.75 },
            importance: importance(category, self.claim.rules),
            origin: Origin::Assistant,
            score: self.claim.score,
            key: context.key(category, &evidence[0]),
            evidence,
            text,
        }
    }

    fn text(&self) -> String {
        let said = text(&self.said);
        let said = self.head.iter().fold(said, |said, head| format!("{head}: {said}"));
        match self.of {
            Some(of) => format!("{said} (About: {})", cut(cleaned(of), 200)),
            None => said,
        }
    }

    fn content(&self, text: &str) -> Value {
        let why = self.why.map(|said| cleaned(said).to_owned());
        let reason = why.clone().unwrap_or_else(|| text.to_owned());
        match self.claim.category {
            Category::Preference => {
                json!({ "topic": cut(text, 80), "value": text, "reason": why, "strength": if self.claim.rules { "strong" } else { "default" } })
            }
            Category::Decision => {
                json!({ "status": "accepted", "context": self.of.map(|of| of.text), "decision": text, "rationale": [reason] })
            }
            Category::Constraint => {
                json!({ "kind": "limitation", "rule": text, "impact": [reason], "severity": "medium", "active": true })
            }
            Category::TechDebt => {
                json!({ "status": "open", "priority": "medium", "description": text, "reason_deferred": reason })
            }
            _ => json!({}),
        }
    }
}

fn importance(category: Category, rules: bool) -> f32 {
    match category {
        Category::Preference if rules => 0.85,
        Category::Preference | Category::Constraint => 0.75,
        Category::Decision => 0.7,
        Category::TechDebt => 0.6,
        _ => 0.5,
    }
}

/// The sentence of the turn before that this one points to: it begins with a pronoun or with a number.
fn pointed_to<'a>(said: &Said, before: &'a Turn<'a>) -> Option<&'a Said<'a>> {
    let text = cleaned(said);
    let from = said.text.len() - text.len();
    let first = said.words.iter().find(|word| word.start >= from)?;
    let number = first.text.starts_with(|c: char| c.is_ascii_digit());
    let points = POINTING.contains(&first.text.as_str()) && said.words.len() <= 12;
    if !number && !points {
        return None;
    }
    let told = |other: &&Said| !other.text.ends_with('?') && other.words.len() >= 4;
    let same = |other: &&Said| other.words.iter().any(|word| word.text == first.text);
    let mut answers = before.answers.iter().rev().filter(told);
    if number { answers.find(same) } else { answers.next() }
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
