//! The Messages API of Anthropic. An answer by schema is asked for as the input of a tool that the model must
//! use.

use serde_json::{Value, json};

use super::http_client::HttpClient;
use super::key_source::KeySource;
use super::model_client::{ClientError, ClientRequest, ClientResponse, ModelClient, Usage};
use crate::error::Error;

/// Where it is, unless somebody else offers the same.
pub(super) const DEFAULT_BASE_URL: &str = "https://api.anthropic.com";
/// The usual name of the variable with the key.
pub(super) const KEY_VARIABLE: &str = "ANTHROPIC_API_KEY";
/// The version of the API that the fields below are of.
const VERSION: &str = "2023-06-01";
/// What the API adds for a question, and for a tool that must be used: 346 tokens by its documentation, and
/// the names.
const OVERHEAD_TOKENS: (u32, u32) = (20, 450);

/// The client.
pub(super) struct Anthropic {
    http: HttpClient,
}

impl Anthropic {
    pub fn new(base: &str, key: KeySource) -> Self {
        // The documentation of some servers names the base with the version, and of some without.
        Self { http: HttpClient::new(base.strip_suffix("/v1").unwrap_or(base), key) }
    }
}

impl ModelClient for Anthropic {
    fn ask(&self, request: &ClientRequest) -> Result<ClientResponse, ClientError> {
        let headers = |key: Option<&str>| {
            let key = key.map(|key| ("x-api-key", key.to_owned()));
            key.into_iter().chain([("anthropic-version", VERSION.to_owned())]).collect()
        };
        let message = self.http.post("/v1/messages", headers, &body(request), request.deadline)?;
        read(&message, request)
    }

    fn ready(&self) -> Result<(), Error> {
        self.http.ready()
    }

    fn adds(&self, schema: bool) -> u32 {
        if schema { OVERHEAD_TOKENS.1 } else { OVERHEAD_TOKENS.0 }
    }
}

fn body(request: &ClientRequest) -> Value {
    let mut body = json!({
        "model": request.model, "max_tokens": request.max_tokens,
        "messages": [{"role": "user", "content": request.prompt}],
    });
    if !request.system.is_empty() {
        body["system"] = json!(request.system);
    }
    if let Some(schema) = request.schema {
        body["tools"] =
            json!([{"name": "answer", "description": "Takes the answer.", "input_schema": schema}]);
        body["tool_choice"] = json!({"type": "tool", "name": "answer", "disable_parallel_tool_use": true});
    }
    body
}

fn read(message: &Value, request: &ClientRequest) -> Result<ClientResponse, ClientError> {
    let input = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let usage = Usage::read(&message["usage"], &input, "output_tokens");
    match message["stop_reason"].as_str() {
        Some("max_tokens" | "model_context_window_exceeded") => {
            return Err(ClientError::truncated(request.model, request.max_tokens, usage));
        }
        Some("refusal") => return Err(ClientError::declined(request.model, usage)),
        _ => {}
    }
    let blocks = || message["content"].as_array().into_iter().flatten();
    let tool = blocks().find(|block| block["type"] == "tool_use").map(|block| block["input"].to_string());
    let words = || blocks().filter_map(|block| block["text"].as_str()).collect();
    Ok(ClientResponse { text: tool.unwrap_or_else(words), usage })
}
