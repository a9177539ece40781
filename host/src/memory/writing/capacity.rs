//! The capacity of a category (`max_kept`). When it is full, a durable category refuses new memories, and any
//! other category evicts its least important one.

use crate::error::{Error, Result};
use crate::memory::Memories;
use crate::memory::category::Category;
use crate::memory::recency::Recency;
use crate::memory::record::{Memory, Status};
use crate::memory::store::{Filter, Order, Transaction};
use serde_json::Value;

/// The list fields of a session summary whose items are searched for in other memories before it is evicted.
const SUMMARY_ITEM_FIELDS: [&str; 3] = ["completed", "blockers", "next_actions"];

/// A memory that was retired to make room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evicted {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its items that no other active memory contains. They are lost when the retired memory is deleted.
    pub unique_items: Vec<String>,
}

impl Evicted {
    /// Describes the eviction for the writer of the new memory.
    pub fn brief(&self) -> String {
        format!("memory `{}` ({}) was retired to make room", self.id, self.title)
    }

    /// Describes the eviction and the items that are lost with the memory, for the log.
    pub fn warning(&self) -> String {
        format!("{}; no other memory holds: {}", self.brief(), self.unique_items.join("; "))
    }
}

impl Memories {
    /// Checks that a category has room for another memory. A category that is not durable always has room,
    /// because it evicts a memory.
    pub(super) fn check_capacity(&self, tx: &dyn Transaction, category: Category) -> Result<()> {
        let max = self.policy.of(category).max_kept;
        if max == 0 || !category.is_durable() || tx.active_count(category)? < max {
            return Ok(());
        }
        Err(Error::over_budget(format!("the category {category} is full: it holds {max} memories"))
            .hint(format!("retire one that no longer holds, or raise categories.{category}.max_kept")))
    }

    /// Retires the memories beyond the capacity of a category, but not the one with the id `protected`.
    pub(super) fn evict_surplus(
        &self,
        tx: &dyn Transaction,
        category: Category,
        protected: Option<&str>,
    ) -> Result<Vec<Evicted>> {
        let max = self.policy.of(category).max_kept;
        let mut evicted = Vec::new();
        if max == 0 || category.is_durable() {
            return Ok(evicted);
        }
        while tx.active_count(category)? > max {
            let Some(memory) = self.eviction_candidate(tx, category, protected)? else { break };
            let unique_items = self.unique_items(tx, &memory)?;
            let (id, title) = (memory.id.clone(), memory.title.clone());
            self.retire_in(tx, memory, &format!("made room: at most {max} of {category} are kept"))?;
            evicted.push(Evicted { id, title, unique_items });
        }
        Ok(evicted)
    }

    /// Returns the memory to evict: the oldest session summary, or in another category the memory with the
    /// lowest importance weighted by age.
    fn eviction_candidate(
        &self,
        tx: &dyn Transaction,
        category: Category,
        protected: Option<&str>,
    ) -> Result<Option<Memory>> {
        let excluded_ids = protected.map(str::to_owned).into_iter().collect();
        let filter = Filter { categories: vec![category], excluded_ids, ..Filter::default() };
        let now = self.clock.now();
        let newest_first = tx.list(&filter, Order::Newest, now, usize::MAX)?;
        if category == Category::SessionSummary {
            return Ok(newest_first.into_iter().next_back());
        }
        let weight =
            |memory: &Memory| memory.importance * Recency::new(category, memory.updated_at).weight(now);
        // `min_by` returns the first of equal weights, which has to be the oldest.
        Ok(newest_first.into_iter().rev().min_by(|a, b| weight(a).total_cmp(&weight(b))))
    }

    /// Returns the items of a memory that no other active memory contains.
    fn unique_items(&self, tx: &dyn Transaction, memory: &Memory) -> Result<Vec<String>> {
        let is_other = |other: &Memory| other.id != memory.id && other.status == Status::Active;
        let mut unique = Vec::new();
        for item in items(memory) {
            if !tx.similar(item, self.clock.now())?.iter().any(is_other) {
                unique.push(item.to_owned());
            }
        }
        Ok(unique)
    }
}

