//! The input of a flush: a part of the transcript and the pending captures. A record of it is stored in the
//! session's state before the flush begins, so that an interrupted flush runs again on the same input. What
//! came after the record is left to the next flush.

use interleaf_layer::Result;
use interleaf_layer::job::Job;
use interleaf_layer::jobs::Waiting;
use interleaf_layer::state::{self, Scope};

use crate::host;
use crate::openspec;
use crate::progress::{self, INPUT_KEY, InputRecord, PROGRESS_KEY, Progress};
use crate::schedule::{FlushRequest, MAX_LAST_MESSAGE_BYTES};
use crate::transcript::{Ending, Entry, Kind, Role, Transcript, UNWRITTEN_CURSOR};

/// Age, in milliseconds, after which a flush also processes the captures of other sessions, because these
/// sessions will have no later flush.
const ABANDONED_AFTER_MS: i64 = 15 * 60_000;

/// The input of a flush.
pub struct FlushInput {
    /// Progress of the previous flushes of this session.
    pub progress: Progress,
    /// The transcript, from the beginning of the last turn that was read before.
    pub transcript: Transcript,
    /// The cursor at which it ends.
    pub end: u64,
    /// Whether the transcript holds more than one flush reads.
    pub more: bool,
    /// The pending captures.
    pub captures: Vec<Waiting>,
    /// Whether the transcript or the captures have grown since an interrupted flush recorded the input.
    pub has_grown: bool,
}

impl FlushInput {
    /// Loads the input that an interrupted flush of this conversation recorded, else the current one.
    ///
    /// # Errors
    /// Fails if the host cannot read the state, the transcript or the captures.
    pub fn load(job: &Job, request: &FlushRequest) -> Result<Self> {
        let agent = job.agent_id.as_deref();
        let mut progress: Progress = host::stored(Scope::Session, &progress::key(PROGRESS_KEY, agent))?;
        let stored: Option<InputRecord> = host::stored(Scope::Session, &progress::key(INPUT_KEY, agent))?;
        let (entries, end, more) = read_on(&mut progress, stored.as_ref().map(|record| record.end))?;
        let more = stored.as_ref().map_or(more, |record| record.more);
        let waiting = host::pending_captures()?.into_iter().filter(|capture| is_for(capture, job));
        let is_recorded =
            |capture: &Waiting| stored.as_ref().is_none_or(|record| record.captures.contains(&capture.id));
        let (captures, later): (Vec<Waiting>, Vec<Waiting>) = waiting.partition(is_recorded);
        let continues = stored.is_some() && host::transcript_continues(end)?;
        let has_grown = !later.is_empty() || continues;
        if stored.is_none() {
            let captures = captures.iter().map(|capture| capture.id.clone()).collect();
            let record = InputRecord { end, more, captures };
            host::store(Scope::Session, &progress::key(INPUT_KEY, agent), &record)?;
        }
        // The last message of a longer transcript comes after the recorded part. The next flush reads it.
        let entries = if continues { entries } else { with_last_message(entries, request) };
        let transcript = Transcript { entries };
        Ok(Self { progress, transcript, end, more, captures, has_grown })
    }

    /// Records that the input was saved, so that the next flush starts where this one ended.
    ///
    /// # Errors
    /// Fails if the host cannot write the state.
    pub fn close(&self, job: &Job) -> Result<()> {
        let agent = job.agent_id.as_deref();
        let progress = Progress {
            count: self.progress.count + 1,
            // A session that is too long for one flush is read in parts, each of them once.
            last_turn: if self.more { self.end } else { self.last_turn() },
            end: self.end,
            at: interleaf_layer::now_ms(),
            skilled: self.has_skills(),
        };
        host::store(Scope::Session, &progress::key(PROGRESS_KEY, agent), &progress)?;
        state::remove(Scope::Session, &progress::key(INPUT_KEY, agent))
    }

