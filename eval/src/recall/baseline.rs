//! Searches to compare with, each with the best minimum scores that it can have on the same events.

use rayon::prelude::*;

use super::family::Family;
use super::measure::{Figures, Shown};
use super::needing_event::NeedingEvent;

/// The share of events that need nothing for which a memory may be shown.
const MAX_FALSE: f64 = 0.02;

/// The tokens that may be wasted on such an event.
const MAX_WASTED_TOKENS: f64 = 10.0;

/// Maximum number of memories shown whole for an event, and of titles.
const MAX_SHOWN: usize = 3;

/// Length of a title, in characters.
const TITLE_CHARS: usize = 60;

/// What surrounds the memories of an answer: the shortest that the program prints at first.
const FRAME: &str = "<interleaf-memory layer=\"recall\">\n\
                     Titles of notes; `interleaf memory show ID` prints one.\n</interleaf-memory>";

/// An event with the memories that share a word with it, the best first.
struct Scored {
    shown: Shown,
    /// The id, the score and the text of each.
    hits: Vec<(String, f64, String)>,
}

/// Scores the memories of one family for a query, by their numbers, the best first.
pub type Scorer<'a> = Box<dyn Fn(&str) -> Vec<(usize, f64)> + 'a>;

/// Answers the events with the best memories whose score reaches a minimum: the lowest with which no more
/// than [`MAX_FALSE`] of the events that need nothing get a memory. The titles of those that follow are shown
/// from the lowest score with which the events that need nothing waste no more than [`MAX_WASTED_TOKENS`]
/// each.
pub fn answers<'a>(families: &'a [Family], scorer: impl Fn(&'a Family) -> Scorer<'a> + Sync) -> Vec<Shown> {
    let scored: Vec<Scored> =
        families.par_iter().flat_map_iter(|family| scored_events(family, &*scorer(family))).collect();
    let mut bests: Vec<f64> = scored
        .iter()
        .filter(|event| !event.shown.is_needing())
        .map(|event| event.hits.first().map_or(0.0, |hit| hit.1))
        .collect();
    bests.sort_by(|a, b| b.total_cmp(a));
    let whole = bests.get((bests.len() as f64 * MAX_FALSE) as usize).copied().unwrap_or_default();
    let answers = |title: f64| scored.iter().map(|event| event.answer(whole, title)).collect::<Vec<_>>();
    let is_cheap = |answers: &Vec<Shown>| {
        let figures = Figures::of(answers);
        figures.wasted_tokens as f64 <= MAX_WASTED_TOKENS * figures.silent as f64
    };
    let mut floors: Vec<f64> = bests.iter().copied().filter(|score| *score <= whole).collect();
    floors.dedup();
    let cheap = floors.partition_point(|floor| is_cheap(&answers(*floor)));
    answers(cheap.checked_sub(1).map_or(whole, |last| floors[last]))
}

impl Scored {
    /// Shows the memories above `whole`, and the titles of those above `title`.
    fn answer(&self, whole: f64, title: f64) -> Shown {
        let mut shown = self.shown.clone();
        let is_whole = |at: usize, score: f64| at < MAX_SHOWN && score > whole;
        for (at, (id, score, text)) in self.hits.iter().enumerate() {
            if is_whole(at, *score) {
                shown.memories.push(id.clone());
                shown.text.push_str(&format!("{text}\n"));
            } else if *score > title && shown.titles.len() < MAX_SHOWN {
                let title: String = text.chars().take(TITLE_CHARS).collect();
                shown.titles.push(id.clone());
                shown.text.push_str(&format!("- [{id}] {title}\n"));
            }
        }
        if !shown.text.is_empty() {
            shown.text.push_str(FRAME);
        }
        shown
    }
}

fn scored_events(family: &Family, scores: &dyn Fn(&str) -> Vec<(usize, f64)>) -> Vec<Scored> {
    let scored = |event: &NeedingEvent| {
        let hit = |(number, score): (usize, f64)| {
            let memory = &family.memories[number];
            (memory.id.clone(), score, memory.text.clone())
        };
        let hits = scores(&event.occasion.query()).into_iter().take(2 * MAX_SHOWN).map(hit).collect();
        Scored { shown: Shown::new(family, event, Vec::new(), String::new()), hits }
    };
    family.events.iter().map(scored).collect()
}
