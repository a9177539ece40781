//! `interleaf llm check`: one tiny question to each of the two models, through the same way and the same cap as a layer's.

use std::io::Write;
use std::time::Instant;

use serde_json::json;

use crate::command::output::{Output, tame};
use crate::error::{Error, Result};
use crate::llm::{Completion, CompletionRequest, ConfiguredModel, Model, ModelTier};
use crate::project_context::ProjectContext;

/// The session that the calls are counted under.
const SESSION: &str = "interleaf llm check";
/// Room for a model that thinks aloud.
const MOST: u32 = 256;

/// Asks.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON, one line for each model
    #[arg(long)]
    json: bool,
    /// Have the answer come as JSON that matches a schema
    #[arg(long)]
    schema: bool,
}

/// What one model said, and how long that took.
struct Heard {
    tier: ModelTier,
    said: Result<Completion>,
    ms: u128,
}

/// Asks both models.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let none = || Error::not_found("no language model was chosen").hint("interleaf llm choose");
    let chosen = context.chosen()?.ok_or_else(none)?;
    let mut failed = None;
    for tier in ModelTier::ALL {
        let heard = ask(&chosen, tier, args.schema);
        match args.json {
            true => out.json(&heard.object(&chosen))?,
            false => heard.print(&chosen, out)?,
        }
        failed = heard.said.err().or(failed);
    }
    failed.map_or(Ok(()), |error| Err(error.into()))
}

fn ask(chosen: &ConfiguredModel, tier: ModelTier, schema: bool) -> Heard {
    const WORD: &str = r#"{"type":"object","properties":{"word":{"type":"string"}},"required":["word"],"additionalProperties":false}"#;
    let request = CompletionRequest {
        tier,
        system: "You are asked whether you can be reached.".to_owned(),
        prompt: "Answer with the single word: ready".to_owned(),
        schema: schema.then(|| WORD.to_owned()),
        max_tokens: MOST,
    };
    let began = Instant::now();
    let said = chosen.complete_for_session(SESSION, &request);
    Heard { tier, said, ms: began.elapsed().as_millis() }
}

impl Heard {
    fn object(&self, chosen: &ConfiguredModel) -> serde_json::Value {
        let (tier, model, ms) = (self.tier.as_str(), chosen.model_name(self.tier), self.ms);
        match &self.said {
            Ok(said) => json!({"tier": tier, "model": model, "answer": said.text, "ms": ms,
                "input_tokens": said.input_tokens, "output_tokens": said.output_tokens}),
            Err(error) => json!({"tier": tier, "model": model, "error": error.message, "ms": ms}),
        }
    }

    fn print(&self, chosen: &ConfiguredModel, out: &mut Output) -> anyhow::Result<()> {
        let who = out.strong(&format!("{} ({})", self.tier.as_str(), chosen.model_name(self.tier)));
        let what = match &self.said {
            Ok(Completion { text, input_tokens, output_tokens }) => {
                let cost = format!("{input_tokens} tokens in and {output_tokens} out");
                format!("{:?} in {} ms, for {cost}", tame(text.trim()), self.ms)
            }
            Err(error) => format!("failed after {} ms: {}", self.ms, tame(&error.message)),
        };
        Ok(writeln!(out, "{who}: {what}")?)
    }
}
