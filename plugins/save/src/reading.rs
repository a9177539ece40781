//! Reads a session with a model: one request for all categories, from the whole session and the memories that
//! exist. A second request confirms what would replace or end a memory.
//!
//! A model's answer is as untrusted as the session, because the model may have followed instructions in a
//! tool's output. So a change must cite lines, and [checks](change_checks) compare it with them.

mod change;
mod change_checks;
mod folded_words;
mod invented_numbers;
mod phrase_sources;
mod request;
mod session_lines;

use std::collections::HashMap;

use interleaf_layer::llm::Request;
use interleaf_layer::memory::Category;
use serde_json::Value;

use self::change::{Answer, Change, Operation};
use self::change_checks::ChangeChecker;
use self::phrase_sources::PhraseSources;
use self::session_lines::{SessionLines, Speaker};
use crate::finding::{Finding, Retirement};
use crate::known_memory::{KnownMemory, MemoryLookup};
use crate::settings::{CategoryPolicies, Settings};
use crate::transcript::Transcript;

pub use change::Told;
pub use request::CATEGORIES;

/// The categories of the memories that a session may replace or end: besides those that a model writes, those
/// that a person wrote.
const CHANGEABLE: [Category; 8] = [
    Category::Preference,
    Category::Decision,
    Category::Constraint,
    Category::TechDebt,
    Category::Runbook,
    Category::Learning,
    Category::Context,
    Category::Blocker,
];

/// Maximum number of known memories in a request.
const MAX_KNOWN: usize = 25;

/// Maximum number of parts of a session that one flush reads, the last ones.
const MAX_PARTS: usize = 4;

/// Minimum number of words of the person for which a model is asked, if no tool was called.
const MIN_WORDS: usize = 4;

/// A language model.
pub trait Model {
    /// Returns the answer, or why there is none.
    fn complete(&self, request: &Request) -> Result<String, String>;
}

/// What is known before a model is asked.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The session's id.
    pub session_id: &'a str,
    /// The project's memories.
    pub memories: &'a dyn MemoryLookup,
    /// The cursor of the first entry that no flush has saved. What stands before it is the last turn that was
    /// saved: a "yes, do that" is understood only with what it answers.
    pub saved_until: u64,
    /// The enabled categories and their descriptions.
    pub policies: &'a CategoryPolicies,
    /// The categories that may be written.
    pub categories: &'a [Category],
}

/// What a model read in a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// Whether the model gave a usable answer to any request.
    pub is_answered: bool,
    /// Memories to write.
    pub findings: Vec<Finding>,
    /// Memories to retire.
    pub retirements: Vec<Retirement>,
    /// The summary of the session.
    pub summary: Option<Told>,
    /// Changes that were refused.
    pub refused: Vec<Refusal>,
    /// Why requests have no usable answer.
    pub failed: Vec<String>,
}

/// A change that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The title or the text of the change.
    pub title: String,
    /// The reason.
    pub reason: RefusalReason,
}

/// The reason why a change is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusalReason {
    /// The rule. It contains no words of the session, so the log may show it.
    pub rule: &'static str,
    /// The words that broke the rule, from the session or a model.
    pub words: String,
}

impl RefusalReason {
    const fn new(rule: &'static str) -> Self {
        Self { rule, words: String::new() }
    }

    fn with_words(rule: &'static str, words: &str) -> Self {
        Self { rule, words: change::one_line(words, 200) }
    }
}

impl std::fmt::Display for RefusalReason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.rule)?;
        match self.words.as_str() {
            "" => Ok(()),
            words => write!(formatter, ": {words}"),
        }
    }
}

/// Reads a session. If no part of it is worth a request, the reading is empty and not answered.
pub fn read(transcript: &Transcript, known: Known<'_>, settings: &Settings, model: &dyn Model) -> Reading {
    let mut reading = Reading::default();
    let parts = SessionLines::parts_of(transcript);
    let parts: Vec<&SessionLines> =
        parts.iter().filter(|part| is_worth_reading(part, known.saved_until)).collect();
    for part in &parts[parts.len().saturating_sub(MAX_PARTS)..] {
        let memories = request::fitting(known_memories(part, &known));
        let (categories, until) = (known.categories, known.saved_until);
        let request = request::read(part, &memories, categories, known.policies, until, settings.tier);
        match model.complete(&request).and_then(|answer| change::read(&answer)) {
            Ok(answer) => {
                reading.is_answered = true;
                let part = Part { transcript, lines: part, known: &known, memories: &memories, model };
                part.add(answer, &mut reading);
            }
            Err(why) => reading.failed.push(why),
        }
    }
    reading
}

/// Tells whether a part holds anything new that somebody said or did, besides a short "go on".
fn is_worth_reading(part: &SessionLines, saved_until: u64) -> bool {
    let new = || part.lines.iter().filter(|line| line.cursor >= saved_until);
    let words: usize = new()
        .filter(|line| line.speaker == Speaker::User)
        .map(|line| line.text.split_whitespace().count().max(line.text.chars().count() / 12))
        .sum();
    let has_acted = new().any(|line| line.speaker == Speaker::Call);
    words >= MIN_WORDS || has_acted
}

