//! The engines of this process: one for the usual stack, and one for each other stack size that a layer was given,
//! because wasmtime's stack limit belongs to the engine. They share the compiled code and are ticked together.

use std::sync::Mutex;

use wasmtime::Engine;

use super::config::{self, USUAL_STACK};
use crate::error::{Error, Result};

/// All engines.
pub(super) struct Engines {
    usual: Engine,
    others: Mutex<Vec<(usize, Engine)>>,
}

impl Engines {
    /// With the usual one; others are made when they are first needed.
    pub(super) fn new() -> Result<Self> {
        Ok(Self { usual: config::engine(USUAL_STACK)?, others: Mutex::default() })
    }

    /// The engine that nearly every layer runs on, and that all compile on.
    pub(super) fn usual(&self) -> &Engine {
        &self.usual
    }

    /// The engine for this stack size, in bytes.
    pub(super) fn of(&self, stack: usize) -> Result<Engine> {
        if stack == USUAL_STACK {
            return Ok(self.usual.clone());
        }
        let poisoned = |_| Error::unavailable("the sandbox is broken");
        let mut others = self.others.lock().map_err(poisoned)?;
        if let Some((_, engine)) = others.iter().find(|(size, _)| *size == stack) {
            return Ok(engine.clone());
        }
        let engine = config::engine(stack)?;
        others.push((stack, engine.clone()));
        Ok(engine)
    }

    /// Raises every engine's epoch.
    pub(super) fn tick(&self) {
        self.usual.increment_epoch();
        if let Ok(others) = self.others.lock() {
            others.iter().for_each(|(_, engine)| engine.increment_epoch());
        }
    }
}
