//! Which of all finds are kept of those that say the same, in which order, and which are worth having at every start.

use std::collections::BTreeSet;

use crate::finding::{CHEAT_SHEET_TAG, Finding, MAX_CHEAT_SHEET, Origin};
use interleaf_classifier::words::{likeness, stems};
use interleaf_layer::memory::Category;

/// Finds that are compared; nobody keeps so many.
const MOST: usize = 200;

/// Below this nothing is kept.
const LEAST: f32 = 0.35;

/// How alike two texts are that say the same.
const SAME: f32 = 0.6;
const SAME_OF_OTHER_KIND: f32 = 0.75;

/// Best first, without those that a better one says already.
pub fn ranked(mut finds: Vec<Finding>) -> Vec<Finding> {
    finds.retain(|find| find.score >= LEAST);
    finds.sort_by(|a, b| b.score.total_cmp(&a.score));
    finds.truncate(MOST);
    let mut kept: Vec<(Finding, BTreeSet<String>)> = Vec::new();
    for find in finds {
        let about = stems(&find.text);
        if !kept.iter().any(|(known, other)| same((known.category, other), (find.category, &about))) {
            kept.push((find, about));
        }
    }
    kept.into_iter().map(|(find, _)| find).collect()
}

fn same((one, a): (Category, &BTreeSet<String>), (other, b): (Category, &BTreeSet<String>)) -> bool {
    let least = if one == other { SAME } else { SAME_OF_OTHER_KIND };
    likeness(a, b) >= least && a.len().min(b.len()) >= 2
}

/// Marks the best of what everybody who works here should know: rules of the person, fixes of what everybody runs.
pub fn promote(finds: &mut [Finding], broad: &[String]) {
    let worth = |find: &&mut Finding| match find.category {
        Category::Preference => find.tags.iter().any(|tag| tag == "convention"),
        _ => broad.contains(&find.key),
    };
    let own = finds.iter_mut().filter(|find| find.origin == Origin::Assistant).filter(worth);
    own.take(MAX_CHEAT_SHEET).for_each(|find| find.tags.push(CHEAT_SHEET_TAG.to_owned()));
}
