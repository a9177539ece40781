//! The status of a memory. Only these four actions change it, and `gc` deletes:
//!
//! ```text
//!            retire                gc
//!   active ─────────▶ retired ─────────▶ (deleted)
//!     │  ▲               │
//!     │  └── restore ────┘
//!     │  ▲
//!     │  └── unarchive ──┐
//!     └── archive ──▶ archived
//! ```

use super::create::RESURRECTION_GUARD_MS;
use super::update::not_active;
use crate::error::{Error, ErrorKind, Result};
use crate::memory::record::{Change, Memory, Status};
use crate::memory::store::Transaction;
use crate::memory::{Memories, content, memory_id, near_duplicate, write_rules};

/// Maximum number of attempts of an action without a version, if it conflicts with another writer.
const MAX_ATTEMPTS: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transition {
    Retire,
    Archive,
    Unarchive,
    Restore,
}

impl Transition {
    /// Returns the status before and after.
    const fn statuses(self) -> (Status, Status) {
        match self {
            Self::Retire => (Status::Active, Status::Retired),
            Self::Archive => (Status::Active, Status::Archived),
            Self::Unarchive => (Status::Archived, Status::Active),
            Self::Restore => (Status::Retired, Status::Active),
        }
    }

    /// Returns the verb of the history entry.
    const fn past_tense(self) -> &'static str {
        match self {
            Self::Retire => "retired",
            Self::Archive => "archived",
            Self::Unarchive => "unarchived",
            Self::Restore => "restored",
        }
    }
}

impl Memories {
    /// Retires a memory: it is kept for the grace period, but neither shown nor found. Retiring it again
    /// changes nothing.
    ///
    /// # Errors
    /// `not-found`; `conflict` if a version is given and the memory has another one; `denied` if it is
    /// archived; `invalid` if the reason is missing or too long.
    pub fn retire(&self, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        self.change_status(Transition::Retire, id, version, reason)
    }

    /// Archives a memory: it is neither shown nor found, and never deleted.
    ///
    /// # Errors
    /// As [`retire`](Self::retire); `denied` if it is retired.
    pub fn archive(&self, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        self.change_status(Transition::Archive, id, version, reason)
    }

