//! The effect of use on a memory's rank: one that sessions followed after it was shown rises, and one that
//! was shown and never followed sinks. Like age, use never changes the relevance that decides whether a
//! memory is shown at all.

/// The share of a search rank that depends on use.
const RANK_SHARE: f32 = 0.1;

/// How often a memory was shown, and in how many sessions it was followed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usefulness {
    pub(super) shown: u64,
    pub(super) followed: u64,
}

impl Usefulness {
    /// Returns the factor for its importance, between 0.5 and 1.5. It counts as shown twice and followed once
    /// more than it was, so that one that was not shown yet has the factor 1.
    pub(super) fn weight(self) -> f32 {
        0.5 + (self.followed.min(self.shown) + 1) as f32 / (self.shown + 2) as f32
    }

    /// Returns the factor for its search rank, between 0.95 and 1.05: use only decides between near-equal
    /// matches.
    pub(super) fn rank_factor(self) -> f32 {
        (1.0 - RANK_SHARE) + RANK_SHARE * self.weight()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_followed_rises_and_what_is_only_shown_sinks() {
        let weight = |shown, followed| Usefulness { shown, followed }.weight();

        assert_eq!((weight(0, 0), weight(2, 1)), (1.0, 1.0));
        assert!(weight(9, 0) < weight(1, 0) && weight(1, 0) < 1.0);
        assert!(weight(9, 9) > weight(1, 1) && weight(1, 1) > 1.0 && weight(1, 7) <= 1.5);
    }
}
