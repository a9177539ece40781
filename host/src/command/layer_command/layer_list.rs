//! `interleaf layer list` and `show`: the layers that run here, their grants, and the files that wait to be
//! accepted.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::{Value, json};

use super::component_file::read_component;
use super::layer_accept::other_versions;
use super::layer_review::Review;
use crate::command::config_command;
use crate::command::output::Output;
use crate::contract;
use crate::error::Error;
use crate::layer::{FailurePolicy, FileScope};
use crate::project_context::ProjectContext;
use crate::roster::{ApprovalStatus, ApprovalStore, LayerCandidate, Member};

/// List the layers that run here, and those that wait to be accepted
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Show one layer: its events, what it may do, and its file
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// The layer
    name: String,
}

/// Prints the layers in the order of their replies, then those that do not run.
pub fn list(args: &ListArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (roster, layers) = (context.roster(), context.file_layers());
    let approvals = ApprovalStore::read(&context.folders, &context.project.id);
    let idle: Vec<_> = layers.candidates.iter().filter(|(_, status)| !status.is_accepted()).collect();
    if args.json {
        roster.members().iter().try_for_each(|member| out.json(&member_object(member, &approvals)))?;
        return idle.iter().try_for_each(|(candidate, status)| out.json(&idle_object(candidate, status)));
    }
    roster.members().iter().try_for_each(|member| print_member(member, &approvals, out))?;
    idle.iter().try_for_each(|(candidate, status)| print_idle(candidate, status, out))?;
    if context.config.disabled {
        writeln!(out, "\nINTERLEAF_DISABLE is set: only guards of tool calls run.")?;
    }
    for warning in context.config.warnings.iter().chain(&layers.warnings) {
        writeln!(out, "\nwarning: {}", for_terminal(warning))?;
    }
    Ok(())
}

fn member_object(member: &Member, approvals: &ApprovalStore) -> Value {
    let layer = &member.layer;
    json!({
        "name": layer.name, "about": layer.about, "from": layer.source, "digest": layer.digest,
        "standing": if member.unavailable.is_some() { "gone" } else { "runs" }, "why": member.unavailable,
        "enabled": member.is_enabled(), "order": member.config.order, "settings": member.config.settings,
        "events": layer.answers, "grants": layer.grants, "on_failure": layer.on_failure,
        "also_accepted": approvals.other_digests(&layer.name, &layer.digest),
    })
}

fn idle_object(candidate: &LayerCandidate, status: &ApprovalStatus) -> Value {
    json!({
        "name": candidate.name, "from": candidate.file, "digest": status.digest(),
        "standing": status.as_str(), "enabled": false,
        "whose": if candidate.scope == FileScope::User { "person" } else { "project" },
        "why": match status { ApprovalStatus::Unreadable(why) => Some(why), _ => None },
    })
}

fn print_member(member: &Member, approvals: &ApprovalStore, out: &mut Output) -> anyhow::Result<()> {
    let (layer, config) = (&member.layer, &member.config);
    let events: Vec<&str> = layer.answers.iter().map(|event| event.as_str()).collect();
    let state = match (&member.unavailable, member.is_enabled()) {
        (Some(_), _) => " (does not run)",
        (None, false) => " (switched off)",
        (None, true) => "",
    };
    let about = if layer.about.is_empty() { "accepted by you" } else { &layer.about };
    writeln!(out, "{}{state}: {}", out.bold(&for_terminal(&layer.name)), for_terminal(about))?;
    let from =
        format!("{}, order {}, sha256:{}", for_terminal(&layer.source), config.order, &layer.digest[..12]);
    let mut facts = vec![("events", events.join(", ")), ("grants", layer.grants.summary()), ("from", from)];
    if layer.on_failure != FailurePolicy::Pass {
        facts.push(("failing", format!("{} before every tool call", layer.on_failure.as_str())));
    }
    facts.extend(member.unavailable.clone().map(|why| ("why", why)));
    let others = approvals.other_digests(&layer.name, &layer.digest);
    facts.extend(other_versions(&layer.name, &others).map(|others| ("also", others)));
    if config.settings.as_object().is_some_and(|settings| !settings.is_empty()) {
        facts.push(("settings", config.settings.to_string()));
    }
    print_facts(&facts, out)
}

fn print_idle(candidate: &LayerCandidate, status: &ApprovalStatus, out: &mut Output) -> anyhow::Result<()> {
    let name = for_terminal(&candidate.name);
    writeln!(out, "{} (does not run): {}", out.bold(&name), for_terminal(&status.describe()))?;
    let mut facts = vec![("from", candidate.file.display().to_string())];
    facts.extend(status.digest().map(|digest| ("digest", format!("sha256:{digest}"))));
    if status.is_pending() {
        facts.push(("next", format!("interleaf layer accept {name}")));
    }
    print_facts(&facts, out)
}

fn print_facts(facts: &[(&str, String)], out: &mut Output) -> anyhow::Result<()> {
    for (name, value) in facts {
        writeln!(out, "  {} {}", out.faint(&format!("{name:<8}")), for_terminal(value))?;
    }
    Ok(())
}

/// Prints the running layers of this name, then the files of this name with their reviews.
pub fn show(args: &ShowArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (roster, layers) = (context.roster(), context.file_layers());
    let members = roster.members().iter().filter(|member| member.layer.name == args.name.as_str());
    let members: Vec<_> = members.collect();
    let files = layers.candidates.iter().filter(|(candidate, _)| candidate.name == args.name);
    let files: Vec<_> = files.collect();
    if members.is_empty() && files.is_empty() {
        let error = Error::not_found(format!("there is no layer {}", args.name));
        return Err(error.hint("interleaf layer list").into());
    }
    for member in &members {
        print_member(member, &ApprovalStore::read(&context.folders, &context.project.id), out)?;
        for description in member.layer.grants.descriptions() {
            writeln!(out, "    - {}", for_terminal(&description))?;
        }
    }
    for (candidate, status) in files.into_iter().filter(|(_, status)| !status.is_accepted()) {
        writeln!(out)?;
        print_idle(candidate, status, out)?;
        print_review(candidate, status, context, out)?;
    }
    Ok(())
}

/// Prints the review that `interleaf layer accept` would show, if the file can be read.
fn print_review(
    candidate: &LayerCandidate,
    status: &ApprovalStatus,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    let Some(digest) = status.digest() else { return Ok(()) };
    let Ok(wasm) = read_component(&candidate.file) else { return Ok(()) };
    let loaded = config_command::load(context);
    let config = loaded.config.layer(&candidate.name);
    let grants = config.requested_grants.unwrap_or_default();
    let review = Review {
        root: &context.project.root,
        candidate,
        digest,
        inspection: &contract::inspect(&wasm)?,
        grants: &grants,
        requested_policy: config.on_failure,
        problems: &loaded.problems_of_layer(&candidate.name),
        previous: status.previous(),
    };
    review.print(out)
}
