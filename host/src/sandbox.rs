//! The sandbox: the only code that uses wasmtime.
//!
//! It loads a layer's native code, gives it an empty WASI environment, the host functions of the contract and
//! a set of limits, and calls it once. Other modules implement the host functions (`grant/`), list the layers
//! (`layer/`), and process the replies (`pipeline/`).

pub mod bindings;
mod code_seal;
mod compiled_cache;
mod engine;
mod engine_config;
mod instance;
mod layer_failure;
mod native_code;
mod resource_limiter;
#[cfg(test)]
mod tests;
mod wasi_linker;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use wasmtime::Engine;
use wasmtime::component::Component;

pub use bindings::{Invocation, empty_reply};
pub(crate) use engine::thread_stack;
pub use instance::{HostFunctions, RunOptions, RunOutcome, WasiAccess};
pub use layer_failure::LayerFailure;

use crate::dirs;
use crate::error::{Error, Result};
use crate::layer::{Code, Layer, digest};
use compiled_cache::CompiledCache;
use engine::{DEFAULT_STACK_BYTES, Engines};
use native_code::NewCode;

/// Size of the largest component that is compiled while a person waits, where the compiled code cannot be
/// kept: about a second, which is the longest deadline.
const MAX_EVENT_COMPILE_BYTES: u64 = 1 << 20;

/// The engines, and the layers that were compiled.
pub struct Sandbox {
    engines: Engines,
    /// The folder of the cache for all processes, if there is one, and those that can hold
    /// the account's secret.
    cache_folders: Option<(PathBuf, Vec<PathBuf>)>,
    /// The cache, once it was needed. Its name identifies the compiler, and embedded layers need neither.
    cache: OnceLock<Option<CompiledCache>>,
    /// The layers that this process compiled, by digest.
    compiled: Mutex<Vec<(String, Component)>>,
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
    /// Creates a sandbox that caches compiled layers below the folder `cache`, or if it is `None`, only in
    /// this process.
    ///
    /// # Errors
    /// `Unavailable` if the machine cannot run compiled WebAssembly.
    pub fn new(cache: Option<&Path>) -> Result<Self> {
        Self::with_secret_in(cache, dirs::account_folders())
    }

    /// Creates a sandbox as [`Sandbox::new`] does, with the account's secret in one of these folders.
    fn with_secret_in(cache: Option<&Path>, secret_folders: Vec<PathBuf>) -> Result<Self> {
        Ok(Self {
            engines: Engines::new()?,
            cache_folders: cache.map(|root| (root.to_owned(), secret_folders)),
            cache: OnceLock::new(),
            compiled: Mutex::default(),
            compilations: AtomicUsize::new(0),
            uncompiled: AtomicUsize::new(0),
        })
    }

