//! The status of a memory: the four actions that change it, and nothing else does.
//!
//! ```text
//!            retire                gc
//!   active ─────────▶ retired ─────────▶ (gone)
//!     │  ▲               │
//!     │  └── restore ────┘
//!     │  ▲
//!     │  └── unarchive ──┐
//!     └── archive ──▶ archived
//! ```

use super::super::content::status_restored;
use super::super::duplicates;
use super::super::kinds::Status;
use super::super::record::{Change, Memory};
use super::super::store::Transaction;
use super::super::{Memories, rules};
use super::repetition::FORGOTTEN;
use super::update::not_active;
use crate::error::{Error, ErrorKind, Result};

/// How often an action without a version is tried again when somebody else was faster.
const ATTEMPTS: usize = 8;

/// What is done to a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Retire,
    Archive,
    Unarchive,
    Restore,
}

impl Action {
    /// From which status it leads to which.
    const fn way(self) -> (Status, Status) {
        match self {
            Self::Retire => (Status::Active, Status::Retired),
            Self::Archive => (Status::Active, Status::Archived),
            Self::Unarchive => (Status::Archived, Status::Active),
            Self::Restore => (Status::Retired, Status::Active),
        }
    }

    const fn done(self) -> &'static str {
        match self {
            Self::Retire => "retired",
            Self::Archive => "archived",
            Self::Unarchive => "unarchived",
            Self::Restore => "restored",
        }
    }
}

impl Memories {
    /// Forgets a memory: it is kept, but neither shown nor found. Forgetting twice changes nothing.
    ///
    /// # Errors
    /// `not-found`; `conflict` where a version was given and it has another; `denied` where it is archived; `invalid`
    /// where the reason is missing or too long.
    pub fn retire(&self, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        self.act(Action::Retire, id, version, reason)
    }

    /// Puts a memory away for good: neither shown nor found, and never deleted.
    ///
    /// # Errors
    /// As [`retire`](Self::retire); `denied` where it is retired.
    pub fn archive(&self, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        self.act(Action::Archive, id, version, reason)
    }

    /// Brings an archived memory back.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    pub fn unarchive(&self, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        self.act(Action::Unarchive, id, version, reason)
    }

    /// Brings a forgotten memory back, with its history.
    ///
    /// # Errors
    /// As [`retire`](Self::retire); `conflict` where an active memory came in its place or says the same;
    /// `over-budget` where its category is full.
    pub fn restore(&self, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        self.act(Action::Restore, id, version, reason)
    }

    fn act(&self, action: Action, id: &str, version: Option<u64>, reason: &str) -> Result<Memory> {
        let reason = rules::reason(reason, &self.redactor)?;
        let id = self.get(id)?.id;
        let mut tries = 0;
        loop {
            tries += 1;
            let done = self.write(|step| {
                let memory = self.seen(step, &id, version)?;
                self.turn(step, action, memory, &reason)
            });
            match done {
                Err(error) if error.kind == ErrorKind::Conflict && version.is_none() && tries < ATTEMPTS => {}
                done => return done,
            }
        }
    }

    /// Forgets what was seen within a step.
    pub(in super::super) fn retire_in(
        &self,
        step: &dyn Transaction,
        memory: Memory,
        reason: &str,
    ) -> Result<Memory> {
        self.turn(step, Action::Retire, memory, reason)
    }

    /// Puts away for good what was seen within a step and is retired: the only other way out of that status.
    pub(super) fn archive_retired(
        &self,
        step: &dyn Transaction,
        memory: Memory,
        reason: &str,
    ) -> Result<Memory> {
        self.put(step, memory, Status::Archived, Action::Archive, reason)
    }

    fn turn(&self, step: &dyn Transaction, action: Action, memory: Memory, reason: &str) -> Result<Memory> {
        let (from, to) = action.way();
        match memory.status {
            status if status == to => Ok(memory),
            status if status != from => Err(not_active(&memory)),
            _ => {
                if to == Status::Active {
                    self.check_return(step, &memory)?;
                }
                let turned = self.put(step, memory, to, action, reason)?;
                if to == Status::Active {
                    self.make_room(step, turned.category, Some(&turned.id))?;
                }
                Ok(turned)
            }
        }
    }

    fn put(
        &self,
        step: &dyn Transaction,
        memory: Memory,
        to: Status,
        action: Action,
        reason: &str,
    ) -> Result<Memory> {
        let seen = memory.version;
        let back = to == Status::Active;
        let content = match action {
            Action::Restore => status_restored(memory.category, &memory.content),
            _ => memory.content,
        };
        let put = Memory {
            content,
            status: to,
            status_since: self.clock.now(),
            status_reason: (!back).then(|| reason.to_owned()),
            superseded_by: if back { None } else { memory.superseded_by },
            version: seen + 1,
            ..memory
        };
        let what = format!("{}: {reason}", action.done());
        let put = self.noted(put, Change { what, ..Change::default() });
        step.replace(&put, seen)?;
        Ok(put)
    }

    /// What comes back must not stand beside what came in its place.
    fn check_return(&self, step: &dyn Transaction, memory: &Memory) -> Result<()> {
        rules::wanted_back(memory, &self.policy)?;
        self.check_room(step, memory.category)?;
        self.check_succession(step, memory)?;
        let similar = step.similar(&memory.text, self.clock.now() - FORGOTTEN)?;
        let same = |other: &&Memory| {
            other.status == Status::Active && duplicates::same_text(&other.text, &memory.text)
        };
        match similar.iter().find(same) {
            Some(other) => Err(Error::conflict(format!("memory `{}` says the same by now", other.id))
                .hint(format!("see both: interleaf memory show {}", other.id))),
            None => Ok(()),
        }
    }
}
