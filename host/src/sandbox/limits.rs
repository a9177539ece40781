//! What a layer may use up: memory, tables and instances summed over the whole store, and host calls.

use wasmtime::ResourceLimiter;

use crate::error::{Error, Result};

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
}

impl Default for Limits {
    /// The defaults of the design: 128 MiB of memory, 256 host calls of 1 MiB, 64 KiB of output.
    fn default() -> Self {
        Self {
            memory: 128 << 20,
            table_elements: 100_000,
            instances: 64,
            host_calls: 256,
            host_call_bytes: 1 << 20,
            output: 64 << 10,
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
                let limit = self.limits.table_elements;
                return self.refuse(format!("table limit of {limit} elements exceeded"));
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

/// Counts host calls and what they carry. The host functions ask it first, so a layer that floods them gets a
/// typed error and not the machine.
#[derive(Debug)]
pub struct Meter {
    calls_left: u32,
    limits: Limits,
}

impl Meter {
    /// A full allowance.
    pub fn new(limits: Limits) -> Self {
        Self { calls_left: limits.host_calls, limits }
    }

    /// Counts one call that carries `bytes` into the host.
    ///
    /// # Errors
    /// `OverBudget` when the calls are used up or the call is too large.
    pub fn call(&mut self, bytes: usize) -> Result<()> {
        let calls = self.limits.host_calls;
        self.calls_left = self
            .calls_left
            .checked_sub(1)
            .ok_or_else(|| Error::over_budget(format!("the {calls} host calls of this event are used up")))?;
        self.carry(bytes)
    }

    /// Checks what a call carries back out.
    ///
    /// # Errors
    /// `OverBudget` when it is more than one call may carry.
    pub fn carry(&self, bytes: usize) -> Result<()> {
        let limit = self.limits.host_call_bytes;
        if bytes > limit {
            return Err(Error::over_budget(format!(
                "a host call of {bytes} bytes, where {limit} are allowed"
            )));
        }
        Ok(())
    }
}
