//! The map: one line that says what else the project's memories are about, as their tags say it.

use std::collections::BTreeMap;

use crate::discover::is_subject;

/// Key in the shared state that holds the map.
pub const STATE_KEY: &str = "subjects";

/// Number of memories from which a map is worth its line: a start shows about as many.
const MIN_MEMORIES: usize = 10;

/// Number of memories that must share a tag.
const MIN_MEMORIES_PER_TAG: usize = 2;

/// Maximum number of tags on the map.
const MAX_TAGS: usize = 8;

/// Maximum length of a tag on the map, in bytes. A tag of several words could be a sentence.
const MAX_TAG_BYTES: usize = 24;

/// Returns the most frequent of the memories' tags, with the number of memories of each: `deploy 4, auth 3`.
/// Empty if there is nothing to tell.
pub fn of(memories: &[&[String]]) -> String {
    if memories.len() < MIN_MEMORIES {
        return String::new();
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in memories.iter().copied().flatten().filter(|tag| is_subject(tag) && is_one_word(tag)) {
        *counts.entry(tag).or_default() += 1;
    }
    let mut tags: Vec<(&str, usize)> =
        counts.into_iter().filter(|(_, count)| *count >= MIN_MEMORIES_PER_TAG).collect();
    tags.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let tags: Vec<String> = tags.iter().take(MAX_TAGS).map(|(tag, count)| format!("{tag} {count}")).collect();
    tags.join(", ")
}

fn is_one_word(tag: &str) -> bool {
    tag.len() <= MAX_TAG_BYTES && tag.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tagged(tags: &[&str]) -> Vec<String> {
        tags.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_most_frequent_subjects_come_first_and_single_ones_are_left_out() {
        let mut memories: Vec<Vec<String>> =
            (0..8).map(|_| tagged(&["learning", "cheat-sheet", "do as i say"])).collect();
        memories.extend([
            tagged(&["auth", "deploy"]),
            tagged(&["deploy"]),
            tagged(&["auth", "deploy", "ci"]),
        ]);
        let memories: Vec<&[String]> = memories.iter().map(Vec::as_slice).collect();

        assert_eq!(of(&memories), "deploy 3, auth 2");
        assert_eq!(of(&memories[8..]), "");
    }
}
