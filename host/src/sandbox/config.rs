//! The one function that makes the engine's configuration.
//!
//! A compiled layer loads only into an engine configured like the one that compiled it, so nothing else may build
//! a `Config`: two that drift apart are a cache that never hits. The choices follow the measurements in wasmtime's
//! own documentation; each line says what it buys a process that lives for milliseconds.

use wasmtime::{Config, Engine, OptLevel};

use crate::error::{Error, Result};

/// The wasmtime release whose compiled code this program reads; the dependency is pinned to it exactly.
pub(super) const WASMTIME: &str = "48.0.8";

/// Native stack a layer may use, in bytes (wasmtime's default). The thread has [`THREAD_STACK`].
const WASM_STACK: usize = 512 << 10;

/// Stack of a layer's thread, in bytes: the layer's own share and room for host calls below it. Running out of
/// native stack would abort the process, so this is generous; untouched pages cost nothing.
pub(crate) const THREAD_STACK: usize = WASM_STACK + (4 << 20);

/// Address space set aside for a layer's memory, in bytes: as much as a layer may use by default, so that growing
/// never moves it. wasmtime's 4 GiB would save bounds checks but fail under `ulimit -v`; layers are small and short.
const RESERVATION: u64 = 128 << 20;

fn config() -> Config {
    let mut config = Config::new();
    config
        // Deadlines: one counter that the watchdog raises once. About 10 % slower code, fuel would cost more.
        .epoch_interruption(true)
        .concurrency_support(false)
        .memory_reservation(RESERVATION)
        .memory_guard_size(64 << 10)
        .memory_reservation_for_growth(RESERVATION)
        .max_wasm_stack(WASM_STACK)
        .cranelift_opt_level(OptLevel::Speed)
        // Compiled code is mapped on every event; what only debuggers and profilers read stays out of it.
        .native_unwind_info(false)
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None)
        .wasm_memory64(false)
        .wasm_relaxed_simd(false);
    config
}

/// The engine of this process.
pub(super) fn engine() -> Result<Engine> {
    Engine::new(&config()).map_err(|error| Error::unavailable(format!("the sandbox cannot start: {error:#}")))
}
