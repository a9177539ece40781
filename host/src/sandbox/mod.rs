//! The sandbox: the only code that knows wasmtime.
//!
//! It loads a compiled layer, gives it an empty WASI world, the host functions of the contract and a set of limits,
//! and calls it once. It does not know what the host functions do (`grant/`), which layers there are (`layer/`), or
//! what becomes of a reply (`pipeline/`).

pub mod bindings;
mod cache;
mod call;
mod config;
mod diagnosis;
mod engines;
mod guest;
mod limits;
mod meter;
mod outside;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use wasmtime::Engine;
use wasmtime::component::Component;

pub use call::{Invocation, empty_reply};
pub(crate) use config::thread_stack;
pub use diagnosis::LayerFailure;
pub use guest::{HostFunctions, RunOptions, RunOutcome};
pub use limits::Limits;
pub use meter::{Meter, Room};
pub use outside::WasiAccess;

use crate::error::{Error, Result};
use crate::layer::{Code, Layer, digest};
use cache::Cache;
use config::USUAL_STACK;
use engines::Engines;

/// The engines and their cache of compiled layers.
pub struct Sandbox {
    engines: Engines,
    cache: Cache,
    compiled: AtomicUsize,
    waiting: AtomicUsize,
}

/// A layer that is ready to run in this process.
#[derive(Clone)]
pub struct LoadedLayer {
    component: Component,
}

impl Sandbox {
    /// A sandbox that keeps compiled layers below `cache`, or for the life of this process.
    ///
    /// # Errors
    /// `Unavailable` when the machine cannot run compiled WebAssembly.
    pub fn new(cache: Option<&Path>) -> Result<Self> {
        let engines = Engines::new()?;
        let cache = cache.map_or_else(Cache::in_process, |root| Cache::in_folder(root, engines.usual()));
        Ok(Self { engines, cache, compiled: AtomicUsize::new(0), waiting: AtomicUsize::new(0) })
    }

    /// The layer: from the cache, else compiled, however long that takes, and kept.
    ///
    /// # Errors
    /// `Invalid` when it is no component; `Unavailable` when the copy of an accepted one is gone or altered.
    pub fn load(&self, layer: &Layer) -> Result<LoadedLayer> {
        self.load_with_stack(layer, USUAL_STACK)
    }

    /// The same, to run with this much stack.
    ///
    /// # Errors
    /// As for [`Sandbox::load`].
    pub fn load_with_stack(&self, layer: &Layer, stack: usize) -> Result<LoadedLayer> {
        let engine = self.engines.of(stack)?;
        match self.cache.load(&engine, &layer.digest) {
            Some(component) => Ok(LoadedLayer { component }),
            None => self.compile_and_keep(&engine, layer),
        }
    }

    /// The layer with this much stack, for an event that somebody waits for: one that was accepted is not compiled here, because that can
    /// take seconds.
    ///
    /// # Errors
    /// As for [`Sandbox::load`]; `Unavailable` also for an accepted layer that is not compiled yet.
    pub fn load_for_event(&self, layer: &Layer, stack: usize) -> Result<LoadedLayer> {
        let engine = self.engines.of(stack)?;
        match (self.cache.load(&engine, &layer.digest), &layer.code) {
            (Some(component), _) => Ok(LoadedLayer { component }),
            (None, Code::InMemory(_)) => self.compile_and_keep(&engine, layer),
            (None, Code::Stored(_)) => {
                self.waiting.fetch_add(1, Ordering::Relaxed);
                Err(Error::unavailable("not compiled yet; that is being done now"))
            }
        }
    }

    fn compile_and_keep(&self, engine: &Engine, layer: &Layer) -> Result<LoadedLayer> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let loaded = code(layer)
            .and_then(|code| self.compile(engine, &code))
            .inspect(|loaded| self.cache.store(&layer.digest, &loaded.component));
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        loaded
    }

    /// Whether a layer waits to be compiled, or is being compiled by a thread that the end of this process will cut
    /// off.
    pub fn has_uncompiled_layers(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }

    /// Whether the layer of this digest seems to be in the cache. Costs as good as nothing.
    pub fn is_probably_compiled(&self, digest: &str) -> bool {
        self.cache.seems_to_have(digest)
    }

    /// Whether the layer of this digest is in the cache, so that loading it compiles nothing.
    pub fn is_compiled(&self, digest: &str) -> bool {
        self.cache.load(self.engines.usual(), digest).is_some()
    }

    fn compile(&self, engine: &Engine, wasm: &[u8]) -> Result<LoadedLayer> {
        self.compiled.fetch_add(1, Ordering::Relaxed);
        let component = Component::new(engine, wasm)
            .map_err(|error| Error::invalid(format!("not a component that can run here: {error:#}")))?;
        Ok(LoadedLayer { component })
    }

    /// How many layers this process has compiled; 0 in a warm run.
    pub fn compilation_count(&self) -> usize {
        self.compiled.load(Ordering::Relaxed)
    }

    /// Moves every running layer one step nearer to its deadline (see [`RunOptions::ticks`]).
    pub fn tick(&self) {
        self.engines.tick();
    }
}

/// The component's bytes; those of an accepted layer only if they still are what was accepted.
fn code(layer: &Layer) -> Result<Cow<'_, [u8]>> {
    let copy = match &layer.code {
        Code::InMemory(wasm) => return Ok(Cow::Borrowed(wasm)),
        Code::Stored(copy) => copy,
    };
    let again = format!("accept it again: interleaf layer accept {}", layer.name);
    let wasm = std::fs::read(copy).map_err(|error| {
        Error::unavailable(format!("the accepted copy {} cannot be read: {error}", copy.display()))
            .hint(&again)
    })?;
    match digest(&wasm) == layer.digest {
        true => Ok(Cow::Owned(wasm)),
        false => {
            Err(Error::unavailable(format!("the accepted copy {} was altered", copy.display())).hint(again))
        }
    }
}
