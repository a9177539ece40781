//! One run of a tool, read from an event: the tool, its task, its outcome and its output.
//!
//! The shapes are those that Claude Code sends for each tool (recorded in `tests/fixtures/events`). In other
//! shapes it looks for the key names that tools commonly use. Invalid JSON counts as a tool that printed
//! nothing.

use serde_json::Value;

/// How the names of the tools of `interleaf mcp` begin, registered by a project or by the plugin.
const OWN_TOOLS: [&str; 2] = ["mcp__interleaf__", "mcp__plugin_memory_interleaf__"];

/// Tells whether a tool is one of Interleaf's. What it refuses, it has explained to the model already.
pub fn is_own_tool(tool: &str) -> bool {
    OWN_TOOLS.iter().any(|begin| tool.starts_with(begin))
}

/// How a tool run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The tool did not fail.
    Success,
    /// The tool failed, with its exit code if it has one.
    Failure(Option<i32>),
    /// A person or a signal stopped it.
    Interrupted,
}

/// One run of a tool.
#[derive(Debug, Clone)]
pub struct ToolRun {
    /// The name of the tool.
    pub tool: String,
    /// The shell command; none for other tools.
    pub command: Option<String>,
    /// Its task as text: the command, the file, the URL or the description.
    pub task: String,
    /// The file that the tool works on.
    pub file: Option<String>,
    /// Its outcome.
    pub outcome: Outcome,
    /// Its output, standard error first.
    pub output: String,
    /// Whether the client explains that the exit code is not a failure: `grep` that found nothing.
    pub is_explained: bool,
}

impl ToolRun {
    /// Reads the event of a tool that has run.
    pub fn from_response(tool: &str, input: &str, response: &str) -> Self {
        let response: Value = serde_json::from_str(response).unwrap_or_default();
        let is_explained =
            response["returnCodeInterpretation"].as_str().is_some_and(|words| !words.is_empty());
        let text = match tool {
            // The page itself is existing text.
            "WebFetch" => status_line(&response),
            _ => output_text(&response),
        };
        Self { outcome: outcome(&response), output: text, is_explained, ..Self::from_input(tool, input) }
    }

    /// Reads the event of a tool that failed.
    pub fn from_failure(tool: &str, input: &str, error: &str, interrupted: bool) -> Self {
        let (code, text) = exit_code(error);
        let outcome = match (interrupted, code) {
            (true, _) | (_, Some(130)) => Outcome::Interrupted,
            _ => Outcome::Failure(code),
        };
        Self { outcome, output: text.to_owned(), ..Self::from_input(tool, input) }
    }

    fn from_input(tool: &str, input: &str) -> Self {
        let input: Value = serde_json::from_str(input).unwrap_or_default();
        let field =
            |name: &str| input[name].as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
        let command = field("command").filter(|_| tool == "Bash");
        let file = field("file_path").or_else(|| field("notebook_path"));
        let task = command.clone().or_else(|| file.clone());
        let named =
            || ["url", "description", "pattern", "query", "command", "skill"].into_iter().find_map(field);
        let task = task.or_else(named).unwrap_or_default();
        Self {
            tool: tool.to_owned(),
            command,
            task,
            file,
            outcome: Outcome::Success,
            output: String::new(),
            is_explained: false,
        }
    }
}

/// Returns the outcome that a response reports. Some tools (MCP, older shells) report a failure as a result.
fn outcome(response: &Value) -> Outcome {
    if response["interrupted"] == true {
        return Outcome::Interrupted;
    }
    let codes = ["exitCode", "exit_code", "returnCode", "return_code"];
    let code =
        codes.into_iter().find_map(|name| response[name].as_i64()).and_then(|code| i32::try_from(code).ok());
    let is_marked = ["isError", "is_error"].into_iter().any(|name| response[name] == true);
    let has_error_status = matches!(response["status"].as_str(), Some("failed" | "error"));
    let starts_as_error =
        response.as_str().is_some_and(|text| text.starts_with("Error: ") || exit_code(text).0.is_some());
    match code {
        Some(0) => Outcome::Success,
        Some(code) => Outcome::Failure(Some(code)),
        None if is_marked || has_error_status || starts_as_error => {
            Outcome::Failure(response.as_str().and_then(|text| exit_code(text).0))
        }
        None => Outcome::Success,
    }
}

