//! The wasmtime engines of this process: one for each stack size in use, and one that compiles. They share
//! compiled code.

use std::sync::{Mutex, OnceLock};

use wasmtime::{Config, Engine};

use super::engine_config::config;
use super::native_code::run_in_place;
use crate::error::{Error, Result};

/// The wasmtime release whose compiled code this program loads; the dependency is pinned to exactly this
/// version.
pub(super) const WASMTIME_VERSION: &str = "48.0.8";

/// Native stack of a layer unless it is configured otherwise, in bytes (wasmtime's default).
pub(super) const DEFAULT_STACK_BYTES: usize = 512 << 10;

/// Stack of a layer's thread for host calls, in bytes, in addition to the layer's own stack. An overflow of
/// the native stack would abort the process, so this is generous; untouched pages cost nothing.
const HOST_STACK_BYTES: usize = 4 << 20;

/// Returns the stack size for the thread of a layer that may use `layer_bytes` of stack.
pub(crate) const fn thread_stack(layer_bytes: usize) -> usize {
    layer_bytes + HOST_STACK_BYTES
}

/// Creates an engine whose layers may use this much stack. The stack size is the only option that is not part
/// of compiled code, so code that one engine compiled loads into every other (`tests.rs` checks this).
///
/// The engine has no compiler, because most processes are hooks, which only load.
fn engine(stack_bytes: usize) -> Result<Engine> {
    let mut config = config();
    config.max_wasm_stack(stack_bytes).enable_compiler(false);
    run_in_place(&mut config);
    start(&config)
}

fn start(config: &Config) -> Result<Engine> {
    Engine::new(config).map_err(|error| Error::unavailable(format!("the sandbox cannot start: {error:#}")))
}

/// The engines of this process: one for the default stack, and one for each other stack size in use, because
/// wasmtime's stack limit belongs to the engine. They share compiled code and are ticked together.
pub(super) struct Engines {
    default: Engine,
    others: Mutex<Vec<(usize, Engine)>>,
    compiler: OnceLock<Engine>,
}

impl Engines {
    /// Creates the default engine. The others are created when they are first needed.
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            default: engine(DEFAULT_STACK_BYTES)?,
            others: Mutex::default(),
            compiler: OnceLock::new(),
        })
    }

    /// Returns the engine that compiles. It runs nothing.
    pub(super) fn compiler(&self) -> Result<&Engine> {
        match self.compiler.get() {
            Some(compiler) => Ok(compiler),
            None => start(&config()).map(|compiler| self.compiler.get_or_init(|| compiler)),
        }
    }

    /// Tells whether the engine that compiles was created.
    #[cfg(test)]
    pub(super) fn has_compiler(&self) -> bool {
        self.compiler.get().is_some()
    }

    /// Returns the engine for the default stack size, which nearly every layer uses.
    pub(super) fn default(&self) -> &Engine {
        &self.default
    }

    /// Returns the engine for this stack size.
    pub(super) fn for_stack(&self, bytes: usize) -> Result<Engine> {
        if bytes == DEFAULT_STACK_BYTES {
            return Ok(self.default.clone());
        }
        let poisoned = |_| Error::unavailable("the sandbox is unusable after a panic");
        let mut others = self.others.lock().map_err(poisoned)?;
        if let Some((_, engine)) = others.iter().find(|(stack, _)| *stack == bytes) {
            return Ok(engine.clone());
        }
        let engine = engine(bytes)?;
        others.push((bytes, engine.clone()));
        Ok(engine)
    }

    /// Raises every engine's epoch by one.
    pub(super) fn tick(&self) {
        self.default.increment_epoch();
        if let Ok(others) = self.others.lock() {
            others.iter().for_each(|(_, engine)| engine.increment_epoch());
        }
    }
}
