//! `interleaf queue`: what layers noticed and nobody has dealt with yet, oldest first.

use std::io::Write;

use serde_json::{Value, json};

use super::output::{Output, span, tame};
use crate::clock::Millis;
use crate::error::Error;
use crate::project_context::ProjectContext;
use crate::state::Capture;

/// More than can wait.
const ALL: usize = 10_000;

/// What can be done with the queue.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// List what waits, oldest first
    List(List),
    /// Throw away all that waits
    Clear(Clear),
}

/// Lists captures.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Print JSON, one object a line, with all that was noted
    #[arg(long)]
    json: bool,
}

/// Throws captures away.
#[derive(Debug, clap::Args)]
pub struct Clear {
    /// Do it; they cannot be brought back
    #[arg(long)]
    yes: bool,
}

impl Verb {
    /// Does it.
    pub fn run(self, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::List(args) => list(&args, context, out),
            Self::Clear(args) => clear(&args, context, out),
        }
    }
}

fn list(args: &List, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (state, now) = (context.state()?, context.clock.now());
    let captures = state.captures(ALL)?;
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
        writeln!(out, "Nothing waits.")?;
    }
    let dropped = state.dropped_captures()?;
    if dropped > 0 {
        writeln!(out, "{dropped} older ones were dropped, because the queue was full.")?;
    }
    Ok(())
}

fn object(capture: &Capture, now: Millis) -> Value {
    let payload: Value = serde_json::from_str(&capture.payload).unwrap_or_else(|_| json!(capture.payload));
    json!({
        "id": capture.id, "layer": capture.layer, "session": capture.session, "at": capture.at,
        "age_ms": now.saturating_sub(capture.at).max(0), "summary": summary(&payload), "capture": payload,
    })
}

fn summary(payload: &Value) -> Value {
    payload["summary"].clone()
}

fn print(capture: &Capture, now: Millis, out: &mut Output) -> anyhow::Result<()> {
    let payload: Value = serde_json::from_str(&capture.payload).unwrap_or_default();
    let summary = tame(summary(&payload).as_str().unwrap_or("(without a summary)"));
    let id = out.strong(&tame(&capture.id));
    let age = out.faint(&format!("{} ago", span(now.saturating_sub(capture.at))));
    Ok(writeln!(out, "{id}  {age}  {summary}")?)
}

fn clear(args: &Clear, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let state = context.state()?;
    let ids: Vec<String> = state.captures(ALL)?.into_iter().map(|capture| capture.id).collect();
    if !args.yes && !ids.is_empty() {
        let what = format!("{} captures would be lost", ids.len());
        return Err(Error::invalid(what).hint("interleaf queue clear --yes").into());
    }
    state.remove_captures(&ids)?;
    Ok(writeln!(out, "{} captures were thrown away.", ids.len())?)
}
