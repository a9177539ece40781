//! `interleaf triage`: what the save layer would make of a transcript. It runs as after a session that has just ended; only
//! what it writes goes into a copy of the memories, so nothing is stored, queued or logged.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::output::Output;
use crate::error::{Error, Result};
use crate::harness::{Harness, Outcome, event};
use crate::layer::Layer;
use crate::log::Level;
use crate::memory::{Filter, Memory, Order};
use crate::project_context::ProjectContext;

/// The layer that saves.
const LAYER: &str = "save";

const HELP: &str = "\
Printed is one JSON object: categories, each with its score (0 to 1), whether it is triggered and the
lines that made it so; memories, as they would be written, each with its score and the words that it
rests on; with --model also which drafts were refused, and why. What this project remembers already is
not among them. Nothing is stored.

Exit code: 0 it was judged, 1 the layer could not run, 2 there is no such transcript.";

/// Judges a transcript.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The transcript, as Claude Code writes it: ~/.claude/projects/PROJECT/SESSION.jsonl
    #[arg(long, value_name = "FILE")]
    transcript: PathBuf,
    /// Draft with the model that `interleaf llm` shows, which costs tokens; else by rules alone
    #[arg(long)]
    model: bool,
}

/// Judges it.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let file = found(&args.transcript)?;
    let before: HashSet<String> = known(context)?.into_iter().map(|memory| memory.id).collect();
    let outcome = judged(&file, args.model, context)?;
    if let Some(error) = outcome.log.iter().find(|line| line.level == Level::Error) {
        return Err(Error::unavailable(format!("layer {LAYER}: {}", error.message)).into());
    }
    let told = told(&outcome);
    let new = outcome.memories.iter().filter(|memory| !before.contains(&memory.id));
    let memories: Vec<Value> = new.map(|memory| explained(memory, &told["written"])).collect();
    let mut answer = json!({ "categories": told["categories"], "memories": memories });
    if args.model {
        answer["refused"] = told["refused"].clone();
        answer["failed"] = told["failed"].clone();
    }
    out.json(&answer)
}

fn found(file: &Path) -> Result<PathBuf> {
    file.canonicalize().map_err(|error| Error::invalid(format!("the transcript {}: {error}", file.display())))
}

fn known(context: &ProjectContext) -> Result<Vec<Memory>> {
    context.memories()?.list(&Filter::default(), Order::Newest, usize::MAX)
}

/// The session's end, and the work that it leaves behind.
fn judged(file: &Path, model: bool, context: &ProjectContext) -> Result<Outcome> {
    let layer = layer(context).ok_or_else(|| {
        Error::unavailable(format!("the layer {LAYER} does not run here")).hint("see `interleaf layers`")
    })?;
    let mut settings = context.config.layer(LAYER).settings;
    if !settings.is_object() {
        settings = Value::Object(Map::new());
    }
    (settings["explain"], settings["model"]) = (true.into(), model.into());
    let harness = Harness::layer(layer)?
        .cache_folder(&context.folders.cache)?
        .system_clock()
        .trace()
        .in_project(context)?;
    let mut harness = harness.settings(&settings)?.transcript_file(file);
    if model {
        harness = harness.with_model(context.model().ok_or_else(no_model)?);
    }
    harness.send(&event::session_end("other"))?;
    harness.run_jobs()
}

fn no_model() -> Error {
    Error::unavailable("no language model was chosen").hint("choose one with `interleaf llm choose`")
}

fn layer(context: &ProjectContext) -> Option<Layer> {
    let roster = context.roster();
    let able = roster.members().iter().filter(|member| member.is_on() && member.unavailable.is_none());
    able.map(|member| &member.layer).find(|layer| layer.name == LAYER).cloned()
}

/// What the layer told of its flushes, put together: a long transcript takes several.
fn told(outcome: &Outcome) -> Value {
    let mut told = json!({ "categories": {}, "written": [], "refused": [], "failed": [] });
    let calls = outcome.traces.iter().flat_map(|turn| &turn.calls).filter(|call| call.interface == "log");
    let messages = calls.flat_map(|call| &call.arguments).filter(|(name, _)| name == "message");
    let objects = messages.filter_map(|(_, message)| serde_json::from_str::<Value>(message.as_str()?).ok());
    for flush in objects.filter_map(|mut object| object.get_mut("flush").map(Value::take)) {
        for list in ["written", "refused", "failed"] {
            let more = flush[list].as_array().cloned().unwrap_or_default();
            told[list].as_array_mut().into_iter().for_each(|list| list.extend(more.clone()));
        }
        for (category, judged) in flush["categories"].as_object().into_iter().flatten() {
            let known = told["categories"][category]["score"].as_f64().unwrap_or(-1.0);
            if judged["score"].as_f64().unwrap_or_default() > known {
                told["categories"][category] = judged.clone();
            }
        }
    }
    told
}

/// The memory, with what the layer told of it.
fn explained(memory: &Memory, written: &Value) -> Value {
    let told = written.as_array().into_iter().flatten().find(|told| told["id"] == memory.id.as_str());
    let told = told.cloned().unwrap_or_default();
    json!({
        "category": memory.category,
        "title": memory.title,
        "text": memory.text,
        "content": memory.content,
        "tags": memory.tags,
        "related_files": memory.related_files,
        "confidence": memory.confidence,
        "importance": memory.importance,
        "origin": memory.origin,
        "score": told["score"],
        "evidence": told["evidence"],
    })
}
