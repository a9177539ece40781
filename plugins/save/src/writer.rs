//! Writes findings as memories: the best ones, up to the session's limit; per-change memories once; the
//! summary; and retirements. A repeated fact does not become a second memory: the host finds the memory that
//! a finding is about ([`resolve`]), and some memories are rewritten in place ([`update`]). Each write
//! carries a key, so that an interrupted flush can be repeated.

mod outcome;
mod resolve;
mod sightings;
mod update;

use interleaf_layer::Result;
use interleaf_layer::memory::ResolutionAction;
use interleaf_layer::state::Scope;
use serde_json::Value;

use crate::facts::Fact;
use crate::finding::{CHEAT_SHEET_TAG, Finding, MAX_CHEAT_SHEET, Origin, Retirement};
use crate::host;
use crate::progress::{SESSION_KEY, SessionRecord};
use interleaf_classifier::stable_hash;

pub use outcome::WriteOutcome;
use outcome::nothing;
use resolve::{MatchBy, current_version, resolve, retire};
use sightings::Sightings;
use update::update;

/// Maximum number of findings of a flush that are compared with what is known, the best first: each takes up
/// to four of the 256 host calls of an event.
const MAX_COMPARED_FINDINGS: usize = 40;

/// Writes memories for one session.
pub struct MemoryWriter<'a> {
    session: &'a str,
    promote: bool,
    record: SessionRecord,
    /// The outcome of each finding and retirement.
    pub outcomes: Vec<WriteOutcome>,
}

impl<'a> MemoryWriter<'a> {
    /// Creates a writer for this session. Without `promote`, it adds nothing to the cheat sheet.
    ///
    /// # Errors
    /// This function and the methods fail if a host function fails. The flush is then repeated.
    pub fn new(session: &'a str, promote: bool) -> Result<Self> {
        let record = host::stored(Scope::Session, SESSION_KEY)?;
        Ok(Self { session, promote, record, outcomes: Vec::new() })
    }

    /// Writes the first findings until the session has `limit` memories. A finding takes a place before it is
    /// written, and releases it if it does not become a new memory: repetitions and corrections do not count.
    pub fn write_best(&mut self, findings: Vec<Finding>, limit: usize) -> Result<()> {
        for finding in findings.into_iter().take(MAX_COMPARED_FINDINGS) {
            let key = format!("{}/{}", self.session, finding.key);
            let known = self.record.memories.contains(&key);
            let room = known || self.record.memories.len() < limit;
            let finding = self.with_cheat_sheet_tag(finding, &key);
            if room && !known {
                self.record.memories.push(key.clone());
                self.store_record()?;
            }
            let Some(outcome) = resolve(&finding, &key, MatchBy::Content, room)? else {
                self.record.cheat_sheet.retain(|promoted| *promoted != key);
                continue;
            };
            if !known {
                self.release_unused(&key, outcome.resolution.action)?;
            }
            // A finding that an earlier attempt wrote is not reported again.
            if !known || outcome.is_written() {
                self.outcomes.push(outcome);
            }
        }
        Ok(())
    }

    /// Writes a fact, or counts this session among those that saw it.
    pub fn write_fact(&mut self, fact: &Fact) -> Result<()> {
        let key = format!("fact/{:016x}", stable_hash(&fact.key));
        let mut sightings: Sightings = host::stored(Scope::Project, &key)?;
        if !sightings.add(self.session) {
            return Ok(());
        }
        let mut finding = fact.finding(sightings.count());
        finding.content = sightings.content.get_or_insert(finding.content).clone();
        let outcome = match sightings.memory.as_str() {
            "" => resolve(&finding, &key, MatchBy::Key, true)?,
            id => update(id, &finding, "another session saw it")?,
        };
        let id = outcome.as_ref().and_then(|outcome| outcome.resolution.id.clone());
        sightings.memory = id.unwrap_or(sightings.memory);
        host::store(Scope::Project, &key, &sightings)?;
        self.outcomes.extend(outcome);
        Ok(())
    }

