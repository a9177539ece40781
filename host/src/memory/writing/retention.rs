//! Retention: memories that were not changed for their category's `retention_days` are retired, and retired
//! memories are deleted, or archived, after the grace period. Nothing else deletes a memory, and archived
//! ones are never deleted. The default grace period is in `policy.rs`, the default retention per category in
//! `category.rs`.

use std::thread;
use std::time::Duration;

use super::create::RESURRECTION_GUARD_MS;
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::Memories;
use crate::memory::category::Category;
use crate::memory::record::{Memory, Status};
use crate::memory::store::{Filter, Order, Transaction};
use crate::memory::tentative;
use crate::memory::write_rules::TENTATIVE_TAG;

const DAY_MS: Millis = 24 * 3_600_000;

/// Number of memories that one transaction changes. Hooks wait meanwhile.
const BATCH_MEMORIES: usize = 50;

/// Time after each transaction in which hooks that wait for the database get it.
const PAUSE: Duration = Duration::from_millis(2);

/// The effect of retention, done or previewed: ids and titles of memories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RetentionReport {
    /// Memories retired after their category's retention days.
    pub expired: Vec<(String, String)>,
    /// Memories deleted after the grace period, or archived if the policy says so.
    pub collected: Vec<(String, String)>,
}

impl RetentionReport {
    /// Tells whether there was nothing to do.
    pub fn is_empty(&self) -> bool {
        self.expired.is_empty() && self.collected.is_empty()
    }

    fn list_of(&mut self, step: Step) -> &mut Vec<(String, String)> {
        match step {
            Step::Expire { .. } => &mut self.expired,
            Step::Collect => &mut self.collected,
        }
    }
}

/// What is done with memories that are due.
#[derive(Clone, Copy)]
enum Step {
    /// They are retired, because they were not changed for this number of days.
    Expire { days: u64 },
    /// They are deleted or archived, because their grace period is over.
    Collect,
}

impl Memories {
    /// Retires expired memories, and deletes or archives those whose grace period is over. Works in short
    /// transactions, so that hooks need not wait.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read or written.
    pub fn apply_retention(&self) -> Result<RetentionReport> {
        let mut report = RetentionReport::default();
        for (filter, step) in self.due() {
            loop {
                let done = self.write(|tx| self.apply_step(tx, &filter, step))?;
                if done.is_empty() {
                    break;
                }
                report.list_of(step).extend(done);
                thread::sleep(PAUSE);
            }
        }
        Ok(report)
    }

    /// Returns what [`apply_retention`](Self::apply_retention) would do now.
    ///
    /// # Errors
    /// `unavailable` if the store cannot be read.
    pub fn preview_retention(&self) -> Result<RetentionReport> {
        let mut report = RetentionReport::default();
        for (filter, step) in self.due() {
            let due = self.store.list(&filter, Order::Oldest, self.clock.now(), usize::MAX)?;
            report.list_of(step).extend(due.into_iter().map(|memory| (memory.id, memory.title)));
        }
        Ok(report)
    }

    /// Returns the filters that find the memories that are due, with what is done with them.
    fn due(&self) -> Vec<(Filter, Step)> {
        let now = self.clock.now();
        let days_of = |category: &Category| self.policy.of(*category).retention_days;
        let expiring = Category::ALL.iter().filter(|category| days_of(category) > 0);
        let expired = expiring.map(|category| {
            let days = days_of(category);
            let updated_before = Some(days_before(now, days));
            let filter = Filter { categories: vec![*category], updated_before, ..Filter::default() };
            (filter, Step::Expire { days })
        });
        // Even without a grace period, a retired memory is kept as long as its text may not be written again.
        let retired_before = days_before(now, self.policy.grace_days).min(now - RESURRECTION_GUARD_MS);
        let status_before = Some(retired_before);
        let retired = Filter { statuses: vec![Status::Retired], status_before, ..Filter::default() };
        let tentative = Filter {
            tags: vec![TENTATIVE_TAG.to_owned()],
            updated_before: Some(days_before(now, tentative::RETENTION_DAYS)),
            ..Filter::default()
        };
        let unconfirmed = (tentative, Step::Expire { days: tentative::RETENTION_DAYS });
        expired.chain([unconfirmed, (retired, Step::Collect)]).collect()
    }

    /// Does a step with some of the memories that are due. Returns their ids and titles.
    fn apply_step(&self, tx: &dyn Transaction, filter: &Filter, step: Step) -> Result<Vec<(String, String)>> {
        let due = tx.list(filter, Order::Oldest, self.clock.now(), BATCH_MEMORIES)?;
        for memory in &due {
            match step {
                Step::Expire { days } => {
                    self.retire_in(tx, memory.clone(), &format!("{days} days without a change")).map(drop)?;
                }
                Step::Collect => self.collect(tx, memory)?,
            }
        }
        Ok(due.into_iter().map(|memory| (memory.id, memory.title)).collect())
    }

    fn collect(&self, tx: &dyn Transaction, memory: &Memory) -> Result<()> {
        match self.policy.archive_retired {
            true => self.archive_retired(tx, memory.clone(), "its grace period is over").map(drop),
            false => tx.delete(&memory.id, memory.version),
        }
    }
}

