//! The wasmtime engines of this process, and the one function that creates their configuration.
//!
//! A compiled layer loads only into an engine with the same configuration as the one that compiled it, so
//! nothing else may create a `Config`: if two configurations differed, the cache would never hit. The choices
//! follow the measurements in wasmtime's own documentation. The comments give their benefit for a process
//! that runs for milliseconds.

use std::sync::Mutex;

use wasmtime::{Config, Engine, OptLevel};

use crate::error::{Error, Result};

/// The wasmtime release whose compiled code this program loads; the dependency is pinned to exactly this
/// version.
pub(super) const WASMTIME_VERSION: &str = "48.0.8";

/// Native stack of a layer unless it is configured otherwise, in bytes (wasmtime's default).
pub(super) const DEFAULT_STACK_BYTES: usize = 512 << 10;

/// Stack of a layer's thread for host calls, in bytes, in addition to the layer's own stack. An overflow of
/// the native stack would abort the process, so this is generous; untouched pages cost nothing.
const HOST_STACK_BYTES: usize = 4 << 20;

/// Address space reserved for a layer's memory, in bytes: the default limit of a layer's memory, so that
/// growth never moves it. wasmtime's default of 4 GiB would save bounds checks, but would fail under `ulimit
/// -v`, and layers are small and run briefly.
const RESERVED_MEMORY_BYTES: u64 = 128 << 20;

/// Returns the stack size for the thread of a layer that may use `layer_bytes` of stack.
pub(crate) const fn thread_stack(layer_bytes: usize) -> usize {
    layer_bytes + HOST_STACK_BYTES
}

fn config(stack_bytes: usize) -> Config {
    let mut config = Config::new();
    config
        // Deadlines: one counter, which is raised by the thread that waits for the layers. Makes code about
        // 10 % slower; fuel would cost more.
        .epoch_interruption(true)
        .concurrency_support(false)
        .memory_reservation(RESERVED_MEMORY_BYTES)
        .memory_guard_size(64 << 10)
        .memory_reservation_for_growth(RESERVED_MEMORY_BYTES)
        .max_wasm_stack(stack_bytes)
        .cranelift_opt_level(OptLevel::Speed)
        // Every event maps the compiled code, so it contains no data that only debuggers and profilers need.
        .native_unwind_info(false)
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None)
        .wasm_memory64(false)
        .wasm_relaxed_simd(false);
    config
}

/// Creates an engine whose layers may use this much stack. The stack size is the only option that is not part
/// of compiled code, so code that one engine compiled loads into every other (`tests.rs` checks this).
fn engine(stack_bytes: usize) -> Result<Engine> {
    Engine::new(&config(stack_bytes))
        .map_err(|error| Error::unavailable(format!("the sandbox cannot start: {error:#}")))
}

/// The engines of this process: one for the default stack, and one for each other stack size in use, because
/// wasmtime's stack limit belongs to the engine. They share compiled code and are ticked together.
pub(super) struct Engines {
    default: Engine,
    others: Mutex<Vec<(usize, Engine)>>,
}

impl Engines {
    /// Creates the default engine. The others are created when they are first needed.
    pub(super) fn new() -> Result<Self> {
        Ok(Self { default: engine(DEFAULT_STACK_BYTES)?, others: Mutex::default() })
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
