//! `interleaf llm`: which language model was chosen, what it took today and what is left of the caps.

use std::io::Write;
use std::time::Instant;

use serde_json::{Value, json};

use super::llm_choose;
use super::output::{Output, tame};
use crate::config::ClientKind;
use crate::error::{Error, Result};
use crate::llm::{
    Completion, CompletionRequest, ConfiguredModel, DailySpend, Model, ModelTier, Spend, SpendCap,
};
use crate::project_context::ProjectContext;

/// Show which language model is asked, what it took today and what is left; nothing is asked unless you chose one
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What else can be done.
#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Ask both models for one word, and say what came back, how long it took and what it cost
    Check(CheckArgs),
    /// Choose a model, or none
    Choose(llm_choose::Args),
}

/// Does it.
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
    let (chosen, today) = (context.chosen()?, cap.today()?);
    if as_json {
        return out.json(&object(chosen.as_ref(), context, &cap, &today));
    }
    match &chosen {
        None => writeln!(
            out,
            "No language model was chosen; what is saved is found by rules alone. To choose one: interleaf llm choose"
        )?,
        Some(chosen) => print(chosen, context, out)?,
    }
    print_day(&cap, &today, out)
}

fn object(
    chosen: Option<&ConfiguredModel>,
    context: &ProjectContext,
    cap: &SpendCap,
    today: &DailySpend,
) -> Value {
    let name = |tier| chosen.map(|chosen| chosen.model_name(tier));
    let key = chosen.map(|chosen| {
        let ready = chosen.ready();
        json!({"from": chosen.key_source().describe(), "ready": ready.is_ok(), "trouble": ready.err().map(|error| error.message)})
    });
    let sessions: Value = today
        .sessions
        .iter()
        .map(|(name, spent)| {
            (
                name.clone(),
                json!({"calls": spent.calls, "tokens": spent.tokens, "left": left(cap.session, *spent)}),
            )
        })
        .collect::<serde_json::Map<_, _>>()
        .into();
    json!({
        "client": context.config.llm.client.as_str(), "base_url": context.config.llm.base_url,
        "small": name(ModelTier::Small), "strong": name(ModelTier::Strong), "key": key,
        "caps": {"daily_tokens": cap.daily, "session_tokens": cap.session},
        "today": {"day": today.day, "calls": today.spent.calls, "tokens": today.spent.tokens, "left": left(cap.daily, today.spent)},
        "sessions": sessions,
    })
}

fn left(cap: u64, spent: Spend) -> u64 {
    cap.saturating_sub(spent.tokens)
}

fn print(chosen: &ConfiguredModel, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let ready = match chosen.ready() {
        Ok(()) => String::new(),
        Err(error) => format!("; {}", tame(&error.message)),
    };
    let facts = [
        ("client", at(context)),
        ("small", chosen.model_name(ModelTier::Small).to_owned()),
        ("strong", chosen.model_name(ModelTier::Strong).to_owned()),
        ("key", format!("{}{ready}", key(chosen, context))),
    ];
    for (name, value) in &facts {
        writeln!(out, "{} {value}", out.faint(&format!("{name:<7}")))?;
    }
    Ok(())
}

/// The client, and where it asks.
fn at(context: &ProjectContext) -> String {
    let llm = &context.config.llm;
    match (&llm.base_url, &llm.program) {
        (Some(url), _) if llm.client != ClientKind::Claude => format!("{} at {url}", llm.client.as_str()),
        (_, Some(program)) if llm.client == ClientKind::Claude => {
            format!("claude, the program {}", program.display())
        }
        _ => llm.client.as_str().to_owned(),
    }
}

fn key(chosen: &ConfiguredModel, context: &ProjectContext) -> String {
    match context.config.llm.client {
        ClientKind::Claude => "whatever the program is logged in with".to_owned(),
        _ => chosen.key_source().describe(),
    }
}

fn print_day(cap: &SpendCap, today: &DailySpend, out: &mut Output) -> anyhow::Result<()> {
    let line = |spent: Spend, cap: u64| {
        let calls = if spent.calls == 1 { "call" } else { "calls" };
        format!("{} of {cap} tokens in {} {calls}, {} left", spent.tokens, spent.calls, left(cap, spent))
    };
    writeln!(
        out,
        "{} {} ({}, UTC, over all projects)",
        out.faint("today  "),
        line(today.spent, cap.daily),
        today.day
    )?;
    for (name, spent) in &today.sessions {
        let name = if name.is_empty() { "(no session)".to_owned() } else { tame(name) };
        writeln!(out, "{} {name}: {}", out.faint("session"), line(*spent, cap.session))?;
    }
    Ok(())
}

/// The model in a line, and what is wrong with it: for `doctor`.
pub(super) fn summary(context: &ProjectContext) -> (String, Option<Error>) {
    let chosen: Result<Option<ConfiguredModel>> = context.chosen();
    match chosen {
        Ok(None) => ("none".to_owned(), None),
        Ok(Some(chosen)) => {
            let [small, strong] = ModelTier::ALL.map(|tier| chosen.model_name(tier).to_owned());
            (format!("{} ({small}, {strong}), {}", at(context), key(&chosen, context)), chosen.ready().err())
        }
        Err(error) => (context.config.llm.client.as_str().to_owned(), Some(error)),
    }
}

/// The session that the calls are counted under.
const SESSION: &str = "interleaf llm check";
/// Room for a model that thinks aloud.
const MOST: u32 = 256;

/// Asks.
#[derive(Debug, clap::Args)]
struct CheckArgs {
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
fn check(args: &CheckArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
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
