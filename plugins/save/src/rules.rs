//! What the rules find in a session: no model, no host.

use crate::facts::{self, Fact};
use crate::finding::Finding;
use crate::openspec::{self, choices, code_map};
use crate::session::{Session, Surroundings, calls};
use crate::statements::remembered::{remembered, says};
use crate::statements::{self, Statements};
use crate::summary;
use crate::transcript::Transcript;
use interleaf_layer::memory::Category;

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// What the person stated by an explicit act.
    pub explicit: Vec<Finding>,
    /// Sentences that may be statements.
    pub candidates: Vec<Finding>,
    /// Once for each OpenSpec change, under a name that the caller remembers: `choices/CHANGE`,
    /// `code-map/CHANGE`.
    pub once: Vec<(String, Finding)>,
    /// What tools reported: a command that failed, and the difference with which it passed.
    pub facts: Vec<Fact>,
    /// The session's summary.
    pub summary: Option<Finding>,
}

impl Found {
    /// Leaves out what is of a category that is not wanted.
    pub fn only(mut self, is_wanted: impl Fn(Category) -> bool) -> Self {
        let is_wanted_finding = |finding: &Finding| is_wanted(finding.category);
        self.explicit.retain(is_wanted_finding);
        self.candidates.retain(is_wanted_finding);
        self.once.retain(|(_, finding)| is_wanted_finding(finding));
        self.facts.retain(|_| is_wanted(Category::Runbook));
        self.summary = self.summary.filter(is_wanted_finding);
        self
    }

    /// Returns what is left if the session is a subagent's: its prompts are the words of another agent, so
    /// nobody stated a rule there, and its outcome is told in the conversation that sent it.
    pub fn of_subagent(self) -> Self {
        Self { once: self.once, facts: self.facts, ..Self::default() }
    }
}

/// Applies the rules to a session.
pub fn find(transcript: &Transcript, surroundings: &Surroundings) -> Found {
    let calls = calls::calls(transcript);
    let session = Session::new(transcript, surroundings, &calls);
    let Statements { mut explicit, mut candidates } = statements::statements(&session);
    let saved = remembered(&calls);
    explicit.retain(|finding| !says(&saved, finding));
    candidates.retain(|finding| !says(&saved, finding));
    let changes = openspec::changes(transcript);
    let code_map = code_map::code_map(&session, changes.first().map(String::as_str));
    Found {
        explicit,
        candidates,
        once: choices::choices(&session).into_iter().chain(code_map).collect(),
        facts: facts::facts(&session),
        summary: summary::summary(&session, &changes),
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
