//! What a layer may use up; and the count of what grows inside the sandbox, summed over the whole store.

use wasmtime::ResourceLimiter;

use super::config::USUAL_STACK;

/// Ceilings for one layer in one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all its memories together.
    pub memory: usize,
    /// Elements of all its tables together.
    pub table_elements: usize,
    /// Core instances. A component made by a language toolchain has about five.
    pub instances: usize,
    /// Calls of host functions.
    pub host_calls: u32,
    /// Bytes that one host call may carry, each way.
    pub host_call_bytes: usize,
    /// Bytes of the reply.
    pub output: usize,
    /// Lines in the log.
    pub log_lines: u32,
    /// Bytes of values that it may hold in a session, and as much in the project.
    pub state: usize,
    /// Captures pushed and jobs submitted in one session.
    pub jobs: u32,
    /// Bytes of native stack.
    pub stack: usize,
}

impl Default for Limits {
    /// The defaults of the design: 128 MiB of memory, 256 host calls of 1 MiB, 64 KiB of output. State holds no more
    /// than this anyway; 50 lines are what somebody reads; as many captures wait at most.
    fn default() -> Self {
        Self {
            memory: 128 << 20,
            table_elements: 100_000,
            instances: 64,
            host_calls: 256,
            host_call_bytes: 1 << 20,
            output: 64 << 10,
            log_lines: 50,
            state: 1 << 20,
            jobs: 200,
            stack: USUAL_STACK,
        }
    }
}

/// Counts what grows inside the sandbox. wasmtime's own limiter counts each memory by itself, and a component
/// may have several.
pub(super) struct Growth {
    memory_left: usize,
    elements_left: usize,
    limits: Limits,
    /// The first refusal, in words: what the layer ran into.
    pub(super) refused: Option<String>,
}

impl Growth {
    pub(super) fn new(limits: Limits) -> Self {
        Self { memory_left: limits.memory, elements_left: limits.table_elements, limits, refused: None }
    }

    /// The most memory the layer held, in bytes.
    pub(super) fn peak(&self) -> usize {
        self.limits.memory - self.memory_left
    }

    fn refuse(&mut self, what: String) -> wasmtime::Result<bool> {
        self.refused.get_or_insert(what);
        Ok(false)
    }
}

impl ResourceLimiter for Growth {
    fn memory_growing(&mut self, now: usize, wanted: usize, _max: Option<usize>) -> wasmtime::Result<bool> {
        let more = wanted.saturating_sub(now);
        match self.memory_left.checked_sub(more) {
            Some(left) => self.memory_left = left,
            None => {
                let (over, limit) = (more - self.memory_left, self.limits.memory);
                return self.refuse(format!("memory limit of {limit} bytes exceeded by {over} bytes"));
            }
        }
        Ok(true)
    }

    fn table_growing(&mut self, now: usize, wanted: usize, _max: Option<usize>) -> wasmtime::Result<bool> {
        let more = wanted.saturating_sub(now);
        match self.elements_left.checked_sub(more) {
            Some(left) => self.elements_left = left,
            None => {
                let (over, limit) = (more - self.elements_left, self.limits.table_elements);
                return self.refuse(format!("table limit of {limit} elements exceeded by {over} elements"));
            }
        }
        Ok(true)
    }

    fn instances(&self) -> usize {
        self.limits.instances
    }

    fn tables(&self) -> usize {
        self.limits.instances
    }

    fn memories(&self) -> usize {
        self.limits.instances
    }
}
