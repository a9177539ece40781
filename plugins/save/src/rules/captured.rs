//! What posttool noticed after a tool, as it waits in the queue.

use serde_json::Value;

/// A capture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The id it is known by.
    pub id: String,
    /// The session it was noticed in.
    pub session: String,
    /// `error`, `workaround`, `discovery` or `warning`.
    pub category: String,
    /// `sev-0`, the worst, to `sev-3`.
    pub severity: String,
    /// Command and main line.
    pub summary: String,
    /// `Running: …`, or what another tool was to do.
    pub attempted: String,
    /// How it ended, and what was said.
    pub observation: String,
    /// The tool.
    pub tool: String,
    /// Paths named in it.
    pub files: Vec<String>,
    /// Milliseconds since the Unix epoch.
    pub at: i64,
}

impl Captured {
    /// A capture from its payload; what is missing stays empty.
    pub fn read(id: &str, session: &str, payload: &str) -> Self {
        let payload: Value = serde_json::from_str(payload).unwrap_or_default();
        let text = |name: &str| payload[name].as_str().unwrap_or_default().to_owned();
        let files = payload["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
        Self {
            id: id.to_owned(),
            session: session.to_owned(),
            category: text("category"),
            severity: text("severity"),
            summary: text("summary"),
            attempted: text("attempted"),
            observation: text("observation"),
            tool: text("tool"),
            files: files.map(str::to_owned).collect(),
            at: payload["at"].as_i64().unwrap_or_default(),
        }
    }

    /// The command line that was run, if it was one.
    pub fn command(&self) -> Option<&str> {
        self.attempted.strip_prefix("Running: ")
    }
}
