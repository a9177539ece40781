//! `interleaf layer run`: runs a component on events and prints its replies, host calls and log.
//!
//! The component runs as in a hook, in the same pipeline and sandbox, but on temporary state, so the user's
//! data does not change.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::component_file::ComponentFile;
use super::layer_trace::EventTrace;
use crate::claude::Event;
use crate::command::output::Output;
use crate::contract::inspect;
use crate::error::{Error, Result};
use crate::harness::Harness;
use crate::layer::{EventName, Layer};
use crate::pipeline::event_name;
use crate::project_context::ProjectContext;

const HELP: &str = "\
The event is JSON as Claude Code passes it to a hook. The layer finds an empty store, or the memories
of --memories, or with --project a copy of this project's memories, its configuration and its git
repository. State is empty at first. What the layer writes is discarded when the command ends, and its
log is printed, not stored. The layer may run two seconds longer than in a hook; a reply that comes too
late for a hook is marked.

Exit code: 0 the layer answered, 1 it failed, 2 the arguments are invalid.";

/// Send events through a component and show everything it does, without changing your data
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(flatten)]
    component: ComponentFile,
    /// A file with an event, `-` for standard input; repeatable, in the order of a session
    #[arg(long = "event", value_name = "FILE", required = true)]
    events: Vec<PathBuf>,
    /// The layer's settings
    #[arg(long, value_name = "JSON", value_parser = parse_json)]
    settings: Option<Value>,
    /// A file with the memories to begin with, as `interleaf memory export` writes it
    #[arg(long, value_name = "FILE")]
    memories: Option<PathBuf>,
    /// Run on a copy of this project's memories, with its configuration and its git repository
    #[arg(long)]
    project: bool,
    /// Print JSON, one object per event
    #[arg(long)]
    json: bool,
}

/// Sends the events, and prints a trace of each.
///
/// # Errors
/// `Unavailable` if the layer did not answer one of them.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let layer = load(&args.component)?;
    let events = args.events.iter().map(|file| read_event(file, &layer)).collect::<Result<Vec<_>>>()?;
    // The cache is on disk, so that mapping compiled code takes as long as in a hook.
    let cache = tempfile::Builder::new()
        .prefix("interleaf-run-")
        .tempdir()
        .map_err(|error| Error::unavailable(format!("cannot create a temporary folder: {error}")))?;
    let name = layer.name.to_string();
    let harness = harness(args, layer, context, cache.path())?;
    let (mut logged, mut first_failure) = (0, None);
    for (text, event) in events {
        let outcome = harness.send(&text)?;
        let log = &outcome.log[logged..];
        let trace = EventTrace { layer: &name, event: &event, outcome: &outcome, log };
        match args.json {
            true => out.json(&trace.object())?,
            false => trace.print(out)?,
        }
        first_failure = first_failure.or(trace.failure());
        logged = outcome.log.len();
    }
    match first_failure {
        None => Ok(()),
        Some(failure) => Err(Error::unavailable(format!("layer {name} did not answer: {failure}")).into()),
    }
}

/// Reads the component. Refuses a component that does not match the contract.
fn load(component: &ComponentFile) -> Result<Layer> {
    let (wasm, file) = (component.read()?, component.path().display());
    let inspection = inspect(&wasm).map_err(|error| error.context(&file))?;
    match inspection.mismatches.first() {
        None => component.layer(wasm, inspection.answers),
        Some(mismatch) => Err(Error::invalid(format!("{file} cannot run here: {mismatch}"))
            .hint(format!("interleaf layer check {file}"))),
    }
}

/// Reads an event. Refuses an event that the layer does not answer.
fn read_event(file: &Path, layer: &Layer) -> Result<(String, Event)> {
    let unreadable =
        |error: std::io::Error| Error::invalid(format!("cannot read the event {}: {error}", file.display()));
    let mut text = String::new();
    match file.to_str() {
        Some("-") => drop(std::io::stdin().lock().read_to_string(&mut text).map_err(unreadable)?),
        _ => text = fs::read_to_string(file).map_err(unreadable)?,
    }
    let event = Event::parse(text.as_bytes()).map_err(|error| error.context(file.display()))?;
    check_shape(&event, file)?;
    let name = event_name(&event);
    if layer.answers.contains(&name) {
        return Ok((text, event));
    }
    let answers: Vec<&str> = layer.answers.iter().map(|name: &EventName| name.as_str()).collect();
    Err(Error::invalid(format!("layer {} does not answer {name} ({})", layer.name, event.name))
        .hint(format!("it answers {}", answers.join(", "))))
}

/// Refuses an event with a field that is missing or of the wrong type. A hook would pass it on as another
/// event.
fn check_shape(event: &Event, file: &Path) -> Result<()> {
    let Some(issue) = &event.parse_issue else { return Ok(()) };
    let kind = if event.name.is_empty() { "event" } else { &event.name };
    Err(Error::invalid(format!("{} is no {kind}: {issue}", file.display()))
        .hint("write the event as Claude Code passes it to a hook"))
}

fn harness(args: &Args, layer: Layer, context: &ProjectContext, cache: &Path) -> Result<Harness> {
    let mut harness = Harness::layer(layer)?.cache_folder(cache)?.system_clock().trace();
    if args.project {
        harness = harness.in_project(context)?;
    }
    if let Some(memories) = &args.memories {
        let file = memories.display();
        let input = fs::File::open(memories)
            .map_err(|error| Error::invalid(format!("cannot read {file}: {error}")))?;
        harness = harness.import(input).map_err(|error| error.context(file))?;
    }
    match &args.settings {
        Some(settings) => harness.settings(settings),
        None => Ok(harness),
    }
}

fn parse_json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
