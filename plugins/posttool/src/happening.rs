//! What happened, out of an event: the tool, what was attempted, how it ended and what it printed.
//!
//! The shapes are those that Claude Code sends for each tool (recorded in `tests/fixtures/events`); what is not known
//! is read by the names that tools commonly use. Broken JSON is a tool that printed nothing.

use serde_json::Value;

/// How a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It ran through.
    Well,
    /// It failed, with the exit code where there is one.
    Failed(Option<i32>),
    /// A person or a signal from one stopped it.
    Interrupted,
}

/// What happened.
#[derive(Debug, Clone)]
pub struct Happening {
    /// The tool.
    pub tool: String,
    /// The shell command; none for other tools.
    pub command: Option<String>,
    /// What was attempted, in words: the command, the file, the address, the task.
    pub attempted: String,
    /// The file that the tool was to work on.
    pub file: Option<String>,
    /// How it ended.
    pub end: End,
    /// What it printed, standard error first.
    pub text: String,
    /// Whether the client explained the exit code away: `grep` that found nothing.
    pub explained: bool,
}

impl Happening {
    /// A tool that has run.
    pub fn ran(tool: &str, input: &str, response: &str) -> Self {
        let response: Value = serde_json::from_str(response).unwrap_or_default();
        let explained = response["returnCodeInterpretation"].as_str().is_some_and(|words| !words.is_empty());
        let text = match tool {
            // The page itself is text that somebody wrote.
            "WebFetch" => address_answered(&response),
            _ => printed(&response),
        };
        Self { end: end(&response), text, explained, ..Self::attempted(tool, input) }
    }

    /// A tool that failed.
    pub fn failed(tool: &str, input: &str, error: &str, interrupted: bool) -> Self {
        let (code, text) = exit_code(error);
        let end = match (interrupted, code) {
            (true, _) | (_, Some(130)) => End::Interrupted,
            _ => End::Failed(code),
        };
        Self { end, text: text.to_owned(), ..Self::attempted(tool, input) }
    }

    fn attempted(tool: &str, input: &str) -> Self {
        let input: Value = serde_json::from_str(input).unwrap_or_default();
        let said =
            |name: &str| input[name].as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
        let command = said("command").filter(|_| tool == "Bash");
        let file = said("file_path").or_else(|| said("notebook_path"));
        let attempted = command.clone().or_else(|| file.clone());
        let named =
            || ["url", "description", "pattern", "query", "command", "skill"].into_iter().find_map(said);
        let attempted = attempted.or_else(named).unwrap_or_default();
        Self {
            tool: tool.to_owned(),
            command,
            attempted,
            file,
            end: End::Well,
            text: String::new(),
            explained: false,
        }
    }
}

/// What a response says of its end: tools of others (MCP, older shells) put a failure into a result.
fn end(response: &Value) -> End {
    if response["interrupted"] == true {
        return End::Interrupted;
    }
    let codes = ["exitCode", "exit_code", "returnCode", "return_code"];
    let code =
        codes.into_iter().find_map(|name| response[name].as_i64()).and_then(|code| i32::try_from(code).ok());
    let marked = ["isError", "is_error"].into_iter().any(|name| response[name] == true);
    let status = matches!(response["status"].as_str(), Some("failed" | "error"));
    let told =
        response.as_str().is_some_and(|text| text.starts_with("Error: ") || exit_code(text).0.is_some());
    match code {
        Some(0) => End::Well,
        Some(code) => End::Failed(Some(code)),
        None if marked || status || told => End::Failed(response.as_str().and_then(|text| exit_code(text).0)),
        None => End::Well,
    }
}

/// All that a response holds of text, what went wrong first.
fn printed(response: &Value) -> String {
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

/// The status line of a page that was fetched: `HTTP 404 Not Found`.
fn address_answered(response: &Value) -> String {
    match (response["code"].as_i64(), response["codeText"].as_str()) {
        (Some(code), reason) if code >= 400 => format!("HTTP status {code} {}", reason.unwrap_or_default()),
        _ => String::new(),
    }
}

/// The number in a first line `Exit code N`, and the rest.
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
    fn a_failing_command_has_its_exit_code_apart_from_its_words() {
        let cases = [
            ("Exit code 1\ncat: x: No such file", Some(1), "cat: x: No such file"),
            ("Exit code 143", Some(143), ""),
            ("boom failed", None, "boom failed"),
            ("Exit code many\nx", None, "Exit code many\nx"),
            ("", None, ""),
        ];
        for (error, code, text) in cases {
            let happening = Happening::failed("Bash", r#"{"command":"x"}"#, error, false);

            assert_eq!((happening.end, happening.text.as_str()), (End::Failed(code), text), "{error}");
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
            let happening = Happening::ran(tool, "{}", response);

            assert_eq!((happening.end, happening.text.as_str()), (End::Well, text), "{response}");
        }
    }

    #[test]
    fn a_failure_inside_a_result_is_one() {
        for (response, end) in [
            (r#"{"stdout":"x","exitCode":2}"#, End::Failed(Some(2))),
            (r#"{"stdout":"x","exit_code":0}"#, End::Well),
            (r#"{"isError":true,"content":[{"type":"text","text":"no"}]}"#, End::Failed(None)),
            (r#""Error: Exit code 101\nboom""#, End::Failed(Some(101))),
            (r#"{"stdout":"","stderr":"","interrupted":true}"#, End::Interrupted),
        ] {
            assert_eq!(Happening::ran("Bash", "{}", response).end, end, "{response}");
        }
    }

    #[test]
    fn of_a_page_only_its_status_happened() {
        let page = r#"{"bytes":9,"code":200,"codeText":"OK","result":"TypeError: fatal error"}"#;
        let missing = r#"{"bytes":9,"code":404,"codeText":"Not Found","result":"x"}"#;

        assert_eq!(Happening::ran("WebFetch", "{}", page).text, "");
        assert_eq!(Happening::ran("WebFetch", "{}", missing).text, "HTTP status 404 Not Found");
    }
}
