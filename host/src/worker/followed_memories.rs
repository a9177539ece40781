//! Which memories a session followed: the assistant quoted one, ran its command, changed its file or looked
//! it up. Found in the transcript after each job, from where the last reading ended.
//!
//! The log says which memories hooks showed when. A tentative memory is shown by no hook: it counts from when
//! a search of the agent's own found it, and one that is then followed is tentative no longer.
//!
//! A memory counts once for each session, however often the reading is repeated: what was counted is recorded
//! first, so a killed worker may count a memory too little, never twice.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::memory_traces::Traces;
use crate::claude::Transcript;
use crate::claude::settings::is_own_tool;
use crate::claude::transcript::{Entry, EntryKind, Role};
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::{Memories, Memory};
use crate::project_context::ProjectContext;
use crate::state::{HOST_OWNER, Job, Scope};

/// The key of the session's value that holds how far the transcript was read, and which memories it followed.
const FOLLOWED_KEY: &str = "followed-memories";

/// Maximum number of entries and bytes of text on a page of the transcript.
const PAGE_ENTRIES: usize = 200;
const PAGE_BYTES: usize = 1 << 20;

/// Time limit for reading the transcript; the next job goes on.
const READING_TIME: Duration = Duration::from_secs(5);

/// The command with which the agent searches in a shell.
const SEARCH_COMMAND: &str = "interleaf memory ";

/// How far a session's transcript was read.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Progress {
    cursor: u64,
    /// The ids of the memories that the session followed.
    followed: BTreeSet<String>,
    /// The ids of the tentative memories that the session's own searches found, with the time.
    #[serde(default)]
    found: BTreeMap<String, Millis>,
}

/// Counts the memories that the job's session has followed since the last job, and makes those of them that
/// were tentative ordinary ones.
///
/// # Errors
/// `Unavailable` if the database or the transcript cannot be used.
pub(super) fn count(context: &ProjectContext, job: &Job) -> Result<()> {
    let Some(path) = job.transcript.as_ref().filter(|_| job.agent.is_empty()) else { return Ok(()) };
    let (memories, state) = (context.memories()?, context.state()?);
    let (shown, tentative) = (shown_in_session(context, &job.session), tentative_traces(&memories, job)?);
    if shown.is_empty() && tentative.is_empty() {
        return Ok(());
    }
    let scope = Scope::Session(&job.session);
    let before = state.get(scope, HOST_OWNER, FOLLOWED_KEY)?;
    let progress: Progress =
        before.as_ref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let transcript = Transcript::file(path.as_str(), context.config.redactor()?);
    let mut reading = Reading {
        progress,
        shown: shown_traces(&memories, shown),
        tentative,
        searches: HashSet::new(),
        new: BTreeSet::new(),
    };
    reading.read(&transcript)?;
    let after = serde_json::to_string(&reading.progress).unwrap_or_default();
    if state.swap(scope, HOST_OWNER, FOLLOWED_KEY, before.as_deref(), &after)? {
        record(&memories, reading)?;
    }
    Ok(())
}

/// Returns the memories that hooks showed in the session, each with the time of the first showing.
fn shown_in_session(context: &ProjectContext, session: &str) -> HashMap<String, Millis> {
    let mut shown = HashMap::new();
    let lines = context.log.lines().into_iter();
    for line in lines.filter(|line| line.session == session && line.project == context.project.id) {
        for memory in line.event_record.into_iter().flat_map(|record| record.shown) {
            shown.entry(memory.memory).or_insert(line.at);
        }
    }
    shown
}

/// Returns the traces of the memories that were shown.
fn shown_traces(memories: &Memories, shown: HashMap<String, Millis>) -> Vec<(Traces, Millis)> {
    let traces = |(id, at): (String, Millis)| Some((Traces::new(&memories.get(&id).ok()?), at));
    shown.into_iter().filter_map(traces).collect()
}

/// Returns the traces of the tentative memories that other sessions wrote in their own words. To have changed
/// a file that one names does not make its words true.
fn tentative_traces(memories: &Memories, job: &Job) -> Result<Vec<Traces>> {
    let is_own = |memory: &Memory| {
        !memory.origin.is_untrusted() && memory.source.session.as_ref() != Some(&job.session)
    };
    let tentative = memories.tentative()?.into_iter().filter(is_own);
    Ok(tentative.map(|memory| Traces::without_files(&memory)).collect())
}

/// One reading of a transcript.
struct Reading {
    progress: Progress,
    /// The memories that hooks showed, each with the time of the first showing.
    shown: Vec<(Traces, Millis)>,
    tentative: Vec<Traces>,
    /// The ids of the agent's calls that search memories.
    searches: HashSet<String>,
    /// The ids of the memories that this reading found to be followed.
    new: BTreeSet<String>,
}

impl Reading {
    fn read(&mut self, transcript: &Transcript) -> Result<()> {
        let end = Instant::now() + READING_TIME;
        loop {
            let page = transcript.read(self.progress.cursor, PAGE_ENTRIES, PAGE_BYTES)?;
            page.entries.iter().for_each(|entry| self.read_entry(entry));
            self.progress.cursor = page.cursor;
            if !page.more || Instant::now() >= end {
                return Ok(());
            }
        }
    }

    fn read_entry(&mut self, entry: &Entry) {
        match entry.role {
            Role::Assistant => {
                self.searches.extend(entry.call.clone().filter(|_| is_search(entry)));
                self.find_followed(entry);
            }
            Role::Tool if entry.kind == EntryKind::ToolResult => self.find_named(entry),
            _ => {}
        }
    }

    /// Finds the memories that the assistant follows in this entry.
    fn find_followed(&mut self, entry: &Entry) {
        let is_shown = |(traces, at): &&(Traces, Millis)| {
            *at <= entry.at && (traces.are_named_in(entry) || traces.are_in(entry))
        };
        let found = &self.progress.found;
        let is_found = |traces: &&Traces| {
            found.get(&traces.id).is_some_and(|at| *at <= entry.at) && traces.are_in(entry)
        };
        let shown = self.shown.iter().filter(is_shown).map(|(traces, _)| traces);
        let followed: Vec<&Traces> = shown.chain(self.tentative.iter().filter(is_found)).collect();
        for traces in followed {
            if self.progress.followed.insert(traces.id.clone()) {
                self.new.insert(traces.id.clone());
            }
        }
    }

    /// Finds the tentative memories that a search of the agent's returned.
    fn find_named(&mut self, entry: &Entry) {
        if !entry.call.as_ref().is_some_and(|call| self.searches.contains(call)) {
            return;
        }
        for traces in self.tentative.iter().filter(|traces| traces.are_named_in(entry)) {
            self.progress.found.entry(traces.id.clone()).or_insert(entry.at);
        }
    }
}

/// Tells whether a call of a tool searches memories.
fn is_search(entry: &Entry) -> bool {
    let tool = entry.tool.as_deref().unwrap_or_default();
    entry.kind == EntryKind::ToolCall && (is_own_tool(tool) || entry.text.contains(SEARCH_COMMAND))
}

/// Counts the memories that were followed. Those that were tentative become ordinary ones.
fn record(memories: &Memories, reading: Reading) -> Result<()> {
    for traces in reading.tentative.iter().filter(|traces| reading.new.contains(&traces.id)) {
        memories.promote(&traces.id, "a session searched for it and followed it")?;
    }
    memories.record_followed(&reading.new.into_iter().collect::<Vec<_>>())
}
