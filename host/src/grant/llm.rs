//! `llm`: requests to the language model, within the layer's allowance, side by side.

use std::sync::Arc;
use std::thread;

use super::allowance::Allowance;
use super::{LayerHost, Use, wire};
use crate::error::{Error, Result};
use crate::layer::{ModelGrant, Need};
use crate::llm::{Completion, CompletionRequest, Model, ModelTier};
use crate::sandbox::bindings::llm as wit;
use crate::sandbox::bindings::types;

impl wit::Host for LayerHost {
    fn complete(&mut self, requests: Vec<wit::Request>) -> Vec<Result<wit::Completion, types::Error>> {
        let bytes = requests.iter().map(size).sum();
        let (grant, model) = match self.permit(Use::Other(Need::Llm), bytes).and_then(|()| self.model()) {
            Ok(both) => both,
            Err(error) => return requests.iter().map(|_| Err(error.clone())).collect(),
        };
        let requests: Vec<CompletionRequest> = requests.into_iter().map(request).collect();
        let reserved: Vec<Result<u32>> =
            requests.iter().map(|request| self.allow(grant).reserve(request)).collect();
        let allowed = requests.iter().zip(&reserved).filter(|(_, reserved)| reserved.is_ok());
        let mut answers =
            at_once(&*model, &self.layer.conversation.session, allowed.map(|(request, _)| request))
                .into_iter();
        let settled = reserved.into_iter().map(|reserved| {
            let reserved = reserved?;
            let answer = answers.next().unwrap_or_else(|| Err(Error::unavailable("the model was not asked")));
            self.settle(grant, reserved, &answer);
            answer
        });
        let answers: Vec<Result<Completion>> = settled.collect();
        let bytes = answers.iter().flatten().map(|answer| answer.text.len()).sum();
        let carried = self.meter.carry(bytes);
        let wired = answers.into_iter().map(|answer| {
            carried.clone()?;
            answer.map(completion)
        });
        wired.map(|answer| answer.map_err(wire)).collect()
    }
}

impl LayerHost {
    fn model(&self) -> Result<(ModelGrant, Arc<dyn Model>), types::Error> {
        let none = || types::Error::Unavailable("no language model was chosen".into());
        let model = self.host.model.clone().ok_or_else(none)?;
        Ok((self.layer.grants.llm.unwrap_or_default(), model))
    }

    fn allow(&mut self, grant: ModelGrant) -> Allowance<'_> {
        Allowance { grant, event: &mut self.asked, host: &self.host, layer: &self.layer }
    }

    /// A count that cannot be corrected is no reason to withhold the answer: what was reserved stays spent.
    fn settle(&mut self, grant: ModelGrant, reserved: u32, answer: &Result<Completion>) {
        if let Err(error) = self.allow(grant).settle(reserved, answer) {
            let message = format!("{reserved} tokens of the model stay reserved for today: {error}");
            self.host.log.write(crate::log::Level::Warn, Some(&self.layer.name), message);
        }
    }
}

/// Asks for all of them at the same time. The allowance bounds how many there are.
fn at_once<'a>(
    model: &dyn Model,
    session: &str,
    requests: impl Iterator<Item = &'a CompletionRequest>,
) -> Vec<Result<Completion>> {
    thread::scope(|scope| {
        let ask = |request: &'a CompletionRequest| {
            thread::Builder::new().spawn_scoped(scope, || model.complete_for_session(session, request))
        };
        let asked: Vec<_> = requests.map(ask).collect();
        let lost = || Error::unavailable("the model could not be asked");
        let answer = asked.into_iter().map(|thread| thread.map(|thread| thread.join()));
        answer.map(|answer| answer.map_err(|_| lost())?.map_err(|_| lost())?).collect()
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
