//! The limits of a layer and the budget of context, with their default values and the reasons for these.

use std::time::Duration;

use crate::layer::EventName;

/// The limits on the resources that one layer may use in one event.
///
/// The embedded layers and the examples in JavaScript and Python, which contain an interpreter, run with the
/// defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds for each event, in the order of [`EventName::ALL`].
    pub(super) deadline_ms: [u64; EventName::ALL.len()],
    /// Bytes of all WebAssembly memories of the layer together.
    pub memory_bytes: u64,
    /// Elements of all tables of the layer together.
    pub table_elements: u64,
    /// Core instances.
    pub instances: u64,
    /// Calls of host functions.
    pub host_calls: u64,
    /// Bytes that one host call may carry in each direction.
    pub host_call_bytes: u64,
    /// Bytes of the layer's reply.
    pub output_bytes: u64,
    /// Lines in the log.
    pub log_lines: u64,
    /// Bytes of values that the layer may store in a session, and the same again in the project.
    pub state_bytes: u64,
    /// Captures pushed and jobs submitted in one session.
    pub jobs: u64,
    /// Bytes of native stack.
    pub stack_bytes: u64,
}

impl Limits {
    /// Returns the time limit of the layer for this event.
    pub fn deadline(&self, event: EventName) -> Duration {
        Duration::from_millis(self.deadline_ms[event as usize])
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline_ms: EventName::ALL.map(default_deadline_ms),
            // 128 MiB hold a JavaScript or Python interpreter, and the five layers of an event stay below 1
            // GiB.
            memory_bytes: 128 << 20,
            // Enough for the function table of an interpreter.
            table_elements: 100_000,
            // A component from a language toolchain has about five.
            instances: 64,
            // Limits the cost of a layer that calls the host in a loop until its deadline.
            host_calls: 256,
            // 1 MiB, because the host copies everything that a call carries.
            host_call_bytes: 1 << 20,
            // 64 KiB are several times the context that one hook may add (`Budget::hook_units`).
            output_bytes: 64 << 10,
            // A person does not read more lines.
            log_lines: 50,
            // 1 MiB, the maximum of the state for one owner.
            state_bytes: 1 << 20,
            // The capacity of the queue of captures.
            jobs: 200,
            // 512 KiB, the default of wasmtime.
            stack_bytes: 512 << 10,
        }
    }
}

/// Returns the default deadline in milliseconds. It is shorter the more often a person waits for the event: a
/// session starts and ends once (1 s; what its end does not write down is lost), a prompt and the end of a
/// turn come once per turn (400 ms), tools run many times in a turn (250 ms). Nobody waits for a job; two
/// minutes are enough for three requests to a language model.
fn default_deadline_ms(event: EventName) -> u64 {
    match event {
        EventName::SessionStart | EventName::SessionEnd => 1000,
        EventName::UserPrompt | EventName::Stop | EventName::SubagentStop => 400,
        EventName::Job => 120_000,
        _ => 250,
    }
}

/// The limits on the context that the layers of an event may add together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// UTF-16 code units per hook.
    pub hook_units: u64,
    /// Tokens per session; one token counts as four code units.
    pub session_tokens: u64,
}

/// UTF-16 code units that count as one token.
const UNITS_PER_TOKEN: u64 = 4;

impl Budget {
    /// Returns the budget of a session in UTF-16 code units.
    pub fn session_units(&self) -> u64 {
        self.session_tokens.saturating_mul(UNITS_PER_TOKEN)
    }
}

impl Default for Budget {
    /// Claude Code cuts the context of a hook at 10,000 units; 9,000 leave a margin. The budget of a session
    /// is less than a tenth of a context window of 200,000 tokens.
    fn default() -> Self {
        Self { hook_units: 9000, session_tokens: 15_000 }
    }
}
