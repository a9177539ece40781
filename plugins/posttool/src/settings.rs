//! `[layers.posttool.settings]`: which tools are looked at, how much a capture must weigh, and what each signal weighs.

use serde_json::Value;

use crate::signals::Signal;

/// Tools whose output tells what happened. What `Read`, `Write`, `Edit`, `Grep` and `Glob` bring is text that somebody
/// wrote, and an error in it has not happened.
const TOOLS: [&str; 3] = ["Bash", "WebFetch", "Agent"];

/// A capture weighs at least this (seed 002).
const THRESHOLD: f64 = 0.6;

/// The settings; what cannot be read is as by default.
#[derive(Debug, Clone)]
pub struct Settings {
    tools: Vec<String>,
    /// What a capture must weigh.
    pub threshold: f64,
    weights: Value,
    /// Whether failures bring the fixes that are known for them.
    pub fixes: bool,
    /// Whether failing commands become topics.
    pub promote: bool,
}

impl Settings {
    /// Reads them.
    pub fn read(json: &str) -> Self {
        let settings: Value = serde_json::from_str(json).unwrap_or_default();
        let switch = |name: &str| settings[name].as_bool().unwrap_or(true);
        let named = settings["tools"]
            .as_array()
            .map(|tools| tools.iter().filter_map(Value::as_str).map(str::to_owned));
        Self {
            tools: named.map_or_else(|| TOOLS.map(str::to_owned).to_vec(), Iterator::collect),
            threshold: share(&settings["threshold"]).unwrap_or(THRESHOLD),
            weights: settings["weights"].clone(),
            fixes: switch("fixes"),
            promote: switch("promote"),
        }
    }

    /// Whether the output of this tool is looked at. Failures always are.
    pub fn looks_at(&self, tool: &str) -> bool {
        self.tools
            .iter()
            .any(|known| known == tool || known.strip_suffix('*').is_some_and(|head| tool.starts_with(head)))
    }

    /// What a signal weighs.
    pub fn weight(&self, signal: Signal) -> f64 {
        share(&self.weights[signal.name()]).unwrap_or_else(|| signal.weight())
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::read("{}")
    }
}

fn share(value: &Value) -> Option<f64> {
    value.as_f64().filter(|share| (0.0..=1.0).contains(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_or_makes_no_sense_is_as_by_default() {
        for json in ["", "{}", "[1]", r#"{"threshold": 7, "tools": "Bash", "weights": {"word": -1}}"#] {
            let settings = Settings::read(json);

            assert!(settings.looks_at("Bash") && !settings.looks_at("Read"), "{json}");
            assert_eq!((settings.threshold, settings.weight(Signal::Word)), (0.6, 0.3), "{json}");
        }
    }

    #[test]
    fn tools_threshold_and_weights_can_be_set() {
        let json =
            r#"{"tools": ["Read", "mcp__*"], "threshold": 0.4, "weights": {"word": 0.9}, "promote": false}"#;

        let settings = Settings::read(json);

        assert!(
            settings.looks_at("Read") && settings.looks_at("mcp__db__query") && !settings.looks_at("Bash")
        );
        assert_eq!((settings.threshold, settings.weight(Signal::Word), settings.promote), (0.4, 0.9, false));
    }
}
