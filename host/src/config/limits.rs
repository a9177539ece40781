//! Numbers that bound a layer and the context of a session, with the values that hold by default.

use std::time::Duration;

use crate::layer::EventName;

/// What one layer may use up in one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds for each event, in the order of [`EventName::ALL`].
    pub(super) deadline_ms: [u64; EventName::ALL.len()],
    /// Bytes of all its memories together.
    pub memory_bytes: u64,
    /// Elements of all its tables together.
    pub table_elements: u64,
    /// Core instances. A component made by a language toolchain has about five.
    pub instances: u64,
    /// Calls of host functions.
    pub host_calls: u64,
    /// Bytes that one host call may carry, each way.
    pub host_call_bytes: u64,
    /// Bytes of its reply.
    pub output_bytes: u64,
    /// Lines in the log.
    pub log_lines: u64,
    /// Bytes of values that it may hold in a session, and as much in the project.
    pub state_bytes: u64,
    /// Captures pushed and jobs submitted in one session.
    pub jobs: u64,
    /// Bytes of native stack.
    pub stack_bytes: u64,
}

impl Limits {
    /// How long the layer may take for this event.
    pub fn deadline(&self, event: EventName) -> Duration {
        Duration::from_millis(self.deadline_ms[event as usize])
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline_ms: EventName::ALL.map(usual_deadline),
            memory_bytes: 128 << 20,
            table_elements: 100_000,
            instances: 64,
            host_calls: 256,
            host_call_bytes: 1 << 20,
            output_bytes: 64 << 10,
            log_lines: 50,
            state_bytes: 1 << 20,
            jobs: 200,
            stack_bytes: 512 << 10,
        }
    }
}

/// A person waits for a tool, a prompt, a start in this order of patience; nobody waits for a job.
fn usual_deadline(event: EventName) -> u64 {
    match event {
        EventName::SessionStart => 1000,
        EventName::UserPrompt | EventName::Stop | EventName::SubagentStop => 400,
        EventName::Job => 120_000,
        _ => 250,
    }
}

/// How much context may be added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// UTF-16 code units in one hook. Claude Code cuts at 10,000.
    pub hook_units: u64,
    /// Tokens in one session, a token taken as four units.
    pub session_tokens: u64,
}

impl Budget {
    /// The session's budget in UTF-16 code units.
    pub fn session_units(&self) -> u64 {
        self.session_tokens.saturating_mul(4)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self { hook_units: 9000, session_tokens: 15_000 }
    }
}
