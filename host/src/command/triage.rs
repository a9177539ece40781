//! `interleaf triage`: shows the memories that the save layer would save from a transcript.
//!
//! The layer runs as at the end of a session, but on a copy of the memories, so nothing is stored, queued or
//! logged.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::output::Output;
use crate::error::{Error, Result};
use crate::harness::{Harness, Outcome, event};
use crate::log::Level;
use crate::memory::{Filter, Memory, Order};
use crate::project_context::ProjectContext;

const LAYER: &str = "save";

const HELP: &str = "\
The output is one JSON object: memories, as they would be saved, each with its evidence; and the
number of candidates: sentences that may state something, and become a memory if you say them again in
another session or if a model reads them. With --model also the changes that were refused, and why.
Memories that this project has already are left out. Nothing is stored.

Exit code: 0 the transcript was read, 1 the layer could not run, 2 the transcript cannot be read.";

/// Show what would be saved from a transcript, and why
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// The transcript that Claude Code wrote: ~/.claude/projects/PROJECT/SESSION.jsonl
    #[arg(long, value_name = "FILE")]
    transcript: PathBuf,
    /// Also have the configured model read it, which costs tokens
    #[arg(long)]
    model: bool,
}

/// Runs the layer, and prints the memories that it would save.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let file = &args.transcript;
    let file = file
        .canonicalize()
        .map_err(|error| Error::invalid(format!("cannot read the transcript {}: {error}", file.display())))?;
    let known: HashSet<String> = memories(context)?.into_iter().map(|memory| memory.id).collect();
    let outcome = flush(&file, args.model, context)?;
    if let Some(error) = outcome.log.iter().find(|line| line.level == Level::Error) {
        return Err(Error::unavailable(format!("layer {LAYER}: {}", error.message)).into());
    }
    let report = merge_reports(&outcome);
    let new = outcome.memories.iter().filter(|memory| !known.contains(&memory.id));
    let memories: Vec<Value> = new.map(|memory| object(memory, &report["written"])).collect();
    let mut answer = json!({ "memories": memories, "candidates": report["candidates"] });
    if args.model {
        answer["refused"] = report["refused"].clone();
        answer["failed"] = report["failed"].clone();
    }
    out.json(&answer)
}

fn memories(context: &ProjectContext) -> Result<Vec<Memory>> {
    context.memories()?.list(&Filter::default(), Order::Newest, usize::MAX)
}

/// Sends the end of a session with this transcript to the layer, and runs the jobs that it submits.
fn flush(file: &Path, with_model: bool, context: &ProjectContext) -> Result<Outcome> {
    let layer = context.running_layer(LAYER).ok_or_else(|| {
        Error::unavailable(format!("the layer {LAYER} does not run here")).hint("interleaf layer list")
    })?;
    let mut settings = context.config.layer(LAYER).settings;
    if !settings.is_object() {
        settings = Value::Object(Map::new());
    }
    (settings["explain"], settings["model"]) = (true.into(), with_model.into());
    let harness = Harness::layer(layer)?
        .cache_folder(&context.folders.cache)?
        .system_clock()
        .trace()
        .in_project(context)?;
    let mut harness = harness.settings(&settings)?.transcript_file(file);
    if with_model {
        let no_model = || Error::unavailable("no language model is configured").hint("interleaf llm choose");
        harness = harness.with_model(context.model().ok_or_else(no_model)?);
    }
    harness.send(&event::session_end("other"))?;
    harness.run_jobs()
}

/// Merges the reports that the layer logged: a long transcript takes several flushes, with one report each.
fn merge_reports(outcome: &Outcome) -> Value {
    let mut merged = json!({ "candidates": 0, "written": [], "refused": [], "failed": [] });
    let calls = outcome.traces.iter().flat_map(|trace| &trace.calls).filter(|call| call.interface == "log");
    let messages = calls.flat_map(|call| &call.arguments).filter(|(name, _)| name == "message");
    let objects = messages.filter_map(|(_, message)| serde_json::from_str::<Value>(message.as_str()?).ok());
    for report in objects.filter_map(|mut object| object.get_mut("flush").map(Value::take)) {
        for name in ["written", "refused", "failed"] {
            let entries = report[name].as_array().cloned().unwrap_or_default();
            merged[name].as_array_mut().into_iter().for_each(|list| list.extend(entries.clone()));
        }
        let candidates = merged["candidates"].as_u64().zip(report["candidates"].as_u64());
        merged["candidates"] = candidates.map_or(0, |(known, more)| known + more).into();
    }
    merged
}

/// Returns the memory as JSON, with the evidence of the report.
fn object(memory: &Memory, written: &Value) -> Value {
    let entry = written.as_array().into_iter().flatten().find(|entry| entry["id"] == memory.id.as_str());
    let entry = entry.cloned().unwrap_or_default();
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
        "evidence": entry["evidence"],
    })
}
