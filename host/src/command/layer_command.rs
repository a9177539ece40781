//! `interleaf layer`: lists, inspects, tests, accepts and revokes layers.

mod compile_progress;
mod component_file;
mod layer_accept;
mod layer_check;
mod layer_list;
mod layer_review;
mod layer_run;
mod layer_trace;

pub use layer_list::ListArgs;

use super::output::Output;
use crate::project_context::ProjectContext;

/// List, inspect, test, accept and revoke layers
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    List(ListArgs),
    Show(layer_list::ShowArgs),
    Accept(layer_accept::AcceptArgs),
    Revoke(layer_accept::RevokeArgs),
    Check(layer_check::Args),
    Run(layer_run::Args),
}

/// Runs the verb.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match args.verb {
        Verb::List(args) => layer_list::list(&args, context, out),
        Verb::Show(args) => layer_list::show(&args, context, out),
        Verb::Accept(args) => layer_accept::accept(&args, context, out),
        Verb::Revoke(args) => layer_accept::revoke(&args, context, out),
        Verb::Check(args) => layer_check::run(&args, out),
        Verb::Run(args) => layer_run::run(&args, context, out),
    }
}

/// Runs `interleaf layers`, the former name of `interleaf layer list`.
pub fn list(args: &ListArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    layer_list::list(args, context, out)
}
