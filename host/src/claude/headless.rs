//! The command line of `claude -p` as a plain language model, and its output.
//!
//! The arguments keep the nested client from running hooks, reading a project's files or settings and writing
//! a transcript. They were tested with the client version of the test suite. `llm/claude_cli` starts the
//! process.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use serde_json::Value;

/// The program, unless the configuration names another.
pub const DEFAULT_PROGRAM: &str = "claude";

/// Tokens that the program adds to each request: its identity, the machine, the date, and the tool that takes
/// an answer by schema.
pub const OVERHEAD_TOKENS: u32 = 900;

/// Environment variables with the person's credentials. An error message of the program may quote them.
pub const CREDENTIAL_VARIABLES: [&str; 3] =
    ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/// One request on the command line. The prompt goes to standard input and the system prompt into a file,
/// because
/// every user of the machine can list the arguments of a process. The program takes a schema only as an
/// argument.
#[derive(Debug)]
pub struct HeadlessRequest<'a> {
    /// The model's name.
    pub model: &'a str,
    /// The file with the system prompt.
    pub system: &'a Path,
    /// The JSON Schema of an object that the answer must match.
    pub schema: Option<&'a Value>,
    /// Maximum number of tokens in the answer.
    pub max_tokens: u32,
}

impl HeadlessRequest<'_> {
    /// Returns the arguments. With a single turn the program does not repair an answer that violates the
    /// schema itself.
    pub fn arguments(&self) -> Vec<OsString> {
        const BASE: [&str; 16] = [
            "-p",
            "--settings",
            r#"{"disableAllHooks":true}"#,
            "--setting-sources",
            "",
            "--tools",
            "",
            "--no-session-persistence",
            "--strict-mcp-config",
            "--disable-slash-commands",
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-partial-messages",
            "--max-turns",
            "1",
        ];
        let mut arguments: Vec<OsString> = BASE.iter().map(OsString::from).collect();
        arguments.extend(["--model", self.model, "--system-prompt-file"].map(OsString::from));
        arguments.push(self.system.into());
        if let Some(schema) = self.schema {
            arguments.extend(["--json-schema".into(), schema.to_string().into()]);
        }
        arguments
    }

    /// Returns the environment variables to set. They limit the answer, turn off thinking (whose tokens would
    /// count), make the program give up before its caller does, and silence Interleaf should it be called
    /// all the same.
    pub fn variables(&self) -> [(&'static str, String); 4] {
        [
            ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", self.max_tokens.to_string()),
            ("CLAUDE_CODE_DISABLE_THINKING", "1".to_owned()),
            ("CLAUDE_CODE_MAX_RETRIES", "2".to_owned()),
            ("INTERLEAF_DISABLE", "1".to_owned()),
        ]
    }
}