    /// Loads a layer with the default stack. If it is neither embedded nor cached, compiles and caches it,
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
        match self.load_compiled(&engine, layer)? {
            Some(component) => Ok(LoadedLayer { component }),
            None => self.compile_and_keep(&engine, layer),
        }
    }

    /// Loads a layer for an event, while a person waits. An accepted layer that is not in the cache is not
    /// compiled, because that can take seconds, unless no other process could do so once for all.
    ///
    /// Returns `None` for such a layer.
    ///
    /// # Errors
    /// As for [`Sandbox::load`].
    pub fn load_for_event(&self, layer: &Layer, stack_bytes: usize) -> Result<Option<LoadedLayer>> {
        let engine = self.engines.for_stack(stack_bytes)?;
        if let Some(component) = self.load_compiled(&engine, layer)? {
            return Ok(Some(LoadedLayer { component }));
        }
        match &layer.code {
            Code::Stored(copy) if !self.may_compile_in_event(copy)? => Ok(None),
            _ => self.compile_and_keep(&engine, layer).map(Some),
        }
    }

    /// Loads a layer without compiling it, if that is possible.
    fn load_compiled(&self, engine: &Engine, layer: &Layer) -> Result<Option<Component>> {
        if let Code::Embedded(code) = layer.code {
            let no_fit =
                |error| Error::unavailable(format!("this program does not fit this machine: {error:#}"));
            return native_code::load_embedded(engine, code).map(Some).map_err(no_fit);
        }
        let of_this_process = self.compiled.lock().ok().and_then(|compiled| {
            let mut known = compiled.iter().filter(|(digest, _)| *digest == *layer.digest);
            known.find(|(_, component)| Engine::same(component.engine(), engine)).map(|known| known.1.clone())
        });
        Ok(of_this_process.or_else(|| self.cache()?.load(engine, &layer.digest)))
    }

    /// Tells whether an accepted layer is compiled while a person waits: only if no process can keep the
    /// result.
    fn may_compile_in_event(&self, copy: &Path) -> Result<bool> {
        let Some(obstacle) = self.cache_obstacle() else {
            self.uncompiled.fetch_add(1, Ordering::Relaxed);
            return Ok(false);
        };
        match std::fs::metadata(copy) {
            Ok(meta) if meta.len() > MAX_EVENT_COMPILE_BYTES => {
                Err(Error::unavailable(format!("too large to be compiled for each event, and {obstacle}")))
            }
            _ => Ok(true),
        }
    }

    fn compile_and_keep(&self, engine: &Engine, layer: &Layer) -> Result<LoadedLayer> {
        self.uncompiled.fetch_add(1, Ordering::Relaxed);
        let loaded = component_bytes(layer).and_then(|wasm| self.compile(engine, layer, &wasm));
        if let (Ok(LoadedLayer { component }), Ok(mut compiled)) = (&loaded, self.compiled.lock()) {
            compiled.push((layer.digest.to_string(), component.clone()));
        }
        self.uncompiled.fetch_sub(1, Ordering::Relaxed);
        loaded
    }

    fn compile(&self, engine: &Engine, layer: &Layer, wasm: &[u8]) -> Result<LoadedLayer> {
        self.compilations.fetch_add(1, Ordering::Relaxed);
        let compiler = self.engines.compiler()?;
        let no_component = |error| Error::invalid(format!("not a component that can run here: {error:#}"));
        let code = NewCode::compile(compiler, wasm).map_err(no_component)?;
        if let Some(cache) = self.cache() {
            cache.store(&layer.digest, &code);
        }
        native_code::load_new(engine, &code).map(|component| LoadedLayer { component }).map_err(no_component)
    }

    fn cache(&self) -> Option<&CompiledCache> {
        let open = || {
            let (root, secret_folders) = self.cache_folders.clone()?;
            Some(CompiledCache::new(&root, secret_folders, self.engines.compiler().ok()?))
        };
        self.cache.get_or_init(open).as_ref()
    }

    /// Returns why layers that this process compiles are not kept for other processes, if they are not.
    pub fn cache_obstacle(&self) -> Option<String> {
        self.cache()?.obstacle()
    }

    /// Tells whether a layer was refused because it is not compiled, or is being compiled by a thread that
    /// will be interrupted when this process ends, while another process could compile it for all.
    pub fn has_uncompiled_layers(&self) -> bool {
        self.uncompiled.load(Ordering::Relaxed) > 0 && self.cache_obstacle().is_none()
    }

    /// Tells whether a layer is embedded or has a file in the cache. Costs one system call.
    pub fn is_probably_compiled(&self, layer: &Layer) -> bool {
        let has_file = |cache: &CompiledCache| cache.has_file(&layer.digest);
        matches!(layer.code, Code::Embedded(_)) || self.cache().is_none_or(has_file)
    }

    /// Tells whether a layer can be loaded without compiling it.
    pub fn is_compiled(&self, layer: &Layer) -> bool {
        self.load_compiled(self.engines.default(), layer).is_ok_and(|component| component.is_some())
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

/// Returns the bytes of a component that has to be compiled. For an accepted layer, checks that they are
/// unchanged since it was accepted.
fn component_bytes(layer: &Layer) -> Result<Cow<'_, [u8]>> {
    let copy = match &layer.code {
        Code::InMemory(wasm) => return Ok(Cow::Borrowed(wasm)),
        Code::Stored(copy) => copy,
        Code::Embedded(_) => return Err(Error::unavailable("an embedded layer is compiled already")),
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