/// Returns all text of a response, errors first.
fn output_text(response: &Value) -> String {
    if response["isImage"] == true {
        return String::new();
    }
    let mut text = String::new();
    match response {
        Value::String(whole) => push(&mut text, exit_code(whole).1),
        Value::Array(blocks) => {
            blocks.iter().for_each(|block| push(&mut text, block["text"].as_str().unwrap_or_default()))
        }
        _ => {}
    }
    for name in ["stderr", "error", "stdout", "output", "content", "result"] {
        match &response[name] {
            Value::String(part) => push(&mut text, part),
            Value::Array(blocks) => {
                blocks.iter().for_each(|block| push(&mut text, block["text"].as_str().unwrap_or_default()));
            }
            _ => {}
        }
    }
    text
}

fn push(text: &mut String, part: &str) {
    if part.is_empty() {
        return;
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(part);
}

/// Returns the status line of a fetched page, if it is an error: `HTTP 404 Not Found`.
fn status_line(response: &Value) -> String {
    match (response["code"].as_i64(), response["codeText"].as_str()) {
        (Some(code), reason) if code >= 400 => format!("HTTP status {code} {}", reason.unwrap_or_default()),
        _ => String::new(),
    }
}

/// Returns the number in a first line `Exit code N`, and the rest.
pub fn exit_code(error: &str) -> (Option<i32>, &str) {
    let rest = error.strip_prefix("Error: ").unwrap_or(error);
    let Some(rest) = rest.strip_prefix("Exit code ") else { return (None, error) };
    let (number, text) = rest.split_once('\n').unwrap_or((rest, ""));
    match number.trim().parse() {
        Ok(code) => (Some(code), text),
        Err(_) => (None, error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_is_separated_from_the_text_of_the_failure() {
        let cases = [
            ("Exit code 1\ncat: x: No such file", Some(1), "cat: x: No such file"),
            ("Exit code 143", Some(143), ""),
            ("boom failed", None, "boom failed"),
            ("Exit code many\nx", None, "Exit code many\nx"),
            ("", None, ""),
        ];
        for (error, code, text) in cases {
            let run = ToolRun::from_failure("Bash", r#"{"command":"x"}"#, error, false);

            assert_eq!((run.outcome, run.output.as_str()), (Outcome::Failure(code), text), "{error}");
        }
    }

    #[test]
    fn the_shapes_of_real_responses_are_read() {
        let bash = r#"{"stdout":"out","stderr":"err","interrupted":false,"isImage":false}"#;
        let agent = r#"{"status":"completed","prompt":"p","content":[{"type":"text","text":"answer"}]}"#;
        let mcp = r#"[{"type":"text","text":"one"},{"type":"text","text":"two"}]"#;
        for (tool, response, text) in [
            ("Bash", bash, "err\nout"),
            ("Agent", agent, "answer"),
            ("mcp__a__b", mcp, "one\ntwo"),
            ("Bash", "broken", ""),
        ] {
            let run = ToolRun::from_response(tool, "{}", response);

            assert_eq!((run.outcome, run.output.as_str()), (Outcome::Success, text), "{response}");
        }
    }

    #[test]
    fn a_failure_reported_as_a_result_is_a_failure() {
        for (response, outcome) in [
            (r#"{"stdout":"x","exitCode":2}"#, Outcome::Failure(Some(2))),
            (r#"{"stdout":"x","exit_code":0}"#, Outcome::Success),
            (r#"{"isError":true,"content":[{"type":"text","text":"no"}]}"#, Outcome::Failure(None)),
            (r#""Error: Exit code 101\nboom""#, Outcome::Failure(Some(101))),
            (r#"{"stdout":"","stderr":"","interrupted":true}"#, Outcome::Interrupted),
        ] {
            assert_eq!(ToolRun::from_response("Bash", "{}", response).outcome, outcome, "{response}");
        }
    }

    #[test]
    fn only_the_status_of_a_fetched_page_is_read() {
        let page = r#"{"bytes":9,"code":200,"codeText":"OK","result":"TypeError: fatal error"}"#;
        let missing = r#"{"bytes":9,"code":404,"codeText":"Not Found","result":"x"}"#;

        assert_eq!(ToolRun::from_response("WebFetch", "{}", page).output, "");
        assert_eq!(ToolRun::from_response("WebFetch", "{}", missing).output, "HTTP status 404 Not Found");
    }
}
