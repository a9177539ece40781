//! `interleaf llm`: shows the language model, its usage and its limits, and tests whether it answers.

use std::io::Write;
use std::time::Instant;

use interleaf_text::for_terminal;
use serde_json::{Value, json};

use super::llm_choose;
use super::output::{Output, count};
use crate::config::ClientKind;
use crate::error::{Error, Result};
use crate::llm::{
    Completion, CompletionRequest, ConfiguredModel, DailySpend, Model, ModelTier, Spend, SpendCap,
};
use crate::project_context::ProjectContext;

/// The session under which the calls of `llm check` are counted.
const CHECK_SESSION: &str = "interleaf llm check";

/// Maximum number of tokens of an answer to `llm check`. A model that reasons before it answers needs this
/// many.
const MAX_CHECK_TOKENS: u32 = 256;

/// Schema of the answer to `llm check --schema`.
const CHECK_SCHEMA: &str = concat!(
    r#"{"type":"object","properties":{"word":{"type":"string"}},"#,
    r#""required":["word"],"additionalProperties":false}"#,
);

/// Show the language model in use, its token usage and its limits
///
/// No model is called until you choose one.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Check(CheckArgs),
    Choose(llm_choose::Args),
}

/// Ask both models for one word, and show the answer, its duration and its cost
#[derive(Debug, clap::Args)]
struct CheckArgs {
    /// Print JSON, one line per model
    #[arg(long)]
    json: bool,
    /// Ask for an answer that matches a JSON Schema
    #[arg(long)]
    schema: bool,
}

/// Runs the verb.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match args.verb {
        Some(Verb::Check(args)) => check(&args, context, out),
        Some(Verb::Choose(args)) => llm_choose::run(&args, context, out),
        None => show(args.json, context, out),
    }
}

fn show(as_json: bool, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let llm = &context.config.llm;
    let cap = SpendCap::new(&context.folders.data, context.clock, llm.daily_tokens, llm.session_tokens);
    let (model, today) = (context.configured_model()?, cap.today()?);
    if as_json {
        return out.json(&object(model.as_ref(), context, &cap, &today));
    }
    match &model {
        None => writeln!(
            out,
            "No language model is configured; memories are saved by rules alone. \
             To choose one: interleaf llm choose"
        )?,
        Some(model) => print_model(model, context, out)?,
    }
    print_usage(&cap, &today, out)
}

fn object(
    model: Option<&ConfiguredModel>,
    context: &ProjectContext,
    cap: &SpendCap,
    today: &DailySpend,
) -> Value {
    let name = |tier| model.map(|model| model.model_name(tier));
    let key = model.map(|model| {
        let ready = model.ready();
        json!({
            "from": model.key_source().describe(), "ready": ready.is_ok(),
            "trouble": ready.err().map(|error| error.message),
        })
    });
    let sessions: Value = today
        .sessions
        .iter()
        .map(|(name, spent)| {
            (
                name.clone(),
                json!({"calls": spent.calls, "tokens": spent.tokens, "left": remaining(cap.session, *spent)}),
            )
        })
        .collect::<serde_json::Map<_, _>>()
        .into();
    json!({
        "client": context.config.llm.client.as_str(), "base_url": context.config.llm.base_url,
        "small": name(ModelTier::Small), "strong": name(ModelTier::Strong), "key": key,
        "caps": {"daily_tokens": cap.daily, "session_tokens": cap.session},
        "today": {
            "day": today.day, "calls": today.spent.calls, "tokens": today.spent.tokens,
            "left": remaining(cap.daily, today.spent),
        },
        "sessions": sessions,
    })
}

/// Returns the number of tokens that are left.
fn remaining(cap: u64, spent: Spend) -> u64 {
    cap.saturating_sub(spent.tokens)
}

fn print_model(model: &ConfiguredModel, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let problem = model.ready().err().map(|error| format!("; {}", error.message)).unwrap_or_default();
    let facts = [
        ("client", client(context)),
        ("small", model.model_name(ModelTier::Small).to_owned()),
        ("strong", model.model_name(ModelTier::Strong).to_owned()),
        ("key", format!("{}{problem}", key(model, context))),
    ];
    for (name, value) in &facts {
        writeln!(out, "{} {}", out.faint(&format!("{name:<7}")), for_terminal(value))?;
    }
    Ok(())
}

