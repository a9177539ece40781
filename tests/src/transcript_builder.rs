//! Builds a transcript in Claude Code's format, line by line.

use serde_json::{Value, json};

/// The entries of a session, each a second after the previous one.
#[derive(Debug, Clone)]
pub struct TranscriptBuilder {
    lines: Vec<Value>,
    calls: usize,
    year: u16,
}

impl Default for TranscriptBuilder {
    fn default() -> Self {
        Self { lines: Vec::new(), calls: 0, year: 2026 }
    }
}

impl TranscriptBuilder {
    /// Creates an empty transcript.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the year of the entries that follow: one to come, for what is said after a hook has answered.
    #[must_use]
    pub fn in_year(self, year: u16) -> Self {
        Self { year, ..self }
    }

    /// Adds a prompt of the person.
    #[must_use]
    pub fn user(self, text: &str) -> Self {
        self.line("user", json!(text))
    }

    /// Adds a text of the assistant.
    #[must_use]
    pub fn assistant(self, text: &str) -> Self {
        self.line("assistant", json!([{ "type": "text", "text": text }]))
    }

    /// Adds a shell command with its output.
    #[must_use]
    pub fn command(self, command: &str, output: &str) -> Self {
        self.tool("Bash", json!({ "command": command }), output, false)
    }

    /// Adds a shell command that fails.
    #[must_use]
    pub fn failure(self, command: &str, error: &str) -> Self {
        self.tool("Bash", json!({ "command": command }), &format!("Exit code 1\n{error}"), true)
    }

    /// Adds a command that the person does not allow, with the words that they type.
    #[must_use]
    pub fn refused(self, command: &str, words: &str) -> Self {
        let frame = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell \
                     you how to proceed, the user said:\n";
        self.tool("Bash", json!({ "command": command }), &format!("{frame}{words}"), true)
    }

    /// Adds a tool call with its result.
    #[must_use]
    pub fn tool(mut self, name: &str, input: Value, result: &str, failed: bool) -> Self {
        self.calls += 1;
        let id = format!("toolu_{}", self.calls);
        let call = json!([{ "type": "tool_use", "id": id, "name": name, "input": input }]);
        let result =
            json!([{ "type": "tool_result", "tool_use_id": id, "content": result, "is_error": failed }]);
        self.line("assistant", call).line("user", result)
    }

    /// Adds a line as it is.
    #[must_use]
    pub fn raw(mut self, line: Value) -> Self {
        self.lines.push(line);
        self
    }

    /// Marks all entries as those of a subagent, whose prompts come from the assistant.
    #[must_use]
    pub fn of_subagent(mut self) -> Self {
        self.lines.iter_mut().for_each(|line| line["isSidechain"] = true.into());
        self
    }

    /// Returns its lines, each with a line break.
    pub fn lines(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn line(mut self, role: &str, content: Value) -> Self {
        let (minutes, seconds) = (self.lines.len() / 60, self.lines.len() % 60);
        let at = format!("{}-01-01T09:{minutes:02}:{seconds:02}.000Z", self.year);
        let message = json!({ "role": role, "content": content });
        self.lines.push(json!({ "type": role, "message": message, "timestamp": at }));
        self
    }
}