    /// Makes an archived memory active again.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    pub fn unarchive(&self, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        self.change_status(Transition::Unarchive, id, version, reason)
    }

    /// Makes a retired memory active again, with its history.
    ///
    /// # Errors
    /// As [`retire`](Self::retire); `conflict` if an active memory supersedes it or says the same;
    /// `over-budget` if its category is full.
    pub fn restore(&self, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        self.change_status(Transition::Restore, id, version, reason)
    }

    fn change_status(
        &self,
        transition: Transition,
        id: &str,
        version: Option<u64>,
        reason: &str,
    ) -> Result<Memory> {
        let reason = write_rules::validate_reason(reason, &self.redactor)?;
        let id = self.get(id)?.id;
        let mut attempts = 0;
        loop {
            attempts += 1;
            let result = self.write(|tx| {
                let memory = self.get_at_version(tx, &id, version)?;
                self.change_status_in(tx, transition, memory, &reason)
            });
            match result {
                Err(error)
                    if error.kind == ErrorKind::Conflict && version.is_none() && attempts < MAX_ATTEMPTS => {}
                result => return result,
            }
        }
    }

    /// Retires a memory within a transaction.
    pub(in crate::memory) fn retire_in(
        &self,
        tx: &dyn Transaction,
        memory: Memory,
        reason: &str,
    ) -> Result<Memory> {
        self.change_status_in(tx, Transition::Retire, memory, reason)
    }

    /// Archives a retired memory within a transaction, instead of deleting it after the grace period.
    pub(super) fn archive_retired(
        &self,
        tx: &dyn Transaction,
        memory: Memory,
        reason: &str,
    ) -> Result<Memory> {
        self.set_status(tx, memory, Status::Archived, Transition::Archive, reason)
    }

    fn change_status_in(
        &self,
        tx: &dyn Transaction,
        transition: Transition,
        memory: Memory,
        reason: &str,
    ) -> Result<Memory> {
        let (from, to) = transition.statuses();
        if memory.status == to {
            return Ok(memory);
        }
        if memory.status != from {
            return Err(not_active(&memory));
        }
        if to != Status::Active {
            return self.set_status(tx, memory, to, transition, reason);
        }
        self.check_activation(tx, &memory)?;
        let memory = self.set_status(tx, memory, to, transition, reason)?;
        self.evict_surplus(tx, memory.category, Some(&memory.id))?;
        Ok(memory)
    }

    fn set_status(
        &self,
        tx: &dyn Transaction,
        memory: Memory,
        status: Status,
        transition: Transition,
        reason: &str,
    ) -> Result<Memory> {
        let version = memory.version;
        let is_active = status == Status::Active;
        let content = match transition {
            Transition::Restore => content::after_restore(memory.category, &memory.content),
            _ => memory.content,
        };
        let memory = Memory {
            content,
            status,
            status_since: self.clock.now(),
            status_reason: (!is_active).then(|| reason.to_owned()),
            superseded_by: if is_active { None } else { memory.superseded_by },
            version: version + 1,
            ..memory
        };
        let what = format!("{}: {reason}", transition.past_tense());
        let memory = self.with_change(tx, memory, Change { what, ..Change::default() })?;
        tx.replace(&memory, version)?;
        Ok(memory)
    }

    /// Applies the checks of a new memory to a memory that becomes active again.
    fn check_activation(&self, tx: &dyn Transaction, memory: &Memory) -> Result<()> {
        write_rules::check_category_enabled(memory, &self.policy)?;
        self.check_capacity(tx, memory.category)?;
        self.check_succession(tx, memory)?;
        let similar = tx.similar(&memory.text, self.clock.now() - RESURRECTION_GUARD_MS)?;
        let is_duplicate = |other: &&Memory| {
            other.status == Status::Active && near_duplicate::is_duplicate(&other.text, &memory.text)
        };
        match similar.iter().find(is_duplicate) {
            Some(other) => Err(Error::conflict(format!("the active memory `{}` says the same", other.id))
                .hint(format!("see it: interleaf memory show {}", memory_id::id_for_command(&other.id)))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::test_support::{DAY, NOW, TestStore, active, draft, memories, refused, remember};
    use crate::memory::{Filter, Rating};

    type Action = fn(&Memories, &str) -> Result<Memory, Error>;

    const ACTIONS: [(&str, Action); 4] = [
        ("retire", |memories, id| memories.retire(id, None, "r")),
        ("archive", |memories, id| memories.archive(id, None, "r")),
        ("unarchive", |memories, id| memories.unarchive(id, None, "r")),
        ("restore", |memories, id| memories.restore(id, None, "r")),
    ];

    /// Returns a memory in this status.
    fn in_status(status: Status) -> (Memories, String) {
        let memories = memories();
        let id = remember(&memories, draft("a thing")).id;
        match status {
            Status::Active => {}
            Status::Retired => drop(memories.retire(&id, None, "r").expect("retired")),
            Status::Archived => drop(memories.archive(&id, None, "r").expect("archived")),
        }
        (memories, id)
    }

    #[test]
    fn the_four_actions_follow_the_status_diagram() {
        use Status::{Active, Archived, Retired};
        let expected = [
            ("retire", [Some(Retired), Some(Retired), None]),
            ("archive", [Some(Archived), None, Some(Archived)]),
            ("unarchive", [Some(Active), None, Some(Active)]),
            ("restore", [Some(Active), Some(Active), None]),
        ];
        for ((name, action), (row, ends)) in ACTIONS.into_iter().zip(expected) {
            assert_eq!(name, row);
            for (status, end) in [Active, Retired, Archived].into_iter().zip(ends) {
                let (memories, id) = in_status(status);
                match (action(&memories, &id), end) {
                    (Ok(memory), Some(end)) => assert_eq!(memory.status, end, "{name} from {status}"),
                    (Err(error), None) => assert_eq!(error.kind, ErrorKind::Denied, "{name} from {status}"),
                    (result, _) => panic!("{name} from {status}: {result:?}"),
                }
            }
        }
    }

    #[test]
    fn an_action_without_effect_adds_no_history_entry() {
        let (memories, id) = in_status(Status::Retired);
        let before = memories.get(&id).expect("there");

        assert_eq!(memories.retire(&id, None, "again").expect("as it was"), before);
    }

    #[test]
    fn a_status_change_records_its_time_and_reason() {
        let store = TestStore::new();
        let memory = remember(&store.after(0), draft("a thing"));

        let retired = store.after(DAY).retire(&memory.id, None, "no longer so").expect("retired");

        assert_eq!(
            (retired.status_since, retired.status_reason.as_deref()),
            (NOW + DAY, Some("no longer so"))
        );
    }

    #[test]
    fn a_memory_is_not_restored_beside_an_active_duplicate() {
        let store = TestStore::new();
        let memory = remember(&store.after(0), draft("Run the migrations before the tests"));
        store.after(0).retire(&memory.id, None, "wrong").expect("retired");
        let newer = remember(&store.after(2 * DAY), draft("Run the migrations before tests"));

        let error = refused(store.after(2 * DAY).restore(&memory.id, None, "r"), ErrorKind::Conflict);

        assert!(error.message.contains(&newer.id), "{error}");
    }

    #[test]
    fn an_action_on_an_outdated_version_is_a_conflict() {
        let (memories, id) = in_status(Status::Active);
        memories.rate(&id, Rating::Up).expect("rated");

        refused(memories.archive(&id, Some(1), "r"), ErrorKind::Conflict);
        memories.archive(&id, Some(2), "r").expect("archived");
    }

    #[test]
    fn only_active_memories_are_listed_found_confirmed_and_rated() {
        for status in [Status::Retired, Status::Archived] {
            let (memories, id) = in_status(status);
            assert!(active(&memories).is_empty());
            assert!(
                memories
                    .search_with_min_relevance(0.0, "a thing", &Filter::default(), 9)
                    .expect("searched")
                    .is_empty()
            );
            refused(memories.confirm(&id), ErrorKind::Denied);
            refused(memories.rate(&id, Rating::Up), ErrorKind::Denied);
        }
    }
}
