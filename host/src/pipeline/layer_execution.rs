//! Runs one layer on one event or job: loads its compiled code and returns its reply.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::error::{Error, ErrorKind};
use crate::grant::{HostContext, LayerHost, LayerIdentity, ReadMemory, TracedHost, wasi_access};
use crate::layer::{EventName, Grants, Layer};
use crate::roster::Member;
use crate::sandbox::bindings::types::Reply;
use crate::sandbox::{Invocation, LayerFailure, RunOptions, Sandbox};
use crate::state::{ConversationKey, ShownAs};

/// Time after the last deadline within which a stopped layer must report that it stopped. A layer that is
/// still in a host call does not report, and the reply is sent without it.
pub(super) const GRACE_PERIOD: Duration = Duration::from_millis(25);

/// The answer of a layer.
pub(super) struct LayerAnswer {
    /// The layer's name.
    pub(super) layer: String,
    /// The layer's grants.
    pub(super) grants: Grants,
    pub(super) reply: Reply,
    /// The memories that the layer read, by id.
    pub(super) read: HashMap<String, ReadMemory>,
}

/// The reply of a layer and the memories that it read, or the reason why there is no reply.
pub(super) type LayerResult = Result<(Reply, HashMap<String, ReadMemory>), NoReply>;

/// The reason why a layer gave no reply.
pub(super) enum NoReply {
    /// The layer ran and failed.
    Failed(LayerFailure),
    /// The layer was not run, for this reason.
    NotRun(String),
    /// The layer is not compiled yet, which is no failure: a process that the hook starts compiles it.
    NotCompiled,
    /// The layer is suspended, because it failed too often in this session.
    Suspended,
}

impl From<Error> for NoReply {
    /// An unavailable resource may be available to the next event, so it is not counted as a failure. Any
    /// other error is the layer's fault.
    fn from(error: Error) -> Self {
        let text = error.full();
        match error.kind {
            ErrorKind::Unavailable => Self::NotRun(text),
            _ => Self::Failed(LayerFailure::Broken(text)),
        }
    }
}

/// A layer with everything that its run needs, to be moved into its own thread.
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
            shows: if member.config.shows_titles_only { ShownAs::Line } else { ShownAs::Whole },
            limits: member.config.limits,
            event: event.as_str(),
            conversation: conversation.clone(),
        };
        let clock: Clock = host.clock;
        let options = RunOptions { limits: member.config.limits, ticks, clock, wasi };
        Self { layer, host: LayerHost::new(host.clone(), identity), options }
    }

    /// Loads the layer and runs it in this thread.
    pub(super) fn run(self, sandbox: &Sandbox, invocation: &Invocation) -> LayerResult {
        let Self { layer, host, options } = self;
        let began = Instant::now();
        let loaded = sandbox.load_for_event(&layer, options.limits.stack_bytes as usize)?;
        let loaded = loaded.ok_or(NoReply::NotCompiled)?;
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
