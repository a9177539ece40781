//! `llm`: requests to the language model, several at the same time, within the layer's quota.

use std::sync::Arc;
use std::thread;

use super::model_quota::ModelQuota;
use super::{Access, LayerHost, wit_error};
use crate::error::{Error, Result};
use crate::layer::{ModelGrant, Need};
use crate::llm::{Completion, CompletionRequest, Model, ModelTier};
use crate::log::Level;
use crate::sandbox::bindings::llm as wit;
use crate::sandbox::bindings::types;

impl wit::Host for LayerHost {
    fn complete(&mut self, requests: Vec<wit::Request>) -> Vec<Result<wit::Completion, types::Error>> {
        let bytes = requests.iter().map(size).sum();
        let access = self.begin_call(Access::Interface(Need::Llm), bytes).and_then(|()| self.model());
        let (grant, model) = match access {
            Ok(granted) => granted,
            Err(error) => return requests.iter().map(|_| Err(error.clone())).collect(),
        };
        let requests: Vec<CompletionRequest> = requests.into_iter().map(request).collect();
        let reserved: Vec<Result<u32>> =
            requests.iter().map(|request| self.quota(grant).reserve(request)).collect();
        let allowed = requests.iter().zip(&reserved).filter(|(_, reserved)| reserved.is_ok());
        let session = &self.layer.conversation.session;
        let mut answers =
            complete_concurrently(&*model, session, allowed.map(|(request, _)| request)).into_iter();
        let corrected = reserved.into_iter().map(|reserved| {
            let reserved = reserved?;
            let answer = answers.next().unwrap_or_else(|| Err(Error::unavailable("the model was not asked")));
            self.correct_quota(grant, reserved, &answer);
            answer
        });
        let answers: Vec<Result<Completion>> = corrected.collect();
        let bytes = answers.iter().flatten().map(|answer| answer.text.len()).sum();
        let size_check = self.limiter.check_size(bytes);
        let completions = answers.into_iter().map(|answer| {
            size_check.clone()?;
            answer.map(completion)
        });
        completions.map(|completion| completion.map_err(wit_error)).collect()
    }
}

impl LayerHost {
    fn model(&self) -> Result<(ModelGrant, Arc<dyn Model>), types::Error> {
        let none = || types::Error::NotFound("no language model was chosen".into());
        let model = self.host.model.clone().ok_or_else(none)?;
        Ok((self.layer.grants.llm.unwrap_or_default(), model))
    }

    fn quota(&mut self, grant: ModelGrant) -> ModelQuota<'_> {
        ModelQuota { grant, event_usage: &mut self.model_usage, host: &self.host, layer: &self.layer }
    }

    /// Replaces the reserved tokens by the tokens that the call used. If that fails, the layer still gets its
    /// answer, and the reserved tokens count as used.
    fn correct_quota(&mut self, grant: ModelGrant, reserved: u32, answer: &Result<Completion>) {
        if let Err(error) = self.quota(grant).correct(reserved, answer) {
            let message = format!("{reserved} tokens of the model stay reserved for today: {error}");
            self.host.log.write(Level::Warn, Some(&self.layer.name), message);
        }
    }
}

/// Makes all requests concurrently. The quota limits their number.
fn complete_concurrently<'a>(
    model: &dyn Model,
    session: &str,
    requests: impl Iterator<Item = &'a CompletionRequest>,
) -> Vec<Result<Completion>> {
    thread::scope(|scope| {
        let spawn = |request: &'a CompletionRequest| {
            thread::Builder::new().spawn_scoped(scope, || model.complete_for_session(session, request))
        };
        let threads: Vec<_> = requests.map(spawn).collect();
        let failed = || Error::unavailable("the model could not be asked");
        let answers = threads.into_iter().map(|thread| thread.map(|thread| thread.join()));
        answers.map(|answer| answer.map_err(|_| failed())?.map_err(|_| failed())?).collect()
    })
}

fn size(request: &wit::Request) -> usize {
    request.system.len() + request.prompt.len() + request.schema.as_ref().map_or(0, String::len)
}

fn request(wit::Request { tier, system, prompt, schema, max_tokens }: wit::Request) -> CompletionRequest {
    let tier = match tier {
        wit::Tier::Small => ModelTier::Small,
        wit::Tier::Strong => ModelTier::Strong,
    };
    CompletionRequest { tier, system, prompt, schema, max_tokens }
}

fn completion(answer: Completion) -> wit::Completion {
    let Completion { text, input_tokens, output_tokens } = answer;
    wit::Completion { text, input_tokens, output_tokens }
}
