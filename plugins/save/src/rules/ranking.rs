//! Which of all finds are kept of those that say the same, and in which order.

use std::collections::BTreeSet;

use crate::finding::Finding;
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