    /// Tells whether anything is new since the last flush.
    pub fn has_new_input(&self) -> bool {
        self.end > self.progress.end || !self.captures.is_empty()
    }

    /// Tells whether the session works on an OpenSpec change.
    pub fn has_skills(&self) -> bool {
        self.progress.skilled || !openspec::changes(&self.transcript).is_empty()
    }

    /// Returns the part of the transcript that was not read before.
    pub fn unread(&self) -> Transcript {
        let unread = self.transcript.entries.iter().filter(|entry| entry.cursor >= self.progress.end);
        Transcript { entries: unread.cloned().collect() }
    }

    /// Returns the cursor at which the last turn begins: the last text of the person, or the task of the
    /// subagent.
    fn last_turn(&self) -> u64 {
        let begins = |entry: &&Entry| entry.role == Role::User && entry.kind == Kind::Text;
        let written = self.transcript.entries.iter().rev().filter(|entry| entry.cursor != UNWRITTEN_CURSOR);
        written.into_iter().find(begins).map_or(self.progress.last_turn, |entry| entry.cursor)
    }
}

/// Reads the transcript from where the last flush ended, up to `stored_end` or the end. The client only
/// appends to a transcript, so a shorter one has replaced the one that was read, and is read from its
/// beginning.
fn read_on(progress: &mut Progress, stored_end: Option<u64>) -> Result<(Vec<Entry>, u64, bool)> {
    let (entries, end, more) = host::read_transcript(progress.start(), stored_end)?;
    if end >= progress.end {
        return Ok((entries, end, more));
    }
    (progress.last_turn, progress.end) = (0, 0);
    host::read_transcript(0, stored_end)
}

/// Tells whether a capture belongs to this session or to an abandoned one.
fn is_for(capture: &Waiting, job: &Job) -> bool {
    capture.session_id == job.session_id || interleaf_layer::now_ms() - capture.at > ABANDONED_AFTER_MS
}

/// Adds the final message of the turn, if the transcript does not contain it yet.
fn with_last_message(mut entries: Vec<Entry>, request: &FlushRequest) -> Vec<Entry> {
    let is_assistant_text = |entry: &&Entry| entry.role == Role::Assistant && entry.kind == Kind::Text;
    // The next turn may have begun. Of a long message, the request holds only the beginning.
    let is_cut = |last: &str| last.len() > MAX_LAST_MESSAGE_BYTES / 2;
    let is_same = |known: &str, last: &str| known == last || is_cut(last) && known.starts_with(last);
    let new = |last: &&str| {
        !last.trim().is_empty()
            && !entries.iter().filter(is_assistant_text).any(|entry| is_same(entry.text.trim(), last.trim()))
    };
    if let Some(last) = request.last_message.as_deref().filter(new) {
        let at = entries.last().map_or_else(interleaf_layer::now_ms, |entry| entry.at);
        entries.push(Entry {
            role: Role::Assistant,
            kind: Kind::Text,
            tool: None,
            call: None,
            text: last.to_owned(),
            ending: Ending::Fine,
            certain: true,
            at,
            cursor: UNWRITTEN_CURSOR,
        });
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{assistant, user};

    #[test]
    fn the_last_message_is_added_only_if_the_transcript_lacks_it() {
        let long = "word ".repeat(2_000);
        let messages = [user("go"), assistant("Done: it works now."), user("next"), assistant(&long)];
        let entries = messages.concat();
        let is_added = |last: &str| {
            let request = FlushRequest::after_turn(Some(last.to_owned()));
            with_last_message(entries.clone(), &request).len() > entries.len()
        };

        assert!(!is_added("Done: it works now.\n"), "the next turn has begun");
        assert!(!is_added(&long), "the request holds the beginning of a long message");
        assert!(!is_added(" "));
        assert!(is_added("Done"), "a short message is no beginning of another");
        assert!(is_added("Something else."));
    }
}
