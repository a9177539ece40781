//! The Messages API of Anthropic. For an answer that matches a schema, the request forces the model to call a
//! tool whose input has that schema.

use serde_json::{Value, json};

use super::http_client::HttpClient;
use super::model_client::{ClientError, ClientRequest, ClientResponse, ModelClient, Usage};
use crate::error::Error;
use crate::secret_source::SecretSource;

/// Base URL of Anthropic's own server.
pub(super) const DEFAULT_BASE_URL: &str = "https://api.anthropic.com";
/// Default environment variable with the key.
pub(super) const KEY_VARIABLE: &str = "ANTHROPIC_API_KEY";
/// Version of the API that defines the fields below.
const VERSION: &str = "2023-06-01";
/// Tokens that the API adds to a request without a schema, and to one with a forced tool: 346 by its
/// documentation, and the names.
const OVERHEAD_TOKENS: (u32, u32) = (20, 450);

/// A client for the Messages API.
pub(super) struct Anthropic {
    http: HttpClient,
}

impl Anthropic {
    pub fn new(base: &str, key: SecretSource, allow_insecure: bool) -> Self {
        // Some servers document their base URL with the version, others without.
        Self { http: HttpClient::new(base.strip_suffix("/v1").unwrap_or(base), key, allow_insecure) }
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

    fn overhead_tokens(&self, schema: bool) -> u32 {
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
    let blocks = || message["content"].as_array().into_iter().flatten();
    let tool = blocks().find(|block| block["type"] == "tool_use").map(|block| block["input"].to_string());
    let text = tool.unwrap_or_else(|| blocks().filter_map(|block| block["text"].as_str()).collect());
    match message["stop_reason"].as_str() {
        Some("max_tokens" | "model_context_window_exceeded") => {
            return Err(ClientError::truncated(request, &text, usage));
        }
        Some("refusal") => return Err(ClientError::declined(request.model, usage)),
        _ => {}
    }
    Ok(ClientResponse { text, usage })
}
