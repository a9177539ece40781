//! Makes native code executable. This is the only `unsafe` of the program: wasmtime runs what it is given
//! here, so every way to load code takes a value that exists only for code of our own.

use std::os::fd::AsRawFd;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::mm::{MprotectFlags, mprotect};
use wasmtime::component::Component;
use wasmtime::{Config, CustomCodeMemory, Engine};

use super::code_seal::CheckedFile;
use crate::layer::EmbeddedCode;

/// Whether embedded code runs where the program lies in memory, which saves a copy of up to 3 MB. Elsewhere,
/// code that was just written also has to be made visible to the processor, which wasmtime does on a copy.
const RUNS_IN_PLACE: bool = cfg!(target_arch = "x86_64");

/// Makes an engine run embedded code in place, if this machine can.
pub(super) fn run_in_place(config: &mut Config) {
    if RUNS_IN_PLACE {
        config.with_custom_code_memory(Some(Arc::new(CodePages)));
    }
}

/// Makes pages with code executable for wasmtime.
struct CodePages;

impl CustomCodeMemory for CodePages {
    fn required_alignment(&self) -> usize {
        rustix::param::page_size()
    }

    #[allow(unsafe_code)]
    fn publish_executable(&self, start: *const u8, bytes: usize) -> wasmtime::Result<()> {
        let flags = MprotectFlags::READ | MprotectFlags::EXEC;
        // SAFETY: wasmtime calls this only with the whole pages of the code of a component that it was given
        // here, or that it compiled. Before, it made the pages of its own read-only; those of embedded code
        // are read-only since the program started. So this removes no permission that anything relies on, and
        // no page is ever writable and executable.
        Ok(unsafe { mprotect(start.cast_mut().cast(), bytes, flags) }?)
    }

    fn unpublish_executable(&self, _: *const u8, _: usize) -> wasmtime::Result<()> {
        // Another instance of the same embedded layer may still run. wasmtime unmaps pages of its own.
        Ok(())
    }
}

/// Loads the code of an embedded layer.
///
/// # Errors
/// If the program was built for another machine or with another configuration of the engine.
#[allow(unsafe_code)]
pub(super) fn load_embedded(engine: &Engine, code: EmbeddedCode) -> wasmtime::Result<Component> {
    // SAFETY: Both calls require bytes that wasmtime itself produced; anything else is arbitrary native code.
    // `build/embedded_layers.rs` compiled these bytes when the program was built, the compiler put them into
    // its read-only data, where they stay unchanged until the process ends, and `EmbeddedCode` cannot be made
    // from anything else. Whoever could change them could change the program itself. wasmtime refuses code of
    // another version, configuration or processor.
    unsafe {
        if is_first_load(code) {
            Component::deserialize_raw(engine, NonNull::from(code.bytes()))
        } else {
            Component::deserialize(engine, code.bytes())
        }
    }
}

/// Tells whether the code runs in place: at its first load by this process, because wasmtime registers the
/// addresses of code, and two engines cannot register the same ones. Every later load is a copy; a hook loads
/// each layer once.
fn is_first_load(code: EmbeddedCode) -> bool {
    static LOADED: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let address = code.bytes().as_ptr().addr();
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let is_first = RUNS_IN_PLACE && !loaded.contains(&address);
    loaded.extend(is_first.then_some(address));
    is_first
}

/// Code that this process has just compiled.
pub(super) struct NewCode(Vec<u8>);

impl NewCode {
    /// Compiles a component.
    ///
    /// # Errors
    /// If it is not one that can run here.
    pub(super) fn compile(compiler: &Engine, wasm: &[u8]) -> wasmtime::Result<Self> {
        compiler.precompile_component(wasm).map(Self)
    }

    /// The code, as the cache keeps it.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Loads code that this process has just compiled.
///
/// # Errors
/// If it was compiled with another configuration of the engine.
#[allow(unsafe_code)]
pub(super) fn load_new(engine: &Engine, code: &NewCode) -> wasmtime::Result<Component> {
    // SAFETY: `deserialize` requires bytes that wasmtime itself produced. `NewCode` holds what wasmtime's
    // compiler returned to this process, and nothing can change it.
    unsafe { Component::deserialize(engine, code.bytes()) }
}

/// Maps a compiled layer of the cache.
///
/// # Errors
/// If it was compiled by another version or with another configuration of the engine.
#[allow(unsafe_code)]
pub(super) fn map_checked(engine: &Engine, file: &CheckedFile) -> wasmtime::Result<Component> {
    // The path names the file that was opened and checked, whatever its name leads to by now.
    let path = format!("/proc/self/fd/{}", file.as_file().as_raw_fd());
    // SAFETY: `deserialize_file` requires bytes that `Component::serialize` produced and that do not change
    // while they are mapped. `CheckedFile` exists only for an open file that belongs to this user, that
    // nobody else can write, and whose seal proves with this account's secret that this program wrote these
    // bytes for this layer and this engine. Nothing of ours changes a file of the cache: a new one is written
    // under a temporary name and renamed. Only code that already runs as this user could do so or read the
    // secret, and such code does not need the file to do harm. wasmtime refuses code of another version or
    // configuration.
    unsafe { Component::deserialize_file(engine, path) }
}
