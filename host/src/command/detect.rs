//! `interleaf detect`: what the posttool layer makes of an event. It runs as in a hook; only its surroundings are
//! scratch, so nothing is stored, queued or logged. What it decided stands in its line of the log.

use std::io::Read;

use serde_json::{Value, json};

use super::output::Output;
use crate::claude::{Event, EventKind};
use crate::error::{Error, Result};
use crate::harness::{Harness, Outcome};
use crate::layer::Layer;
use crate::log::Level;
use crate::pipeline::event_name;
use crate::project_context::ProjectContext;

/// The layer that detects.
const LAYER: &str = "posttool";

const HELP: &str = "\
The event is JSON as Claude Code writes it to a hook. Printed is one JSON object: learnable, score
(0 to 1), category (error, workaround, discovery, warning or null) and the reasons. Weights and the
threshold are settings: [layers.posttool.settings]. Nothing is stored.

Exit code: 0 it was judged, 1 the layer could not run, 2 the event cannot be understood.";

/// Judges an event.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Print JSON, which is all that there is
    #[arg(long, hide = true)]
    json: bool,
}

/// Judges it.
pub fn run(_args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (text, event) = event()?;
    let Some(layer) = layer(context) else {
        return out.json(&not_looked_at(&format!("{LAYER} does not run here")));
    };
    let name = event_name(&event);
    if !layer.answers.contains(&name) {
        return out.json(&not_looked_at(&format!("{LAYER} does not look at {} ({name})", event.name)));
    }
    let harness = Harness::layer(layer)?
        .cache_folder(&context.folders.cache)?
        .system_clock()
        .trace()
        .with_config_of(context)?;
    let found = found(&harness.send(&text)?)?;
    out.json(
        &found.unwrap_or_else(|| not_looked_at(&format!("{LAYER} does not look at {}", subject(&event)))),
    )
}

/// The event on standard input.
fn event() -> Result<(String, Event)> {
    let unreadable = |error| Error::invalid(format!("the event on standard input cannot be read: {error}"));
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).map_err(unreadable)?;
    let event = Event::parse(text.as_bytes()).map_err(|error| error.context("standard input"))?;
    match &event.parse_issue {
        Some(parse_issue) => {
            Err(Error::invalid(format!("standard input is no event of Claude Code: {parse_issue}"))
                .hint("give the JSON that a hook gets: {\"session_id\": …, \"hook_event_name\": …}"))
        }
        None => Ok((text, event)),
    }
}

fn layer(context: &ProjectContext) -> Option<Layer> {
    let roster = context.roster();
    let able = roster.members().iter().filter(|member| member.is_on() && member.unavailable.is_none());
    able.map(|member| &member.layer).find(|layer| layer.name == LAYER).cloned()
}

/// What the layer wrote of its decision; none where it wrote nothing.
fn found(outcome: &Outcome) -> Result<Option<Value>> {
    if let Some(error) = outcome.log.iter().find(|line| line.level == Level::Error) {
        return Err(Error::unavailable(format!("layer {LAYER} did not answer: {}", error.message)));
    }
    let told = outcome.log.iter().rev().filter_map(|line| serde_json::from_str::<Value>(&line.message).ok());
    Ok(told.filter_map(|mut line| line.get_mut("detector").map(Value::take)).next())
}

fn subject(event: &Event) -> String {
    match &event.kind {
        EventKind::PostTool { tool_name, .. } | EventKind::ToolFailure { tool_name, .. } => {
            format!("the tool {tool_name}")
        }
        _ => event.name.clone(),
    }
}

fn not_looked_at(reason: &str) -> Value {
    json!({ "learnable": false, "score": 0.0, "category": null, "reasons": [reason] })
}
