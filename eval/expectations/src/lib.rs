//! Reads a recording's `expectations.json` and judges against it: which facts a text states, which memories
//! of a session state an expected fact, and which state something that must not be saved.
//!
//! The replay and the tests of the save layer ask the same judge, so that a figure means the same wherever it
//! is printed. It knows nothing of Interleaf: a memory is a category and its words.

mod judge;

pub use judge::{Memory, SavedCounts};

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use fancy_regex::{Regex, RegexBuilder};
use serde::Deserialize;

/// The file beside the events of a recording.
const FILE_NAME: &str = "expectations.json";

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    save: Vec<ListedFact>,
    #[serde(default)]
    must_not_save: Vec<ListedProhibition>,
    inject: Option<Injections>,
    #[serde(default)]
    active_before: Vec<String>,
}

#[derive(Deserialize)]
struct ListedFact {
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
pub enum Priority {
    /// The fact must be saved.
    Must,
    /// The fact may be saved.
    #[default]
    Nice,
}

/// What must not be saved. An entry without a pattern is a note for human readers.
#[derive(Deserialize)]
struct ListedProhibition {
    what: String,
    pattern: Option<String>,
}

/// A list by event, or a remark on a session in which nothing should be shown.
#[derive(Deserialize)]
#[serde(untagged)]
enum Injections {
    ByEvent(Vec<Injection>),
    Remark(serde::de::IgnoredAny),
}

#[derive(Deserialize)]
struct Injection {
    event: usize,
    inject: Wish,
    #[serde(default)]
    allow: Vec<String>,
}

/// Ids of facts, or one of the words `optional` and `silence`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Wish {
    Facts(Vec<String>),
    Word(String),
}

/// What one event should show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpectedInjection {
    /// Ids of facts that should be in view.
    pub wanted: Vec<String>,
    /// Ids of facts that may be shown.
    pub allowed: Vec<String>,
    /// Nothing should be shown at all.
    pub silence: bool,
}

struct Fact {
    id: String,
    patterns: Vec<Regex>,
}

struct Prohibition {
    what: String,
    pattern: Regex,
}

/// What a recorded session should save and show.
pub struct Expectations {
    session: String,
    /// The facts of this session and of the earlier ones of its project.
    known_facts: Vec<Fact>,
    /// Ids of facts that repeat an earlier fact, with the earlier one's id.
    repeats: HashMap<String, String>,
    /// By number of the event; `None` where the whole session should be silent.
    injections: Option<HashMap<usize, ExpectedInjection>>,
    /// Ids of the facts that hold when the session begins.
    pub active_before: Vec<String>,
    /// Ids of the facts that this session should save.
    pub facts_to_save: Vec<(String, Priority)>,
    prohibitions: Vec<Prohibition>,
}

impl Expectations {
    /// Reads the expectations of the recording in `folder`; `None` where it has none. `session` is the
    /// session's name, with which the ids of its own facts begin.
    ///
    /// # Errors
    /// When the file, or that of an earlier session beside it, cannot be read or has a pattern that is not
    /// valid.
    pub fn read(folder: &Path, session: &str) -> Result<Option<Self>> {
        if !folder.join(FILE_NAME).exists() {
            return Ok(None);
        }
        let File { inject, active_before, save, must_not_save } = read_file(folder)?;
        let with_pattern = must_not_save.into_iter().filter_map(|item| Some((item.what, item.pattern?)));
        let prohibitions = with_pattern.map(|(what, pattern)| {
            // Case counts unless the pattern says otherwise.
            let pattern = Regex::new(&pattern).with_context(|| format!("must_not_save, {pattern}"))?;
            Ok(Prohibition { what, pattern })
        });
        let mut expectations = Self {
            session: session.to_owned(),
            known_facts: Vec::new(),
            repeats: HashMap::new(),
            injections: match inject {
                Some(Injections::ByEvent(list)) => Some(list.into_iter().map(expected_injection).collect()),
                Some(Injections::Remark(_)) | None => None,
            },
            active_before,
            facts_to_save: save.iter().map(|fact| (fact.id.clone(), fact.priority)).collect(),
            prohibitions: prohibitions.collect::<Result<_>>()?,
        };
        expectations.add_known_facts(folder)?;
        Ok(Some(expectations))
    }

    /// Adds the facts of this session and of the earlier ones, whose folders lie beside it and sort before
    /// it.
    fn add_known_facts(&mut self, folder: &Path) -> Result<()> {
        let folder = folder.canonicalize()?;
        let siblings = folder.parent().map(fs::read_dir).transpose()?;
        for sibling in siblings.into_iter().flatten().flatten().map(|entry| entry.path()) {
            if sibling > folder || !sibling.join(FILE_NAME).exists() {
                continue;
            }
            for ListedFact { id, must_match, same_as, .. } in read_file(&sibling)?.save {
                let patterns = must_match.iter().map(|pattern| fact_pattern(pattern)).collect::<Result<_>>();
                let patterns = patterns.with_context(|| format!("{}: {id}", sibling.display()))?;
                self.repeats.extend(same_as.map(|same_as| (id.clone(), same_as)));
                self.known_facts.push(Fact { id, patterns });
            }
        }
        Ok(())
    }

