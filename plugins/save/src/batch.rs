//! What a flush works on. It is fixed in the session's state before anything is judged, so that a flush which was cut off
//! finds the very same when it comes back: the same part of the transcript, the same captures.

use crate::bindings::exports::interleaf::layer::job::Job;
use crate::bindings::interleaf::layer::jobs::Waiting;
use crate::bindings::interleaf::layer::types::Error;
use crate::host;
use crate::progress::{Batch, Progress};
use crate::rules;
use crate::talk::{Ending, Entry, Kind, Role, Talk, UNWRITTEN};
use crate::when::Order;

/// The names of both among the values of the session.
const BATCH: &str = "batch";
pub const FLUSHED: &str = "flushed";

/// Captures of a session that is silent for so long (milliseconds) are nobody's any more.
const ABANDONED: i64 = 15 * 60_000;

/// A part of a session.
pub struct Stretch {
    /// How far the session was saved before.
    pub progress: Progress,
    /// From the last turn that was read before.
    pub talk: Talk,
    /// Where it ends.
    pub end: u64,
    /// Whether more is there than one flush reads.
    pub more: bool,
    /// The captures.
    pub captures: Vec<Waiting>,
}

/// The part that this job is about: as it was fixed before, or as it is now.
///
/// # Errors
/// Where the host cannot tell now.
pub fn fixed(job: &Job, order: &Order) -> Result<Stretch, Error> {
    let agent = job.agent_id.as_deref();
    let progress: Progress = host::kept(&name(FLUSHED, agent))?;
    let known: Batch = host::kept(&name(BATCH, agent))?;
    let before = Some(&known).filter(|batch| batch.job == job.id);
    let (entries, end, more) = host::read(progress.from(), before.map(|batch| batch.end))?;
    let more = before.map_or(more, |batch| batch.more);
    let waiting = host::captures()?.into_iter();
    let captures: Vec<Waiting> = match before {
        Some(batch) => waiting.filter(|capture| batch.captures.contains(&capture.id)).collect(),
        None => waiting.filter(|capture| concerns(capture, &job.session_id)).collect(),
    };
    if before.is_none() {
        let captures = captures.iter().map(|capture| capture.id.clone()).collect();
        host::keep(&name(BATCH, agent), &Batch { job: job.id.clone(), end, more, captures })?;
    }
    let talk = Talk { entries: finished(entries, order) };
    Ok(Stretch { progress, talk, end, more, captures })
}

/// Done: the next flush begins where this one ended.
///
/// # Errors
/// Where the state cannot be written now.
pub fn close(job: &Job, stretch: &Stretch) -> Result<(), Error> {
    let agent = job.agent_id.as_deref();
    let progress = Progress {
        count: stretch.progress.count + 1,
        // What is too long for one flush is read in parts, none of them twice.
        turn: if stretch.more { stretch.end } else { stretch.last_turn() },
        end: stretch.end,
        at: host::now(),
        skilled: stretch.progress.skilled || stretch.names_a_change(),
    };
    host::keep(&name(FLUSHED, agent), &progress)?;
    host::forget(&name(BATCH, agent))
}

impl Stretch {
    /// Whether anything is new since the last flush.
    pub fn is_news(&self) -> bool {
        self.end > self.progress.end || !self.captures.is_empty()
    }

    /// Whether the session works on an OpenSpec change.
    pub fn names_a_change(&self) -> bool {
        !rules::changes(&self.talk).is_empty()
    }

    /// What was not read before.
    pub fn fresh(&self) -> Talk {
        let fresh = self.talk.entries.iter().filter(|entry| entry.cursor >= self.progress.end);
        Talk { entries: fresh.cloned().collect() }
    }

    /// Where the last turn begins that a person, or the agent's task, began.
    fn last_turn(&self) -> u64 {
        let begins = |entry: &&Entry| entry.role == Role::User && entry.kind == Kind::Text;
        let last = self.talk.entries.iter().rev().filter(|entry| entry.cursor != UNWRITTEN).find(begins);
        last.map_or(self.progress.turn, |entry| entry.cursor)
    }
}

/// The state of this name: of the conversation, or of a subagent in it.
pub fn name(what: &str, agent: Option<&str>) -> String {
    agent.map_or_else(|| what.to_owned(), |agent| format!("{what}/{agent}"))
}

/// Captures of this session, and those of sessions that are no more: theirs will not be flushed with anything else.
fn concerns(capture: &Waiting, session: &str) -> bool {
    capture.session_id == session || host::now() - capture.at > ABANDONED
}

/// The entries with the final message, where the transcript does not have it yet.
fn finished(mut entries: Vec<Entry>, order: &Order) -> Vec<Entry> {
    let said = |entry: &&Entry| entry.role == Role::Assistant && entry.kind == Kind::Text;
    let known = entries.iter().rev().find(said).map(|entry| entry.text.trim().to_owned());
    if let Some(last) = order.last.as_deref().filter(|last| known.as_deref() != Some(last.trim())) {
        let at = entries.last().map_or_else(host::now, |entry| entry.at);
        entries.push(Entry {
            role: Role::Assistant,
            kind: Kind::Text,
            tool: None,
            call: None,
            text: last.to_owned(),
            ending: Ending::Fine,
            at,
            cursor: UNWRITTEN,
        });
    }
    entries
}
