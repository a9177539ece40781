//! `interleaf layer run`: one event through one component, and everything that it did. It runs as in a hook, through the
//! same pipeline and sandbox; only the surroundings are scratch, so nothing of the person's changes.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::component_file::File;
use super::layer_trace::{self, Told};
use crate::claude::Event;
use crate::command::output::Output;
use crate::contract::inspect;
use crate::error::{Error, Result};
use crate::harness::Harness;
use crate::layer::{EventName, Layer};
use crate::pipeline::event_name;
use crate::project_context::ProjectContext;

const HELP: &str = "\
The event is JSON as Claude Code writes it to a hook. The layer finds an empty store, or the memories
of --memories, or with --project a copy of this project's memories, its configuration and its git
repository. State is empty at first. Nothing of yours changes: what the layer writes is gone when the
command ends, and its log is shown, not kept. It may run for two seconds longer than in a hook; where
a hook would have gone without it, that is said.

Exit code: 0 the layer answered, 1 it failed, 2 wrong arguments.";

/// Runs a component.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    #[command(flatten)]
    file: File,
    /// The event; may be given several times, in the order of a session; `-` is standard input
    #[arg(long = "event", value_name = "FILE", required = true)]
    events: Vec<PathBuf>,
    /// The layer's settings
    #[arg(long, value_name = "JSON", value_parser = json)]
    settings: Option<Value>,
    /// Memories to begin with, as `interleaf memory export` writes them
    #[arg(long, value_name = "FILE")]
    memories: Option<PathBuf>,
    /// In this project: a copy of its memories, its configuration, its git repository
    #[arg(long)]
    project: bool,
    /// Print JSON, one object for each event
    #[arg(long)]
    json: bool,
}

/// Runs it.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let layer = layer(&args.file)?;
    let events = args.events.iter().map(|file| event(file, &layer)).collect::<Result<Vec<_>>>()?;
    let folder = Folder::new()?;
    let name = layer.name.to_string();
    let harness = harness(args, layer, context, folder.path())?;
    let (mut logged, mut failed) = (0, None);
    for (text, event) in events {
        let outcome = harness.send(&text)?;
        let told = Told { layer: &name, event: &event, outcome: &outcome, log: &outcome.log[logged..] };
        match args.json {
            true => out.json(&told.object())?,
            false => layer_trace::print(&told, out)?,
        }
        logged = outcome.log.len();
        failed = failed.or(told.failure());
    }
    match failed {
        None => Ok(()),
        Some(failure) => Err(Error::unavailable(format!("layer {name} did not answer: {failure}")).into()),
    }
}

/// The component, if it keeps the contract.
fn layer(file: &File) -> Result<Layer> {
    let wasm = file.bytes()?;
    let inspection = inspect(&wasm).map_err(|error| error.context(file.path().display()))?;
    match inspection.mismatches.first() {
        None => file.layer(wasm, inspection.answers),
        Some(fault) => Err(Error::invalid(format!("{} cannot run here: {fault}", file.path().display()))
            .hint(format!("see everything that is wrong: interleaf layer check {}", file.path().display()))),
    }
}

/// The text of an event that the layer answers.
fn event(file: &Path, layer: &Layer) -> Result<(String, Event)> {
    let unreadable = |error: std::io::Error| {
        Error::invalid(format!("the event {} cannot be read: {error}", file.display()))
    };
    let mut text = String::new();
    match file.to_str() {
        Some("-") => drop(std::io::stdin().lock().read_to_string(&mut text).map_err(unreadable)?),
        _ => text = fs::read_to_string(file).map_err(unreadable)?,
    }
    let event = Event::parse(text.as_bytes()).map_err(|error| error.context(file.display()))?;
    let name = event_name(&event);
    if layer.answers.contains(&name) {
        return Ok((text, event));
    }
    let answers: Vec<&str> = layer.answers.iter().map(|name: &EventName| name.as_str()).collect();
    Err(Error::invalid(format!("layer {} does not answer {name} ({})", layer.name, event.name))
        .hint(format!("it answers {}", answers.join(", "))))
}

fn harness(args: &Args, layer: Layer, context: &ProjectContext, folder: &Path) -> Result<Harness> {
    let mut harness = Harness::layer(layer)?.cache_folder(folder)?.system_clock().trace();
    if args.project {
        harness = harness.in_project(context)?;
    }
    if let Some(memories) = &args.memories {
        let unreadable = |error| Error::invalid(format!("{} cannot be read: {error}", memories.display()));
        let input = fs::File::open(memories).map_err(unreadable)?;
        harness = harness.import(input).map_err(|error| error.context(memories.display()))?;
    }
    match &args.settings {
        Some(settings) => harness.settings(settings),
        None => Ok(harness),
    }
}

fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// A folder for the compiled code, so that mapping it is measured as a hook does it; gone with the command.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        use std::os::unix::fs::DirBuilderExt;
        let unmade =
            |error: &dyn std::fmt::Display| Error::unavailable(format!("no temporary folder: {error}"));
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(|error| unmade(&error))?;
        let folder = std::env::temp_dir().join(format!("interleaf-run-{:016x}", u64::from_ne_bytes(random)));
        fs::DirBuilder::new().mode(0o700).create(&folder).map_err(|error| unmade(&error))?;
        Ok(Self(folder))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
