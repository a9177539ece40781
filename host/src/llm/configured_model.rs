//! The model that the person chose: secrets are taken out of each request, the cap is asked, the client puts
//! the question, and an answer by schema is checked and repaired once.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::answer_schema::{AnswerSchema, repair};
use super::anthropic::{self, Anthropic};
use super::claude_cli::ClaudeCli;
use super::key_source::KeySource;
use super::model_client::{CallCost, ClientError, ClientRequest, ModelClient};
use super::openai::{self, OpenAi};
use super::spend_cap::SpendCap;
use super::token_count::{Sent, cost, counted};
use super::{Completion, CompletionRequest, Model, ModelTier};
use crate::clock::Clock;
use crate::config::{ClientKind, ModelConfig};
use crate::dirs::Folders;
use crate::error::{Error, Result};
use crate::redact::Redactor;

/// The chosen model.
pub struct ConfiguredModel {
    client: Box<dyn ModelClient>,
    models: [String; 2],
    key: KeySource,
    cap: SpendCap,
    redactor: Redactor,
    timeout: Duration,
    /// Whether the server was seen to refuse schemas.
    refuses_schemas: AtomicBool,
}

impl ConfiguredModel {
    /// The model that the configuration names; none where the person chose none.
    ///
    /// # Errors
    /// `Invalid` where the configuration says too little.
    pub fn from_config(
        config: &ModelConfig,
        folders: &Folders,
        project: &Path,
        redactor: Redactor,
        clock: Clock,
    ) -> Result<Option<Self>> {
        let Some((client, key)) = client(config, folders, project) else { return Ok(None) };
        let models = models(config)?;
        let cap = SpendCap::new(&folders.data, clock, config.daily_tokens, config.session_tokens);
        let timeout = Duration::from_secs(config.timeout_seconds);
        let refuses_schemas = AtomicBool::new(false);
        Ok(Some(Self { client, models, key, cap, redactor, timeout, refuses_schemas }))
    }

    /// The name of the model of a tier.
    pub fn model_name(&self, tier: ModelTier) -> &str {
        &self.models[tier as usize]
    }

    /// Where its key comes from.
    pub fn key_source(&self) -> &KeySource {
        &self.key
    }

    /// Whether it could be asked, as far as that can be told without asking.
    ///
    /// # Errors
    /// `Unavailable` where the key or the program is missing.
    pub fn ready(&self) -> Result<()> {
        self.client.ready()
    }

    /// The request without secrets. Nothing but this leaves.
    fn cleared(&self, request: &CompletionRequest) -> CompletionRequest {
        let clear = |text: &str| self.redactor.redact(text).into_owned();
        CompletionRequest {
            tier: request.tier,
            system: clear(&request.system),
            prompt: clear(&request.prompt),
            schema: request.schema.as_deref().map(clear),
            max_tokens: request.max_tokens,
        }
    }

    fn by_schema(&self, session: &str, request: &CompletionRequest, text: &str) -> Result<Completion> {
        let schema = AnswerSchema::read(text)?;
        let first = self.put(session, request, Some(&schema))?;
        let fault = match schema.check(&first.text) {
            Ok(text) => return Ok(Completion { text, ..first }),
            Err(fault) => fault,
        };
        let prompt = self.redactor.redact(&repair(&request.prompt, &first.text, &fault)).into_owned();
        let second = self.put(session, &CompletionRequest { prompt, ..request.clone() }, Some(&schema))?;
        match schema.check(&second.text) {
            Ok(text) => Ok(Completion {
                text,
                input_tokens: first.input_tokens.saturating_add(second.input_tokens),
                output_tokens: first.output_tokens.saturating_add(second.output_tokens),
            }),
            Err(fault) => {
                let fault = self.redactor.redact(&fault).into_owned();
                let name = self.model_name(request.tier);
                Err(Error::unavailable(format!(
                    "the answer of {name} does not match the schema, not even the second: {fault}"
                )))
            }
        }
    }

    /// One call; and one more, with the schema in words, where the server refuses it otherwise.
    fn put(
        &self,
        session: &str,
        request: &CompletionRequest,
        schema: Option<&AnswerSchema>,
    ) -> Result<Completion> {
        let held = schema
            .filter(|schema| schema.object().is_some() && !self.refuses_schemas.load(Ordering::Relaxed));
        if held.is_some() || schema.is_none() {
            match self.call(session, request, held) {
                Err(failure) if failure.refused && held.is_some() => {}
                said => return said.map_err(|failure| self.told(failure)),
            }
        }
        let system = schema.map_or_else(|| request.system.clone(), |schema| schema.instruct(&request.system));
        let said = self.call(session, &CompletionRequest { system, ..request.clone() }, None);
        if said.is_ok() && held.is_some() {
            self.refuses_schemas.store(true, Ordering::Relaxed);
        }
        said.map_err(|failure| self.told(failure))
    }

