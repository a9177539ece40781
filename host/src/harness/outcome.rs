//! What came of an event.

use std::time::Duration;

use crate::claude::Reply;
use crate::grant::LayerTrace;
use crate::log::LogLine;
use crate::memory::Memory;

/// What came of an event.
#[derive(Debug)]
pub struct Outcome {
    /// What the hook would answer.
    pub reply: Reply,
    /// Everything logged so far, failures of layers among it.
    pub log: Vec<LogLine>,
    /// The active memories afterwards, newest first.
    pub memories: Vec<Memory>,
    /// What was heard of each layer that ran, where somebody listened: its own reply, its host calls, how long its
    /// phases took and how much memory it held. One that could not be loaded is only in the log.
    pub traces: Vec<LayerTrace>,
    /// Time to compile the layers, which a hook never spends.
    pub compile_time: Duration,
    /// How long a hook would have let the most patient layer run. The harness waits longer.
    pub deadline: Duration,
}

impl Outcome {
    /// The context that the model would see; empty for none.
    pub fn context(&self) -> &str {
        self.reply.context.as_deref().unwrap_or_default()
    }
}
