//! The model that the person configured. Each request is redacted, reserves its tokens under the cap and goes
//! to the client; an answer with a schema is checked and repaired once.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::answer_schema::{AnswerSchema, repair};
use super::anthropic::{self, Anthropic};
use super::api_key;
use super::claude_cli::ClaudeCli;
use super::model_client::{CallCost, ClientError, ClientRequest, ClientResponse, ModelClient};
use super::openai::{self, OpenAi};
use super::spend_cap::SpendCap;
use super::token_count::{InputEstimate, charged_tokens, completion};
use super::{Completion, CompletionRequest, Model, ModelTier};
use crate::clock::Clock;
use crate::config::{ClientKind, ModelConfig};
use crate::dirs::Folders;
use crate::error::{Error, Result};
use crate::redact::Redactor;
use crate::secret_source::SecretSource;

/// The configured model.
pub struct ConfiguredModel {
    client: Box<dyn ModelClient>,
    models: [String; 2],
    key: SecretSource,
    cap: SpendCap,
    redactor: Redactor,
    timeout: Duration,
    /// Whether the server has refused a schema.
    refuses_schemas: AtomicBool,
}

impl ConfiguredModel {
    /// Returns the model that the configuration names; `None` if it names none.
    ///
    /// # Errors
    /// `Invalid` if the configuration is incomplete.
    pub fn from_config(
        config: &ModelConfig,
        folders: &Folders,
        project: &Path,
        redactor: Redactor,
        clock: Clock,
    ) -> Result<Option<Self>> {
        let Some((client, key)) = client(config, folders, project) else { return Ok(None) };
        if config.is_base_url_rejected {
            return Err(Error::invalid("the server of the model is not known: `llm.base_url` is not valid")
                .hint("interleaf config check"));
        }
        let models = model_names(config)?;
        let cap = SpendCap::new(&folders.data, clock, config.daily_tokens, config.session_tokens);
        let timeout = Duration::from_secs(config.timeout_seconds);
        let refuses_schemas = AtomicBool::new(false);
        Ok(Some(Self { client, models, key, cap, redactor, timeout, refuses_schemas }))
    }

    /// Returns the name of the model of a tier.
    pub fn model_name(&self, tier: ModelTier) -> &str {
        &self.models[tier as usize]
    }

    /// Returns the source of its key.
    pub fn key_source(&self) -> &SecretSource {
        &self.key
    }

    /// Checks, without a call, that the model can be asked.
    ///
    /// # Errors
    /// `Unavailable` if the key or the program is missing.
    pub fn ready(&self) -> Result<()> {
        self.client.ready()
    }

    /// Returns the request without secrets. Only this copy is sent.
    fn redacted(&self, request: &CompletionRequest) -> CompletionRequest {
        let redact = |text: &str| self.redactor.redact(text).into_owned();
        CompletionRequest {
            tier: request.tier,
            system: redact(&request.system),
            prompt: redact(&request.prompt),
            schema: request.schema.as_deref().map(redact),
            max_tokens: request.max_tokens,
        }
    }

    /// Completes a request with a schema. If the answer violates the schema, asks for a repair once.
    fn complete_with_schema(
        &self,
        session: &str,
        request: &CompletionRequest,
        schema: &str,
    ) -> Result<Completion> {
        let schema = AnswerSchema::read(schema)?;
        let first = self.ask(session, request, Some(&schema))?;
        let violation = match schema.check(&first.text) {
            Ok(text) => return Ok(Completion { text, ..first }),
            Err(violation) => violation,
        };
        let prompt = self.redactor.redact(&repair(&request.prompt, &first.text, &violation)).into_owned();
        let second = self.ask(session, &CompletionRequest { prompt, ..request.clone() }, Some(&schema))?;
        match schema.check(&second.text) {
            Ok(text) => Ok(Completion {
                text,
                input_tokens: first.input_tokens.saturating_add(second.input_tokens),
                output_tokens: first.output_tokens.saturating_add(second.output_tokens),
            }),
            Err(violation) => {
                let violation = self.redactor.redact(&violation).into_owned();
                let name = self.model_name(request.tier);
                Err(Error::unavailable(format!(
                    "the answer of {name} does not match the schema, even after a repair: {violation}"
                )))
            }
        }
    }

    /// Calls the model. If the server refuses the schema, calls it once more with the schema in the system
    /// prompt.
    fn ask(
        &self,
        session: &str,
        request: &CompletionRequest,
        schema: Option<&AnswerSchema>,
    ) -> Result<Completion> {
        let enforced = schema
            .filter(|schema| schema.object().is_some() && !self.refuses_schemas.load(Ordering::Relaxed));
        if enforced.is_some() || schema.is_none() {
            match self.call(session, request, schema, enforced.is_some()) {
                Err(failure) if failure.refused && enforced.is_some() => {}
                result => return result.map_err(|failure| self.redacted_error(failure)),
            }
        }
        let system = schema.map_or_else(|| request.system.clone(), |schema| schema.instruct(&request.system));
        let request = CompletionRequest { system, ..request.clone() };
        let result = self.call(session, &request, schema, false);
        if result.is_ok() && enforced.is_some() {
            self.refuses_schemas.store(true, Ordering::Relaxed);
        }
        result.map_err(|failure| self.redacted_error(failure))
    }

