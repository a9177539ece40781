//! `claude -p` as a language model and nothing more: how the program is asked so that no hook of it fires, nothing is read
//! from a project and no transcript is left, and what its result says. Seen with the client of the tests.

use std::ffi::{OsStr, OsString};

use serde_json::Value;

/// The program, where the person names no other.
pub const PROGRAM: &str = "claude";

/// What the program adds to a question of its own accord, in tokens: who it is, what machine it runs on, what day it is,
/// and the tool that takes an answer by schema.
pub const ADDED: u32 = 900;

/// A question for the arguments; the prompt itself goes to standard input, where no list of processes shows it.
#[derive(Debug)]
pub struct Asked<'a> {
    /// The model's name.
    pub model: &'a str,
    /// Its instructions.
    pub system: &'a str,
    /// An object's schema, that the answer must match.
    pub schema: Option<&'a Value>,
    /// Most tokens of the answer.
    pub max_tokens: u32,
}

impl Asked<'_> {
    /// The arguments. One turn is all: an answer that breaks the schema is not asked for again by the program itself.
    pub fn arguments(&self) -> Vec<OsString> {
        const LEAN: [&str; 16] = [
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
        let mut arguments: Vec<OsString> = LEAN.iter().map(OsString::from).collect();
        arguments.extend(["--model", self.model, "--system-prompt", self.system].map(OsString::from));
        if let Some(schema) = self.schema {
            arguments.extend(["--json-schema".into(), schema.to_string().into()]);
        }
        arguments
    }

    /// Variables to set: how long the answer may be and that nothing is thought aloud, which would count; that the program
    /// gives up before its caller does; and that an Interleaf which is called all the same says nothing.
    pub fn variables(&self) -> [(&'static str, String); 4] {
        [
            ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", self.max_tokens.to_string()),
            ("CLAUDE_CODE_DISABLE_THINKING", "1".to_owned()),
            ("CLAUDE_CODE_MAX_RETRIES", "2".to_owned()),
            ("INTERLEAF_DISABLE", "1".to_owned()),
        ]
    }
}

/// Whether a variable belongs to the session that runs this process, and would make the program take itself for a part of
/// it. How the person is logged in, and with whom, is told by others, which stay.
pub fn is_of_session(name: &OsStr) -> bool {
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
    const FAMILIES: [&str; 5] = [
        "CLAUDE_PLUGIN_",
        "CLAUDE_CODE_SESSION_",
        "CLAUDE_CODE_CHILD_",
        "CLAUDE_CODE_MESSAGING_",
        "CLAUDE_CODE_REMOTE",
    ];
    let name = name.to_string_lossy();
    NAMES.contains(&&*name) || FAMILIES.iter().any(|family| name.starts_with(family))
}

/// Variables that hold what the person is logged in with. An error of the program's may quote them.
pub const SECRETS: [&str; 3] = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"];

/// What the program said in the end.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// The answer, or what went wrong.
    pub text: String,
    /// Whether it went wrong.
    pub failed: bool,
    /// Whether the answer was cut off.
    pub truncated: bool,
    /// Whether there was an answer that broke the schema.
    pub misfit: bool,
    /// Tokens, as the API counts them.
    pub usage: Value,
}

impl Said {
    /// Reads the program's standard output, a line for each of its messages; none where it came to no end.
    pub fn read(output: &[u8]) -> Option<Self> {
        let messages =
            || output.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let result = messages().rfind(|message: &Value| message["type"] == "result");
        result.map(|result| Self::of_result(&result)).or_else(|| Self::cut_off(messages()))
    }

    /// An answer that reached its limit, after which nothing was waited for.
    fn cut_off(messages: impl Iterator<Item = Value>) -> Option<Self> {
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
        truncated.then_some(Self { text: String::new(), failed: true, truncated, misfit: false, usage })
    }

    fn of_result(result: &Value) -> Self {
        let by_schema = Some(&result["structured_output"]).filter(|output| !output.is_null());
        let words = result["result"].as_str().or(result["errors"][0].as_str()).unwrap_or_default();
        Self {
            text: by_schema.map_or_else(|| words.to_owned(), Value::to_string),
            failed: result["is_error"].as_bool().unwrap_or(true),
            truncated: result["api_error"] == "max_output_tokens" || result["stop_reason"] == "max_tokens",
            misfit: result["subtype"] == "error_max_turns",
            usage: result["usage"].clone(),
        }
    }
}

/// Whether this line tells of an answer that reached its limit. The program would ask on by itself, up to three times,
/// for what then is no use any more.
pub fn is_cut_off(line: &[u8]) -> bool {
    const STOP: &[u8] = br#""stop_reason":"max_tokens""#;
    line.starts_with(br#"{"type":"stream_event""#) && line.windows(STOP.len()).any(|part| part == STOP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_result_is_read_as_the_client_writes_it() {
        let usage = json!({"input_tokens": 100, "output_tokens": 20});
        let result = json!({"type": "result", "subtype": "success", "is_error": false, "result": "fine",
            "stop_reason": "end_turn", "usage": usage});
        let said = Said::read(result.to_string().as_bytes()).expect("a result");

        assert_eq!(
            (said.text.as_str(), said.failed, said.truncated, said.misfit),
            ("fine", false, false, false)
        );
        assert_eq!(said.usage, usage);
        assert_eq!(Said::read(b"Not logged in"), None);
    }

    #[test]
    fn an_answer_that_reached_its_limit_is_known_by_its_line() {
        let start = json!({"type": "stream_event", "event": {"type": "message_start", "message": {"usage": {"input_tokens": 100, "output_tokens": 1}}}});
        let stop = r#"{"type":"stream_event","event":{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":20}}}"#;

        assert!(is_cut_off(stop.as_bytes()) && !is_cut_off(start.to_string().as_bytes()));
        let said = Said::read(format!("{start}\n{stop}\n").as_bytes()).expect("it is told");
        assert_eq!((said.truncated, said.usage), (true, json!({"input_tokens": 100, "output_tokens": 20})));
    }

    #[test]
    fn the_session_s_own_variables_do_not_reach_the_nested_client() {
        for name in
            ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_MESSAGING_TOKEN"]
        {
            assert!(is_of_session(OsStr::new(name)), "{name}");
        }
        for name in [
            "CLAUDE_CONFIG_DIR",
            "CLAUDE_CODE_OAUTH_TOKEN",
            "CLAUDE_CODE_USE_BEDROCK",
            "ANTHROPIC_API_KEY",
            "PATH",
        ] {
            assert!(!is_of_session(OsStr::new(name)), "{name}");
        }
    }
}
