//! The host functions of the contract, one file for each imported interface, and the one place that decides
//! whether a layer may use them.

mod allowance;
mod jobs;
mod llm;
mod log;
mod memory;
mod outside;
mod permit;
mod project;
mod settings;
mod state;
mod tally;
mod trace;
mod transcript;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use allowance::Spent;
pub(crate) use outside::outside;
use permit::Use;
pub use project::ProjectInfo;
pub(crate) use state::SHARED_OWNER;
pub use trace::{HostCall, LayerTrace, PhaseTimes, Trace, TracedHost};

use crate::claude::Transcript;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind};
use crate::layer::Grants;
use crate::llm::Model;
use crate::log::{Level, Log};
use crate::memory::{Memories, Memory};
use crate::sandbox::bindings::types;
use crate::sandbox::{HostFunctions, Limits, Meter};
use crate::state::{ConversationKey, State};

/// What the host functions work on: the same for every layer of an event.
#[derive(Clone)]
pub struct HostContext {
    /// Memories of the project.
    pub memories: Memories,
    /// Values, captures and jobs.
    pub state: State,
    /// The language model, where the person has chosen one.
    pub model: Option<Arc<dyn Model>>,
    /// What was said and done so far, where the event tells.
    pub transcript: Option<Transcript>,
    /// The project, and the process's surroundings.
    pub project: Arc<dyn ProjectInfo>,
    /// Where lines go.
    pub log: Log,
    /// What time it is.
    pub clock: Clock,
    /// Who listens to the layers. Nobody does in a hook.
    pub trace: Option<Trace>,
}

/// Who a layer is, to the host functions.
pub struct LayerIdentity {
    /// Its name.
    pub name: String,
    /// What it may do.
    pub grants: Grants,
    /// Its settings, a JSON object.
    pub settings: String,
    /// What it may use up.
    pub limits: Limits,
    /// The event it answers.
    pub event: &'static str,
    /// Whose context it speaks into.
    pub conversation: ConversationKey,
}

/// The host functions as one layer has them during one event.
pub struct LayerHost {
    host: HostContext,
    layer: LayerIdentity,
    meter: Meter,
    read: HashMap<String, Memory>,
    shown: Option<HashSet<String>>,
    asked: Spent,
    /// The first limit that a host call of the layer met, in words.
    met: Option<String>,
}

impl LayerHost {
    /// The host functions for this layer.
    pub fn new(host: HostContext, layer: LayerIdentity) -> Self {
        let meter = Meter::new(layer.limits);
        Self { host, layer, meter, read: HashMap::new(), shown: None, asked: Spent::default(), met: None }
    }

    /// Who listens.
    pub fn trace(&self) -> Option<Trace> {
        self.host.trace.clone()
    }

    /// The memories that the layer has read in this event, by id: those it may show. A limit that it met without a word
    /// of it in its answer is logged here.
    pub fn finish(self) -> HashMap<String, Memory> {
        if let Some(limit) = &self.met {
            self.host.log.write(Level::Warn, Some(&self.layer.name), format!("met a limit: {limit}"));
        }
        self.read
    }
}

/// An error of the host as the contract writes it.
fn wire(error: Error) -> types::Error {
    let text = error.full();
    match error.kind {
        ErrorKind::Denied => types::Error::Denied(text),
        ErrorKind::Invalid => types::Error::Invalid(text),
        ErrorKind::Conflict => types::Error::Conflict(text),
        ErrorKind::NotFound => types::Error::NotFound(text),
        ErrorKind::OverBudget => types::Error::OverBudget(text),
        ErrorKind::Unavailable => types::Error::Unavailable(text),
    }
}

impl types::Host for LayerHost {}
impl HostFunctions for LayerHost {}
