//! `interleaf layer`: which layers run here, what they may do, and taking one on or putting it off.

mod compile_progress;
mod component_file;
mod layer_accept;
mod layer_check;
pub(super) mod layer_list;
mod layer_review;
mod layer_run;
mod layer_trace;

use super::output::Output;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::roster::{ApprovalStatus, FileLayers, LayerCandidate};

/// What can be done with layers.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// List the layers that run here and those that wait to be accepted (the same as `interleaf layers`)
    List(layer_list::Args),
    /// Show one layer: what it answers, what it may do and where it comes from
    Show(layer_list::ShowArgs),
    /// Look at a layer of this project or of your own, and let it run
    Accept(layer_accept::Args),
    /// Take back what was accepted
    Revoke(layer_accept::RevokeArgs),
    /// Say whether a component keeps the contract and what it needs, before anything of it runs
    Check(layer_check::Args),
    /// Send one event through a component and show everything it did; nothing of yours changes
    Run(layer_run::Args),
}

impl Verb {
    /// Does it.
    pub fn run(self, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
        match self {
            Self::List(args) => layer_list::run(&args, context, out),
            Self::Show(args) => layer_list::show(&args, context, out),
            Self::Accept(args) => layer_accept::run(&args, context, out),
            Self::Revoke(args) => layer_accept::revoke(&args, context, out),
            Self::Check(args) => layer_check::run(&args, out),
            Self::Run(args) => layer_run::run(&args, context, out),
        }
    }
}

/// Refuses inside a session of Claude Code: what widens rights, or takes a guard away, is for a person. Only a speed
/// bump; SECURITY.md says so.
fn only_a_person(verb: &str) -> Result<()> {
    match crate::claude::is_inside_session() {
        false => Ok(()),
        true => Err(Error::denied(format!(
            "interleaf layer {verb} is for a person, and this is a session of Claude Code"
        ))
        .hint("run it in a terminal of your own")),
    }
}

/// The files of this name on the shelf.
fn offers<'a>(team: &'a FileLayers, name: &str) -> Result<Vec<&'a (LayerCandidate, ApprovalStatus)>> {
    let found: Vec<_> = team.candidates.iter().filter(|(offer, _)| offer.name == name).collect();
    match found.is_empty() {
        false => Ok(found),
        true => Err(Error::not_found(format!("no file here is a layer {name}")).hint(format!(
            "put it at .claude/layers/{name}.wasm, or name it as [layers.{name}] file = \"…\""
        ))),
    }
}