fn days_before(now: Millis, days: u64) -> Millis {
    now.saturating_sub(DAY_MS.saturating_mul(Millis::try_from(days).unwrap_or(Millis::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::memory::test_support::{DAY, TestStore, active, draft, draft_of, refused, remember};
    use crate::memory::{Draft, Policy, Rating};

    /// Returns a policy with these retention days for blockers and these grace days.
    fn policy(days: u64, grace: u64) -> Policy {
        let mut policy = Policy::default();
        policy.grace_days = grace;
        policy.of_mut(Category::Blocker).retention_days = days;
        policy
    }

    #[test]
    fn a_tentative_memory_expires_after_thirty_days() {
        let store = TestStore::new();
        let at = |days: i64| store.after(days * DAY).with_policy(policy(0, 30));
        let tags = vec![TENTATIVE_TAG.to_owned()];
        let tentative = remember(&at(0), Draft { tags, ..draft_of(Category::Decision, "Use SQLite") });
        remember(&at(0), draft_of(Category::Decision, "Use pnpm"));

        assert!(at(30).apply_retention().expect("done").is_empty());
        let done = at(31).apply_retention().expect("done");

        assert_eq!(done.expired, [(tentative.id, tentative.title)]);
    }

    #[test]
    fn a_memory_expires_after_its_retention_days_since_the_last_change() {
        let store = TestStore::new();
        let at = |days: i64| store.after(days * DAY).with_policy(policy(10, 30));
        let old = remember(&at(0), draft_of(Category::Blocker, "the staging network is down"));
        let rated = remember(&at(0), draft_of(Category::Blocker, "waiting for the license"));
        let durable = remember(&at(0), draft_of(Category::Decision, "Use pnpm"));
        at(8).rate(&rated.id, Rating::Up).expect("rated");

        assert!(at(10).apply_retention().expect("done").is_empty());
        let done = at(11).apply_retention().expect("done");

        assert_eq!(done.expired, [(old.id, old.title)]);
        let ids: Vec<String> = active(&at(11)).into_iter().map(|memory| memory.id).collect();
        assert_eq!(ids.len(), 2);
        assert!(ids.contains(&durable.id) && ids.contains(&rated.id));
    }

    #[test]
    fn retired_memories_are_deleted_after_the_grace_period_and_archived_ones_never() {
        let store = TestStore::new();
        let at = |days: i64| store.after(days * DAY).with_policy(policy(0, 30));
        let forgotten = remember(&at(0), draft("the first thing"));
        let archived = remember(&at(0), draft("another matter"));
        at(0).retire(&forgotten.id, None, "r").expect("retired");
        at(0).archive(&archived.id, None, "r").expect("archived");

        assert!(at(30).preview_retention().expect("looked").is_empty());
        assert_eq!(
            at(31).apply_retention().expect("done").collected,
            [(forgotten.id.clone(), forgotten.title)]
        );

        refused(at(31).get(&forgotten.id), ErrorKind::NotFound);
        assert_eq!(at(9999).apply_retention().expect("done"), Default::default());
        assert_eq!(at(9999).get(&archived.id).expect("there").status, Status::Archived);
    }

    #[test]
    fn more_memories_than_one_transaction_takes_are_retired_and_deleted() {
        let store = TestStore::new();
        let at = |days: i64| store.after(days * DAY).with_policy(policy(10, 30));
        for number in 0..2 * BATCH_MEMORIES + 1 {
            remember(&at(0), draft_of(Category::Blocker, &format!("host{number} rack{number} is down")));
        }

        let retired = at(11).apply_retention().expect("done");
        let due = at(42).preview_retention().expect("looked");
        let deleted = at(42).apply_retention().expect("done");

        assert_eq!((retired.expired.len(), retired.collected.len()), (2 * BATCH_MEMORIES + 1, 0));
        assert_eq!((&deleted, deleted.collected.len()), (&due, 2 * BATCH_MEMORIES + 1));
        assert!(at(42).apply_retention().expect("done").is_empty());
    }

    #[test]
    fn without_a_grace_period_a_retired_memory_still_blocks_its_text_for_a_day() {
        let store = TestStore::new();
        let at = |hours: i64| store.after(hours * 3_600_000).with_policy(policy(0, 0));
        let memory = remember(&at(0), draft("Run the migrations before the tests"));
        at(0).retire(&memory.id, None, "wrong").expect("retired");

        assert!(at(23).apply_retention().expect("done").is_empty());
        refused(at(23).remember(draft("Run the migrations before tests")), ErrorKind::Conflict);
        assert_eq!(at(25).apply_retention().expect("done").collected.len(), 1);
    }

    #[test]
    fn with_archive_retired_the_grace_period_ends_in_the_archive() {
        let store = TestStore::new();
        let mut archiving = policy(0, 30);
        archiving.archive_retired = true;
        let memory = remember(&store.after(0), draft("a thing"));
        store.after(0).retire(&memory.id, None, "wrong").expect("retired");

        let done = store.after(31 * DAY).with_policy(archiving).apply_retention().expect("done");

        assert_eq!(done.collected.len(), 1);
        assert_eq!(store.after(31 * DAY).get(&memory.id).expect("there").status, Status::Archived);
    }

    #[test]
    fn a_deleted_memory_leaves_nothing_in_the_index() {
        let store = TestStore::new();
        let memory = remember(&store.after(0), draft("xylophone lessons"));
        store.after(0).retire(&memory.id, None, "wrong").expect("retired");
        store.after(31 * DAY).apply_retention().expect("done");
        let later = store.after(31 * DAY);
        let every = Filter { statuses: Status::ALL.to_vec(), ..Filter::default() };

        assert!(later.search_with_min_relevance(0.0, "xylophone", &every, 9).expect("searched").is_empty());
        assert_eq!(later.counts().expect("counted"), []);
        assert_eq!(remember(&later, draft("xylophone lessons")).version, 1);
    }
}
