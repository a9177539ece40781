//! What the log stores: one [`LogLine`] for each message, and for each answered event one line with an
//! [`EventRecord`] of the layers that ran and the result.
//!
//! An event record holds names, numbers and ids, and the objects that layers chose to log. It never holds a
//! prompt, a command or an output. The JSON names of the fields are part of the stored format.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::search_record::SearchRecord;
use crate::clock::Millis;

/// Severity of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For layer authors.
    Debug,
    /// Normal operation.
    Info,
    /// Something was left out or ignored.
    Warn,
    /// Something failed.
    Error,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// When it was written, in milliseconds since the Unix epoch.
    pub at: Millis,
    /// Severity.
    pub level: Level,
    /// The project's id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub project: String,
    /// The session's id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// The event that was being answered.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub event: String,
    /// The layer that the message is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Culprit, cause and next step.
    pub message: String,
    /// The result of the event; present in one line of each answered event.
    #[serde(rename = "hook", default, skip_serializing_if = "Option::is_none")]
    pub event_record: Option<EventRecord>,
}

/// How an event was answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventRecord {
    /// The tool that the event is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The layers that answer such an event, in roster order.
    pub layers: Vec<LayerRecord>,
    /// The decisions that took effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionRecord>,
    /// The memories that were shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownMemory>,
    /// Number of context lines that were left out: shown before, or over budget.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// Length of the context in UTF-16 units.
    pub units: usize,
    /// Milliseconds from the start of the process until the reply was printed.
    pub ms: f64,
}

/// One layer's part in an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayerRecord {
    /// The layer's name.
    pub layer: String,
    /// Milliseconds that it took, loading included.
    pub ms: f64,
    /// How the run ended.
    pub outcome: LayerOutcome,
    /// The objects that the layer logged about its decisions.
    #[serde(rename = "said", default, skip_serializing_if = "Vec::is_empty")]
    pub logged: Vec<Value>,
    /// The layer's searches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<SearchRecord>,
}

/// How a layer's run ended. The reason of a failure is in a line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerOutcome {
    /// It answered with an empty reply.
    Silent,
    /// It answered.
    Answered,
    /// It failed or missed its deadline.
    Failed,
    /// It could not be started.
    NotRun,
    /// It was skipped because it had failed too often in this session.
    #[serde(rename = "left-alone")]
    Suspended,
}

/// A decision that took effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// The layer that decided.
    pub layer: String,
    /// The decision: `deny`, `ask`, `rewrite-input` and so on.
    pub decision: String,
}

/// A memory that was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShownMemory {
    /// The memory's id.
    pub memory: String,
    /// Its relevance according to the layer, from 0 to 1.
    pub relevance: f64,
    /// The layer that showed it.
    pub layer: String,
    /// Whether only its title was shown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub as_line: bool,
}

impl LayerOutcome {
    /// Returns the outcome as `interleaf log` prints it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Answered => "answered",
            Self::Failed => "failed",
            Self::NotRun => "not run",
            Self::Suspended => "suspended",
        }
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}
