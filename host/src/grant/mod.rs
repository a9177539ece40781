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
pub use project::Facts;
pub(crate) use state::SHARED;
pub use trace::{Call, Phases, Trace, Traced, Turn};

use crate::claude::Transcript;
use crate::clock::Clock;
use crate::error::{Error, ErrorKind};
use crate::layer::Grants;
use crate::llm::Model;
use crate::log::{Level, Log};
use crate::memory::{Memories, Memory};
use crate::sandbox::bindings::types;
use crate::sandbox::{Limits, Meter, Powers};
use crate::state::State;

/// What the host functions work on: the same for every layer of an event.
#[derive(Clone)]
pub struct World {
    /// Memories of the project.
    pub memories: Memories,
    /// Values, captures and jobs.
    pub state: State,
    /// The language model, where the person has chosen one.
    pub model: Option<Arc<dyn Model>>,
    /// What was said and done so far, where the event tells.
    pub transcript: Option<Transcript>,
    /// The project, and the process's surroundings.
    pub project: Arc<dyn Facts>,
    /// Where lines go.
    pub log: Log,
    /// What time it is.
    pub clock: Clock,
    /// Who listens to the layers. Nobody does in a hook.
    pub trace: Option<Trace>,
}

/// Whose context is answered: a conversation, or a subagent within it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// The session's id.
    pub session: String,
    /// The subagent's id; empty for the main conversation.
    pub agent: String,
}

impl Context {
    /// The same, as the state keeps it.
    pub fn key(&self) -> crate::state::Context<'_> {
        crate::state::Context { session: &self.session, agent: &self.agent }
    }
}

/// Who a layer is, to the host functions.
pub struct Holder {
    /// Its name.
    pub layer: String,
    /// What it may do.
    pub grants: Grants,
    /// Its settings, a JSON object.
    pub settings: String,
    /// What it may use up.
    pub limits: Limits,
    /// The event it answers.
    pub event: &'static str,
    /// Whose context it speaks into.
    pub context: Context,
}

/// The host functions as one layer has them during one event.
pub struct Granted {
    world: World,
    holder: Holder,
    meter: Meter,
    read: HashMap<String, Memory>,
    shown: Option<HashSet<String>>,
    asked: Spent,
    /// The first limit that a host call of the layer met, in words.
    met: Option<String>,
}

impl Granted {
    /// The host functions for this layer.
    pub fn new(world: World, holder: Holder) -> Self {
        let meter = Meter::new(holder.limits);
        Self { world, holder, meter, read: HashMap::new(), shown: None, asked: Spent::default(), met: None }
    }

    /// Who listens.
    pub fn trace(&self) -> Option<Trace> {
        self.world.trace.clone()
    }

    /// The memories that the layer has read in this event, by id: those it may show. A limit that it met without a word
    /// of it in its answer is logged here.
    pub fn finish(self) -> HashMap<String, Memory> {
        if let Some(limit) = &self.met {
            self.world.log.write(Level::Warn, Some(&self.holder.layer), format!("met a limit: {limit}"));
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

impl types::Host for Granted {}
impl Powers for Granted {}
