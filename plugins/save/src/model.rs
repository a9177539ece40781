//! The model that the person chose, as the drafting knows it. Where there is none, every request fails and what the
//! rules found stands.

use crate::bindings::interleaf::layer::llm;
use crate::drafting::{Model, Prompt, Tier};
use crate::host;

/// The host's model.
pub struct Host;

impl Model for Host {
    fn complete(&self, prompts: &[Prompt]) -> Vec<Result<String, String>> {
        let requests: Vec<llm::Request> = prompts.iter().map(request).collect();
        let answers = llm::complete(&requests).into_iter();
        answers
            .map(|answer| answer.map(|answer| answer.text).map_err(|error| host::words(&error).to_owned()))
            .collect()
    }
}

fn request(prompt: &Prompt) -> llm::Request {
    llm::Request {
        tier: match prompt.tier {
            Tier::Small => llm::Tier::Small,
            Tier::Strong => llm::Tier::Strong,
        },
        system: prompt.system.clone(),
        prompt: prompt.prompt.clone(),
        schema: prompt.schema.clone(),
        max_tokens: prompt.max_tokens,
    }
}
