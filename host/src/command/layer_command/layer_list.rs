//! `interleaf layer list`: what runs here, with which grants, and what waits to be accepted.

use std::io::Write;

use serde_json::{Value, json};

use super::layer_review::Review;
use crate::command::output::{Output, tame};
use crate::contract;
use crate::dirs::read_file;
use crate::error::Error;
use crate::layer::{FailurePolicy, FileScope};
use crate::project_context::ProjectContext;
use crate::roster::{ApprovalStatus, LayerCandidate, MAX_COMPONENT_BYTES, Member};

/// Lists the layers.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Lists them in the order in which they speak, then those that do not run.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (roster, team) = (context.roster(), context.team());
    let idle: Vec<_> = team.candidates.iter().filter(|(_, standing)| !standing.is_accepted()).collect();
    if args.json {
        roster.members().iter().try_for_each(|member| out.json(&object(member)))?;
        return idle.into_iter().try_for_each(|(offer, standing)| out.json(&idle_object(offer, standing)));
    }
    roster.members().iter().try_for_each(|member| describe(member, out))?;
    idle.into_iter().try_for_each(|(offer, standing)| describe_idle(offer, standing, out))?;
    if context.config.disabled {
        writeln!(out, "\nINTERLEAF_DISABLE is set: no layer runs.")?;
    }
    for note in context.folders.ignored.iter().chain(&context.config.warnings).chain(&team.warnings) {
        writeln!(out, "\nnote: {note}")?;
    }
    Ok(())
}

fn object(member: &Member) -> Value {
    let layer = &member.layer;
    json!({
        "name": layer.name, "about": layer.about, "from": layer.source, "digest": layer.digest,
        "standing": if member.unavailable.is_some() { "gone" } else { "runs" }, "why": member.unavailable,
        "enabled": member.is_on(), "order": member.config.order, "settings": member.config.settings,
        "events": layer.answers, "grants": layer.grants, "on_failure": layer.on_failure,
    })
}

fn idle_object(offer: &LayerCandidate, standing: &ApprovalStatus) -> Value {
    json!({
        "name": offer.name, "from": offer.file, "digest": standing.digest(), "standing": standing.as_str(),
        "whose": if offer.scope == FileScope::User { "person" } else { "project" }, "enabled": false,
        "why": match standing { ApprovalStatus::Unreadable(why) => Some(why), _ => None },
    })
}

/// One layer that takes part.
pub(super) fn describe(member: &Member, out: &mut Output) -> anyhow::Result<()> {
    let (layer, config) = (&member.layer, &member.config);
    let events: Vec<&str> = layer.answers.iter().map(|event| event.as_str()).collect();
    let state = match (&member.unavailable, member.is_on()) {
        (Some(_), _) => " (does not run)",
        (None, false) => " (switched off)",
        (None, true) => "",
    };
    let about = if layer.about.is_empty() { "accepted by you" } else { &layer.about };
    writeln!(out, "{}{state}: {}", out.strong(&layer.name), about)?;
    let from = format!("{}, order {}, sha256:{}", tame(&layer.source), config.order, &layer.digest[..12]);
    let mut facts = vec![("events", events.join(", ")), ("grants", layer.grants.summary()), ("from", from)];
    if layer.on_failure != FailurePolicy::Pass {
        facts.push(("failing", format!("{} before every tool call", layer.on_failure.as_str())));
    }
    facts.extend(member.unavailable.clone().map(|why| ("why", why)));
    if config.settings.as_object().is_some_and(|settings| !settings.is_empty()) {
        facts.push(("settings", config.settings.to_string()));
    }
    for (name, value) in facts {
        writeln!(out, "  {} {}", out.faint(&format!("{name:<8}")), tame(&value))?;
    }
    Ok(())
}

/// One file that is no layer yet.
pub(super) fn describe_idle(
    offer: &LayerCandidate,
    standing: &ApprovalStatus,
    out: &mut Output,
) -> anyhow::Result<()> {
    let name = &offer.name;
    writeln!(out, "{} (does not run): {}", out.strong(name), standing.describe())?;
    let mut facts = vec![("from", tame(&offer.file.display().to_string()))];
    facts.extend(standing.digest().map(|digest| ("digest", format!("sha256:{digest}"))));
    if standing.is_pending() {
        facts.push(("next", format!("interleaf layer accept {name}")));
    }
    for (name, value) in facts {
        writeln!(out, "  {} {value}", out.faint(&format!("{name:<8}")))?;
    }
    Ok(())
}

/// Shows it.
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// The layer
    name: String,
}

/// Shows what takes part under this name, then what a person would be shown before they accept a file of it.
pub fn show(args: &ShowArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (roster, team) = (context.roster(), context.team());
    let members = roster.members().iter().filter(|member| member.layer.name == args.name.as_str());
    let members: Vec<_> = members.collect();
    let files: Vec<_> = team.candidates.iter().filter(|(offer, _)| offer.name == args.name).collect();
    if members.is_empty() && files.is_empty() {
        let error = Error::not_found(format!("there is no layer {}", args.name));
        return Err(error.hint("interleaf layer list shows those there are").into());
    }
    for member in &members {
        describe(member, out)?;
        for sentence in member.layer.grants.descriptions() {
            writeln!(out, "    - {sentence}")?;
        }
    }
    for (offer, standing) in files.into_iter().filter(|(_, standing)| !standing.is_accepted()) {
        writeln!(out)?;
        describe_idle(offer, standing, out)?;
        review(offer, standing, context, out)?;
    }
    Ok(())
}

fn review(
    offer: &LayerCandidate,
    standing: &ApprovalStatus,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    let Some(digest) = standing.digest() else { return Ok(()) };
    let Ok(Some(wasm)) = read_file(&offer.file, MAX_COMPONENT_BYTES) else { return Ok(()) };
    let inspection = contract::inspect(&wasm)?;
    let config = context.config.layer(&offer.name);
    let grants = config.requested_grants.unwrap_or_default();
    let on_failure = FailurePolicy::for_layer(&grants, config.on_failure);
    let before = standing.previous();
    Review {
        root: &context.project.root,
        offer,
        digest,
        inspection: &inspection,
        grants: &grants,
        on_failure,
        before,
    }
    .print(out)
}
