//! Which of the memories that a session was shown it then followed: the assistant quoted one, ran its
//! command, changed its file or looked it up. Found in the transcript after each job, from where the last
//! reading ended.
//!
//! The log says what was shown when. A memory counts once for each session, however often the reading is
//! repeated: what was counted is recorded first, so a killed worker may count a memory too little, never
//! twice.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::claude::Transcript;
use crate::claude::transcript::{Entry, EntryKind, Role};
use crate::clock::Millis;
use crate::error::Result;
use crate::memory::{Memories, Memory, short_id};
use crate::project_context::ProjectContext;
use crate::state::{HOST_OWNER, Job, Scope};

/// The key of the session's value that holds how far the transcript was read, and which memories it followed.
const FOLLOWED_KEY: &str = "followed-memories";

/// Maximum number of entries and bytes of text on a page of the transcript.
const PAGE_ENTRIES: usize = 200;
const PAGE_BYTES: usize = 1 << 20;

/// Time limit for reading the transcript; the next job goes on.
const READING_TIME: Duration = Duration::from_secs(5);

/// Number of consecutive words that make a quotation: fewer are common by chance.
const QUOTED_WORDS: usize = 6;

/// Minimum length of a single word of code that counts as a command, in bytes.
const MIN_COMMAND_BYTES: usize = 10;

/// The tools that change files.
const EDITING_TOOLS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// How far a session's transcript was read.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Progress {
    cursor: u64,
    /// The ids of the memories that the session followed.
    followed: BTreeSet<String>,
}