/// Returns the list items of a summary, or the lines of a memory without such items.
fn items(memory: &Memory) -> Vec<&str> {
    let fields = SUMMARY_ITEM_FIELDS.iter().filter_map(|field| memory.content[*field].as_array()).flatten();
    let items: Vec<&str> = fields.filter_map(Value::as_str).collect();
    if items.is_empty() {
        memory.text.lines().filter(|line| !line.trim().is_empty()).collect()
    } else {
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::memory::test_support::{
        DAY, TestStore, active, draft_of, memories, refused, remember, with_max_kept,
    };
    use crate::memory::{Draft, Status};
    use serde_json::json;

    fn summary(number: usize, done: &[&str]) -> Draft {
        let content = json!({
            "goal": format!("goal {number}"), "outcome": "success", "completed": done, "next_actions": [],
        });
        let text = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf"][number];
        Draft { content, ..draft_of(Category::SessionSummary, &format!("session {text} {text}{number}")) }
    }

    #[test]
    fn the_sixth_session_summary_evicts_the_oldest() {
        let store = TestStore::new();
        let first = remember(&store.after(0), summary(0, &[]));
        for number in 1..5 {
            assert_eq!(
                store.after(number as i64).remember(summary(number, &[])).expect("written").evicted,
                []
            );
        }

        let sixth = store.after(6).remember(summary(5, &[])).expect("written");

        assert_eq!(sixth.evicted[0].id, first.id);
        assert_eq!(active(&store.after(6)).len(), 5);
        let first = store.after(6).get(&first.id).expect("there");
        assert_eq!(first.status_reason.as_deref(), Some("made room: at most 5 of session_summary are kept"));
    }

    #[test]
    fn an_eviction_names_the_items_that_no_other_memory_holds() {
        let store = TestStore::new();
        let done = ["paced the vendor client in 100 ms slots", "moved the statements to dayjs"];
        let memories = with_max_kept(store.after(0), Category::SessionSummary, 1);
        remember(&memories, summary(0, &done));
        remember(
            &memories,
            draft_of(Category::Decision, "The vendor client is paced: slots of 100 ms, no retries"),
        );

        let second = memories.remember(summary(1, &[])).expect("written");

        assert_eq!(second.evicted[0].unique_items, [done[1]]);
        assert!(second.evicted[0].warning().contains("dayjs"));
    }

    #[test]
    fn a_full_durable_category_refuses_and_names_the_setting() {
        for category in [Category::Decision, Category::Preference, Category::Constraint] {
            let memories = with_max_kept(memories(), category, 1);
            let first = remember(&memories, draft_of(category, "one thing"));

            let error =
                refused(memories.remember(draft_of(category, "another matter")), ErrorKind::OverBudget);

            assert!(error.hint.expect("a hint").contains(&format!("categories.{category}.max_kept")));
            assert_eq!(active(&memories), [first]);
        }
    }

    #[test]
    fn a_full_category_evicts_the_memory_with_the_least_weight() {
        let store = TestStore::new();
        let at = |days: i64| with_max_kept(store.after(days * DAY), Category::Blocker, 2);
        let weighty = |text, importance| Draft { importance, ..draft_of(Category::Blocker, text) };
        let old = remember(&at(0), weighty("the staging network is down", 0.6));
        remember(&at(90), weighty("waiting for the license", 0.5));

        let third = at(90).remember(weighty("the runner has no disk left", 0.3)).expect("written");

        assert_eq!(third.evicted[0].id, old.id);
    }

    #[test]
    fn a_restored_memory_needs_capacity_too() {
        let memories = memories();
        let one = remember(&memories, draft_of(Category::Decision, "one thing"));
        memories.retire(&one.id, None, "r").expect("retired");
        let memories = with_max_kept(memories, Category::Decision, 1);
        remember(&memories, draft_of(Category::Decision, "another matter"));

        refused(memories.restore(&one.id, None, "r"), ErrorKind::OverBudget);
    }

    #[test]
    fn a_new_or_restored_memory_is_not_evicted_at_once() {
        let store = TestStore::new();
        let at = |hour: i64| with_max_kept(store.after(hour * 3_600_000), Category::Blocker, 1);
        let strong = remember(
            &at(0),
            Draft { importance: 0.9, ..draft_of(Category::Blocker, "the staging network is down") },
        );

        let weak = Draft { importance: 0.1, ..draft_of(Category::Blocker, "waiting for the license") };
        let weak = at(1).remember(weak).expect("written");
        assert_eq!(weak.evicted[0].id, strong.id);
        assert_eq!(at(1).get(&weak.id).expect("there").status, Status::Active);

        at(2).restore(&strong.id, None, "it is down again").expect("restored");
        at(3).restore(&weak.id, None, "still waiting").expect("restored");
        let ids: Vec<String> = active(&at(3)).into_iter().map(|memory| memory.id).collect();
        assert_eq!(ids, [weak.id]);
    }

    #[test]
    fn an_old_imported_summary_may_be_evicted_at_once() {
        let memories = with_max_kept(memories(), Category::SessionSummary, 1);
        let current = remember(&memories, summary(0, &[]));
        let old = json!({
            "id": "old", "text": "what was done long ago", "category": "session_summary", "created_at": 1000,
        });

        let _ = memories.import(
            old.to_string().as_bytes(),
            crate::memory::ImportTrust::Untrusted,
            crate::memory::NearDuplicates::Refused,
        );

        assert_eq!(active(&memories), [current]);
        assert_eq!(memories.get("old").expect("there").status, Status::Retired);
    }
}
