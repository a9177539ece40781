//! From the configuration to a client and the names of its models.

use std::path::Path;

use super::ModelTier;
use super::anthropic::{self, Anthropic};
use super::claude::Claude;
use super::client::Client;
use super::key::KeySource;
use super::openai::{self, OpenAi};
use crate::config::{ClientKind, ModelConfig};
use crate::dirs::Folders;
use crate::error::{Error, Result};

/// The models of the clients that have some of their own, small and strong, where the person names no others. The API's
/// are the ids that the pinned `claude` sends for its own two names.
const NAMED: [(ClientKind, [&str; 2]); 2] = [
    (ClientKind::Claude, ["haiku", "sonnet"]),
    (ClientKind::Anthropic, ["claude-haiku-5-5", "claude-sonnet-5-5"]),
];

/// The client, and where its key comes from; none where nobody is to be asked.
pub(super) fn client(
    config: &ModelConfig,
    folders: &Folders,
    project: &Path,
) -> Option<(Box<dyn Client>, KeySource)> {
    let base = |usual: &'static str| config.base_url.as_deref().unwrap_or(usual);
    Some(match config.client {
        ClientKind::None => return None,
        ClientKind::Claude => {
            let client = Claude::new(config.program.as_deref(), &folders.state, project);
            (Box::new(client), KeySource::Nowhere)
        }
        ClientKind::Anthropic => {
            let key = KeySource::find(config, anthropic::KEY);
            (Box::new(Anthropic::new(base(anthropic::BASE), key.clone())), key)
        }
        ClientKind::OpenAi => {
            let key = KeySource::find(config, openai::KEY);
            (Box::new(OpenAi::new(base(openai::BASE), key.clone())), key)
        }
    })
}

/// The names of the small and the strong model.
///
/// # Errors
/// `Invalid` where one is missing.
pub(super) fn models(config: &ModelConfig) -> Result<[String; 2]> {
    let named = NAMED.iter().find(|(client, _)| *client == config.client).map(|(_, names)| names);
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
