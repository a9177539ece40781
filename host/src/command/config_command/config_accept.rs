//! `interleaf config accept` and `revoke`: a project's category descriptions, which become part of a model's
//! prompts.
//!
//! The descriptions are shown in full, and exactly those are accepted.

use std::io::Write;

use interleaf_text::for_terminal;

use super::load;
use crate::command::confirm::{Proposal, parse_digest, record_folders, require_person};
use crate::command::output::Output;
use crate::config::{CategoryDescriptions, DescriptionApprovals};
use crate::error::Error;
use crate::project_context::ProjectContext;

/// Review the project's category descriptions, and accept them for the model's prompts
///
/// Shows each description, as a difference from what you accepted before, and asks. A change of the file
/// takes effect only once you accept it again.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Accept without asking, if the descriptions have exactly this digest
    #[arg(long, value_name = "sha256:…", value_parser = parse_digest)]
    digest: Option<String>,
}

/// Shows the descriptions, asks, and records the approval.
pub fn accept(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf config accept")?;
    let descriptions = load(context).descriptions();
    let (mut approvals, warning) = DescriptionApprovals::read(&context.folders, &context.project.id);
    if let Some(warning) = warning {
        return Err(Error::unavailable(warning).into());
    }
    if descriptions.is_empty() {
        return Ok(writeln!(out, "The project describes no categories.")?);
    }
    if approvals.contains(&descriptions) {
        return Ok(writeln!(out, "The project's category descriptions are already accepted.")?);
    }
    print(&descriptions, approvals.latest(), out)?;
    let proposal = Proposal {
        subject: "the category descriptions",
        digest: &descriptions.digest(),
        question: "Accept them?",
        command: "interleaf config accept",
    };
    if !proposal.is_accepted(args.digest.as_deref(), out)? {
        return Ok(writeln!(out, "\nNot accepted. They are not used.")?);
    }
    approvals.accept(descriptions, context.clock.now())?;
    record_folders(&context.folders, out)?;
    Ok(writeln!(out, "\nAccepted, from the next event on. To undo: interleaf config revoke")?)
}

fn print(
    descriptions: &CategoryDescriptions,
    previous: Option<&CategoryDescriptions>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let change = if previous.is_some() { "changed since you accepted them" } else { "new" };
    writeln!(out, "{} ({change})", out.bold("The project's category descriptions"))?;
    writeln!(out, "  {} sha256:{}\n", out.faint("digest"), descriptions.digest())?;
    writeln!(out, "They would become part of the language model's prompts, and be shown with memories:")?;
    for (category, text) in descriptions.iter() {
        let old = previous.and_then(|previous| previous.of(category));
        let sign = if previous.is_some() && old != Some(text) { "+" } else { " " };
        writeln!(out, "{sign} - {}: {}", out.bold(category.as_str()), for_terminal(text))?;
        if let Some(old) = old.filter(|old| *old != text) {
            writeln!(out, "- - {category}: {}", for_terminal(old))?;
        }
    }
    let old = previous.into_iter().flat_map(CategoryDescriptions::iter);
    for (category, text) in old.filter(|(category, _)| descriptions.of(*category).is_none()) {
        writeln!(out, "- - {category}: {} (removed)", for_terminal(text))?;
    }
    Ok(())
}

/// Revokes every set of descriptions that was accepted for this project.
pub fn revoke(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    require_person("interleaf config revoke")?;
    let (mut approvals, _) = DescriptionApprovals::read(&context.folders, &context.project.id);
    match approvals.revoke()? {
        0 => Err(Error::not_found("no category descriptions of this project are accepted").into()),
        _ => Ok(writeln!(out, "Revoked. The project's category descriptions are no longer used.")?),
    }
}
