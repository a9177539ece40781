//! The Chat Completions API of OpenAI, which Ollama, vLLM and LM Studio implement, too. A schema is sent as
//! `response_format`.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::http_client::HttpClient;
use super::model_client::{ClientError, ClientRequest, ClientResponse, ModelClient, Usage};
use crate::error::Error;
use crate::secret_source::SecretSource;

/// Base URL of OpenAI's own server.
pub(super) const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1";
/// Default environment variable with the key.
pub(super) const KEY_VARIABLE: &str = "OPENAI_API_KEY";
/// Tokens that the API adds to a request without a schema, and to one with a schema.
const OVERHEAD_TOKENS: (u32, u32) = (20, 100);

/// A client for Chat Completions.
pub(super) struct OpenAi {
    http: HttpClient,
    /// Whether the limit is sent as `max_completion_tokens`: newer models of OpenAI refuse `max_tokens`, and
    /// older servers do not know the new name.
    is_limit_renamed: AtomicBool,
}

impl OpenAi {
    pub fn new(base: &str, key: SecretSource, allow_insecure: bool) -> Self {
        Self { http: HttpClient::new(base, key, allow_insecure), is_limit_renamed: AtomicBool::new(false) }
    }

    fn post(&self, request: &ClientRequest) -> Result<Value, ClientError> {
        let headers = |key: Option<&str>| {
            key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect()
        };
        let body = body(request, self.is_limit_renamed.load(Ordering::Relaxed));
        self.http.post("/chat/completions", headers, &body, request.deadline)
    }
}

impl ModelClient for OpenAi {
    fn ask(&self, request: &ClientRequest) -> Result<ClientResponse, ClientError> {
        let chat = match self.post(request) {
            Err(failure) if failure.refused && failure.error.message.contains("max_completion_tokens") => {
                self.is_limit_renamed.store(true, Ordering::Relaxed);
                self.post(request)?
            }
            chat => chat?,
        };
        read(&chat, request)
    }

    fn ready(&self) -> Result<(), Error> {
        self.http.ready()
    }

    fn overhead_tokens(&self, schema: bool) -> u32 {
        if schema { OVERHEAD_TOKENS.1 } else { OVERHEAD_TOKENS.0 }
    }
}

fn body(request: &ClientRequest, is_limit_renamed: bool) -> Value {
    let mut messages = vec![json!({"role": "user", "content": request.prompt})];
    if !request.system.is_empty() {
        messages.insert(0, json!({"role": "system", "content": request.system}));
    }
    let limit = if is_limit_renamed { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({"model": request.model, "messages": messages, limit: request.max_tokens});
    if let Some(schema) = request.schema {
        // Not `strict`, which only accepts schemas in which every property is required.
        body["response_format"] =
            json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}});
    }
    body
}

fn read(chat: &Value, request: &ClientRequest) -> Result<ClientResponse, ClientError> {
    let usage = Usage::read(&chat["usage"], &["prompt_tokens"], "completion_tokens");
    let choice = &chat["choices"][0];
    let text = choice["message"]["content"].as_str().unwrap_or_default();
    match choice["finish_reason"].as_str() {
        Some("length") => return Err(ClientError::truncated(request, text, usage)),
        Some("content_filter") => return Err(ClientError::declined(request.model, usage)),
        _ if choice["message"]["refusal"].is_string() => {
            return Err(ClientError::declined(request.model, usage));
        }
        _ => {}
    }
    Ok(ClientResponse { text: text.to_owned(), usage })
}
