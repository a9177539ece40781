//! How each category is scored: who is listened to, what the hits weigh, and the phrases of
//! `phrases/*.txt`: what people say when they decide, fail, meet a limit, put off or ask for a habit. There, `strong` needs
//! no booster where the person says it, `boost` is what makes a `plain` one weigh, and `except` behind a phrase makes it
//! another ("error handling"). Single words that mean something else as often ("standard", "important") are left out.
//!
//! The weights and thresholds are those of seed 003. Its sums were divided by all caps filled, so that one decision with
//! its reason came to .26 and was missed, and so was one failure with its cure (.33). Here a full score is less: the
//! divisor is the largest round number with which **one boosted hit reaches the threshold** (.5 / 1.2 = .42 ≥ .40,
//! .5 / 1.1 = .45 ≥ .45, .6 / 1.2 = .50 ≥ .50), while **one plain hit never does**, and neither does one phrase said
//! three times, for a phrase counts once. Plain phrases of a runbook or a constraint do not either, however
//! many: an error without a cure is no runbook, and "at most" is in every report of an assistant.

use crate::find::Category;
use crate::talk::Role;

use super::measure::limit;
use super::words::{Found, find};

/// A kind of statement.
pub(super) struct Family {
    /// What it would become.
    pub category: Category,
    who: &'static [Role],
    /// What a plain hit weighs.
    pub weight: f32,
    /// What a boosted one weighs.
    pub boosted: f32,
    /// Plain hits that count.
    pub most_plain: usize,
    /// The sum that is a full score.
    pub full: f32,
    /// Phrases that need no booster where the person says them.
    pub strong: Vec<&'static str>,
    /// Phrases that need one.
    pub plain: Vec<&'static str>,
    /// What makes them weigh.
    pub boost: Vec<&'static str>,
    /// Words right behind a phrase that make it another one: "error handling".
    pub except: Vec<&'static str>,
    /// Whether a second clause of the person's boosts: who explains a choice or a limit seldom says "because".
    pub explained: bool,
    /// A shape that counts as a phrase.
    pub measure: Option<fn(&str) -> Option<Found>>,
}

const SPOKEN: &[Role] = &[Role::User, Role::Assistant];

/// All of them but the summary, which is no matter of words.
pub(super) fn families() -> [Family; 5] {
    [
        Family {
            explained: true,
            ..Family::of(Category::Decision, (0.3, 0.5, 1.2), include_str!("phrases/decision.txt"))
        },
        Family {
            who: &[Role::User, Role::Assistant, Role::Tool],
            most_plain: 2,
            ..Family::of(Category::Runbook, (0.2, 0.6, 1.2), include_str!("phrases/runbook.txt"))
        },
        Family {
            explained: true,
            measure: Some(limit),
            most_plain: 1,
            ..Family::of(Category::Constraint, (0.3, 0.5, 1.1), include_str!("phrases/constraint.txt"))
        },
        Family {
            explained: true,
            ..Family::of(Category::TechDebt, (0.3, 0.5, 1.2), include_str!("phrases/tech_debt.txt"))
        },
        // What somebody likes is said by them. The assistant's "always" is advice.
        Family {
            who: &[Role::User],
            ..Family::of(Category::Preference, (0.35, 0.5, 1.2), include_str!("phrases/preference.txt"))
        },
    ]
}

impl Family {
    fn of(category: Category, (weight, boosted, full): (f32, f32, f32), phrases: &'static str) -> Self {
        let list = |name: &str| -> Vec<&'static str> {
            let lines = phrases.lines().filter_map(|line| line.split_once(": "));
            let lines = lines.filter(|(head, _)| head.split(' ').nth(1) == Some(name));
            lines.flat_map(|(_, phrases)| phrases.split(" | ")).collect()
        };
        Self {
            category,
            who: SPOKEN,
            weight,
            boosted,
            most_plain: 3,
            full,
            strong: list("strong"),
            plain: list("plain"),
            boost: list("boost"),
            except: list("except"),
            explained: false,
            measure: None,
        }
    }

    /// Whether these words count.
    pub fn hears(&self, role: Role) -> bool {
        self.who.contains(&role)
    }

    /// Whether what follows a phrase makes it another one.
    pub fn excepts(&self, behind: &str) -> bool {
        self.except.iter().any(|word| find(behind, word).is_some_and(|(start, _)| start == 1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    #[test]
    fn every_phrase_is_written_as_words_are_compared() {
        for family in families() {
            let all = [&family.strong, &family.plain, &family.boost, &family.except];
            for phrase in all.into_iter().flatten() {
                let bare = phrase.trim_start_matches('^').trim_end_matches(['*', '!']);
                assert_eq!(words(bare).trim(), bare, "{:?}", family.category);
            }
            assert!(family.plain.len() > 40 && family.boost.len() > 20, "{:?}", family.category);
        }
    }
}
