//! The agreement of several hook processes that were started for one event: the first answers.
//!
//! The plugin, the settings that a team shares and those of this machine may all register the same hooks;
//! Claude Code then starts one process for each, all with the same bytes on standard input. Each process
//! claims the event in a file of this user. Settings files are not asked who else is registered: a project
//! could contain one that silences everybody and answers nothing.

use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::claude::settings::Caller;
use crate::clock::Millis;
use crate::dirs::create_private_folder;

/// Number of records in the file. A record is overwritten by a later event with the same remainder.
const RECORDS: u64 = 256;
/// Size of a record in bytes: the hash of the event, the time of the claim and the caller.
const RECORD_BYTES: usize = 24;
/// Time for which a claim stands, in milliseconds: the timeout after which Claude Code cancels a hook.
const CLAIM_MS: Millis = 10_000;
/// Number of attempts to lock the file. Other processes hold the lock for microseconds, unless a busy machine
/// suspends them meanwhile.
const LOCK_ATTEMPTS: u32 = 250;
/// Time between two attempts.
const LOCK_INTERVAL: Duration = Duration::from_millis(1);

/// Claims an event for the registration that started this process. `payload` is what Claude Code sent,
/// `folder` the user's folder for state. Returns `false` if the process of another registration has claimed
/// the same event.
///
/// A claim that cannot be written counts as made: two answers do less harm than none. The same event from the
/// same registration is a repetition, and is answered.
pub(super) fn claim(folder: &Path, payload: &[u8], caller: Caller, now: Millis) -> bool {
    let Some(file) = open_locked(folder) else { return true };
    let mut hasher = DefaultHasher::new();
    hasher.write(payload);
    let event = hasher.finish();
    let offset = event % RECORDS * RECORD_BYTES as u64;
    let mut record = [0; RECORD_BYTES];
    // A new file is shorter than the record.
    let _ = file.read_at(&mut record, offset);
    let claimed = Claim::parse(record);
    // The process that waited for the lock may have read the clock before the one that had it.
    let is_fresh = now.abs_diff(claimed.at) < CLAIM_MS.unsigned_abs();
    if claimed.event == event && claimed.caller != caller as u8 && is_fresh {
        return false;
    }
    let _ = file.write_all_at(&Claim { event, at: now, caller: caller as u8 }.to_bytes(), offset);
    true
}

fn open_locked(folder: &Path) -> Option<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    let open = || options.open(folder.join("claims")).ok();
    let file = open().or_else(|| create_private_folder(folder).ok().and_then(|()| open()))?;
    for _ in 0..LOCK_ATTEMPTS {
        if file.try_lock().is_ok() {
            return Some(file);
        }
        thread::sleep(LOCK_INTERVAL);
    }
    None
}

/// One record.
struct Claim {
    event: u64,
    at: Millis,
    caller: u8,
}

impl Claim {
    fn parse(bytes: [u8; RECORD_BYTES]) -> Self {
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| bytes[at + index]));
        Self { event: number(0), at: number(8).cast_signed(), caller: bytes[16] }
    }

    fn to_bytes(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.event.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.at.to_le_bytes());
        bytes[16] = self.caller;
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dirs::scratch::Scratch;

    const NOW: Millis = 1_700_000_000_000;

    #[test]
    fn of_several_registrations_the_first_answers() {
        let scratch = Scratch::new();
        let claims = |caller| claim(scratch.path(), b"{\"a\": 1}", caller, NOW);

        assert!(claims(Caller::Plugin));
        assert!(!claims(Caller::Machine) && !claims(Caller::Shared));
        assert!(claim(scratch.path(), b"{\"a\": 2}", Caller::Machine, NOW), "another event");
    }

    #[test]
    fn a_process_that_waited_for_the_lock_sees_the_later_claim() {
        let scratch = Scratch::new();

        assert!(claim(scratch.path(), b"stop", Caller::Plugin, NOW + 1));
        assert!(!claim(scratch.path(), b"stop", Caller::Machine, NOW));
    }

    #[test]
    fn a_repeated_event_is_answered_again() {
        let scratch = Scratch::new();
        assert!(claim(scratch.path(), b"stop", Caller::Plugin, NOW));
        assert!(claim(scratch.path(), b"stop", Caller::Plugin, NOW + 1));
        assert!(claim(scratch.path(), b"stop", Caller::Machine, NOW + 1 + CLAIM_MS));
    }

    #[test]
    fn a_clock_that_was_set_back_silences_nobody() {
        let scratch = Scratch::new();
        assert!(claim(scratch.path(), b"stop", Caller::Plugin, NOW));
        assert!(claim(scratch.path(), b"stop", Caller::Machine, NOW - 60_000));
    }

    #[test]
    fn a_claim_that_cannot_be_made_counts_as_made() {
        let scratch = Scratch::new();
        scratch.folder("claims");
        assert!(claim(scratch.path(), b"stop", Caller::Plugin, NOW));
        assert!(claim(&scratch.file("a file", ""), b"stop", Caller::Plugin, NOW));
    }

    #[test]
    fn a_process_that_holds_the_lock_silences_nobody() {
        let scratch = Scratch::new();
        let _held = open_locked(scratch.path()).expect("it is free");

        assert!(claim(scratch.path(), b"stop", Caller::Plugin, NOW));
    }
}
