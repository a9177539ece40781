//! The configuration of wasmtime's engines, in one function: for the build, which compiles the embedded
//! layers (`build/embedded_layers.rs` includes this file), and for the program, which loads them.
//!
//! Compiled code loads only into an engine with the configuration that it was compiled with, so nothing else
//! may create a `Config`. The choices follow the measurements in wasmtime's own documentation. The comments
//! give their benefit for a process that runs for milliseconds.

use wasmtime::{Config, OptLevel};

/// Address space reserved for a layer's memory, in bytes: the default limit of a layer's memory, so that
/// growth never moves it. wasmtime's default of 4 GiB would save bounds checks, but would fail under `ulimit
/// -v`, and layers are small and run briefly.
const RESERVED_MEMORY_BYTES: u64 = 128 << 20;

/// Returns the configuration of an engine, except for the size of its stack, which is not part of compiled
/// code.
pub(crate) fn config() -> Config {
    let mut config = Config::new();
    config
        // Deadlines: one counter, which is raised by the thread that waits for the layers. Makes code about
        // 10 % slower; fuel would cost more.
        .epoch_interruption(true)
        .concurrency_support(false)
        .memory_reservation(RESERVED_MEMORY_BYTES)
        .memory_guard_size(64 << 10)
        .memory_reservation_for_growth(RESERVED_MEMORY_BYTES)
        .cranelift_opt_level(OptLevel::Speed)
        // Every event maps the compiled code, so it contains no data that only debuggers and profilers need.
        .native_unwind_info(false)
        .generate_address_map(false)
        .wasm_backtrace_max_frames(None)
        .wasm_memory64(false)
        .wasm_relaxed_simd(false);
    config
}
