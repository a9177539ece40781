//! Whether sessions are recorded, and how much of them is kept.

/// Maximum size of the record of one project, and of all projects, in megabytes.
const MAX_MB: u64 = 300;
const TOTAL_MAX_MB: u64 = 2_000;

/// The settings that begin with `record`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordConfig {
    /// What the person chose for all projects.
    pub choice: RecordChoice,
    /// Whether the project's own file switches recording off.
    pub is_off_by_project: bool,
    /// Days after which a turn is removed; 0 to follow Claude Code.
    pub keep_days: u64,
    /// Maximum size of one project's record, in megabytes.
    pub max_mb: u64,
    /// Maximum size of the records of all projects, in megabytes.
    pub total_max_mb: u64,
}

/// A person's choice whether sessions are recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RecordChoice {
    /// They have not been asked; nothing is recorded.
    #[default]
    Ask,
    /// Sessions are recorded.
    On,
    /// Nothing is recorded.
    Off,
}

impl RecordChoice {
    /// The values in the configuration.
    pub const NAMES: &[&str] = &["on", "off"];

    /// Returns the value in the configuration; `None` if the person has not been asked.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Ask => None,
            Self::On => Some("on"),
            Self::Off => Some("off"),
        }
    }

    /// Reads a value of the configuration. Anything unknown is no choice.
    pub fn parse(name: &str) -> Self {
        [Self::On, Self::Off].into_iter().find(|choice| choice.name() == Some(name)).unwrap_or_default()
    }
}

impl Default for RecordConfig {
    fn default() -> Self {
        Self {
            choice: RecordChoice::Ask,
            is_off_by_project: false,
            keep_days: 0,
            max_mb: MAX_MB,
            total_max_mb: TOTAL_MAX_MB,
        }
    }
}
