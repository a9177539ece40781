//! `interleaf layers`: what would run here, with which grants, and why.

use std::io::Write;

use crate::here::Here;
use crate::layer::{Layer, Member, Roster};

use super::output::Output;

/// Lists the layers.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Lists them in the order in which they speak.
pub fn run(args: &Args, here: &Here, out: &mut Output) -> anyhow::Result<()> {
    let roster = Roster::new(Layer::embedded(), &here.config);
    for member in roster.members() {
        match args.json {
            true => out.json(&object(member))?,
            false => describe(member, out)?,
        }
    }
    if args.json {
        return Ok(());
    }
    if here.config.disabled {
        writeln!(out, "\nINTERLEAF_DISABLE is set: no layer runs.")?;
    }
    for note in here.folders.ignored.iter().chain(&here.config.notes) {
        writeln!(out, "\nnote: {note}")?;
    }
    Ok(())
}

fn object(member: &Member) -> serde_json::Value {
    let layer = &member.layer;
    serde_json::json!({
        "name": layer.name, "about": layer.about, "from": "embedded", "digest": layer.digest,
        "enabled": member.config.enabled, "order": member.config.order, "settings": member.config.settings,
        "events": layer.answers.iter().map(|event| event.as_str()).collect::<Vec<_>>(),
        "grants": layer.grants,
    })
}

fn describe(member: &Member, out: &mut Output) -> anyhow::Result<()> {
    let (layer, config) = (&member.layer, &member.config);
    let events: Vec<&str> = layer.answers.iter().map(|event| event.as_str()).collect();
    let off = if config.enabled { "" } else { " (switched off)" };
    writeln!(out, "{}{off}: {}", out.strong(&layer.name), layer.about)?;
    let from = format!("embedded, order {}, sha256:{}", config.order, &layer.digest[..12]);
    for (name, value) in [("events", events.join(", ")), ("grants", layer.grants.describe()), ("from", from)]
    {
        writeln!(out, "  {} {value}", out.faint(&format!("{name:<8}")))?;
    }
    if config.settings.as_object().is_some_and(|settings| !settings.is_empty()) {
        writeln!(out, "  {} {}", out.faint("settings"), config.settings)?;
    }
    Ok(())
}
