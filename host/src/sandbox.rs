//! The sandbox: the only code that knows wasmtime.
//!
//! It loads a compiled layer, gives it an empty WASI environment, the host functions of the contract and a
//! set of limits, and calls it once. It does not know what the host functions do (`grant/`), which layers
//! there are (`layer/`), or what happens to a reply (`pipeline/`).

pub mod bindings;
mod compiled_cache;
mod engine;
mod instance;
mod layer_failure;
mod resource_limiter;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use wasmtime::Engine;
use wasmtime::component::Component;

pub use bindings::{Invocation, empty_reply};
pub(crate) use engine::thread_stack;
pub use instance::{HostFunctions, RunOptions, RunOutcome, WasiAccess};
pub use layer_failure::LayerFailure;

use crate::error::{Error, Result};
use crate::layer::{Code, Layer, digest};
use compiled_cache::CompiledCache;
use engine::{DEFAULT_STACK_BYTES, Engines};

/// The engines and the cache of compiled layers.
pub struct Sandbox {
    engines: Engines,
    cache: CompiledCache,
    compilations: AtomicUsize,
    /// Layers that wait to be compiled or are being compiled.
    uncompiled: AtomicUsize,
}

/// A layer that is ready to run in this process.
#[derive(Clone)]
pub struct LoadedLayer {
    component: Component,
}

impl Sandbox {
    /// Makes a sandbox that caches compiled layers below the folder `cache`, or without one in this process.
    ///
    /// # Errors
    /// `Unavailable` when the machine cannot run compiled WebAssembly.
    pub fn new(cache: Option<&Path>) -> Result<Self> {
        let engines = Engines::new()?;
        let cache = match cache {
            Some(root) => CompiledCache::in_folder(root, engines.default()),
            None => CompiledCache::in_process(),
        };
        Ok(Self { engines, cache, compilations: AtomicUsize::new(0), uncompiled: AtomicUsize::new(0) })
    }

    /// Loads a layer with the default stack: from the cache, otherwise compiling and caching it, however long
    /// that takes.
    ///
    /// # Errors
    /// `Invalid` when it is not a component; `Unavailable` when the copy of an accepted layer is missing or
    /// was altered.
    pub fn load(&self, layer: &Layer) -> Result<LoadedLayer> {
        self.load_with_stack(layer, DEFAULT_STACK_BYTES)
    }

    /// Loads a layer as [`Sandbox::load`] does, to run with this much stack.
    ///
    /// # Errors
    /// As for [`Sandbox::load`].
    pub fn load_with_stack(&self, layer: &Layer, stack_bytes: usize) -> Result<LoadedLayer> {
        let engine = self.engines.for_stack(stack_bytes)?;
        match self.cache.load(&engine, &layer.digest) {
            Some(component) => Ok(LoadedLayer { component }),
            None => self.compile_and_cache(&engine, layer),
        }
    }

    /// Loads a layer for an event, which a person waits for. An accepted layer that is not in the cache is
    /// not compiled, because that can take seconds.
    ///
    /// # Errors
    /// As for [`Sandbox::load`]; `Unavailable` also for an accepted layer that is not compiled yet.
    pub fn load_for_event(&self, layer: &Layer, stack_bytes: usize) -> Result<LoadedLayer> {
        let engine = self.engines.for_stack(stack_bytes)?;
        match (self.cache.load(&engine, &layer.digest), &layer.code) {
            (Some(component), _) => Ok(LoadedLayer { component }),
            (None, Code::InMemory(_)) => self.compile_and_cache(&engine, layer),
            (None, Code::Stored(_)) => {
                self.uncompiled.fetch_add(1, Ordering::Relaxed);
                Err(Error::unavailable("not compiled yet; that is being done now"))
            }
        }
    }

    fn compile_and_cache(&self, engine: &Engine, layer: &Layer) -> Result<LoadedLayer> {
        self.uncompiled.fetch_add(1, Ordering::Relaxed);
        let loaded = component_bytes(layer)
            .and_then(|wasm| self.compile(engine, &wasm))
            .inspect(|loaded| self.cache.store(&layer.digest, &loaded.component));
        self.uncompiled.fetch_sub(1, Ordering::Relaxed);
        loaded
    }

    fn compile(&self, engine: &Engine, wasm: &[u8]) -> Result<LoadedLayer> {
        self.compilations.fetch_add(1, Ordering::Relaxed);
        let component = Component::new(engine, wasm)
            .map_err(|error| Error::invalid(format!("not a component that can run here: {error:#}")))?;
        Ok(LoadedLayer { component })
    }

    /// Tells whether a layer was refused because it is not compiled, or is being compiled by a thread that
    /// the end of this process will interrupt.
    pub fn has_uncompiled_layers(&self) -> bool {
        self.uncompiled.load(Ordering::Relaxed) > 0
    }

    /// Tells whether the cache has a file for the layer of this digest. Costs one look at the file system.
    pub fn is_probably_compiled(&self, digest: &str) -> bool {
        self.cache.has_file(digest)
    }

    /// Tells whether the layer of this digest loads from the cache, so that loading it compiles nothing.
    pub fn is_compiled(&self, digest: &str) -> bool {
        self.cache.load(self.engines.default(), digest).is_some()
    }

    /// Returns how many layers this process has compiled; 0 when all were cached.
    pub fn compilation_count(&self) -> usize {
        self.compilations.load(Ordering::Relaxed)
    }

    /// Moves every running layer one step nearer to its deadline (see [`RunOptions::ticks`]).
    pub fn tick(&self) {
        self.engines.tick();
    }
}

/// Returns the component's bytes; those of an accepted layer only if they still are the ones that were
/// accepted.
fn component_bytes(layer: &Layer) -> Result<Cow<'_, [u8]>> {
    let copy = match &layer.code {
        Code::InMemory(wasm) => return Ok(Cow::Borrowed(wasm)),
        Code::Stored(copy) => copy,
    };
    let hint = format!("accept it again: interleaf layer accept {}", layer.name);
    let wasm = std::fs::read(copy).map_err(|error| {
        Error::unavailable(format!("cannot read the accepted copy {}: {error}", copy.display())).hint(&hint)
    })?;
    if digest(&wasm) != layer.digest {
        let what = format!("the accepted copy {} was altered", copy.display());
        return Err(Error::unavailable(what).hint(hint));
    }
    Ok(Cow::Owned(wasm))
}