    /// Reserves, asks and settles.
    fn call(
        &self,
        session: &str,
        request: &CompletionRequest,
        schema: Option<&AnswerSchema>,
    ) -> Result<Completion, ClientError> {
        let sent = Sent {
            asked: request.estimated_input_tokens(),
            added: self.client.adds(request.schema.is_some()),
        };
        let most = sent.most(request.max_tokens);
        let reserved =
            self.cap.reserve(session, most).map_err(|error| ClientError::new(error, CallCost::Nothing))?;
        let said = self.client.ask(&ClientRequest {
            model: self.model_name(request.tier),
            system: &request.system,
            prompt: &request.prompt,
            schema: schema.and_then(AnswerSchema::object),
            max_tokens: request.max_tokens,
            deadline: Instant::now() + self.timeout,
        });
        let said = said.map(|answer| counted(answer, sent));
        let took = match &said {
            Ok(answer) => u64::from(answer.input_tokens) + u64::from(answer.output_tokens),
            Err(failure) => cost(failure.cost, sent, most),
        };
        self.cap.settle(reserved, took);
        said
    }

    /// What a layer is told of a failure: nothing secret, whatever the other side said.
    fn told(&self, failure: ClientError) -> Error {
        let message = self.redactor.redact(&failure.error.message).into_owned();
        Error { message, ..failure.error }
    }
}

impl Model for ConfiguredModel {
    fn complete(&self, request: &CompletionRequest) -> Result<Completion> {
        self.complete_for_session("", request)
    }

    fn complete_for_session(&self, session: &str, request: &CompletionRequest) -> Result<Completion> {
        let request = self.cleared(request);
        match &request.schema {
            None => self.put(session, &request, None),
            Some(schema) => self.by_schema(session, &request, schema),
        }
    }
}

/// The models of the clients that have some of their own, small and strong, where the person names no others.
/// The API's are the ids that the pinned `claude` sends for its own two names.
const DEFAULT_MODELS: [(ClientKind, [&str; 2]); 2] = [
    (ClientKind::Claude, ["haiku", "sonnet"]),
    (ClientKind::Anthropic, ["claude-haiku-5-5", "claude-sonnet-5-5"]),
];

/// The client, and where its key comes from; none where nobody is to be asked.
fn client(
    config: &ModelConfig,
    folders: &Folders,
    project: &Path,
) -> Option<(Box<dyn ModelClient>, KeySource)> {
    let base = |usual: &'static str| config.base_url.as_deref().unwrap_or(usual);
    Some(match config.client {
        ClientKind::None => return None,
        ClientKind::Claude => {
            let client = ClaudeCli::new(config.program.as_deref(), &folders.state, project);
            (Box::new(client), KeySource::Nowhere)
        }
        ClientKind::Anthropic => {
            let key = KeySource::find(config, anthropic::KEY_VARIABLE);
            (Box::new(Anthropic::new(base(anthropic::DEFAULT_BASE_URL), key.clone())), key)
        }
        ClientKind::OpenAi => {
            let key = KeySource::find(config, openai::KEY_VARIABLE);
            (Box::new(OpenAi::new(base(openai::DEFAULT_BASE_URL), key.clone())), key)
        }
    })
}

/// The names of the small and the strong model.
///
/// # Errors
/// `Invalid` where one is missing.
fn models(config: &ModelConfig) -> Result<[String; 2]> {
    let named = DEFAULT_MODELS.iter().find(|(client, _)| *client == config.client).map(|(_, names)| names);
    let name = |said: &Option<String>, tier: ModelTier| {
        let usual = || named.map(|names| names[tier as usize].to_owned());
        said.clone().or_else(usual).ok_or_else(|| {
            let (tier, client) = (tier.as_str(), config.client.as_str());
            Error::invalid(format!(
                "`llm.{tier}` is not set, and the client {client} has no model of its own"
            ))
            .hint(format!("write {tier} = \"…\" under [llm] in your config.toml"))
        })
    };
    Ok([name(&config.small, ModelTier::Small)?, name(&config.strong, ModelTier::Strong)?])
}
