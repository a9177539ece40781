//! Which of all finds are kept of those that say the same, in which order, and which are worth having at every start.

use super::words::{likeness, stems};
use crate::find::{Category, Find, Origin};

/// Finds of one session that are shown at every start (seed 001).
const MOST_BROAD: usize = 2;

/// Below this nothing is kept.
const LEAST: f32 = 0.45;

/// How alike two texts are that say the same.
const SAME: f32 = 0.6;
const SAME_OF_OTHER_KIND: f32 = 0.75;

/// Best first, without those that a better one says already.
pub fn ranked(mut finds: Vec<Find>) -> Vec<Find> {
    finds.retain(|find| find.score >= LEAST);
    finds.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut kept: Vec<Find> = Vec::new();
    for find in finds {
        if !kept.iter().any(|known| says_the_same(known, &find)) {
            kept.push(find);
        }
    }
    kept
}

fn says_the_same(known: &Find, find: &Find) -> bool {
    let (a, b) = (stems(&known.text), stems(&find.text));
    let least = if known.category == find.category { SAME } else { SAME_OF_OTHER_KIND };
    likeness(&a, &b) >= least && a.len().min(b.len()) >= 2
}

/// Marks the best of what everybody who works here should know: rules of the person, fixes of what everybody runs.
pub fn promote(finds: &mut [Find], broad: &[String]) {
    let worth = |find: &&mut Find| match find.category {
        Category::Preference => find.tags.iter().any(|tag| tag == "convention"),
        _ => broad.contains(&find.key),
    };
    let own = finds.iter_mut().filter(|find| find.origin == Origin::Assistant).filter(worth);
    own.take(MOST_BROAD).for_each(|find| find.tags.push("cheat-sheet".to_owned()));
}