/// Returns the memories that the part may be about: those that are like something that the person said, or
/// like what they answered, or like a command that ran, then the newest.
fn known_memories(part: &SessionLines, known: &Known<'_>) -> Vec<KnownMemory> {
    let by = |speaker| part.lines.iter().filter(move |line| line.speaker == speaker);
    let said = by(Speaker::User);
    let pairs = part.lines.windows(2).filter(|pair| pair[1].speaker == Speaker::User);
    let answered = pairs.map(|pair| &pair[0]).filter(|line| line.speaker == Speaker::Assistant);
    let lines = said.chain(answered).chain(by(Speaker::Call));
    let texts: Vec<&str> = lines.map(|line| line.text.as_str()).collect();
    known.memories.known(&CHANGEABLE, &texts, MAX_KNOWN)
}

/// A part of a session that a model has read.
struct Part<'a> {
    transcript: &'a Transcript,
    lines: &'a SessionLines,
    known: &'a Known<'a>,
    memories: &'a [KnownMemory],
    model: &'a dyn Model,
}

impl Part<'_> {
    /// Checks the changes of an answer, and adds them to the reading.
    fn add(&self, answer: Answer, reading: &mut Reading) {
        reading.summary = answer.summary.or_else(|| reading.summary.take());
        let claims = answer.changes.iter().flat_map(Change::claims);
        let sources = PhraseSources::of(claims, self.transcript);
        let checker = ChangeChecker {
            session_id: self.known.session_id,
            lines: self.lines,
            sources: &sources,
            known: self.memories,
            saved_until: self.known.saved_until,
        };
        let (mut findings, mut retirements) = (Vec::new(), Vec::new());
        for change in &answer.changes {
            let result = match change.operation {
                Operation::Retire(index) => {
                    checker.check_retirement(change, index).map(|end| retirements.push(end))
                }
                Operation::Add | Operation::Replace(_) => self
                    .may_write(change)
                    .and_then(|()| checker.check(change))
                    .map(|finding| findings.push(finding)),
            };
            if let Err(reason) = result {
                reading.refuse(title(change), reason);
            }
        }
        number_keys(&mut findings);
        self.confirm(findings, retirements, reading);
    }

    fn may_write(&self, change: &Change) -> Result<(), RefusalReason> {
        match change.category.is_none_or(|category| self.known.categories.contains(&category)) {
            true => Ok(()),
            false => Err(RefusalReason::new("memories of this category are not wanted")),
        }
    }

    /// Has the model confirm what would replace or end a memory. Without an answer, nothing is replaced.
    fn confirm(&self, findings: Vec<Finding>, retirements: Vec<Retirement>, reading: &mut Reading) {
        let (replacements, new): (Vec<Finding>, Vec<Finding>) =
            findings.into_iter().partition(|finding| finding.about.is_some());
        reading.findings.extend(new);
        if replacements.is_empty() && retirements.is_empty() {
            return;
        }
        let shown: Vec<&Finding> = replacements.iter().collect();
        let request = request::confirm(self.lines, &shown, &retirements, self.known.saved_until);
        let count = replacements.len() + retirements.len();
        let verdicts = self.model.complete(&request).and_then(|answer| verdicts(count, &answer));
        let verdicts = verdicts.unwrap_or_else(|why| {
            reading.failed.push(format!("the changes were not confirmed: {why}"));
            vec![Err(RefusalReason::new("it was not confirmed")); count]
        });
        let mut verdicts = verdicts.into_iter();
        for (finding, verdict) in replacements.into_iter().zip(&mut verdicts) {
            match verdict {
                Ok(()) => reading.findings.push(finding),
                Err(reason) => reading.refuse(finding.text, reason),
            }
        }
        for (retirement, verdict) in retirements.into_iter().zip(verdicts) {
            match verdict {
                Ok(()) => reading.retirements.push(retirement),
                Err(reason) => reading.refuse(retirement.why, reason),
            }
        }
    }
}

impl Reading {
    fn refuse(&mut self, title: String, reason: RefusalReason) {
        self.refused.push(Refusal { title, reason });
    }
}

/// Tells apart findings that rest on the same line: one sentence may state two rules.
fn number_keys(findings: &mut [Finding]) {
    let mut count: HashMap<String, usize> = HashMap::new();
    for finding in findings {
        let number = count.entry(finding.key.clone()).or_default();
        *number += 1;
        if *number > 1 {
            finding.key.push_str(&format!("/{number}"));
        }
    }
}

fn title(change: &Change) -> String {
    let titles = [&change.title, &change.text, &change.why];
    titles.into_iter().find(|text| !text.is_empty()).cloned().unwrap_or_default()
}

/// Reads the verdicts on the proposals. One without a verdict, or with two that differ, does not hold.
fn verdicts(count: usize, answer: &str) -> Result<Vec<Result<(), RefusalReason>>, String> {
    let answer = change::object(answer)?;
    let verdicts = answer["verdicts"].as_array().ok_or("the answer has no list of verdicts")?;
    let of = |index: usize| verdicts.iter().filter(move |it| it["index"].as_u64() == Some(index as u64));
    let judged = (0..count).map(|index| {
        let refused = |verdict: &Value| {
            let why = verdict["because"].as_str().unwrap_or_default();
            RefusalReason::with_words("the session does not say so", why)
        };
        match of(index).find(|verdict| verdict["holds"] != true) {
            Some(verdict) => Err(refused(verdict)),
            None if of(index).next().is_none() => Err(RefusalReason::new("it was not confirmed")),
            None => Ok(()),
        }
    });
    Ok(judged.collect())
}

#[cfg(test)]
mod tests;
