//! `interleaf detect`: shows how the posttool layer scores an event.
//!
//! The layer runs as in a hook, but on temporary state, so nothing is stored, queued or logged. Its decision
//! is the object that it logs.

use std::io::Read;

use serde_json::{Value, json};

use super::output::Output;
use crate::claude::{Event, EventKind};
use crate::error::{Error, Result};
use crate::harness::{Harness, Outcome};
use crate::log::Level;
use crate::pipeline::event_name;
use crate::project_context::ProjectContext;

const LAYER: &str = "posttool";

const HELP: &str = "\
The event is JSON as Claude Code passes it to a hook. The output is one JSON object: learnable, score
(0 to 1), category (error, workaround, discovery, warning or null) and reasons. Weights and threshold
are settings: [layers.posttool.settings]. Nothing is stored.

Exit code: 0 the event was scored, 1 the layer could not run, 2 the event is invalid.";

/// Score one event for learnable content
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Print JSON, which is the only format
    #[arg(long, hide = true)]
    json: bool,
}

/// Scores the event on standard input.
pub fn run(_args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (text, event) = read_event()?;
    let Some(layer) = context.running_layer(LAYER) else {
        return out.json(&unscored(&format!("{LAYER} does not run here")));
    };
    let name = event_name(&event);
    if !layer.answers.contains(&name) {
        return out.json(&unscored(&format!("{LAYER} does not score {} ({name})", event.name)));
    }
    let harness = Harness::layer(layer)?
        .cache_folder(&context.folders.cache)?
        .system_clock()
        .trace()
        .with_config_of(context)?;
    let decision = logged_decision(&harness.send(&text)?)?;
    out.json(&decision.unwrap_or_else(|| unscored(&format!("{LAYER} does not score {}", subject(&event)))))
}

fn read_event() -> Result<(String, Event)> {
    let unreadable = |error| Error::invalid(format!("cannot read the event on standard input: {error}"));
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).map_err(unreadable)?;
    let event = Event::parse(text.as_bytes()).map_err(|error| error.context("standard input"))?;
    match &event.parse_issue {
        Some(issue) => Err(Error::invalid(format!("standard input is not a valid event: {issue}"))
            .hint("pass the JSON that a hook receives: {\"session_id\": …, \"hook_event_name\": …}")),
        None => Ok((text, event)),
    }
}

/// Returns the decision that the layer logged; `None` if it logged none.
fn logged_decision(outcome: &Outcome) -> Result<Option<Value>> {
    if let Some(error) = outcome.log.iter().find(|line| line.level == Level::Error) {
        return Err(Error::unavailable(format!("layer {LAYER} did not answer: {}", error.message)));
    }
    let objects =
        outcome.log.iter().rev().filter_map(|line| serde_json::from_str::<Value>(&line.message).ok());
    Ok(objects.filter_map(|mut object| object.get_mut("detector").map(Value::take)).next())
}

fn subject(event: &Event) -> String {
    match &event.kind {
        EventKind::PostTool { tool_name, .. } | EventKind::ToolFailure { tool_name, .. } => {
            format!("the tool {tool_name}")
        }
        _ => event.name.clone(),
    }
}

fn unscored(reason: &str) -> Value {
    json!({ "learnable": false, "score": 0.0, "category": null, "reasons": [reason] })
}
