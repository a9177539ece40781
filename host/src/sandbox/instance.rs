//! Calls a layer once: creates an instance in a new store, and sets every limit before any code of the layer
//! runs.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use wasmtime::Store;
use wasmtime::component::{HasData, InstancePre, Linker, ResourceTable};
use wasmtime_wasi::{FsPerms, HostWallClock, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::bindings::{
    AllEvents, Invocation, jobs, llm, log, memory, project, sessions, settings, state, transcript, types,
};
use super::layer_failure::LayerFailure;
use super::resource_limiter::StoreLimiter;
use super::{LoadedLayer, Sandbox, wasi_linker};
use crate::clock::Clock;
use crate::config::Limits;
use crate::error::Error;

/// Memory that the host may use for a layer during a call, in bytes, in addition to the limit of one host
/// call: wasmtime copies the arguments before a host function can refuse them. wasmtime's default is 128 MiB.
const HOSTCALL_FUEL: usize = 8 << 20;

/// Maximum number of handles to host resources (streams, pollables) that a layer may hold.
const MAX_HANDLES: usize = 1024;

/// The host functions of the contract, which `grant/` implements.
pub trait HostFunctions:
    types::Host
    + memory::Host
    + llm::Host
    + project::Host
    + state::Host
    + transcript::Host
    + sessions::Host
    + jobs::Host
    + settings::Host
    + log::Host
    + Send
    + 'static
{
}

/// The options for running a layer.
pub struct RunOptions {
    /// The limits of the layer.
    pub limits: Limits,
    /// The number of [`Sandbox::tick`]s after which the layer is stopped.
    pub ticks: u64,
    /// The time that the layer's clock shows.
    pub clock: Clock,
    /// The folders and environment variables that the layer can access.
    pub wasi: WasiAccess,
}

/// The folders and environment variables that a layer can access through WASI; none by default. `grant/`
/// selects them; here they are plain data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WasiAccess {
    /// The real path of each readable folder, and the name by which the layer opens it.
    pub folders: Vec<(PathBuf, String)>,
    /// Names and values of environment variables.
    pub variables: Vec<(String, String)>,
}

/// The result of one call.
pub struct RunOutcome<H> {
    /// The reply, or the reason why there is none.
    pub reply: Result<types::Reply, LayerFailure>,
    /// The host functions, with the data that they recorded.
    pub host: H,
    /// The largest amount of memory that the layer held, in bytes.
    pub peak_memory: usize,
    /// Time to create the store and link the layer.
    pub link_time: Duration,
    /// Total time.
    pub total_time: Duration,
}

impl WasiAccess {
    /// Opens the folders, read-only, and sets the variables. A folder that has disappeared in the meantime is
    /// skipped.
    fn apply_to(&self, wasi: &mut WasiCtxBuilder) {
        if !self.folders.is_empty() {
            // The layer has its own thread; passing file calls to another thread would only start a pool of
            // threads.
            wasi.allow_blocking_current_thread(true);
        }
        for (path, name) in &self.folders {
            let _ = wasi.preopened_dir(path, name, FsPerms::ReadOnly);
        }
        wasi.envs(&self.variables);
    }
}

/// The data of a store.
struct StoreData<H> {
    host: H,
    wasi: WasiCtx,
    handles: ResourceTable,
    limiter: StoreLimiter,
}

impl<H: Send> WasiView for StoreData<H> {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.handles }
    }
}

/// Tells the linker that the host functions borrow `H` from the store.
struct HasHost<H>(std::marker::PhantomData<H>);

impl<H: 'static> HasData for HasHost<H> {
    type Data<'a> = &'a mut H;
}

/// A clock that always shows the same time, as the time since the Unix epoch.
struct FixedClock(Duration);

impl HostWallClock for FixedClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        self.0
    }
}

