//! What the log tells of an answered event: which layers ran, for how long and with what outcome, and what came of it.
//!
//! Names, numbers and ids, and what layers chose to say of their own decisions; never a prompt, a command or an output.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An answered event.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventRecord {
    /// The tool that the event is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The layers that answer such an event, in their order.
    pub layers: Vec<LayerRecord>,
    /// The decisions that counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionRecord>,
    /// The memories that were shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownMemory>,
    /// How many lines of context were left out: shown before, or no room for them.
    #[serde(skip_serializing_if = "is_none")]
    pub left_out: usize,
    /// UTF-16 units of context.
    pub units: usize,
    /// From the process's start until the reply was printed, in milliseconds.
    pub ms: f64,
}

/// One layer's part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LayerRecord {
    /// Its name.
    pub layer: String,
    /// How long it took, with loading it, in milliseconds.
    pub ms: f64,
    /// What came of it.
    pub outcome: LayerOutcome,
    /// The objects it logged of its decisions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "said")]
    pub logged: Vec<Value>,
}

/// What came of a layer's run. Why one failed is in a line of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerOutcome {
    /// It had nothing to say.
    Silent,
    /// It said something.
    Answered,
    /// It ran and failed, or took too long.
    Failed,
    /// It could not be run.
    NotRun,
    /// It failed too often in this session to be asked again.
    LeftAlone,
}

/// A decision that counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRecord {
    /// Whose.
    pub layer: String,
    /// Which: `deny`, `ask`, `rewrite-input` and so on.
    pub decision: String,
}

/// A memory that was shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShownMemory {
    /// Its id.
    pub memory: String,
    /// How relevant the layer found it, from 0 to 1.
    pub relevance: f64,
    /// By which layer.
    pub layer: String,
}

impl LayerOutcome {
    /// As it is written in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Answered => "answered",
            Self::Failed => "failed",
            Self::NotRun => "not run",
            Self::LeftAlone => "left alone",
        }
    }
}

/// A number with two decimals.
pub fn round_to_hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn is_none(count: &usize) -> bool {
    *count == 0
}
