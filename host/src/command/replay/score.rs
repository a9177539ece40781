//! How what was injected compares with what should have been: recall, and false injections.
//!
//! A memory is shown once in a context, so a fact that an earlier event of the same context brought is still in view.

use std::collections::HashSet;
use std::ops::AddAssign;

use serde::Serialize;

use crate::claude::{Event, EventKind};

use super::expectations::{Expectations, Expected};
use super::recording::Session;
use super::report::Played;
use super::saved::{self, Lessons, Saved};

/// The judgement on one event.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct Verdict {
    /// Facts that the injected text says.
    pub seen: Vec<String>,
    /// Facts that should be in view and are not.
    pub missing: Vec<String>,
    /// Facts that do not belong here.
    pub unexpected: Vec<String>,
    /// Something was shown where nothing should be.
    pub noise: bool,
}

/// What was counted over a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Facts that were wanted, over all events.
    pub wanted: usize,
    /// Of those, brought by the event that wanted them.
    pub brought: usize,
    /// Of those, still in view from before.
    pub still: usize,
    /// Events that should be silent.
    pub silences: usize,
    /// Of those, the ones that were not.
    pub noises: usize,
    /// Facts that did not belong where they were shown.
    pub unexpected: usize,
}

/// The judgement on a session.
pub(super) struct Score {
    session: String,
    expectations: Expectations,
    /// Facts in view, each with the subagent that sees it; the main conversation is the empty name.
    in_view: HashSet<(String, String)>,
    /// The figures.
    pub tally: Tally,
    /// Those of what was saved.
    pub lessons: Lessons,
    /// The events that differ, for people.
    pub differences: Vec<String>,
}

impl Score {
    pub(super) fn new(session: &Session, expectations: Expectations) -> Self {
        let session = session.name();
        Self {
            session,
            expectations,
            in_view: HashSet::new(),
            tally: Tally::default(),
            lessons: Lessons::default(),
            differences: Vec::new(),
        }
    }

    /// Compares what the session left behind.
    pub(super) fn learn(&mut self, before: &HashSet<String>, after: &[Saved]) {
        let (lessons, differences) = saved::judge(before, after, &self.expectations);
        self.lessons = lessons;
        self.differences.extend(differences.into_iter().map(|words| format!("{}: {words}", self.session)));
    }

    /// Compares one event; `None` where the recording says nothing about it.
    pub(super) fn judge(&mut self, played: &Played, event: &Event) -> Option<Verdict> {
        let agent = event.common.agent_id.as_deref().unwrap_or_default();
        if matches!(&event.kind, EventKind::SessionStart { source, .. } if source != "resume") {
            self.in_view.retain(|(whose, _)| whose != agent);
        }
        let expected = self.expected(played.number, event)?;
        let text = played.injected();
        let seen = self.expectations.seen(&text);
        self.in_view.extend(seen.iter().map(|id| (agent.to_owned(), id.clone())));
        let gone = |id: &&String| !self.in_view.contains(&(agent.to_owned(), (*id).clone()));
        let wrong = |id: &&String| !self.expectations.tolerates(&expected, id);
        let verdict = Verdict {
            missing: expected.wanted.iter().filter(gone).cloned().collect(),
            unexpected: seen.iter().filter(wrong).cloned().collect(),
            noise: expected.silence && !text.is_empty(),
            seen,
        };
        self.tally.count(&expected, &verdict);
        self.differences.extend(
            verdict.difference().map(|words| format!("{} {}: {words}", self.session, played.title())),
        );
        Some(verdict)
    }

    /// At a session's start every fact that is true is welcome.
    fn expected(&self, number: usize, event: &Event) -> Option<Expected> {
        let mut expected = self.expectations.at(number)?;
        if matches!(event.kind, EventKind::SessionStart { .. }) {
            expected.allowed.extend(self.expectations.active.iter().cloned());
        }
        Some(expected)
    }
}

impl Tally {
    fn count(&mut self, expected: &Expected, verdict: &Verdict) {
        let brought = expected.wanted.iter().filter(|id| verdict.seen.contains(id)).count();
        self.wanted += expected.wanted.len();
        self.brought += brought;
        self.still += expected.wanted.len() - brought - verdict.missing.len();
        self.silences += usize::from(expected.silence);
        self.noises += usize::from(verdict.noise);
        self.unexpected += verdict.unexpected.len();
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wanted += other.wanted;
        self.brought += other.brought;
        self.still += other.still;
        self.silences += other.silences;
        self.noises += other.noises;
        self.unexpected += other.unexpected;
    }
}

impl Verdict {
    /// What is not as it should be, in words.
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
