//! Limits the growth of memories and tables and the number of instances inside the sandbox.

use wasmtime::ResourceLimiter;

use crate::config::Limits;

/// Limits the sum of all memories and the sum of all tables of one store. wasmtime's own limiter counts each
/// memory separately, and a component may have several.
pub(super) struct StoreLimiter {
    memory_left: usize,
    elements_left: usize,
    limits: Limits,
    /// The first refusal, as text: the limit that the layer exceeded.
    pub(super) refused: Option<String>,
}

impl StoreLimiter {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            memory_left: limits.memory_bytes as usize,
            elements_left: limits.table_elements as usize,
            limits,
            refused: None,
        }
    }

    /// Returns the largest amount of memory that the layer held, in bytes. Memory never shrinks.
    pub(super) fn peak_memory(&self) -> usize {
        self.limits.memory_bytes as usize - self.memory_left
    }

    fn refuse(&mut self, limit: String) -> wasmtime::Result<bool> {
        self.refused.get_or_insert(limit);
        Ok(false)
    }
}

impl ResourceLimiter for StoreLimiter {
    fn memory_growing(
        &mut self,
        current: usize,
        requested: usize,
        _max: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let growth = requested.saturating_sub(current);
        match self.memory_left.checked_sub(growth) {
            Some(left) => self.memory_left = left,
            None => {
                let (over, limit) = (growth - self.memory_left, self.limits.memory_bytes);
                return self.refuse(format!("memory limit of {limit} bytes exceeded by {over} bytes"));
            }
        }
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        requested: usize,
        _max: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let growth = requested.saturating_sub(current);
        match self.elements_left.checked_sub(growth) {
            Some(left) => self.elements_left = left,
            None => {
                let (over, limit) = (growth - self.elements_left, self.limits.table_elements);
                return self.refuse(format!("table limit of {limit} elements exceeded by {over} elements"));
            }
        }
        Ok(true)
    }

    fn instances(&self) -> usize {
        self.limits.instances as usize
    }

    fn tables(&self) -> usize {
        self.limits.instances as usize
    }

    fn memories(&self) -> usize {
        self.limits.instances as usize
    }
}
