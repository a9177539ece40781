//! What time does to a store: memories beyond their category's days are retired, and what was retired long enough ago is
//! deleted. Nothing else is ever deleted, and nothing that is archived.

use super::super::Memories;
use super::super::kinds::{Category, Status};
use super::super::record::Memory;
use super::super::store::{Filter, Order, Transaction};
use super::repetition::FORGOTTEN;
use crate::clock::Millis;
use crate::error::Result;

const DAY: Millis = 24 * 3_600_000;

/// What the upkeep did, or would do: ids and titles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetentionReport {
    /// Retired, because their category's days are over.
    pub expired: Vec<(String, String)>,
    /// Deleted, or archived where the person wants that instead.
    pub collected: Vec<(String, String)>,
}

impl RetentionReport {
    /// Whether there was nothing to do.
    pub fn is_empty(&self) -> bool {
        self.expired.is_empty() && self.collected.is_empty()
    }
}

impl Memories {
    /// Retires what is beyond its days and collects what was retired before the grace period.
    ///
    /// # Errors
    /// `unavailable` where the store cannot be read or written.
    pub fn apply_retention(&self) -> Result<RetentionReport> {
        self.write(|step| {
            let found = self.due(step)?;
            for memory in &found.0 {
                let days = self.policy.of(memory.category).retention_days;
                self.retire_in(step, memory.clone(), &format!("{days} days without a change"))?;
            }
            found.1.iter().try_for_each(|memory| self.collect(step, memory))?;
            Ok(told(&found))
        })
    }

    /// What [`apply_retention`](Self::apply_retention) would do now.
    ///
    /// # Errors
    /// As there.
    pub fn preview_retention(&self) -> Result<RetentionReport> {
        self.write(|step| Ok(told(&self.due(step)?)))
    }

    /// What is beyond its days, and what was retired long enough ago.
    fn due(&self, step: &dyn Transaction) -> Result<(Vec<Memory>, Vec<Memory>)> {
        let now = self.clock.now();
        let mut expired = Vec::new();
        for &category in Category::ALL {
            let days = self.policy.of(category).retention_days;
            if days > 0 {
                let filter = Filter { categories: vec![category], ..Filter::default() };
                let all = step.list(&filter, Order::Newest, now, usize::MAX)?;
                expired.extend(all.into_iter().filter(|memory| memory.updated_at < before(now, days)));
            }
        }
        // Never within the day in which it may not be written anew: the way round would be to have it deleted first.
        let limit = before(now, self.policy.grace_days).min(now - FORGOTTEN);
        let retired = Filter { statuses: vec![Status::Retired], ..Filter::default() };
        let mut over = step.list(&retired, Order::Newest, now, usize::MAX)?;
        over.retain(|memory| memory.status_since < limit);
        Ok((expired, over))
    }

    fn collect(&self, step: &dyn Transaction, memory: &Memory) -> Result<()> {
        match self.policy.archive_retired {
            true => {
                self.archive_retired(step, memory.clone(), "kept for good after its grace period").map(drop)
            }
            false => step.delete(&memory.id, memory.version),
        }
    }
}

/// The moment so many days ago.
fn before(now: Millis, days: u64) -> Millis {
    now.saturating_sub(DAY.saturating_mul(Millis::try_from(days).unwrap_or(Millis::MAX)))
}

fn told(found: &(Vec<Memory>, Vec<Memory>)) -> RetentionReport {
    let names = |list: &[Memory]| list.iter().map(|it| (it.id.clone(), it.title.clone())).collect();
    RetentionReport { expired: names(&found.0), collected: names(&found.1) }
}
