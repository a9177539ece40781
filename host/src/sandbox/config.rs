//! The one function that makes the engine's configuration.
//!
//! A compiled layer loads only into an engine configured like the one that compiled it, so nothing else may build
//! a `Config`: two that drift apart are a cache that never hits. The choices follow the measurements in wasmtime's
//! own documentation; each line says what it buys a process that lives for milliseconds.

use wasmtime::{Config, Engine, OptLevel};

use crate::error::{Error, Result};

/// The wasmtime release whose compiled code this program reads; the dependency is pinned to it exactly.
pub(super) const WASMTIME: &str = "48.0.8";

/// Native stack that a layer may use unless it is configured otherwise, in bytes (wasmtime's default).
pub(super) const USUAL_STACK: usize = 512 << 10;

/// Stack of a layer's thread beyond the layer's own, in bytes: room for host calls. Running out of native stack would
/// abort the process, so this is generous; untouched pages cost nothing.
const HOST_STACK: usize = 4 << 20;

/// Stack for the thread of a layer that may use this much of it.
pub(crate) const fn thread_stack(stack: usize) -> usize {
    stack + HOST_STACK
}

/// Address space set aside for a layer's memory, in bytes: as much as a layer may use by default, so that growing
/// never moves it. wasmtime's 4 GiB would save bounds checks but fail under `ulimit -v`; layers are small and short.
const RESERVATION: u64 = 128 << 20;

fn config(stack: usize) -> Config {
    let mut config = Config::new();
    config
        // Deadlines: one counter that the watchdog raises once. About 10 % slower code, fuel would cost more.
        .epoch_interruption(true)
        .concurrency_support(false)
        .memory_reservation(RESERVATION)
        .memory_guard_size(64 << 10)
        .memory_reservation_for_growth(RESERVATION)
        .max_wasm_stack(stack)
        .cranelift_opt_level(OptLevel::Speed)
        // Compiled code is mapped on every event; what only debuggers and profilers read stays out of it.
        .native_unwind_info(false)
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None)
        .wasm_memory64(false)
        .wasm_relaxed_simd(false);
    config
}

/// An engine whose layers may use this much stack. That is the one choice which is no part of compiled code, so what
/// one engine compiled, every other can load (a test holds it).
pub(super) fn engine(stack: usize) -> Result<Engine> {
    Engine::new(&config(stack))
        .map_err(|error| Error::unavailable(format!("the sandbox cannot start: {error:#}")))
}
