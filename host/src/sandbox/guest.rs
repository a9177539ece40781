//! One layer in one event: a store of its own, armed before anything of the layer runs.

use std::time::{Duration, Instant};

use wasmtime::Store;
use wasmtime::component::{HasData, InstancePre, Linker, ResourceTable};
use wasmtime_wasi::{HostWallClock, WasiCtx, WasiCtxView, WasiView};

use super::bindings::{host, jobs, llm, log, memory, project, settings, state, transcript, types};
use super::diagnosis::{LayerFailure, diagnose, words};
use super::limits::{Growth, Limits};
use super::{Invocation, LoadedLayer, Sandbox, WasiAccess};
use crate::clock::Clock;

/// Memory that the host may use up on a layer's behalf in one call, in bytes, beyond what a call may carry: wasmtime's
/// own copying of arguments, before the meter sees them. Its default is 128 MiB.
const HOSTCALL_FUEL: usize = 8 << 20;

/// Handles to host resources (streams, pollables) that a layer may hold.
const HANDLES: usize = 1024;

/// The host functions of the contract, as `grant/` implements them.
pub trait HostFunctions:
    types::Host
    + memory::Host
    + llm::Host
    + project::Host
    + state::Host
    + transcript::Host
    + jobs::Host
    + settings::Host
    + log::Host
    + Send
    + 'static
{
}

/// How to run a layer.
pub struct RunOptions {
    /// What it may use up.
    pub limits: Limits,
    /// It is stopped at this many [`Sandbox::tick`]s.
    pub ticks: u64,
    /// What its clock shows.
    pub clock: Clock,
    /// The folders and variables that it sees.
    pub outside: WasiAccess,
}

/// What became of one call.
pub struct RunOutcome<P> {
    /// The reply, or why there is none.
    pub reply: Result<types::Reply, LayerFailure>,
    /// The host functions' state, handed back.
    pub powers: P,
    /// The most memory the layer held, in bytes.
    pub peak_memory: usize,
    /// Time to link.
    pub linked: Duration,
    /// Time in all.
    pub took: Duration,
}

struct Guest<P> {
    powers: P,
    wasi: WasiCtx,
    handles: ResourceTable,
    growth: Growth,
}

impl<P: Send> WasiView for Guest<P> {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.handles }
    }
}

struct HasHost<P>(std::marker::PhantomData<P>);

impl<P: 'static> HasData for HasHost<P> {
    type Data<'a> = &'a mut P;
}

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
    /// Runs a layer on one call, in this thread, until it answers, fails or meets a limit.
    pub fn run<P: HostFunctions>(
        &self,
        layer: &LoadedLayer,
        call: &Invocation,
        powers: P,
        run: &RunOptions,
    ) -> RunOutcome<P> {
        let began = Instant::now();
        let mut store = store(layer, powers, run);
        let linked = link(layer);
        let ready = began.elapsed();
        let answer = linked.and_then(|layer| call.make(layer, &mut store));
        let took = began.elapsed();
        let guest = store.into_data();
        let (peak_memory, refused) = (guest.growth.peak(), guest.growth.refused);
        let reply = match answer {
            Ok(Ok(reply)) => within(reply, run.limits.output),
            Ok(Err(error)) => Err(LayerFailure::Refused(words(&error))),
            Err(error) => Err(diagnose(&error, refused, &run.limits)),
        };
        RunOutcome { reply, powers: guest.powers, peak_memory, linked: ready, took }
    }

    /// Whether everything that the layer imports is here, as far as the linker can tell.
    ///
    /// # Errors
    /// `Invalid` with what it lacks.
    pub fn check_imports<P: HostFunctions>(&self, layer: &LoadedLayer) -> crate::error::Result<()> {
        link::<P>(layer)
            .map(drop)
            .map_err(|error| crate::error::Error::invalid(format!("it cannot be linked: {error:#}")))
    }
}

fn store<P: HostFunctions>(layer: &LoadedLayer, powers: P, run: &RunOptions) -> Store<Guest<P>> {
    let mut wasi = WasiCtx::builder();
    if let Clock::Fixed(moment) = run.clock {
        wasi.wall_clock(FixedClock(Duration::from_millis(moment.unsigned_abs())));
    }
    run.outside.open(&mut wasi);
    let mut handles = ResourceTable::new();
    handles.set_max_capacity(HANDLES);
    let guest = Guest { powers, wasi: wasi.build(), handles, growth: Growth::new(run.limits) };
    let mut store = Store::new(layer.component.engine(), guest);
    store.limiter(|guest| &mut guest.growth);
    store.set_hostcall_fuel(HOSTCALL_FUEL + run.limits.host_call_bytes);
    store.set_epoch_deadline(run.ticks);
    store
}

fn link<P: HostFunctions>(layer: &LoadedLayer) -> wasmtime::Result<InstancePre<Guest<P>>> {
    let mut linker = Linker::new(layer.component.engine());
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
    host::Host_::add_to_linker::<_, HasHost<P>>(&mut linker, |guest: &mut Guest<P>| &mut guest.powers)?;
    linker.instantiate_pre(&layer.component)
}

/// The reply, unless it is larger than the layer's output may be.
fn within(reply: types::Reply, limit: usize) -> Result<types::Reply, LayerFailure> {
    let size = size(&reply);
    if size > limit {
        return Err(LayerFailure::Limit(format!(
            "output limit of {limit} bytes exceeded by {} bytes",
            size - limit
        )));
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
