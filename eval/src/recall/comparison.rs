//! What the searches of hooks compare: for each event the memories that they found, with the features that
//! the program logs of them.

use std::path::Path;

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde_json::Value;

use super::family::Family;
use super::measure::tokens;
use super::needing_event::{NeedingEvent, Occasion};
use super::store::Store;

/// The categories, in the order of the program's source.
pub const CATEGORIES: [&str; 9] = [
    "session_summary",
    "decision",
    "runbook",
    "constraint",
    "tech_debt",
    "preference",
    "learning",
    "context",
    "blocker",
];
/// The features of words that are numbers, as the program logs them and as its source names them.
pub const NUMBERS: [&str; 5] = ["bm25", "margin", "shared_terms", "cue_terms", "log_memories"];

/// The occasions that the program searches at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchedAt {
    Prompt,
    Command,
    Failure,
}

/// A memory that was compared.
#[derive(Debug, Clone)]
pub struct ComparedMemory {
    /// The values of [`NUMBERS`].
    pub numbers: [f64; NUMBERS.len()],
    /// Its place in [`CATEGORIES`].
    pub category: usize,
    /// Its cosine and how far that is ahead of others, if sentence vectors were compared.
    pub vectors: Option<[f64; 2]>,
    /// Whether the event needs it.
    pub is_needed: bool,
    /// The estimated tokens of its text.
    pub tokens: usize,
}

/// An event with the memories that were compared.
#[derive(Debug, Clone)]
pub struct Comparison {
    pub searched_at: SearchedAt,
    /// Whether the event needs any memory.
    pub is_needing: bool,
    pub memories: Vec<ComparedMemory>,
}

/// Compares the memories of all stores with their events, a store at a time on each processor. With a model,
/// only prompts are compared, because the program compares sentence vectors at no other occasion.
///
/// # Errors
/// If the program cannot be used.
pub fn comparisons(program: &Path, model: Option<&Path>, stores: &[Family]) -> Result<Vec<Comparison>> {
    let found = stores.par_iter().map(|family| comparisons_of(program, model, family));
    Ok(found.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

fn comparisons_of(program: &Path, model: Option<&Path>, family: &Family) -> Result<Vec<Comparison>> {
    let store = Store::new(program, model, family)?;
    store.show_all_titles();
    let searched_at = |event: &NeedingEvent| SearchedAt::of(&event.occasion);
    let events = family.events.iter().enumerate();
    let events = events.filter(|(_, event)| model.is_none() || searched_at(event) == SearchedAt::Prompt);
    let comparison = |(number, event): (usize, &NeedingEvent)| {
        let found = store.compared(event, number)?.into_iter();
        let memories = found.map(|(id, features)| ComparedMemory::new(family, event, &id, &features));
        let (searched_at, is_needing) = (searched_at(event), !event.needs.is_empty());
        Ok(Comparison { searched_at, is_needing, memories: memories.collect::<Result<_>>()? })
    };
    events.map(comparison).collect()
}

impl SearchedAt {
    fn of(occasion: &Occasion) -> Self {
        match occasion {
            Occasion::Prompt { .. } => Self::Prompt,
            Occasion::Command { .. } | Occasion::File { .. } => Self::Command,
            Occasion::Failure { .. } => Self::Failure,
        }
    }
}

impl ComparedMemory {
    fn new(family: &Family, event: &NeedingEvent, id: &str, features: &Value) -> Result<Self> {
        let number = |value: &Value| value.as_f64().unwrap_or_default();
        let category = CATEGORIES.iter().position(|known| features["category"] == **known);
        let memory = family.memories.iter().find(|memory| memory.id == id);
        Ok(Self {
            numbers: NUMBERS.map(|name| number(&features[name])),
            category: category.with_context(|| format!("an unknown category: {features}"))?,
            vectors: features
                .get("vectors")
                .map(|vectors| [number(&vectors["cosine"]), number(&vectors["margin"])]),
            is_needed: event.needs.iter().any(|need| need == id),
            tokens: memory.map_or(0, |memory| tokens(&memory.text)),
        })
    }
}

#[cfg(test)]
mod tests {
    use interleaf_tests::workspace;

    use super::*;

    /// The coefficients of the categories are written without their names.
    #[test]
    fn the_categories_have_the_order_of_the_program() {
        let schema = std::fs::read_to_string(workspace::root().join("docs/schemas/memory.json"));
        let schema: Value = serde_json::from_str(&schema.expect("it exists")).expect("JSON");

        assert_eq!(schema["properties"]["category"]["enum"], serde_json::json!(CATEGORIES));
    }
}