    /// Returns what the event of this number should show; `None` where the recording does not say.
    pub fn injection_at(&self, event: usize) -> Option<ExpectedInjection> {
        match &self.injections {
            Some(by_event) => by_event.get(&event).cloned(),
            None => Some(ExpectedInjection { silence: true, ..ExpectedInjection::default() }),
        }
    }

    /// Returns the ids of the facts that an injected text shows. A memory is shown on a line of its own, so
    /// one line must state the whole fact.
    pub fn facts_shown(&self, injected: &str) -> Vec<String> {
        let is_shown = |fact: &&Fact| injected.lines().any(|line| fact.is_stated_in(line));
        self.known_facts.iter().filter(is_shown).map(|fact| fact.id.clone()).collect()
    }

    /// Returns the ids of the facts that a memory states in all its words together.
    pub fn facts_stated(&self, words: &str) -> Vec<String> {
        let stated = self.known_facts.iter().filter(|fact| fact.is_stated_in(words));
        stated.map(|fact| fact.id.clone()).collect()
    }

    /// Returns what a memory states although it must not be saved.
    pub fn prohibitions_broken(&self, words: &str) -> Vec<&str> {
        // A pattern that gives up on a text has not shown that the text is harmless.
        let broken = self.prohibitions.iter().filter(|it| it.pattern.is_match(words).unwrap_or(true));
        broken.map(|prohibition| prohibition.what.as_str()).collect()
    }

    /// Whether a fact may be shown where `expected` holds. A fact of this very session is neither wanted nor
    /// wrong.
    pub fn tolerates(&self, expected: &ExpectedInjection, fact: &str) -> bool {
        let is_listed = |id: &str| expected.wanted.iter().chain(&expected.allowed).any(|listed| listed == id);
        let is_own = fact.split_once('/').is_some_and(|(session, _)| session == self.session);
        is_own || is_listed(fact) || self.repeats.get(fact).is_some_and(|earlier| is_listed(earlier))
    }
}

impl Fact {
    fn is_stated_in(&self, text: &str) -> bool {
        let matches = |pattern: &Regex| pattern.is_match(text).unwrap_or(false);
        !self.patterns.is_empty() && self.patterns.iter().all(matches)
    }
}

fn expected_injection(injection: Injection) -> (usize, ExpectedInjection) {
    let (wanted, silence) = match injection.inject {
        Wish::Facts(facts) => (facts, false),
        Wish::Word(word) => (Vec::new(), word == "silence"),
    };
    (injection.event, ExpectedInjection { wanted, allowed: injection.allow, silence })
}

fn fact_pattern(pattern: &str) -> Result<Regex> {
    RegexBuilder::new(pattern).case_insensitive(true).build().with_context(|| pattern.to_owned())
}

fn read_file(folder: &Path) -> Result<File> {
    let path = folder.join(FILE_NAME);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expectations() -> Expectations {
        let fact = |id: &str, patterns: &[&str]| Fact {
            id: id.to_owned(),
            patterns: patterns.iter().map(|pattern| fact_pattern(pattern).unwrap()).collect(),
        };
        Expectations {
            session: "s2".to_owned(),
            known_facts: vec![fact("s1/pnpm", &["PNPM", "npm"]), fact("s1/pattern_free", &[])],
            repeats: HashMap::from([("s2/pnpm".to_owned(), "s1/pnpm".to_owned())]),
            injections: None,
            active_before: Vec::new(),
            facts_to_save: Vec::new(),
            prohibitions: vec![Prohibition {
                what: "npm".to_owned(),
                pattern: Regex::new("(?<!never )run npm").unwrap(),
            }],
        }
    }

    #[test]
    fn a_fact_is_stated_where_all_its_patterns_match_whatever_the_case() {
        let expectations = expectations();

        assert_eq!(expectations.facts_stated("Use pnpm, never\nNPM"), ["s1/pnpm"]);
        assert_eq!(expectations.facts_stated("use yarn"), [""; 0]);
    }

    #[test]
    fn a_fact_is_shown_where_one_line_states_it() {
        let expectations = expectations();

        assert_eq!(expectations.facts_shown("memories:\n- use pnpm, not npm"), ["s1/pnpm"]);
        assert_eq!(expectations.facts_shown(""), [""; 0]);
    }

    #[test]
    fn a_prohibition_counts_case_and_looks_behind_the_match() {
        let expectations = expectations();

        assert_eq!(expectations.prohibitions_broken("then run npm install"), ["npm"]);
        assert_eq!(expectations.prohibitions_broken("never run npm install; Run npm"), [""; 0]);
    }

    #[test]
    fn facts_of_the_session_itself_and_repeats_of_what_is_allowed_are_tolerated() {
        let expectations = expectations();
        let expected = ExpectedInjection { allowed: vec!["s1/pnpm".to_owned()], ..Default::default() };

        assert!(expectations.tolerates(&expected, "s2/anything"));
        assert!(expectations.tolerates(&expected, "s1/pnpm"));
        assert!(expectations.tolerates(&ExpectedInjection::default(), "s2/pnpm"));
        assert!(!expectations.tolerates(&expected, "s1/other"));
    }
}
