//! `[layers.posttool.settings]`: the tools whose output is scanned, the minimum score of a capture, and the
//! weight of each signal.

use interleaf_layer::settings::Table;

use crate::signals::Signal;

/// Tools whose output describes what happened. The output of `Read`, `Write`, `Edit`, `Grep` and `Glob` is
/// existing text, so an error in it did not happen now.
const DEFAULT_TOOLS: [&str; 3] = ["Bash", "WebFetch", "Agent"];

/// Minimum score of a capture.
const DEFAULT_THRESHOLD: f64 = 0.6;

/// Maximum number of memories of which only the title is shown.
const DEFAULT_TITLES: u64 = 2;

/// Largest value of the setting `titles`.
const MAX_TITLES: u64 = 20;

/// The settings. An invalid value is replaced by its default.
#[derive(Debug, Clone)]
pub struct Settings {
    tools: Vec<String>,
    /// Minimum score of a capture.
    pub threshold: f64,
    weights: Table,
    /// Whether a failure shows the fixes known for it.
    pub fixes: bool,
    /// Maximum number of memories of which only the title is shown.
    pub titles: u32,
    /// Whether a failing command becomes a topic.
    pub promote: bool,
}

impl Settings {
    /// Reads the settings from JSON text.
    pub fn parse(json: &str) -> Self {
        let settings = Table::parse(json);
        Self {
            tools: settings.texts("tools").unwrap_or_else(|| DEFAULT_TOOLS.map(str::to_owned).to_vec()),
            threshold: settings.number("threshold", 0.0..=1.0).unwrap_or(DEFAULT_THRESHOLD),
            weights: settings.table("weights"),
            fixes: settings.switch("fixes").unwrap_or(true),
            titles: settings.integer("titles", ..=MAX_TITLES).unwrap_or(DEFAULT_TITLES) as u32,
            promote: settings.switch("promote").unwrap_or(true),
        }
    }

    /// Tells whether the output of this tool is scanned. Failures are scanned for every tool.
    pub fn is_tool_enabled(&self, tool: &str) -> bool {
        self.tools.iter().any(|pattern| {
            pattern == tool || pattern.strip_suffix('*').is_some_and(|prefix| tool.starts_with(prefix))
        })
    }

    /// Returns the weight of a signal.
    pub fn weight(&self, signal: Signal) -> f64 {
        self.weights.number(signal.name(), 0.0..=1.0).unwrap_or_else(|| signal.weight())
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::parse("{}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_or_invalid_setting_has_its_default() {
        for json in ["", "{}", "[1]", r#"{"threshold": 7, "tools": "Bash", "weights": {"word": -1}}"#] {
            let settings = Settings::parse(json);

            assert!(settings.is_tool_enabled("Bash") && !settings.is_tool_enabled("Read"), "{json}");
            assert_eq!((settings.threshold, settings.weight(Signal::Word)), (0.6, 0.3), "{json}");
        }
    }

    #[test]
    fn tools_threshold_and_weights_can_be_set() {
        let json =
            r#"{"tools": ["Read", "mcp__*"], "threshold": 0.4, "weights": {"word": 0.9}, "promote": false}"#;

        let settings = Settings::parse(json);

        assert!(
            settings.is_tool_enabled("Read")
                && settings.is_tool_enabled("mcp__db__query")
                && !settings.is_tool_enabled("Bash")
        );
        assert_eq!((settings.threshold, settings.weight(Signal::Word), settings.promote), (0.4, 0.9, false));
    }
}
