//! The host functions of the contract, one file for each imported interface. `access.rs` alone decides
//! whether a layer may use them.

mod access;
mod call_trace;
mod jobs_interface;
mod llm_interface;
mod log_interface;
mod memory_interface;
mod model_quota;
mod project_interface;
mod sessions_interface;
mod settings_interface;
mod shared_counter;
mod state_interface;
mod transcript_interface;
mod wasi_access;
mod wit_json;

use std::collections::HashMap;
use std::sync::Arc;

use access::{Access, CallLimiter};
pub use call_trace::{HostCall, LayerTrace, PhaseTimes, Trace, TracedHost};
use memory_interface::LastSearch;
use model_quota::ModelUsage;
pub use project_interface::ProjectInfo;
pub(crate) use project_interface::existing_below;
pub(crate) use state_interface::SHARED_OWNER;
pub(crate) use wasi_access::wasi_access;

use crate::claude::Transcript;
use crate::clock::Clock;
use crate::config::Limits;
use crate::error::{Error, ErrorKind};
use crate::layer::Grants;
use crate::llm::Model;
use crate::log::{Level, Log};
use crate::memory::{Memories, Memory, OwnMemories};
use crate::sandbox::HostFunctions;
use crate::sandbox::bindings::types;
use crate::sessions::Record;
use crate::state::{ConversationKey, ShownAs, State};

/// The data and services that the host functions use: the same for every layer of an event.
#[derive(Clone)]
pub struct HostContext {
    /// The memories of the project.
    pub memories: Memories,
    /// The values, captures and jobs of the project.
    pub state: State,
    /// The language model, if the user has chosen one.
    pub model: Option<Arc<dyn Model>>,
    /// The transcript, if the event names one.
    pub transcript: Option<Transcript>,
    /// The record of the project's sessions, if there may be one.
    pub record: Option<Record>,
    /// The project and the process's environment.
    pub project: Arc<dyn ProjectInfo>,
    /// The log.
    pub log: Log,
    /// The time that layers and stores see.
    pub clock: Clock,
    /// Records the host calls, if set. A hook never sets it.
    pub trace: Option<Trace>,
}

/// The layer that calls the host functions, with its grants, settings and limits.
pub struct LayerIdentity {
    /// The layer's name.
    pub name: String,
    /// Its grants.
    pub grants: Grants,
    /// Its settings, a JSON object.
    pub settings: String,
    /// The most that it shows of a memory that it found by itself.
    pub shows: ShownAs,
    /// Its limits.
    pub limits: Limits,
    /// The event that the layer answers.
    pub event: &'static str,
    /// The conversation that the event belongs to.
    pub conversation: ConversationKey,
}

/// A memory that a layer has read.
#[derive(Debug, Clone)]
pub struct ReadMemory {
    /// The memory.
    pub memory: Memory,
    /// How much of it the layer may show: a line if it was only suggested.
    pub shown_as: ShownAs,
    /// Whether its title is cut: a mere suggestion must not cost many tokens.
    pub is_title_cut: bool,
    /// Whether the session saved it itself and still knows it.
    pub is_own: bool,
}

/// The host functions for one layer during one event.
pub struct LayerHost {
    host: HostContext,
    layer: LayerIdentity,
    limiter: CallLimiter,
    /// The memories that the layer has read, by id.
    read: HashMap<String, ReadMemory>,
    /// The memories that the conversation was shown before, read at their first use.
    shown: Option<HashMap<String, ShownAs>>,
    /// Which memories the session saved itself and still knows, found out at the first use.
    own: Option<OwnMemories>,
    /// The layer's last search, if any.
    last_search: Option<LastSearch>,
    /// The layer's use of the model in this event.
    model_usage: ModelUsage,
    /// The first limit that a host call exceeded.
    first_exceeded_limit: Option<String>,
}

impl LayerHost {
    /// Creates the host functions for this layer.
    pub fn new(host: HostContext, layer: LayerIdentity) -> Self {
        Self {
            limiter: CallLimiter::new(layer.limits),
            host,
            layer,
            read: HashMap::new(),
            shown: None,
            own: None,
            last_search: None,
            model_usage: ModelUsage::default(),
            first_exceeded_limit: None,
        }
    }

    /// Returns the trace that records this layer's host calls, if any.
    pub fn trace(&self) -> Option<Trace> {
        self.host.trace.clone()
    }

    /// Returns the memories that the layer has read in this event, by id; it may show only these. Logs the
    /// first limit that the layer exceeded, because its reply may not mention it.
    pub fn finish(self) -> HashMap<String, ReadMemory> {
        if let Some(limit) = &self.first_exceeded_limit {
            let message = format!("exceeded a limit: {limit}");
            self.host.log.write(Level::Warn, Some(&self.layer.name), message);
        }
        self.read
    }
}

/// Converts an error of the host to an error of the contract.
fn wit_error(error: Error) -> types::Error {
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
