//! Compares the memories of a session with the facts that should be saved.

use std::collections::HashSet;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::{Expectations, Priority};

/// Categories that state no fact of their own and are always welcome: a session's summary, and where a change
/// touched the code.
const UNJUDGED_CATEGORIES: [&str; 2] = ["session_summary", "context"];

/// A memory as the judge sees it.
#[derive(Debug, Clone, Copy)]
pub struct Memory<'a> {
    /// The category's name.
    pub category: &'a str,
    /// The title, by which a report names the memory.
    pub title: &'a str,
    /// All its words, on one line.
    pub words: &'a str,
    /// Whether it is tentative: no session is shown it, so it need not state an expected fact.
    pub is_tentative: bool,
}

/// What was counted over the memories of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedCounts {
    /// Facts that must be saved.
    pub required: usize,
    /// Facts that must be saved and were.
    pub required_saved: usize,
    /// Facts that may be saved and were.
    pub optional_saved: usize,
    /// New memories, without summaries and code maps.
    pub written: usize,
    /// New memories that state an expected fact.
    pub expected: usize,
    /// New memories that state what must not be saved, counted once for each such thing.
    pub forbidden: usize,
}

impl Expectations {
    /// Judges what a session left behind. A fact counts as saved where one of the `active` memories states
    /// it; only `new` ones are judged for stating something else. Returns the counts, and a line for each
    /// difference.
    pub fn judge_saved(&self, active: &[Memory<'_>], new: &[Memory<'_>]) -> (SavedCounts, Vec<String>) {
        let stated: HashSet<String> =
            active.iter().flat_map(|memory| self.facts_stated(memory.words)).collect();
        let (mut counts, mut differences) = (SavedCounts::default(), Vec::new());
        for (fact, priority) in &self.facts_to_save {
            let saved = stated.contains(fact);
            match priority {
                Priority::Must => {
                    counts.required += 1;
                    counts.required_saved += usize::from(saved);
                    differences.extend((!saved).then(|| format!("not saved: {fact}")));
                }
                Priority::Nice => counts.optional_saved += usize::from(saved),
            }
        }
        for memory in new {
            self.judge_new(memory, &mut counts, &mut differences);
        }
        (counts, differences)
    }

    fn judge_new(&self, memory: &Memory<'_>, counts: &mut SavedCounts, differences: &mut Vec<String>) {
        for what in self.prohibitions_broken(memory.words) {
            counts.forbidden += 1;
            differences.push(format!("must not be saved ({what}): {}", memory.title));
        }
        if UNJUDGED_CATEGORIES.contains(&memory.category) || memory.is_tentative {
            return;
        }
        counts.written += 1;
        if self.facts_stated(memory.words).is_empty() {
            differences.push(format!("states no expected fact: {} ({})", memory.title, memory.category));
        } else {
            counts.expected += 1;
        }
    }
}

impl AddAssign for SavedCounts {
    fn add_assign(&mut self, other: Self) {
        self.required += other.required;
        self.required_saved += other.required_saved;
        self.optional_saved += other.optional_saved;
        self.written += other.written;
        self.expected += other.expected;
        self.forbidden += other.forbidden;
    }
}
