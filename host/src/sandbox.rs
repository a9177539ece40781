//! The sandbox: the only code that uses wasmtime.
//!
//! It loads a compiled layer, gives it an empty WASI environment, the host functions of the contract and a
//! set of limits, and calls it once. Other modules implement the host functions (`grant/`), list the layers
//! (`layer/`), and process the replies (`pipeline/`).

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
    /// Creates a sandbox that caches compiled layers below the folder `cache`, or if it is `None`, in this
    /// process.
    ///
    /// # Errors
    /// `Unavailable` if the machine cannot run compiled WebAssembly.
    pub fn new(cache: Option<&Path>) -> Result<Self> {
        let engines = Engines::new()?;
        let cache = match cache {
            Some(root) => CompiledCache::in_folder(root, engines.default()),
            None => CompiledCache::in_process(),
        };
        Ok(Self { engines, cache, compilations: AtomicUsize::new(0), uncompiled: AtomicUsize::new(0) })
    }

    /// Loads a layer with the default stack from the cache. If it is not cached, compiles and caches it,
    /// which may take long.
    ///
    /// # Errors
    /// `Invalid` if it is not a component; `Unavailable` if the copy of an accepted layer is missing or was
    /// altered.
    pub fn load(&self, layer: &Layer) -> Result<LoadedLayer> {
        self.load_with_stack(layer, DEFAULT_STACK_BYTES)
    }

    /// Loads a layer as [`Sandbox::load`] does, with this stack size.
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

    /// Loads a layer for an event, while a person waits. An accepted layer that is not in the cache is not
    /// compiled, because that can take seconds.
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
                Err(Error::unavailable("not compiled yet; it is being compiled now"))
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
    /// will be interrupted when this process ends.
    pub fn has_uncompiled_layers(&self) -> bool {
        self.uncompiled.load(Ordering::Relaxed) > 0
    }

    /// Tells whether the cache has a file for the layer with this digest. Costs one system call.
    pub fn is_probably_compiled(&self, digest: &str) -> bool {
        self.cache.has_file(digest)
    }

    /// Tells whether the layer with this digest can be loaded from the cache without compiling.
    pub fn is_compiled(&self, digest: &str) -> bool {
        self.cache.load(self.engines.default(), digest).is_some()
    }

    /// Returns the number of layers that this process has compiled; 0 if all were cached.
    pub fn compilation_count(&self) -> usize {
        self.compilations.load(Ordering::Relaxed)
    }

    /// Moves every running layer one tick closer to its deadline (see [`RunOptions::ticks`]).
    pub fn tick(&self) {
        self.engines.tick();
    }
}

/// Returns the component's bytes. For an accepted layer, checks that they are unchanged since it was
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
