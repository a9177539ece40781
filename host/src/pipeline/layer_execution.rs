//! One layer's run on one event or job, from its compiled code to its reply.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::error::{Error, ErrorKind};
use crate::grant::{HostContext, LayerHost, LayerIdentity, TracedHost, wasi_access};
use crate::layer::{EventName, Grants, Layer};
use crate::memory::Memory;
use crate::roster::Member;
use crate::sandbox::bindings::types::Reply;
use crate::sandbox::{Invocation, LayerFailure, RunOptions, Sandbox};
use crate::state::ConversationKey;

/// How long after the last deadline a stopped layer may take to report that it stopped. One that sits in a
/// host call reports nothing, and the reply goes out without it.
pub(super) const GRACE_PERIOD: Duration = Duration::from_millis(25);

/// What a layer answered.
pub(super) struct LayerAnswer {
    /// The layer's name.
    pub(super) layer: String,
    /// What the layer may do.
    pub(super) grants: Grants,
    pub(super) reply: Reply,
    /// The memories that it read, by id.
    pub(super) read: HashMap<String, Memory>,
}

/// The reply of a layer and the memories that it read, or why there is no reply.
pub(super) type LayerResult = Result<(Reply, HashMap<String, Memory>), NoReply>;

/// Why a layer gave no reply.
pub(super) enum NoReply {
    /// It ran, and failed.
    Failed(LayerFailure),
    /// It was not run, for this reason.
    NotRun(String),
    /// It is suspended, because it failed too often in this session.
    Suspended,
}

impl From<Error> for NoReply {
    /// What is unavailable now may be available to the next event; any other error is the layer's fault.
    fn from(error: Error) -> Self {
        let text = error.full();
        match error.kind {
            ErrorKind::Unavailable => Self::NotRun(text),
            _ => Self::Failed(LayerFailure::Broken(text)),
        }
    }
}

/// A layer with everything that its run needs, to be moved into a thread of its own.
pub(super) struct LayerRun {
    layer: Layer,
    host: LayerHost,
    options: RunOptions,
}

impl LayerRun {
    /// Prepares a run that ends at this many ticks of the sandbox.
    pub(super) fn new(
        member: &Member,
        event: EventName,
        conversation: &ConversationKey,
        host: &HostContext,
        ticks: u64,
    ) -> Self {
        let layer = member.layer.clone();
        let wasi = wasi_access(&layer.name, &layer.grants, host, conversation);
        let identity = LayerIdentity {
            name: layer.name.to_string(),
            grants: layer.grants.clone(),
            settings: member.config.settings.to_string(),
            limits: member.config.limits,
            event: event.as_str(),
            conversation: conversation.clone(),
        };
        let clock: Clock = host.clock;
        let options = RunOptions { limits: member.config.limits, ticks, clock, wasi };
        Self { layer, host: LayerHost::new(host.clone(), identity), options }
    }

    /// Loads the layer and runs it, in this thread.
    pub(super) fn run(self, sandbox: &Sandbox, invocation: &Invocation) -> LayerResult {
        let Self { layer, host, options } = self;
        let began = Instant::now();
        let loaded = sandbox.load_for_event(&layer, options.limits.stack_bytes as usize)?;
        if let Some(trace) = host.trace() {
            let load_time = began.elapsed();
            let outcome = sandbox.run(&loaded, invocation, TracedHost::new(host), &options);
            return trace.record(&layer.name, load_time, outcome).map_err(NoReply::Failed);
        }
        let outcome = sandbox.run(&loaded, invocation, host, &options);
        let reply = outcome.reply.map_err(NoReply::Failed)?;
        Ok((reply, outcome.host.finish()))
    }
}
