//! Chat completions as OpenAI has them, and Ollama, vLLM and LM Studio after it. An answer by schema is asked for with
//! `response_format`.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::client::{Answer, Client, Failure, Question, Usage};
use super::http::Http;
use super::key::KeySource;
use crate::error::Error;

/// Where OpenAI's own is.
pub(super) const BASE: &str = "https://api.openai.com/v1";
/// The usual name of the variable with its key.
pub(super) const KEY: &str = "OPENAI_API_KEY";
/// What a chat's frame adds to a question, and a schema's.
const ADDED: (u32, u32) = (20, 100);

/// The client.
pub(super) struct OpenAi {
    http: Http,
    /// Newer models of OpenAI's refuse `max_tokens`, and older servers do not know its new name.
    renamed: AtomicBool,
}

impl OpenAi {
    pub fn new(base: &str, key: KeySource) -> Self {
        Self { http: Http::new(base, key), renamed: AtomicBool::new(false) }
    }

    fn post(&self, question: &Question) -> Result<Value, Failure> {
        let headers = |key: Option<&str>| {
            key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect()
        };
        let body = body(question, self.renamed.load(Ordering::Relaxed));
        self.http.post("/chat/completions", headers, &body, question.deadline)
    }
}

impl Client for OpenAi {
    fn ask(&self, question: &Question) -> Result<Answer, Failure> {
        let chat = match self.post(question) {
            Err(failure) if failure.refused && failure.error.message.contains("max_completion_tokens") => {
                self.renamed.store(true, Ordering::Relaxed);
                self.post(question)?
            }
            chat => chat?,
        };
        read(&chat, question)
    }

    fn ready(&self) -> Result<(), Error> {
        self.http.ready()
    }

    fn adds(&self, schema: bool) -> u32 {
        if schema { ADDED.1 } else { ADDED.0 }
    }
}

fn body(question: &Question, renamed: bool) -> Value {
    let mut messages = vec![json!({"role": "user", "content": question.prompt})];
    if !question.system.is_empty() {
        messages.insert(0, json!({"role": "system", "content": question.system}));
    }
    let limit = if renamed { "max_completion_tokens" } else { "max_tokens" };
    let mut body = json!({"model": question.model, "messages": messages, limit: question.max_tokens});
    if let Some(schema) = question.schema {
        // Not `strict`: that takes only schemas in which every property is required.
        body["response_format"] =
            json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}});
    }
    body
}

fn read(chat: &Value, question: &Question) -> Result<Answer, Failure> {
    let usage = Usage::read(&chat["usage"], &["prompt_tokens"], "completion_tokens");
    let choice = &chat["choices"][0];
    match choice["finish_reason"].as_str() {
        Some("length") => return Err(Failure::truncated(question.model, question.max_tokens, usage)),
        Some("content_filter") => return Err(Failure::declined(question.model, usage)),
        _ if choice["message"]["refusal"].is_string() => {
            return Err(Failure::declined(question.model, usage));
        }
        _ => {}
    }
    Ok(Answer { text: choice["message"]["content"].as_str().unwrap_or_default().to_owned(), usage })
}