impl Sandbox {
    /// Runs a layer on one invocation, in this thread, until it answers, fails or exceeds a limit.
    pub fn run<H: HostFunctions>(
        &self,
        layer: &LoadedLayer,
        invocation: &Invocation,
        host: H,
        options: &RunOptions,
    ) -> RunOutcome<H> {
        let began = Instant::now();
        let mut store = store(layer, host, options);
        let linked = link(layer);
        let link_time = began.elapsed();
        let answer = linked.and_then(|layer| invocation.call(&layer, &mut store));
        let total_time = began.elapsed();
        let StoreData { host, limiter, .. } = store.into_data();
        let peak_memory = limiter.peak_memory();
        let reply = match answer {
            Ok(Ok(reply)) => check_size(reply, options.limits.output_bytes as usize),
            Ok(Err(error)) => Err(LayerFailure::from_answer(&error)),
            Err(error) => Err(LayerFailure::from_wasmtime(&error, limiter.refused, &options.limits)),
        };
        RunOutcome { reply, host, peak_memory, link_time, total_time }
    }

    /// Checks that the host has everything that the layer imports, as far as the linker can check it.
    ///
    /// # Errors
    /// `Invalid`, naming the missing import.
    pub fn check_imports<H: HostFunctions>(&self, layer: &LoadedLayer) -> crate::error::Result<()> {
        link::<H>(layer).map(drop).map_err(|error| Error::invalid(format!("it cannot be linked: {error:#}")))
    }
}

fn store<H: HostFunctions>(layer: &LoadedLayer, host: H, options: &RunOptions) -> Store<StoreData<H>> {
    let mut wasi = WasiCtx::builder();
    if let Clock::Fixed(time) = options.clock {
        wasi.wall_clock(FixedClock(Duration::from_millis(time.unsigned_abs())));
    }
    options.wasi.apply_to(&mut wasi);
    let mut handles = ResourceTable::new();
    handles.set_max_capacity(MAX_HANDLES);
    let limiter = StoreLimiter::new(options.limits);
    let mut store =
        Store::new(layer.component.engine(), StoreData { host, wasi: wasi.build(), handles, limiter });
    store.limiter(|data| &mut data.limiter);
    store.set_hostcall_fuel(HOSTCALL_FUEL + options.limits.host_call_bytes as usize);
    store.set_epoch_deadline(options.ticks);
    store
}

fn link<H: HostFunctions>(layer: &LoadedLayer) -> wasmtime::Result<InstancePre<StoreData<H>>> {
    let mut linker = Linker::new(layer.component.engine());
    wasi_linker::add_wasi(&mut linker, &layer.component)?;
    AllEvents::add_to_linker::<_, HasHost<H>>(&mut linker, |data: &mut StoreData<H>| &mut data.host)?;
    linker.instantiate_pre(&layer.component)
}

/// Returns the reply, unless its texts exceed `limit` bytes.
fn check_size(reply: types::Reply, limit: usize) -> Result<types::Reply, LayerFailure> {
    let size = size(&reply);
    if size > limit {
        let over = size - limit;
        return Err(LayerFailure::Limit(format!("output limit of {limit} bytes exceeded by {over} bytes")));
    }
    Ok(reply)
}

fn size(reply: &types::Reply) -> usize {
    use types::{Content, Decision};
    let items = reply.context.iter().flat_map(|context| &context.items).map(|item| match &item.content {
        Content::Memory(text) | Content::Text(text) => text.len(),
    });
    let decisions = reply.decisions.iter().map(|decision| match decision {
        Decision::Deny(text) | Decision::Ask(text) | Decision::Allow(text) => text.len(),
        Decision::RewriteInput(text) | Decision::RewriteOutput(text) => text.len(),
        Decision::Block(text) | Decision::GoOn(text) => text.len(),
    });
    let heading = reply.context.as_ref().map_or(0, |context| context.heading.len());
    items.chain(decisions).sum::<usize>() + heading + reply.notice.as_ref().map_or(0, String::len)
}