/// Returns the client and its address.
fn client(context: &ProjectContext) -> String {
    let llm = &context.config.llm;
    match (&llm.base_url, &llm.program) {
        (Some(url), _) if llm.client != ClientKind::Claude => format!("{} at {url}", llm.client.as_str()),
        (_, Some(program)) if llm.client == ClientKind::Claude => {
            format!("claude, the program {}", program.display())
        }
        _ => llm.client.as_str().to_owned(),
    }
}

fn key(model: &ConfiguredModel, context: &ProjectContext) -> String {
    match context.config.llm.client {
        ClientKind::Claude => "the login of the claude program".to_owned(),
        _ => model.key_source().describe(),
    }
}

fn print_usage(cap: &SpendCap, today: &DailySpend, out: &mut Output) -> anyhow::Result<()> {
    let usage = |spent: Spend, cap: u64| {
        let (tokens, calls) = (spent.tokens, count(spent.calls as usize, "call"));
        format!("{tokens} of {cap} tokens in {calls}, {} left", remaining(cap, spent))
    };
    let day = usage(today.spent, cap.daily);
    writeln!(out, "{} {day} ({}, UTC, over all projects)", out.faint("today  "), today.day)?;
    for (name, spent) in &today.sessions {
        let name = if name.is_empty() { "(no session)".to_owned() } else { for_terminal(name) };
        writeln!(out, "{} {name}: {}", out.faint("session"), usage(*spent, cap.session))?;
    }
    Ok(())
}

/// Returns the model in one line, and the reason why it cannot be used, for `doctor`.
pub(super) fn summary(context: &ProjectContext) -> (String, Option<Error>) {
    match context.configured_model() {
        Ok(None) => ("none".to_owned(), None),
        Ok(Some(model)) => {
            let [small, strong] = ModelTier::ALL.map(|tier| model.model_name(tier).to_owned());
            (
                format!("{} ({small}, {strong}), {}", client(context), key(&model, context)),
                model.ready().err(),
            )
        }
        Err(error) => (context.config.llm.client.as_str().to_owned(), Some(error)),
    }
}

/// One model's answer and its duration.
struct Answer<'a> {
    tier: ModelTier,
    model: &'a str,
    result: Result<Completion>,
    ms: u128,
}

/// Calls both models in the same way and under the same cap as a layer's request.
fn check(args: &CheckArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let no_model = || Error::not_found("no language model is configured").hint("interleaf llm choose");
    let model = context.configured_model()?.ok_or_else(no_model)?;
    let mut failure = None;
    for tier in ModelTier::ALL {
        let answer = ask(&model, tier, args.schema);
        match args.json {
            true => out.json(&answer.object())?,
            false => answer.print(out)?,
        }
        failure = answer.result.err().or(failure);
    }
    failure.map_or(Ok(()), |error| Err(error.into()))
}

fn ask(model: &ConfiguredModel, tier: ModelTier, with_schema: bool) -> Answer<'_> {
    let request = CompletionRequest {
        tier,
        system: "You are asked whether you can be reached.".to_owned(),
        prompt: "Answer with the single word: ready".to_owned(),
        schema: with_schema.then(|| CHECK_SCHEMA.to_owned()),
        max_tokens: MAX_CHECK_TOKENS,
    };
    let began = Instant::now();
    let result = model.complete_for_session(CHECK_SESSION, &request);
    Answer { tier, model: model.model_name(tier), result, ms: began.elapsed().as_millis() }
}

impl Answer<'_> {
    fn object(&self) -> Value {
        let (tier, model, ms) = (self.tier.as_str(), self.model, self.ms);
        match &self.result {
            Ok(completion) => json!({
                "tier": tier, "model": model, "answer": completion.text, "ms": ms,
                "input_tokens": completion.input_tokens, "output_tokens": completion.output_tokens,
            }),
            Err(error) => json!({"tier": tier, "model": model, "error": error.message, "ms": ms}),
        }
    }

    fn print(&self, out: &mut Output) -> anyhow::Result<()> {
        let model = out.bold(&for_terminal(&format!("{} ({})", self.tier.as_str(), self.model)));
        let answer = match &self.result {
            Ok(Completion { text, input_tokens, output_tokens }) => {
                let cost = format!("{input_tokens} input and {output_tokens} output tokens");
                format!("{:?} in {} ms, {cost}", for_terminal(text.trim()), self.ms)
            }
            Err(error) => format!("failed after {} ms: {}", self.ms, for_terminal(&error.message)),
        };
        Ok(writeln!(out, "{model}: {answer}")?)
    }
}
