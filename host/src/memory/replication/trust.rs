//! Whose words count in this store: those of this device, and of the devices that its user trusts.

use std::collections::BTreeSet;

use crate::error::{Error, Result};
use crate::memory::record::Origin;
use crate::memory::replica_entry::{Entry, EntryKind, FIELD_NAMES, Live, ORIGIN, Stamp, Stamps};
use crate::memory::store::Transaction;

/// Whom this user trusts.
pub struct Trust {
    own: String,
    devices: BTreeSet<String>,
}

impl Trust {
    /// Reads it from the store.
    pub fn read(tx: &dyn Transaction) -> Result<Self> {
        let trusted = tx.authors()?.into_iter().filter(|(_, since)| since.is_some());
        Ok(Self { own: tx.device()?, devices: trusted.map(|(author, _)| author.device).collect() })
    }

    /// Refuses what only a trusted device may do, and what claims to be from this device and is not.
    pub fn check(&self, entry: &Entry, known: Option<&Entry>) -> Result<()> {
        match &entry.kind {
            EntryKind::Purged(_) if known.is_some_and(|known| matches!(known.kind, EntryKind::Purged(_))) => {
                Ok(())
            }
            EntryKind::Purged(stamp) if !self.includes(&stamp.device) => {
                let asked = format!("device {} wants it deleted for good", stamp.device);
                Err(Error::denied(asked).hint(format!("interleaf memory trust {}", stamp.device)))
            }
            EntryKind::Live(live) if live.author.device != live.stamps.written.device => {
                Err(Error::denied("it names another author than the device that wrote it"))
            }
            EntryKind::Live(live) if !self.devices.contains(&self.own) => {
                match claimed(&live.stamps, known).any(|stamp| stamp.device == self.own) {
                    false => Ok(()),
                    true => Err(claims_to_be_from_here(&self.own)),
                }
            }
            _ => Ok(()),
        }
    }

    /// Returns the origin that a memory has in this store.
    pub fn origin_of(&self, live: &Live) -> Origin {
        effective_origin(live.memory.origin, &live.stamps, |device| self.includes(device))
    }

    /// Tells whether the words of a device count.
    pub fn includes(&self, device: &str) -> bool {
        device == self.own || self.devices.contains(device)
    }
}

/// Returns the origin of a memory. What its authors state counts if all who wrote its words are trusted, or
/// if a trusted one stated it after them: a person who confirms a memory.
fn effective_origin(stated: Origin, stamps: &Stamps, is_trusted: impl Fn(&str) -> bool) -> Origin {
    let stated_at = stamps.of(ORIGIN);
    let mut untrusted = stamps.of_words().filter(|stamp| !is_trusted(&stamp.device));
    match is_trusted(&stated_at.device) && untrusted.all(|stamp| stamp < stated_at) {
        true => stated,
        false => Origin::Shared,
    }
}

/// Returns the times of the fields that would replace what this store has. Its own writes are never later
/// than what it has itself.
fn claimed<'a>(stamps: &'a Stamps, known: Option<&'a Entry>) -> impl Iterator<Item = &'a Stamp> {
    let known = known.map(|known| &known.kind);
    FIELD_NAMES.iter().map(|field| (field, stamps.of(field))).filter_map(move |(field, stamp)| match known {
        Some(EntryKind::Live(live)) => (stamp > live.stamps.of(field)).then_some(stamp),
        // The times of a deleted memory are no longer known.
        Some(EntryKind::Retired(_) | EntryKind::Purged(_)) => None,
        None => Some(stamp),
    })
}

fn claims_to_be_from_here(device: &str) -> Error {
    Error::denied("it claims to be written on this device, which did not write it")
        .hint(format!("if you restored an older backup of the store, run interleaf memory trust {device}"))
}
