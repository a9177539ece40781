//! The sandbox: the only code that knows wasmtime.
//!
//! It loads a compiled layer, gives it an empty WASI world, the host functions of the contract and a set of limits,
//! and calls it once. It does not know what the host functions do (`grant/`), which layers there are (`layer/`), or
//! what becomes of a reply (`pipeline/`).

pub mod bindings;
mod cache;
mod call;
mod config;
mod guest;
mod limits;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use wasmtime::Engine;
use wasmtime::component::Component;

pub use call::{Call, silence};
pub(crate) use config::THREAD_STACK;
pub use guest::{Failure, Outcome, Powers, Run};
pub use limits::{Limits, Meter};

use crate::error::{Error, Result};
use cache::Cache;

/// One engine and its cache of compiled layers.
pub struct Sandbox {
    engine: Engine,
    cache: Cache,
    compiled: AtomicUsize,
    compiling: AtomicUsize,
}

/// A layer that is ready to run in this process.
#[derive(Clone)]
pub struct Loaded {
    component: Component,
}

impl Sandbox {
    /// A sandbox that keeps compiled layers below `cache`, or for the life of this process.
    ///
    /// # Errors
    /// `Unavailable` when the machine cannot run compiled WebAssembly.
    pub fn new(cache: Option<&Path>) -> Result<Self> {
        let engine = config::engine()?;
        let cache = cache.map_or_else(Cache::in_process, |root| Cache::in_folder(root, &engine));
        Ok(Self { engine, cache, compiled: AtomicUsize::new(0), compiling: AtomicUsize::new(0) })
    }

    /// The layer of this digest: from the cache, else compiled from `wasm` and kept.
    ///
    /// # Errors
    /// `Invalid` when the bytes are no component.
    pub fn load(&self, digest: &str, wasm: &[u8]) -> Result<Loaded> {
        if let Some(component) = self.cache.load(&self.engine, digest) {
            return Ok(Loaded { component });
        }
        self.compiling.fetch_add(1, Ordering::Relaxed);
        let loaded = self.compile(wasm).inspect(|loaded| self.cache.store(digest, &loaded.component));
        self.compiling.fetch_sub(1, Ordering::Relaxed);
        loaded
    }

    /// Whether a thread is compiling a layer right now: it will not be done when the process ends first.
    pub fn is_compiling(&self) -> bool {
        self.compiling.load(Ordering::Relaxed) > 0
    }

    /// Whether the layer of this digest is in the cache, so that loading it compiles nothing.
    pub fn is_compiled(&self, digest: &str) -> bool {
        self.cache.load(&self.engine, digest).is_some()
    }

    /// The names that a component exports.
    ///
    /// # Errors
    /// `Invalid` when the bytes are no component.
    pub fn exports(&self, wasm: &[u8]) -> Result<Vec<String>> {
        let layer = self.compile(wasm)?.component;
        let ty = layer.component_type();
        Ok(ty.exports(&self.engine).map(|(name, _)| name.to_owned()).collect())
    }

    fn compile(&self, wasm: &[u8]) -> Result<Loaded> {
        self.compiled.fetch_add(1, Ordering::Relaxed);
        let component = Component::new(&self.engine, wasm)
            .map_err(|error| Error::invalid(format!("not a component that can run here: {error:#}")))?;
        Ok(Loaded { component })
    }

    /// How many layers this process has compiled; 0 in a warm run.
    pub fn compiled(&self) -> usize {
        self.compiled.load(Ordering::Relaxed)
    }

    /// Moves every running layer one step nearer to its deadline (see [`Run::ticks`]).
    pub fn tick(&self) {
        self.engine.increment_epoch();
    }
}
