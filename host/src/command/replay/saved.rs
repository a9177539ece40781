//! What a session left behind, compared with what it should have: facts found and missed, memories that say none, and
//! what must never be saved.

use std::collections::HashSet;
use std::ops::AddAssign;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result};

use super::expectations::{Expectations, Priority};

/// A session's summary is always welcome, and so is where a change touched the code: they say no fact of their own.
const WELCOME: [&str; 2] = ["session_summary", "context"];

/// A memory as `memory export` writes it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Saved {
    id: String,
    category: String,
    title: String,
    text: String,
    #[serde(default)]
    content: Value,
    status: String,
}

/// What was counted over the memories of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lessons {
    /// Facts that must be saved.
    pub musts: usize,
    /// Of those, saved.
    pub musts_saved: usize,
    /// Facts that may be, and were.
    pub nice_saved: usize,
    /// Memories that were written, the welcome ones left out.
    pub written: usize,
    /// Of those, the ones that say a fact.
    pub fitting: usize,
    /// Memories that say what must not be saved.
    pub forbidden: usize,
}

/// Reads an export.
pub(super) fn read(export: &str) -> Result<Vec<Saved>> {
    let memories = export.lines().map(serde_json::from_str).collect::<Result<_, _>>();
    memories.map_err(|error| Error::invalid(format!("an exported memory: {error}")))
}

/// Compares what is new with what is expected; what differs is told in words.
pub(super) fn judge(
    before: &HashSet<String>,
    after: &[Saved],
    expectations: &Expectations,
) -> (Lessons, Vec<String>) {
    let active: Vec<&Saved> = after.iter().filter(|memory| memory.status == "active").collect();
    let said: HashSet<String> = active.iter().flat_map(|memory| expectations.said(&memory.words())).collect();
    let mut lessons = Lessons::default();
    let mut differences = Vec::new();
    for (fact, priority) in &expectations.lessons {
        match (priority, said.contains(fact)) {
            (Priority::Must, true) => lessons.musts_saved += 1,
            (Priority::Must, false) => differences.push(format!("not saved: {fact}")),
            (Priority::Nice, saved) => lessons.nice_saved += usize::from(saved),
        }
        lessons.musts += usize::from(*priority == Priority::Must);
    }
    for memory in after.iter().filter(|memory| !before.contains(&memory.id)) {
        lessons.count(memory, expectations, &mut differences);
    }
    (lessons, differences)
}

/// The ids of memories.
pub(super) fn ids(memories: &[Saved]) -> HashSet<String> {
    memories.iter().map(|memory| memory.id.clone()).collect()
}

impl Lessons {
    fn count(&mut self, memory: &Saved, expectations: &Expectations, differences: &mut Vec<String>) {
        let words = memory.words();
        let forbidden =
            expectations.forbidden.iter().filter(|(_, says)| says.is_match(&words).unwrap_or(true));
        for (what, _) in forbidden {
            self.forbidden += 1;
            differences.push(format!("must not be saved ({what}): {}", memory.title));
        }
        if WELCOME.contains(&memory.category.as_str()) {
            return;
        }
        self.written += 1;
        match expectations.said(&words).is_empty() {
            false => self.fitting += 1,
            true => {
                differences.push(format!("says no expected fact: {} ({})", memory.title, memory.category))
            }
        }
    }
}

impl AddAssign for Lessons {
    fn add_assign(&mut self, other: Self) {
        self.musts += other.musts;
        self.musts_saved += other.musts_saved;
        self.nice_saved += other.nice_saved;
        self.written += other.written;
        self.fitting += other.fitting;
        self.forbidden += other.forbidden;
    }
}

impl Saved {
    /// Whether it is active, and was not there before.
    pub(super) fn is_new(&self, before: &HashSet<String>) -> bool {
        self.status == "active" && !before.contains(&self.id)
    }

    /// For people: what it is, and what it says.
    pub(super) fn line(&self) -> String {
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("- [{}] {text}", self.category)
    }

    /// All its words, on one line.
    fn words(&self) -> String {
        let words = format!("{} {} {}", self.title, self.text, self.content);
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The configuration of the person on the stage: the model that saves.
pub(super) fn configure(config: &Path, model_at: &str) -> Result<()> {
    let toml = format!(
        "[llm]\nclient = \"openai\"\nbase_url = {}\nsmall = \"small\"\nstrong = \"strong\"\n",
        Value::from(model_at)
    );
    super::set::write(&config.join("config.toml"), &toml)
}
