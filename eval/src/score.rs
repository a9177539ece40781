//! Compares the facts that the hooks of a session showed with the expected ones.
//!
//! A memory is shown once in a context, so a fact that an earlier event of the same context showed is still
//! in view.

use std::collections::HashSet;
use std::ops::AddAssign;

use interleaf_expectations::{Expectations, ExpectedInjection, SavedCounts};
use serde::{Deserialize, Serialize};

use crate::event::Event;
use crate::memory_line::is_more_than_titles;
use crate::played_event::PlayedEvent;
use crate::recording::Session;
use crate::saved::{self, SavedMemory};

/// The judgment on one event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Facts that the injected text states.
    pub shown: Vec<String>,
    /// Facts that should be in view and are not.
    pub missing: Vec<String>,
    /// Facts that should not be shown here.
    pub unexpected: Vec<String>,
    /// Whether something was shown although silence is expected.
    pub noise: bool,
}

/// Counts over the events of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InjectionCounts {
    /// Wanted facts of all events.
    pub wanted: usize,
    /// Wanted facts that were shown at the event that wanted them.
    pub shown: usize,
    /// Wanted facts that were still in view from an earlier event.
    pub in_view: usize,
    /// Events that should be silent.
    pub silent_wanted: usize,
    /// Events that should be silent and were not.
    pub noisy: usize,
    /// Facts that were shown where they were not expected.
    pub unexpected: usize,
}

/// The figures of one or more sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Counts of shown facts.
    pub injected: InjectionCounts,
    /// Counts of saved memories.
    pub saved: SavedCounts,
}

/// The judgment on a session.
pub struct SessionScore {
    session: String,
    expectations: Expectations,
    /// Facts in view, each with the subagent that sees it; the main conversation is the empty name.
    in_view: HashSet<(String, String)>,
    /// The figures so far.
    pub figures: Figures,
    /// A line for each difference, for people.
    pub differences: Vec<String>,
}

impl SessionScore {
    /// Creates the score of a session that has not been played yet.
    pub fn new(session: &Session, expectations: Expectations) -> Self {
        Self {
            session: session.name(),
            expectations,
            in_view: HashSet::new(),
            figures: Figures::default(),
            differences: Vec::new(),
        }
    }

    /// Judges the memories that the session saved.
    pub fn judge_saved(&mut self, before: &HashSet<String>, after: &[SavedMemory]) {
        let (counts, differences) = saved::judge(before, after, &self.expectations);
        self.figures.saved = counts;
        self.differences.extend(differences.into_iter().map(|line| format!("{}: {line}", self.session)));
    }

    /// Judges one event; `None` if the recording has no expectation for it.
    pub fn judge_event(&mut self, played: &PlayedEvent, event: &Event) -> Option<Verdict> {
        let agent = event.agent();
        if event.empties_context() {
            self.in_view.retain(|(viewer, _)| viewer != agent);
        }
        let expected = self.expected(played.number, event)?;
        let injected = played.injected();
        let shown = self.expectations.facts_shown(&injected);
        self.in_view.extend(shown.iter().map(|id| (agent.to_owned(), id.clone())));
        let is_missing = |id: &&String| !self.in_view.contains(&(agent.to_owned(), (*id).clone()));
        let is_unexpected = |id: &&String| !self.expectations.tolerates(&expected, id);
        let verdict = Verdict {
            missing: expected.wanted.iter().filter(is_missing).cloned().collect(),
            unexpected: shown.iter().filter(is_unexpected).cloned().collect(),
            noise: expected.silence && is_more_than_titles(&injected),
            shown,
        };
        self.figures.injected.count(&expected, &verdict);
        let difference = verdict.difference();
        self.differences
            .extend(difference.map(|words| format!("{} {}: {words}", self.session, played.title())));
        Some(verdict)
    }

    /// Returns the expectation for an event. At a session's start all facts that are still true are allowed.
    fn expected(&self, number: usize, event: &Event) -> Option<ExpectedInjection> {
        let mut expected = self.expectations.injection_at(number)?;
        if event.is_session_start() {
            expected.allowed.extend(self.expectations.active_before.iter().cloned());
        }
        Some(expected)
    }
}

impl InjectionCounts {
    fn count(&mut self, expected: &ExpectedInjection, verdict: &Verdict) {
        let shown = expected.wanted.iter().filter(|id| verdict.shown.contains(id)).count();
        self.wanted += expected.wanted.len();
        self.shown += shown;
        self.in_view += expected.wanted.len() - shown - verdict.missing.len();
        self.silent_wanted += usize::from(expected.silence);
        self.noisy += usize::from(verdict.noise);
        self.unexpected += verdict.unexpected.len();
    }
}

impl AddAssign for InjectionCounts {
    fn add_assign(&mut self, other: Self) {
        self.wanted += other.wanted;
        self.shown += other.shown;
        self.in_view += other.in_view;
        self.silent_wanted += other.silent_wanted;
        self.noisy += other.noisy;
        self.unexpected += other.unexpected;
    }
}

impl AddAssign for Figures {
    fn add_assign(&mut self, other: Self) {
        self.injected += other.injected;
        self.saved += other.saved;
    }
}

impl Verdict {
    /// Describes the differences from the expectation.
    fn difference(&self) -> Option<String> {
        let mut words = Vec::new();
        if !self.missing.is_empty() {
            words.push(format!("missing {}", self.missing.join(", ")));
        }
        if !self.unexpected.is_empty() {
            words.push(format!("unexpected {}", self.unexpected.join(", ")));
        }
        if self.noise {
            words.push("not silent".to_owned());
        }
        (!words.is_empty()).then(|| words.join("; "))
    }
}