    /// Writes a finding unless the project has it, or had it and a person or layer forgot it. Returns what
    /// the host did.
    pub fn write_once(&mut self, key: &str, mut finding: Finding) -> Result<Option<ResolutionAction>> {
        finding.tags.retain(|tag| tag != CHEAT_SHEET_TAG);
        let outcome = resolve(&finding, key, MatchBy::Key, true)?;
        let action = outcome.as_ref().map(|outcome| outcome.resolution.action);
        self.outcomes
            .extend(outcome.filter(|outcome| outcome.is_written() || outcome.resolution.id.is_none()));
        Ok(action)
    }

    /// Writes a finding whose source can change, such as a design's choices. A changed text updates the
    /// memory of this key.
    pub fn write_latest(&mut self, key: &str, mut finding: Finding) -> Result<()> {
        finding.tags.retain(|tag| tag != CHEAT_SHEET_TAG);
        let (known_hash, known_id): (u64, String) = host::stored(Scope::Project, key)?;
        let hash = stable_hash(&finding.text);
        if known_hash == hash {
            return Ok(());
        }
        let outcome = match known_id.as_str() {
            "" => resolve(&finding, key, MatchBy::Key, true)?,
            id => update(id, &finding, "its source changed")?,
        };
        let id = outcome.as_ref().and_then(|outcome| outcome.resolution.id.clone()).unwrap_or(known_id);
        if !id.is_empty() {
            host::store(Scope::Project, key, &(hash, &id))?;
        }
        self.outcomes.extend(outcome);
        Ok(())
    }

    /// Writes the session's summary, or updates the one that this session has.
    pub fn write_summary(&mut self, finding: &Finding) -> Result<()> {
        let earlier = self.record.summary.as_ref().map(|(id, _)| id.clone()).filter(|id| !id.is_empty());
        let outcome = match &earlier {
            Some(id) => update(id, finding, "the session continued")?,
            None => resolve(finding, &format!("summary/{}", self.session), MatchBy::Key, true)?,
        };
        // If another session's summary says the same, this session does not own it and must not continue it.
        let own = outcome.as_ref().filter(|outcome| outcome.resolution.action != ResolutionAction::Updated);
        let own = own.and_then(|outcome| outcome.resolution.id.clone());
        self.record.summary = Some((earlier.or(own).unwrap_or_default(), finding.content.clone()));
        self.store_record()?;
        self.outcomes.extend(outcome);
        Ok(())
    }

    /// Returns the content of this session's summary.
    pub fn summary(&self) -> Option<&Value> {
        self.record.summary.as_ref().map(|(_, content)| content)
    }

    /// Retires memories whose subject ended, unless they have changed since the model saw them.
    pub fn retire(&mut self, retirements: &[Retirement]) -> Result<()> {
        for retirement in retirements {
            let resolved = match current_version(&retirement.memory)? {
                Some(seen) => retire(retirement, seen)?,
                None => nothing(Some(&retirement.memory.id), "the memory was changed or forgotten since"),
            };
            self.outcomes.push(WriteOutcome::of_retirement(retirement, resolved));
        }
        Ok(())
    }

    /// Releases the places of a finding that did not become a new memory.
    fn release_unused(&mut self, key: &str, action: ResolutionAction) -> Result<()> {
        if action != ResolutionAction::Created {
            self.record.memories.retain(|memory| memory != key);
        }
        if action == ResolutionAction::Skipped {
            self.record.cheat_sheet.retain(|promoted| promoted != key);
        }
        self.store_record()
    }

    /// Removes the cheat-sheet tag from a finding that may not have it: its words come from a tool, or the
    /// session has reached the maximum.
    fn with_cheat_sheet_tag(&mut self, mut finding: Finding, key: &str) -> Finding {
        let promoted = &mut self.record.cheat_sheet;
        let known = promoted.iter().any(|promoted| promoted == key);
        let room = promoted.len() < MAX_CHEAT_SHEET || known;
        if !(self.promote && finding.origin == Origin::Assistant && room) {
            finding.tags.retain(|tag| tag != CHEAT_SHEET_TAG);
        }
        if finding.tags.iter().any(|tag| tag == CHEAT_SHEET_TAG) && !known {
            promoted.push(key.to_owned());
        }
        finding
    }

    fn store_record(&self) -> Result<()> {
        host::store(Scope::Session, SESSION_KEY, &self.record)
    }
}