/// Counts the memories that the job's session has followed since the last job.
///
/// # Errors
/// `Unavailable` if the database or the transcript cannot be used.
pub(super) fn count(context: &ProjectContext, job: &Job) -> Result<()> {
    let Some(path) = job.transcript.as_ref().filter(|_| job.agent.is_empty()) else { return Ok(()) };
    let shown = shown_in_session(context, &job.session);
    if shown.is_empty() {
        return Ok(());
    }
    let (memories, state) = (context.memories()?, context.state()?);
    let scope = Scope::Session(&job.session);
    let before = state.get(scope, HOST_OWNER, FOLLOWED_KEY)?;
    let progress: Progress =
        before.as_ref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let traces = traces(&memories, &shown, &progress.followed);
    let transcript = Transcript::file(path.as_str(), context.config.redactor()?);
    let (cursor, new) = read(&transcript, progress.cursor, &traces)?;
    let followed = progress.followed.into_iter().chain(new.iter().cloned()).collect();
    let after = serde_json::to_string(&Progress { cursor, followed }).unwrap_or_default();
    if state.swap(scope, HOST_OWNER, FOLLOWED_KEY, before.as_deref(), &after)? {
        memories.record_followed(&new.into_iter().collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Returns the memories that the session was shown, each with the time of the first showing.
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

/// What in a transcript shows that a memory was followed.
struct Traces {
    id: String,
    /// Entries before this time are older than the showing.
    shown_at: Millis,
    short_id: Option<String>,
    files: Vec<String>,
    commands: Vec<String>,
    quotations: BTreeSet<String>,
}

/// Returns the traces of the memories that were shown and do not count yet.
fn traces(memories: &Memories, shown: &HashMap<String, Millis>, counted: &BTreeSet<String>) -> Vec<Traces> {
    let uncounted = shown.iter().filter(|(id, _)| !counted.contains(*id));
    uncounted.filter_map(|(id, at)| Some(Traces::new(&memories.get(id).ok()?, *at))).collect()
}

/// Returns where the transcript ends, or the time did, and the ids of the memories that it follows.
fn read(transcript: &Transcript, mut cursor: u64, traces: &[Traces]) -> Result<(u64, BTreeSet<String>)> {
    let (end, mut followed) = (Instant::now() + READING_TIME, BTreeSet::new());
    loop {
        let page = transcript.read(cursor, PAGE_ENTRIES, PAGE_BYTES)?;
        for entry in page.entries.iter().filter(|entry| entry.role == Role::Assistant) {
            let found = traces.iter().filter(|traces| traces.shown_at <= entry.at && traces.are_in(entry));
            followed.extend(found.map(|traces| traces.id.clone()));
        }
        cursor = page.cursor;
        if !page.more || Instant::now() >= end {
            return Ok((cursor, followed));
        }
    }
}

impl Traces {
    fn new(memory: &Memory, shown_at: Millis) -> Self {
        let cited = memory.citations.iter().map(|citation| &citation.file);
        Self {
            id: memory.id.clone(),
            shown_at,
            short_id: short_id(&memory.id).map(str::to_owned),
            files: memory.related_files.iter().chain(cited).cloned().collect(),
            commands: commands(&memory.text),
            quotations: quotations(&memory.text).collect(),
        }
    }

    fn are_in(&self, entry: &Entry) -> bool {
        let is_looked_up = self.short_id.as_ref().is_some_and(|id| entry.text.contains(id.as_str()));
        is_looked_up
            || match entry.kind {
                EntryKind::Text => quotations(&entry.text).any(|words| self.quotations.contains(&words)),
                EntryKind::ToolCall => self.are_in_call(entry.tool.as_deref(), &entry.text),
                EntryKind::ToolResult => false,
            }
    }

    fn are_in_call(&self, tool: Option<&str>, input: &str) -> bool {
        let Ok(input) = serde_json::from_str::<Value>(input) else { return false };
        let text = |field: &str| input[field].as_str().unwrap_or_default();
        if tool.is_some_and(|tool| EDITING_TOOLS.contains(&tool)) {
            let changed = [text("file_path"), text("notebook_path")];
            let is_changed = |file: &String| changed.iter().any(|path| is_same_file(path, file));
            return self.files.iter().any(is_changed);
        }
        let command = single_spaced(text("command"));
        self.commands.iter().any(|known| command.contains(known.as_str()))
    }
}

/// Tells whether a path ends with the path of a file in the project.
fn is_same_file(path: &str, file: &str) -> bool {
    path.strip_suffix(file).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// Returns the code in a text that may be a command: several words, or a long one.
fn commands(text: &str) -> Vec<String> {
    let code = text.split('`').skip(1).step_by(2).map(single_spaced);
    code.filter(|code| code.contains(' ') || code.len() >= MIN_COMMAND_BYTES).collect()
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns every run of [`QUOTED_WORDS`] words of a text, without regard to case and punctuation.
fn quotations(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let runs: Vec<String> = words.windows(QUOTED_WORDS).map(|run| run.join(" ")).collect();
    runs.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traces(text: &str) -> Traces {
        Traces {
            id: "m1".to_owned(),
            shown_at: 5,
            short_id: Some("3f9a2b1c0d".to_owned()),
            files: vec!["src/pay.rs".to_owned()],
            commands: commands(text),
            quotations: quotations(text).collect(),
        }
    }

    fn entry(kind: EntryKind, tool: Option<&str>, text: &str) -> Entry {
        Entry {
            role: Role::Assistant,
            kind,
            tool: tool.map(str::to_owned),
            call: None,
            text: text.to_owned(),
            outcome: Default::default(),
            is_mixed: false,
            at: 9,
            cursor: 0,
        }
    }

    const RULE: &str = "Run `cargo xtask seed --all` before the payment tests, or they wait for the vendor";

    #[test]
    fn a_quotation_a_command_a_changed_file_and_a_lookup_follow_a_memory() {
        let traces = traces(RULE);
        for (kind, tool, text) in [
            (EntryKind::Text, None, "As noted: before the payment tests, or they WAIT for the vendor."),
            (EntryKind::ToolCall, Some("Bash"), r#"{"command": "cd x && cargo xtask  seed --all"}"#),
            (EntryKind::ToolCall, Some("Edit"), r#"{"file_path": "/home/a/shop/src/pay.rs"}"#),
            (EntryKind::ToolCall, Some("Bash"), r#"{"command": "interleaf memory show 3f9a2b1c0d"}"#),
        ] {
            assert!(traces.are_in(&entry(kind, tool, text)), "{text}");
        }
    }

    #[test]
    fn few_words_other_files_and_reading_do_not_follow_it() {
        let traces = traces(RULE);
        for (kind, tool, text) in [
            (EntryKind::Text, None, "I ran the payment tests for the vendor"),
            (EntryKind::ToolCall, Some("Bash"), r#"{"command": "cargo xtask seed"}"#),
            (EntryKind::ToolCall, Some("Edit"), r#"{"file_path": "/home/a/shop/src/repay.rs"}"#),
            (EntryKind::ToolCall, Some("Read"), r#"{"file_path": "/home/a/shop/src/pay.rs"}"#),
            (EntryKind::ToolResult, Some("Bash"), RULE),
        ] {
            assert!(!traces.are_in(&entry(kind, tool, text)), "{text}");
        }
    }
}
