//! `interleaf queue`: lists or deletes the captures of layers that are not processed yet.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::{Value, json};

use super::output::{Output, count, format_duration};
use crate::clock::Millis;
use crate::error::Error;
use crate::project_context::ProjectContext;
use crate::state::Capture;

/// Maximum number of captures that are read: more than the queue can hold.
const MAX_CAPTURES: usize = 10_000;

/// List captures that wait to be processed, or delete them
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    List(ListArgs),
    Clear(ClearArgs),
}

/// List the waiting captures, oldest first
#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Print JSON, one object per line, with the whole capture
    #[arg(long)]
    json: bool,
}

/// Delete all waiting captures
#[derive(Debug, clap::Args)]
struct ClearArgs {
    /// Confirm; deleted captures cannot be restored
    #[arg(long)]
    yes: bool,
}

/// Runs the verb.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match args.verb {
        Verb::List(args) => list(&args, context, out),
        Verb::Clear(args) => clear(&args, context, out),
    }
}

fn list(args: &ListArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (state, now) = (context.state()?, context.clock.now());
    let captures = state.captures(MAX_CAPTURES)?;
    for capture in &captures {
        match args.json {
            true => out.json(&object(capture, now))?,
            false => print(capture, now, out)?,
        }
    }
    if args.json {
        return Ok(());
    }
    if captures.is_empty() {
        writeln!(out, "The queue is empty.")?;
    }
    let dropped = state.dropped_captures()?;
    if dropped > 0 {
        writeln!(out, "{dropped} older captures were dropped because the queue was full.")?;
    }
    Ok(())
}

fn object(capture: &Capture, now: Millis) -> Value {
    let payload: Value = serde_json::from_str(&capture.payload).unwrap_or_else(|_| json!(capture.payload));
    json!({
        "id": capture.id, "layer": capture.layer, "session": capture.session, "at": capture.at,
        "age_ms": now.saturating_sub(capture.at).max(0), "summary": payload["summary"], "capture": payload,
    })
}

fn print(capture: &Capture, now: Millis, out: &mut Output) -> anyhow::Result<()> {
    let payload: Value = serde_json::from_str(&capture.payload).unwrap_or_default();
    let summary = for_terminal(payload["summary"].as_str().unwrap_or("(no summary)"));
    let id = out.bold(&for_terminal(&capture.id));
    let age = out.faint(&format!("{} ago", format_duration(now.saturating_sub(capture.at))));
    Ok(writeln!(out, "{id}  {age}  {summary}")?)
}

fn clear(args: &ClearArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let state = context.state()?;
    let ids: Vec<String> = state.captures(MAX_CAPTURES)?.into_iter().map(|capture| capture.id).collect();
    let captures = count(ids.len(), "capture");
    if !args.yes && !ids.is_empty() {
        let what = format!("this would delete {captures}");
        return Err(Error::invalid(what).hint("interleaf queue clear --yes").into());
    }
    state.remove_captures(&ids)?;
    Ok(writeln!(out, "Deleted {captures}.")?)
}
