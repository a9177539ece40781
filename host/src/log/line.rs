//! One line of the log.

use serde::{Deserialize, Serialize};

use super::EventRecord;
use crate::clock::Millis;

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For authors of layers.
    Debug,
    /// Worth knowing.
    Info,
    /// Something was left out or ignored.
    Warn,
    /// Something failed.
    Error,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// When, in milliseconds since the Unix epoch.
    pub at: Millis,
    /// How much it matters.
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
    /// The layer it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Culprit, cause, next step.
    pub message: String,
    /// What came of the event, in the one line that each answered event has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "hook")]
    pub event_record: Option<EventRecord>,
}
