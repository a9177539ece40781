//! What time does to a memory. A decision, a preference, a constraint holds until somebody changes it, however long ago
//! it was written. What is about a moment (how a session ended, what stood in the way) says less the longer ago that is:
//! it comes later in a list, and of two that fit a prompt equally well it is the second. It never becomes less true, so
//! the relevance by which a memory is shown at all does not age.

use super::kinds::Category;
use crate::clock::Millis;

const DAY: f32 = 86_400_000.0;

/// How old a memory is, and whether that matters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Age {
    /// After how many days it weighs half; none where it does not age.
    half_life: Option<f32>,
    updated_at: Millis,
}

impl Age {
    /// Of a memory of this category that was last changed at this moment: what is told again is young again.
    pub(super) fn of(category: Category, updated_at: Millis) -> Self {
        Self { half_life: half_life(category), updated_at }
    }

    /// What is left of its importance: half after each half-life, but never less than a quarter, so that what mattered
    /// much stays before what never did.
    pub(super) fn weight(self, now: Millis) -> f32 {
        self.half_life.map_or(1.0, |half_life| 0.5_f32.powf(self.days(now) / half_life).max(0.25))
    }

    /// By how much it stands behind where it fits as well as another: a tenth at the most.
    pub(super) fn rank(self, now: Millis) -> f32 {
        0.9 + 0.1 * self.weight(now)
    }

    fn days(self, now: Millis) -> f32 {
        (now.saturating_sub(self.updated_at).max(0)) as f32 / DAY
    }
}

/// In days. A blocker or the state of things is news for weeks; a cure or a debt for half a year.
const fn half_life(category: Category) -> Option<f32> {
    match category {
        Category::Decision | Category::Preference | Category::Constraint => None,
        Category::SessionSummary | Category::Context | Category::Blocker => Some(30.0),
        Category::Runbook | Category::TechDebt | Category::Learning => Some(180.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEAR: Millis = 365 * 86_400_000;

    #[test]
    fn what_holds_until_it_is_changed_does_not_age_and_everything_else_does() {
        for &category in Category::ALL {
            let age = Age::of(category, 0);
            assert_eq!(age.weight(YEAR) == 1.0, category.is_durable(), "{category}");
            assert_eq!((age.weight(0), age.rank(0)), (1.0, 1.0));
        }
    }

    #[test]
    fn half_is_left_after_a_half_life_and_a_quarter_for_ever() {
        let blocker = Age::of(Category::Blocker, 0);

        assert_eq!(blocker.weight(30 * 86_400_000), 0.5);
        assert_eq!((blocker.weight(YEAR * 100), blocker.weight(-YEAR)), (0.25, 1.0));
        assert!(blocker.rank(YEAR) >= 0.9);
    }
}
