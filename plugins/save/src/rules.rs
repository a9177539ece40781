//! What a stretch of a session taught, found by rules: no model, no host, only words and their order.
//!
//! The way: [`deeds`] pairs calls with their results, [`own_words`] takes the person's own words out of what they sent,
//! the finders look for one kind each, and what is left is deduplicated and put in order. Precision comes first: nothing
//! is the usual and right answer. What is kept of it, and when, is not known here.

mod changes;
mod choices;
mod codemap;
mod context;
mod corrections;
mod deeds;
mod echoes;
mod facts;
pub mod languages;
mod looking;
mod own_words;
mod ranking;
mod remembered;
mod replies;
mod statements;
mod summary;
pub mod turns;
mod wording;

#[cfg(test)]
mod tests;

pub use changes::changes;
pub use context::distinct;
pub use facts::Fact;
pub use remembered::says as is_saved;

use self::context::Context;
use self::turns::Turn;
use crate::classifier::{Message, Probabilities, Sentence, Speaker, classify};
use crate::finding::{Evidence, Finding};
use crate::transcript::{Ending, Kind, Transcript};
use interleaf_layer::memory::Category;

/// What the rules know besides the talk.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around<'a> {
    /// The session.
    pub session: &'a str,
    /// The project's root: paths are shown relative to it, and those outside of it are left out.
    pub root: Option<&'a str>,
    /// The designs of the changes that this stretch was about.
    pub designs: &'a [Design],
}

/// The design.md of an OpenSpec change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Design {
    /// The change.
    pub change: String,
    /// Where it stands, relative to the root.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mined {
    /// From the talk, without duplicates, best first, not capped.
    pub finds: Vec<Finding>,
    /// Once for each change, under a name that the caller remembers: `choices/CHANGE`, `code-map/CHANGE`.
    pub once: Vec<(String, Finding)>,
    /// What tools reported: a command that failed, and the difference with which it passed.
    pub facts: Vec<Fact>,
    /// The session's summary.
    pub summary: Option<Finding>,
    /// What the agent saved itself in this stretch, as it said it.
    pub saved: Vec<String>,
    /// What was said and done.
    pub work: Work,
}

impl Mined {
    /// What of it is of a category that is wanted.
    pub fn only(mut self, wanted: impl Fn(Category) -> bool) -> Self {
        let is_wanted = |find: &Finding| wanted(find.category);
        self.finds.retain(is_wanted);
        self.once.retain(|(_, find)| is_wanted(find));
        self.facts.retain(|_| wanted(Category::Runbook));
        self.summary = self.summary.filter(is_wanted);
        self
    }

    /// What is left of it where the stretch is a subagent's: its prompts are the words of another agent, so nobody has
    /// stated a rule there, and its outcome is told in the conversation that sent it.
    pub fn of_subagent(self) -> Self {
        Self { finds: Vec::new(), summary: None, ..self }
    }
}

/// What was said and done, from which [`triage`](crate::triage) decides what a model is asked about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Work {
    /// The cursors of the successful calls that changed something.
    pub changes: Vec<u64>,
    /// What was asked for first, and how the session ended; empty if nothing was changed.
    pub told: Vec<Evidence>,
    /// Failures after which the same command succeeded, each followed by the success.
    pub fixed: Vec<Evidence>,
    /// What was said, except questions.
    pub stated: Vec<Classified>,
}

/// A sentence and its probabilities.
pub type Classified = (Evidence, Probabilities);

impl Work {
    fn of(context: &Context) -> Self {
        let fine = context.deeds.iter().filter(|deed| deed.ending() == Some(Ending::Fine));
        let changes: Vec<u64> =
            fine.filter(|deed| summary::is_change(deed)).map(|deed| deed.call.cursor).collect();
        Self {
            told: if changes.is_empty() { Vec::new() } else { told(context) },
            changes,
            fixed: facts::fixed_calls(context.deeds),
            stated: context.turns.iter().flat_map(classified).collect(),
        }
    }

    /// Leaves out what stands before a cursor.
    pub fn since(mut self, cursor: u64) -> Self {
        let is_new = |evidence: &Evidence| evidence.cursor >= cursor;
        self.changes.retain(|change| *change >= cursor);
        self.told.retain(is_new);
        self.fixed.retain(is_new);
        self.stated.retain(|(evidence, _)| is_new(evidence));
        self
    }
}

/// Returns what was said in a turn, and its probabilities. What came before does not count: behind an answer of
/// the assistant the classifier finds less, and here nothing may be missed.
fn classified(turn: &Turn) -> Vec<Classified> {
    let mut classified = Vec::new();
    for (said, speaker) in [(&turn.said, Speaker::Person), (&turn.answers, Speaker::Assistant)] {
        let sentences = said.iter().map(|said| Sentence { text: said.text, words: &said.words }).collect();
        let probabilities = classify(&Message { sentences, speaker, previous: None });
        let stated = said.iter().zip(probabilities).filter(|(said, _)| !replies::asks(said));
        classified.extend(stated.map(|(said, probabilities)| (said.evidence(), probabilities)));
    }
    classified
}

/// Returns what the person asked for first, and where the session ends.
fn told(context: &Context) -> Vec<Evidence> {
    let first = context.turns.iter().find_map(|turn| turn.said.first()).map(turns::Said::evidence);
    let last = context.talk.entries.iter().rfind(|entry| entry.kind == Kind::Text);
    let last = last.map(|entry| Evidence { quote: wording::cut(&entry.text, 120), cursor: entry.cursor });
    first.into_iter().chain(last).collect()
}

/// Finds what this stretch taught.
pub fn mine(talk: &Transcript, around: &Around) -> Mined {
    let deeds = deeds::deeds(talk);
    let context = Context::new(talk, around, &deeds);
    let mut finds = statements::statements(&context);
    let amendments = corrections::amendments(&context.turns);
    let saved = remembered::remembered(&deeds);
    finds.retain(|find| !remembered::says(&saved, find));
    let finds = ranking::ranked(corrections::settled(&context, finds));
    let changes = changes(talk);
    let map = codemap::code_map(&context, changes.first().map(String::as_str));
    Mined {
        once: choices::choices(&context).into_iter().chain(map).collect(),
        facts: facts::facts(&context),
        work: Work::of(&context),
        summary: summary::summary(&context, &amendments, &changes),
        saved,
        finds,
    }
}
