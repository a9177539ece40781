//! `[llm]`: which language model the person chose, where it is reached and what it may cost. The person's file alone
//! sets it: whoever names the server or the program decides where the session's words go.

use std::path::PathBuf;

/// The kinds of client that can be chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClientKind {
    /// No model: saving goes on by rules alone.
    #[default]
    None,
    /// The `claude` program, with whatever it is logged in with.
    Claude,
    /// The Messages API of Anthropic.
    Anthropic,
    /// A server with the chat completions of OpenAI: Ollama, vLLM, LM Studio.
    OpenAi,
}

impl ClientKind {
    /// All of them, as they are written.
    pub const NAMES: &'static [&'static str] = &["claude", "anthropic", "openai", "none"];

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::None => "none",
        }
    }

    /// Reads one of [`ClientKind::NAMES`].
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Claude, Self::Anthropic, Self::OpenAi, Self::None]
            .into_iter()
            .find(|kind| kind.as_str() == word)
    }
}

/// What the person set under `[llm]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelConfig {
    /// Which client.
    pub client: ClientKind,
    /// The model for drafts.
    pub small: Option<String>,
    /// The model for judgement.
    pub strong: Option<String>,
    /// Where the server is, without the slash at the end.
    pub base_url: Option<String>,
    /// The variable that holds the key.
    pub key_env: Option<String>,
    /// The file that holds the key.
    pub key_file: Option<PathBuf>,
    /// The `claude` program.
    pub program: Option<PathBuf>,
    /// Seconds that one request may take, with all its tries.
    pub timeout_seconds: u64,
    /// Tokens of one day (UTC), over all projects.
    pub daily_tokens: u64,
    /// Tokens of one session in a day.
    pub session_tokens: u64,
}

impl Default for ModelConfig {
    /// A day's tokens cost a few cents with a small model. A session has three fifths of them, so that one that goes round in
    /// circles leaves something to the next, and still enough for some five drafts of 3,000 tokens each with their
    /// verification.
    ///
    /// Saving asks three times in a row (drafts, what they bring to mind, whether they are true), and a job has 120
    /// seconds: so 35 for each, or the last answer would come too late and the first two be paid for again.
    fn default() -> Self {
        Self {
            client: ClientKind::None,
            small: None,
            strong: None,
            base_url: None,
            key_env: None,
            key_file: None,
            program: None,
            timeout_seconds: 35,
            daily_tokens: 50_000,
            session_tokens: 30_000,
        }
    }
}

/// Sets one text of `[llm]`, or says what is wrong with it.
pub(super) type Set = fn(&mut ModelConfig, &str) -> Result<(), String>;

pub(super) fn client(config: &mut ModelConfig, word: &str) -> Result<(), String> {
    config.client = ClientKind::parse(word).unwrap_or_default();
    Ok(())
}

pub(super) fn small(config: &mut ModelConfig, name: &str) -> Result<(), String> {
    config.small = Some(a_model(name)?);
    Ok(())
}

pub(super) fn strong(config: &mut ModelConfig, name: &str) -> Result<(), String> {
    config.strong = Some(a_model(name)?);
    Ok(())
}

pub(super) fn base_url(config: &mut ModelConfig, url: &str) -> Result<(), String> {
    config.base_url = Some(a_url(url)?);
    Ok(())
}

pub(super) fn key_env(config: &mut ModelConfig, name: &str) -> Result<(), String> {
    let letter = |letter: char| letter == '_' || letter.is_ascii_alphanumeric();
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) || !name.chars().all(letter)
    {
        // Whoever writes the key itself here should not find it in a note.
        return Err("must be the name of an environment variable, not the key itself".to_owned());
    }
    config.key_env = Some(name.to_owned());
    Ok(())
}

pub(super) fn key_file(config: &mut ModelConfig, path: &str) -> Result<(), String> {
    config.key_file = Some(a_file(path)?);
    Ok(())
}

/// Not below `~/`: whoever sets `HOME` for a session could have another program run.
pub(super) fn program(config: &mut ModelConfig, path: &str) -> Result<(), String> {
    let is_layer_name = !path.is_empty() && !path.contains('/');
    if !is_layer_name && !path.starts_with('/') {
        return Err("must be the name of a program, or its absolute path".to_owned());
    }
    config.program = Some(PathBuf::from(path));
    Ok(())
}

/// A name goes into the arguments of a program, where a leading hyphen would make an option of it.
fn a_model(name: &str) -> Result<String, String> {
    let usable =
        !name.is_empty() && !name.starts_with('-') && name.chars().all(|letter| letter.is_ascii_graphic());
    usable.then(|| name.to_owned()).ok_or_else(|| "must be the name of a model, without spaces".to_owned())
}

fn a_file(path: &str) -> Result<PathBuf, String> {
    let home = || std::env::var_os("HOME").map(PathBuf::from);
    let path = match path.strip_prefix("~/") {
        Some(rest) => home().unwrap_or_default().join(rest),
        None => PathBuf::from(path),
    };
    path.is_absolute()
        .then_some(path)
        .ok_or_else(|| "must be an absolute path, or one that begins with `~/`".to_owned())
}

fn a_url(text: &str) -> Result<String, String> {
    let url = reqwest::Url::parse(text)
        .map_err(|_| "must be a URL such as http://localhost:11434/v1".to_owned())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err("must begin with http:// or https:// and name a host".to_owned());
    }
    if !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some()
    {
        return Err(
            "must hold neither a name nor a password, and end with the path; for a key there is key_env"
                .to_owned(),
        );
    }
    Ok(text.trim_end_matches('/').to_owned())
}

/// One of the texts, by the name of its key; `None` where it is not set.
pub(super) fn value(config: &ModelConfig, name: &str) -> Option<String> {
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
