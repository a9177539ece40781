//! The operations that are measured, each as a whole process.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::bench::events::Event;
use crate::bench::fixture::{self, Fixture};
use crate::bench::process::{self, ProcessRun};

/// An operation on a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A memory is written.
    Remember,
    /// That memory is retired.
    Forget,
    /// That memory is restored.
    Restore,
    /// The hook of a prompt that no memory is about.
    SilentPrompt,
    /// The hook of a prompt that a memory is about.
    MatchingPrompt,
    /// The hook of a failed command.
    ToolFailure,
    /// The hook of the end of a turn.
    Stop,
    /// The hook of the start of a session.
    SessionStart,
    /// A search.
    Search,
    /// All memories are written out.
    Export,
    /// All memories are checked.
    Verify,
    /// The check of the installation.
    Doctor,
}

impl Operation {
    /// All operations, in the order in which they run.
    pub const ALL: [Self; 12] = [
        Self::Remember,
        Self::Forget,
        Self::Restore,
        Self::SilentPrompt,
        Self::MatchingPrompt,
        Self::ToolFailure,
        Self::Stop,
        Self::SessionStart,
        Self::Search,
        Self::Export,
        Self::Verify,
        Self::Doctor,
    ];

    /// Returns its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Remember => "`remember`",
            Self::Forget => "`forget`",
            Self::Restore => "`memory restore`",
            Self::SilentPrompt => "hook: prompt, silent",
            Self::MatchingPrompt => "hook: prompt, match",
            Self::ToolFailure => "hook: tool failure",
            Self::Stop => "hook: Stop",
            Self::SessionStart => "hook: session start",
            Self::Search => "`memory search`",
            Self::Export => "`memory export`",
            Self::Verify => "`memory verify`",
            Self::Doctor => "`doctor`",
        }
    }

    /// Runs it once. `newest` is the memory that was written last.
    pub fn run(self, fixture: &Fixture, round: usize, newest: &str) -> Result<ProcessRun> {
        let corpus = &fixture.corpus;
        let command = |arguments: &[&str]| process::run(&mut fixture.interleaf(arguments), "");
        let hook = |fields| process::run(&mut fixture.hook(), &fixture.payload(&self.session(round), fields));
        let prompt = |event: Event, prompt: String| hook(event.fields(corpus, Some(&prompt)));
        match self {
            // A text of the same kind as those of the store, which has other numbers.
            Self::Remember => command(&["remember", &corpus.text(10_000_000 + round)]),
            Self::Forget => command(&["forget", "--yes", newest]),
            Self::Restore => command(&["memory", "restore", newest]),
            Self::SilentPrompt => prompt(Event::SilentPrompt, corpus.silent_prompt()),
            Self::MatchingPrompt => prompt(Event::MatchingPrompt, corpus.matching_prompt(fixture.memories)),
            Self::ToolFailure => hook(failed_command(fixture, round)),
            Self::SessionStart => hook(Event::SessionStart.fields(corpus, None)),
            Self::Search => command(&["memory", "search", &corpus.subject(fixture.memories / 2)]),
            Self::Stop => self.stop(fixture, round),
            // What they print is large, or they find something to say.
            Self::Export => process::run_without_output(&mut fixture.interleaf(&["memory", "export"])),
            Self::Verify => process::run_without_output(&mut fixture.interleaf(&["memory", "verify"])),
            Self::Doctor => process::run_without_output(&mut fixture.interleaf(&["doctor"])),
        }
    }

    /// Returns the id of a new session.
    fn session(self, round: usize) -> String {
        format!("{:08x}-0000-4000-8000-{round:012x}", self as usize)
    }

    /// Runs the hook, and waits for the worker that it starts.
    fn stop(self, fixture: &Fixture, round: usize) -> Result<ProcessRun> {
        let (session, mut ran) = (self.session(round), None);
        let payload = fixture.payload(&session, Event::Stop.fields(&fixture.corpus, None));
        fixture::run_with_worker(fixture, &session, || {
            ran = Some(process::run(&mut fixture.hook(), &payload)?);
            Ok(())
        })?;
        ran.context("the hook was not run")
    }
}

/// Returns the fields of a failure whose words are those of a memory.
fn failed_command(fixture: &Fixture, round: usize) -> Value {
    let words = fixture.corpus.matching_prompt(fixture.memories);
    json!({
        "hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_use_id": "toolu_faults",
        "tool_input": { "command": format!("cargo build --package p{round}") }, "is_interrupt": false,
        "error": format!("Exit code 101\nerror: {words}\n --> src/p{round}.rs:4:5"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_stand_in_their_own_order() {
        for (index, operation) in Operation::ALL.into_iter().enumerate() {
            assert_eq!(operation as usize, index);
        }
    }
}
