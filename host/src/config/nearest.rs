//! Guessing what was meant by a key that does not exist.

use super::keys::KEYS;
use super::lookup::names_after;

/// What to say about the unknown key at `path`: the nearest known one, a known one of the same name elsewhere, or
/// what can stand there.
pub(super) fn suggestion(path: &[String]) -> String {
    let Some((last, before)) = path.split_last() else { return String::new() };
    let here = names_after(before);
    let alike = here.iter().filter(|name| name.len().abs_diff(last.len()) <= name.len() / 2);
    let nearest = alike.map(|name| (distance(name, last), name)).min();
    if let Some((_, name)) = nearest.filter(|(distance, name)| *distance <= name.len() / 2) {
        return format!("did you mean `{}`?", [before, &[(*name).to_owned()]].concat().join("."));
    }
    let elsewhere =
        KEYS.iter().flat_map(|key| key.paths).find(|place| place.rsplit('.').next() == Some(last));
    match elsewhere {
        Some(place) => format!("did you mean `{place}`?"),
        None if before.last().is_some_and(|section| section == "layers") => {
            "a layer's name has small letters, digits and hyphens".to_owned()
        }
        None => format!("known here: {}", here.into_iter().collect::<Vec<_>>().join(", ")),
    }
}

/// How many letters must be put in, left out or changed to get from one word to the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.chars().count()).collect();
    for (above, letter) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = above + 1;
        for (at, other_letter) in other.chars().enumerate() {
            let changed = corner + usize::from(letter != other_letter);
            corner = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(corner + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_single_changes() {
        for (one, other, changes) in
            [("", "abc", 3), ("enabled", "enabled", 0), ("enabled", "enabld", 1), ("order", "odrer", 2)]
        {
            assert_eq!((distance(one, other), distance(other, one)), (changes, changes), "{one} {other}");
        }
    }

    #[test]
    fn what_was_meant_is_guessed() {
        let say = |path: &str| suggestion(&path.split('.').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(say("layers.recall.enabld"), "did you mean `layers.recall.enabled`?");
        assert_eq!(say("limit"), "did you mean `limits`?");
        assert_eq!(say("hook_units"), "did you mean `budget.hook_units`?");
        assert_eq!(say("limits.deadline_ms.user-promt"), "did you mean `limits.deadline_ms.user-prompt`?");
        assert_eq!(say("endpoint"), "known here: budget, categories, layers, limits, llm, memory, redact");
        assert_eq!(say("categories.decisions"), "did you mean `categories.decision`?");
        assert_eq!(say("categories.tech-debt"), "did you mean `categories.tech_debt`?");
        assert_eq!(
            say("categories.decision.retention"),
            "did you mean `categories.decision.retention_days`?"
        );
        assert!(say("categories.zebra").starts_with("known here: blocker, constraint, context, decision, "));
        assert!(say("layers.Shared").starts_with("a layer's name has"));
    }
}
