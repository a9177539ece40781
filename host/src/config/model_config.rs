//! `[llm]`: the language model that the user chose, its address and its limits. Only the user's file sets it,
//! because the server or the program receives text of the session.

use std::path::PathBuf;

/// The clients for a language model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClientKind {
    /// No model: memories are saved by rules alone.
    #[default]
    None,
    /// The `claude` program, with its own login.
    Claude,
    /// The Messages API of Anthropic.
    Anthropic,
    /// A server with the chat completions API of OpenAI, such as Ollama, vLLM or LM Studio.
    OpenAi,
}

impl ClientKind {
    /// The names in the configuration.
    pub const NAMES: &'static [&'static str] = &["claude", "anthropic", "openai", "none"];

    /// Returns the name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::None => "none",
        }
    }

    /// Returns the client of this name.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Claude, Self::Anthropic, Self::OpenAi, Self::None]
            .into_iter()
            .find(|kind| kind.as_str() == word)
    }
}

/// The settings under `[llm]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelConfig {
    /// The client.
    pub client: ClientKind,
    /// The model that reads sessions.
    pub small: Option<String>,
    /// The model for judgments.
    pub strong: Option<String>,
    /// The URL of the server, without a trailing slash.
    pub base_url: Option<String>,
    /// Whether the person's URL was rejected. Then no server is asked: the default one would get a key and
    /// text that are meant for another.
    pub is_base_url_rejected: bool,
    /// The environment variable that contains the API key.
    pub key_env: Option<String>,
    /// The file that contains the API key.
    pub key_file: Option<PathBuf>,
    /// Whether a key and text may be sent unencrypted to another machine.
    pub allow_insecure_http: bool,
    /// The `claude` program.
    pub program: Option<PathBuf>,
    /// Seconds per request, including retries.
    pub timeout_seconds: u64,
    /// Tokens per day (UTC), over all projects.
    pub daily_tokens: u64,
    /// Tokens per session and day.
    pub session_tokens: u64,
}

impl Default for ModelConfig {
    /// Returns the defaults. A day's tokens cost a few cents with a small model. A session may use three
    /// fifths of them, so that a session in a loop leaves some for the next. That is enough for about five
    /// drafts of 3,000 tokens each with their verification.
    ///
    /// Saving makes three successive requests (drafts, related memories, verification), and a job has 120
    /// seconds. So each request has 35 seconds. With more time, the last answer could come too late, and a
    /// retry would pay for the first two again.
    fn default() -> Self {
        Self {
            client: ClientKind::None,
            small: None,
            strong: None,
            base_url: None,
            is_base_url_rejected: false,
            key_env: None,
            key_file: None,
            allow_insecure_http: false,
            program: None,
            timeout_seconds: 35,
            daily_tokens: 150_000,
            session_tokens: 60_000,
        }
    }
}

/// Sets one string of `[llm]`, or returns an error text to be placed after the name of the key.
pub(super) type SetModelText = fn(&mut ModelConfig, &str) -> Result<(), String>;

pub(super) fn client(config: &mut ModelConfig, word: &str) -> Result<(), String> {
    config.client = ClientKind::parse(word).unwrap_or_default();
    Ok(())
}

pub(super) fn small(config: &mut ModelConfig, name: &str) -> Result<(), String> {
    config.small = Some(model_name(name)?);
    Ok(())
}

pub(super) fn strong(config: &mut ModelConfig, name: &str) -> Result<(), String> {
    config.strong = Some(model_name(name)?);
    Ok(())
}

pub(super) fn base_url(config: &mut ModelConfig, url: &str) -> Result<(), String> {
    config.base_url = Some(server_url(url)?);
    Ok(())
}

pub(super) fn key_env(config: &mut ModelConfig, name: &str) -> Result<(), String> {
    config.key_env = Some(variable_name(name, "key")?);
    Ok(())
}

/// Checks the name of the environment variable that contains a secret, which messages call `what`.
pub(super) fn variable_name(name: &str, what: &str) -> Result<String, String> {
    let is_allowed = |char: char| char == '_' || char.is_ascii_alphanumeric();
    if name.is_empty()
        || name.starts_with(|first: char| first.is_ascii_digit())
        || !name.chars().all(is_allowed)
    {
        // The value may be the secret itself, so the message does not quote it.
        return Err(format!("must be the name of an environment variable, not the {what} itself"));
    }
    Ok(name.to_owned())
}

pub(super) fn key_file(config: &mut ModelConfig, path: &str) -> Result<(), String> {
    config.key_file = Some(absolute_path(path)?);
    Ok(())
}

/// Sets the program. Does not accept a path below `~/`, because a process that sets `HOME` for a session
/// could replace the program.
pub(super) fn program(config: &mut ModelConfig, path: &str) -> Result<(), String> {
    let is_plain_name = !path.is_empty() && !path.contains('/');
    if !is_plain_name && !path.starts_with('/') {
        return Err("must be the name of a program, or its absolute path".to_owned());
    }
    config.program = Some(PathBuf::from(path));
    Ok(())
}

/// Checks the name of a model. The name becomes an argument of a program, where a leading hyphen would make
/// it an option.
fn model_name(name: &str) -> Result<String, String> {
    let is_valid =
        !name.is_empty() && !name.starts_with('-') && name.chars().all(|char| char.is_ascii_graphic());
    is_valid.then(|| name.to_owned()).ok_or_else(|| "must be the name of a model, without spaces".to_owned())
}

pub(super) fn absolute_path(path: &str) -> Result<PathBuf, String> {
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    let path = match path.strip_prefix("~/") {
        Some(rest) => home().unwrap_or_default().join(rest),
        None => PathBuf::from(path),
    };
    path.is_absolute()
        .then_some(path)
        .ok_or_else(|| "must be an absolute path, or one that begins with `~/`".to_owned())
}

fn server_url(text: &str) -> Result<String, String> {
    let url =
        url::Url::parse(text).map_err(|_| "must be a URL such as http://localhost:11434/v1".to_owned())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err("must begin with http:// or https:// and name a host".to_owned());
    }
    if !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
    {
        return Err("must not contain a user name, password, query or fragment; the API key belongs in \
                    key_env"
            .to_owned());
    }
    Ok(text.trim_end_matches('/').to_owned())
}

/// Returns one of the strings by the name of its key; `None` if it is not set.
pub(super) fn model_text(config: &ModelConfig, name: &str) -> Option<String> {
    let path = |path: &PathBuf| path.display().to_string();
    match name {
        "client" => Some(config.client.as_str().to_owned()),
        "small" => config.small.clone(),
        "strong" => config.strong.clone(),
        "base_url" => config.base_url.clone(),
        "key_env" => config.key_env.clone(),
        "key_file" => config.key_file.as_ref().map(path),
        "program" => config.program.as_ref().map(path),
        _ => None,
    }
}
