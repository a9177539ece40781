//! The effect of a memory's age on its rank. Durable categories (see `category.rs`) do not age. Memories of
//! other categories lose weight: an old memory comes later in a list, and after a newer one that matches a
//! prompt equally well. Age never changes the relevance that decides whether a memory is shown at all,
//! because an old fix matches a failure as well as a new one.

use super::category::Category;
use crate::clock::Millis;

/// Minimum weight of an old memory, so that an important memory stays ahead of an unimportant one.
const MIN_WEIGHT: f32 = 0.25;

/// The share of a search rank that depends on age.
const RANK_SHARE: f32 = 0.1;

const DAY_MS: f32 = 86_400_000.0;

/// The age of a memory, if its category ages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recency {
    half_life_days: Option<f32>,
    updated_at: Millis,
}

impl Recency {
    /// Returns the recency of a memory. Age counts from the last change, so confirming a memory resets its
    /// age.
    pub(super) fn new(category: Category, updated_at: Millis) -> Self {
        Self { half_life_days: category.properties().half_life_days, updated_at }
    }

    /// Returns the factor for its importance: 1 for a new memory, halved after each half-life, and never
    /// below [`MIN_WEIGHT`].
    pub(super) fn weight(self, now: Millis) -> f32 {
        let half_lives = |half_life_days: f32| self.age_days(now) / half_life_days;
        self.half_life_days.map_or(1.0, |days| 0.5_f32.powf(half_lives(days)).max(MIN_WEIGHT))
    }

    /// Returns the factor for its search rank, between 0.9 and 1: age only decides between near-equal
    /// matches.
    pub(super) fn rank_factor(self, now: Millis) -> f32 {
        (1.0 - RANK_SHARE) + RANK_SHARE * self.weight(now)
    }

    fn age_days(self, now: Millis) -> f32 {
        (now.saturating_sub(self.updated_at).max(0)) as f32 / DAY_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Millis = 86_400_000;
    const YEAR: Millis = 365 * DAY;

    #[test]
    fn only_durable_categories_do_not_age() {
        for &category in Category::ALL {
            let recency = Recency::new(category, 0);
            assert_eq!(recency.weight(YEAR) == 1.0, category.is_durable(), "{category}");
            assert_eq!((recency.weight(0), recency.rank_factor(0)), (1.0, 1.0));
        }
    }

    #[test]
    fn weight_halves_after_a_half_life_and_never_falls_below_a_quarter() {
        let blocker = Recency::new(Category::Blocker, 0);

        assert_eq!(blocker.weight(30 * DAY), 0.5);
        assert_eq!((blocker.weight(YEAR * 100), blocker.weight(-YEAR)), (0.25, 1.0));
        assert!(blocker.rank_factor(YEAR) >= 0.9);
    }
}