    /// Reserves tokens under the cap, calls the model once and settles the reservation. Of an answer that was
    /// cut off, it returns what is complete by the schema.
    fn call(
        &self,
        session: &str,
        request: &CompletionRequest,
        schema: Option<&AnswerSchema>,
        is_enforced: bool,
    ) -> Result<Completion, ClientError> {
        let input = InputEstimate {
            request: request.estimated_input_tokens(),
            overhead: self.client.overhead_tokens(request.schema.is_some()),
        };
        let max_total = input.max_total(request.max_tokens);
        let reservation = self
            .cap
            .reserve(request.tier, session, max_total)
            .map_err(|error| ClientError::new(error, CallCost::Nothing))?;
        let response = self.client.ask(&ClientRequest {
            model: self.model_name(request.tier),
            system: &request.system,
            prompt: &request.prompt,
            schema: schema.filter(|_| is_enforced).and_then(AnswerSchema::object),
            max_tokens: request.max_tokens,
            deadline: Instant::now() + self.timeout,
        });
        let response = response.or_else(|failure| salvaged(schema, failure));
        let result = response.map(|response| completion(response, input));
        let used = match &result {
            Ok(answer) => u64::from(answer.input_tokens) + u64::from(answer.output_tokens),
            Err(failure) => charged_tokens(failure.cost, input, max_total),
        };
        self.cap.settle(reservation, used);
        result
    }

    /// Returns the error for the layer. The server's message may hold secrets, so it is redacted.
    fn redacted_error(&self, failure: ClientError) -> Error {
        let message = self.redactor.redact(&failure.error.message).into_owned();
        Error { message, ..failure.error }
    }
}

impl Model for ConfiguredModel {
    fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        self.complete_for_session("", request)
    }

    fn complete_for_session(&self, session: &str, request: &CompletionRequest) -> Result<Completion> {
        let request = self.redacted(request);
        match &request.schema {
            None => self.ask(session, &request, None),
            Some(schema) => self.complete_with_schema(session, &request, schema),
        }
    }
}

/// Returns what is complete of an answer that was cut off.
fn salvaged(schema: Option<&AnswerSchema>, failure: ClientError) -> Result<ClientResponse, ClientError> {
    let text = schema.zip(failure.partial.as_deref()).and_then(|(schema, text)| schema.salvage(text));
    match (text, failure.cost) {
        (Some(text), CallCost::Reported(usage)) => Ok(ClientResponse { text, usage }),
        _ => Err(failure),
    }
}

/// Default models, small and strong, of the clients that have defaults. Those of the API are the ids that the
/// pinned `claude` sends for its own two names.
const DEFAULT_MODELS: [(ClientKind, [&str; 2]); 2] = [
    (ClientKind::Claude, ["haiku", "sonnet"]),
    (ClientKind::Anthropic, ["claude-haiku-5-5", "claude-sonnet-5-5"]),
];

/// Creates the client with the source of its key; `None` if no model is configured.
fn client(
    config: &ModelConfig,
    folders: &Folders,
    project: &Path,
) -> Option<(Box<dyn ModelClient>, SecretSource)> {
    let insecure = config.allow_insecure_http;
    let base = |default: &'static str| config.base_url.as_deref().unwrap_or(default);
    Some(match config.client {
        ClientKind::None => return None,
        ClientKind::Claude => {
            let client = ClaudeCli::new(config.program.as_deref(), &folders.state, project);
            (Box::new(client), SecretSource::NotNeeded)
        }
        ClientKind::Anthropic => {
            let key = api_key::find_source(config, anthropic::KEY_VARIABLE);
            (Box::new(Anthropic::new(base(anthropic::DEFAULT_BASE_URL), key.clone(), insecure)), key)
        }
        ClientKind::OpenAi => {
            let key = api_key::find_source(config, openai::KEY_VARIABLE);
            (Box::new(OpenAi::new(base(openai::DEFAULT_BASE_URL), key.clone(), insecure)), key)
        }
    })
}

/// Returns the names of the small and the strong model.
///
/// # Errors
/// `Invalid` if one is missing.
fn model_names(config: &ModelConfig) -> Result<[String; 2]> {
    let defaults = DEFAULT_MODELS.iter().find(|(client, _)| *client == config.client).map(|(_, names)| names);
    let name = |configured: &Option<String>, tier: ModelTier| {
        let default = || defaults.map(|names| names[tier as usize].to_owned());
        configured.clone().or_else(default).ok_or_else(|| {
            let (tier, client) = (tier.as_str(), config.client.as_str());
            Error::invalid(format!("`llm.{tier}` is not set, and the client {client} has no default model"))
                .hint(format!("write {tier} = \"…\" under [llm] in your config.toml"))
        })
    };
    Ok([name(&config.small, ModelTier::Small)?, name(&config.strong, ModelTier::Strong)?])
}