/// Tells whether an environment variable belongs to the surrounding session and would make the program behave
/// as a part of it. Variables with the person's login are kept.
pub fn is_session_variable(name: &OsStr) -> bool {
    const NAMES: [&str; 8] = [
        "CLAUDECODE",
        "CLAUDE_PID",
        "CLAUDE_PROJECT_DIR",
        "CLAUDE_ENV_FILE",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_SSE_PORT",
        "CLAUDE_CODE_DEBUG_LOGS_DIR",
        "AI_AGENT",
    ];
    const PREFIXES: [&str; 5] = [
        "CLAUDE_PLUGIN_",
        "CLAUDE_CODE_SESSION_",
        "CLAUDE_CODE_CHILD_",
        "CLAUDE_CODE_MESSAGING_",
        "CLAUDE_CODE_REMOTE",
    ];
    let name = name.to_string_lossy();
    NAMES.contains(&&*name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// The final result that the program printed.
#[derive(Debug, Clone, PartialEq)]
pub struct HeadlessResult {
    /// The answer, or the error message.
    pub text: String,
    /// Whether the request failed.
    pub failed: bool,
    /// Whether the answer was cut off at its token limit.
    pub truncated: bool,
    /// Whether there was an answer that violated the schema.
    pub schema_mismatch: bool,
    /// Token counts as the API reports them.
    pub usage: Value,
}

impl HeadlessResult {
    /// Parses the program's standard output, one JSON message on each line. Returns `None` if it holds no
    /// result.
    pub fn parse(output: &[u8]) -> Option<Self> {
        let messages =
            || output.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let result = messages().rfind(|message: &Value| message["type"] == "result");
        result.map(|result| Self::of_result(&result)).or_else(|| Self::of_truncated(messages()))
    }

    /// Returns the result of an answer that reached its token limit, after which the program was stopped.
    fn of_truncated(messages: impl Iterator<Item = Value>) -> Option<Self> {
        let (mut usage, mut truncated) = (Value::Null, false);
        for message in messages {
            let event = &message["event"];
            match event["type"].as_str() {
                Some("message_start") => usage = event["message"]["usage"].clone(),
                Some("message_delta") if event["delta"]["stop_reason"] == "max_tokens" => {
                    usage["output_tokens"] = event["usage"]["output_tokens"].clone();
                    truncated = true;
                }
                _ => {}
            }
        }
        let (text, failed, schema_mismatch) = (String::new(), true, false);
        truncated.then_some(Self { text, failed, truncated, schema_mismatch, usage })
    }

    fn of_result(result: &Value) -> Self {
        let by_schema = Some(&result["structured_output"]).filter(|output| !output.is_null());
        let text = result["result"].as_str().or(result["errors"][0].as_str()).unwrap_or_default();
        Self {
            text: by_schema.map_or_else(|| text.to_owned(), Value::to_string),
            failed: result["is_error"].as_bool().unwrap_or(true),
            truncated: result["api_error"] == "max_output_tokens" || result["stop_reason"] == "max_tokens",
            schema_mismatch: result["subtype"] == "error_max_turns",
            usage: result["usage"].clone(),
        }
    }
}

/// Tells whether this line of output reports an answer at its token limit. The program would then ask for the
/// rest up to three times, which costs tokens and helps nothing.
pub fn reports_truncation(line: &[u8]) -> bool {
    const STOP: &[u8] = br#""stop_reason":"max_tokens""#;
    line.starts_with(br#"{"type":"stream_event""#) && line.windows(STOP.len()).any(|part| part == STOP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_result_is_parsed_as_the_client_prints_it() {
        let usage = json!({"input_tokens": 100, "output_tokens": 20});
        let message = json!({"type": "result", "subtype": "success", "is_error": false, "result": "fine",
            "stop_reason": "end_turn", "usage": usage});
        let result = HeadlessResult::parse(message.to_string().as_bytes()).expect("a result");

        assert_eq!(
            (result.text.as_str(), result.failed, result.truncated, result.schema_mismatch),
            ("fine", false, false, false)
        );
        assert_eq!(result.usage, usage);
        assert_eq!(HeadlessResult::parse(b"Not logged in"), None);
    }

    #[test]
    fn an_answer_at_its_token_limit_is_recognized_by_its_line() {
        let message = json!({"usage": {"input_tokens": 100, "output_tokens": 1}});
        let start = json!({"type": "stream_event", "event": {"type": "message_start", "message": message}});
        let stop = concat!(
            r#"{"type":"stream_event","event":{"type":"message_delta","#,
            r#""delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":20}}}"#,
        );

        assert!(reports_truncation(stop.as_bytes()) && !reports_truncation(start.to_string().as_bytes()));
        let result = HeadlessResult::parse(format!("{start}\n{stop}\n").as_bytes()).expect("a result");
        assert_eq!(
            (result.truncated, result.usage),
            (true, json!({"input_tokens": 100, "output_tokens": 20}))
        );
    }

    #[test]
    fn variables_of_the_session_do_not_reach_the_nested_client() {
        for name in
            ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_MESSAGING_TOKEN"]
        {
            assert!(is_session_variable(OsStr::new(name)), "{name}");
        }
        for name in [
            "CLAUDE_CONFIG_DIR",
            "CLAUDE_CODE_OAUTH_TOKEN",
            "CLAUDE_CODE_USE_BEDROCK",
            "ANTHROPIC_API_KEY",
            "PATH",
        ] {
            assert!(!is_session_variable(OsStr::new(name)), "{name}");
        }
    }
}
