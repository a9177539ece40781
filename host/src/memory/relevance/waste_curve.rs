//! The tokens that a minimum relevance wastes, measured, and the minimum that wastes no more than a limit.
//!
//! `cargo xtask recall --fit` measures the waste on the stores of `eval/recall/train`.

/// The tokens that are wasted on a hundred events of one occasion that need no memory.
pub(super) struct WasteCurve {
    /// The minimum relevances for which the waste is measured, ascending.
    pub(super) min_relevances: &'static [f32],
    /// For each minimum, tokens of the memories that are shown whole.
    pub(super) whole: &'static [u64],
    /// For each minimum, tokens of the titles that are shown, and of the text around them.
    pub(super) titles: &'static [u64],
}

impl WasteCurve {
    /// Returns the minimum relevance of memories that are shown whole if these tokens may be wasted.
    pub(super) fn min_relevance(&self, limit: u64) -> f32 {
        self.minimum(self.whole, limit)
    }

    /// Returns the minimum relevance of memories whose title is shown if these tokens may be wasted.
    pub(super) fn min_line_relevance(&self, limit: u64) -> f32 {
        self.minimum(self.titles, limit)
    }

    /// Returns the lowest minimum, in hundredths, that wastes no more than `limit`: 1, which no memory
    /// reaches, if it is 0, and 0 if it is more than was ever wasted.
    fn minimum(&self, wasted: &[u64], limit: u64) -> f32 {
        if limit == 0 {
            return 1.0;
        }
        let at = wasted.partition_point(|tokens| *tokens > limit);
        let Some(below) = at.checked_sub(1) else {
            return 0.0;
        };
        let (lower, upper) =
            (self.min_relevances[below], self.min_relevances.get(at).copied().unwrap_or(1.0));
        let (more, less) = (wasted[below] as f32, wasted.get(at).copied().unwrap_or_default() as f32);
        let share = (more - limit as f32) / (more - less);
        let minimum = lower + share * (upper - lower);
        (minimum * 100.0).round() / 100.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FALLING: WasteCurve = WasteCurve {
        min_relevances: &[0.1, 0.3, 0.35, 0.9],
        whole: &[200, 100, 90, 0],
        titles: &[100, 50, 45, 0],
    };

    #[test]
    fn fewer_tokens_need_more_relevance() {
        assert_eq!(FALLING.min_relevance(1000), 0.0);
        assert_eq!(FALLING.min_relevance(100), 0.3);
        // Halfway between 0.3 and 0.35.
        assert_eq!(FALLING.min_relevance(95), 0.33);
        assert_eq!(FALLING.min_line_relevance(50), 0.3);
    }

    #[test]
    fn without_tokens_nothing_is_shown() {
        assert_eq!(FALLING.min_relevance(0), 1.0);
    }
}
