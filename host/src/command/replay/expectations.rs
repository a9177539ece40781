//! What a recording says should come back: its facts, and for each event which of them are wanted.

use std::collections::HashMap;
use std::fs;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::error::{Error, Result};

use super::recording::{Session, json};

/// The file beside the events.
const FILE: &str = "expectations.json";

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    save: Vec<Fact>,
    #[serde(default)]
    must_not_save: Vec<Forbidden>,
    inject: Option<Injections>,
    #[serde(default)]
    active_before: Vec<String>,
}

#[derive(Deserialize)]
struct Fact {
    id: String,
    #[serde(default)]
    must_match: Vec<String>,
    same_as: Option<String>,
    #[serde(default)]
    priority: Priority,
}

/// How much it matters that a fact is saved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Priority {
    /// It has to be.
    Must,
    /// It may be.
    #[default]
    Nice,
}

/// What must not be saved; without a pattern, somebody has to look.
#[derive(Deserialize)]
struct Forbidden {
    what: String,
    pattern: Option<String>,
}

/// Event by event, or a remark on a session that has nothing to show.
#[derive(Deserialize)]
#[serde(untagged)]
enum Injections {
    Each(Vec<Injection>),
    None(serde::de::IgnoredAny),
}

#[derive(Deserialize)]
struct Injection {
    event: usize,
    inject: Wish,
    #[serde(default)]
    allow: Vec<String>,
}

/// Ids of facts, or `optional` or `silence`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Wish {
    Facts(Vec<String>),
    Word(String),
}

/// What one event should bring.
#[derive(Debug, Clone, Default)]
pub(super) struct Expected {
    /// Facts that should be shown.
    pub wanted: Vec<String>,
    /// Facts that may be.
    pub allowed: Vec<String>,
    /// Nothing should be shown at all.
    pub silence: bool,
}

/// What a session should bring.
pub(super) struct Expectations {
    session: String,
    /// Every fact of the scenario up to this session, with what a text must match to say it.
    facts: Vec<(String, Vec<Regex>)>,
    /// Facts that repeat an earlier one.
    same: HashMap<String, String>,
    /// By number of the event; `None` where the whole session should be silent.
    events: Option<HashMap<usize, Expected>>,
    /// What is true when the session begins.
    pub active: Vec<String>,
    /// What this session should leave behind.
    pub lessons: Vec<(String, Priority)>,
    /// What it must not, with a pattern that says it.
    pub forbidden: Vec<(String, fancy_regex::Regex)>,
}

impl Expectations {
    /// What the recording says; `None` where it says nothing.
    pub(super) fn of(session: &Session) -> Result<Option<Self>> {
        if !session.folder.join(FILE).exists() {
            return Ok(None);
        }
        let File { inject, active_before: active, save, must_not_save } = json(&session.folder.join(FILE))?;
        let forbidden = must_not_save.into_iter().filter_map(|item| Some((item.what, item.pattern?)));
        let forbidden = forbidden.map(|(what, pattern)| Ok((what, forbidding(&pattern)?)));
        let mut expectations = Self {
            session: session.meta.session.clone(),
            facts: Vec::new(),
            same: HashMap::new(),
            events: match inject {
                Some(Injections::Each(each)) => Some(each.into_iter().map(expected).collect()),
                Some(Injections::None(_)) | None => None,
            },
            active,
            lessons: save.iter().map(|fact| (fact.id.clone(), fact.priority)).collect(),
            forbidden: forbidden.collect::<Result<_>>()?,
        };
        expectations.learn(session)?;
        Ok(Some(expectations))
    }

    /// The facts of this session and of those before it, which lie beside it.
    fn learn(&mut self, session: &Session) -> Result<()> {
        let folder = session.folder.canonicalize().map_err(Error::unavailable)?;
        let beside = folder.parent().map(fs::read_dir).transpose().map_err(Error::unavailable)?;
        for other in beside.into_iter().flatten().flatten().map(|entry| entry.path()) {
            let path = other.join(FILE);
            if other <= folder && path.exists() {
                for fact in json::<File>(&path)?.save {
                    let patterns: Result<Vec<_>> = fact.must_match.iter().map(|text| pattern(text)).collect();
                    self.facts.push((fact.id.clone(), patterns.map_err(|e| e.context(path.display()))?));
                    self.same.extend(fact.same_as.map(|same| (fact.id, same)));
                }
            }
        }
        Ok(())
    }

    /// What the event of this number should bring; `None` where nobody said.
    pub(super) fn at(&self, event: usize) -> Option<Expected> {
        match &self.events {
            Some(events) => events.get(&event).cloned(),
            None => Some(Expected { silence: true, ..Expected::default() }),
        }
    }

    /// The facts that a text says. A memory is shown on a line of its own, so one line must say the whole fact.
    pub(super) fn seen(&self, text: &str) -> Vec<String> {
        let said = |patterns: &[Regex]| text.lines().any(|line| says(patterns, line));
        self.facts.iter().filter(|(_, patterns)| said(patterns)).map(|(id, _)| id.clone()).collect()
    }

    /// The facts that a saved memory says, in all its words together.
    pub(super) fn said(&self, memory: &str) -> Vec<String> {
        let facts = self.facts.iter().filter(|(_, patterns)| says(patterns, memory));
        facts.map(|(id, _)| id.clone()).collect()
    }

    /// Whether a fact may be shown where `expected` holds. What this very session said is neither wanted nor wrong.
    pub(super) fn tolerates(&self, expected: &Expected, fact: &str) -> bool {
        let listed = |id: &String| expected.wanted.contains(id) || expected.allowed.contains(id);
        let own = fact.split_once('/').is_some_and(|(session, _)| session == self.session);
        own || listed(&fact.to_owned()) || self.same.get(fact).is_some_and(listed)
    }
}

fn expected(injection: Injection) -> (usize, Expected) {
    let (wanted, silence) = match injection.inject {
        Wish::Facts(facts) => (facts, false),
        Wish::Word(word) => (Vec::new(), word == "silence"),
    };
    (injection.event, Expected { wanted, allowed: injection.allow, silence })
}

fn says(patterns: &[Regex], text: &str) -> bool {
    !patterns.is_empty() && patterns.iter().all(|pattern| pattern.is_match(text))
}

fn pattern(text: &str) -> Result<Regex> {
    RegexBuilder::new(text).case_insensitive(true).build().map_err(Error::invalid)
}

/// As it is written: case counts unless the pattern says otherwise, and it may look behind.
fn forbidding(text: &str) -> Result<fancy_regex::Regex> {
    fancy_regex::Regex::new(text).map_err(|error| Error::invalid(format!("must_not_save, {text}: {error}")))
}
