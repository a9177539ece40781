//! `interleaf config`: what holds here and where it comes from, whether the files are in order, how a project describes
//! its categories, and the settings of claude-memory taken over.

mod config_accept;
mod config_check;
mod config_import;
mod config_show;
mod import_options;
mod toml_insert;

use super::output::Output;
use crate::config::LoadedConfig;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;

/// Show what is set here, by whom, and what was not heeded; everything that can be set is in docs/configuration.md
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    show: config_show::Options,
}

/// What else can be done.
#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Say what is wrong in your file and the project's, or in one that you name
    Check(config_check::Args),
    /// Look at the project's descriptions of categories of memories, and let them into the model's prompts
    Accept(config_accept::Args),
    /// Take back what was accepted
    Revoke,
    /// Take over the settings of claude-memory from its memory-config.json
    Import(config_import::Args),
}

/// Does it.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match &args.verb {
        None => config_show::run(&args.show, context, out),
        Some(Verb::Check(args)) => config_check::run(args, context, out),
        Some(Verb::Accept(args)) => config_accept::run(args, context, out),
        Some(Verb::Revoke) => config_accept::revoke(context, out),
        Some(Verb::Import(args)) => config_import::run(args, context, out),
    }
}

/// Both files, read anew with an account of every setting.
fn survey(context: &ProjectContext) -> LoadedConfig {
    LoadedConfig::load(Some(&context.folders), &context.project.config_file(), &context.project.id)
}

/// Refuses inside a session of Claude Code: what a model's prompts say, and what is kept, is for a person to decide. Only
/// a speed bump; SECURITY.md says so.
fn only_a_person(verb: &str) -> Result<()> {
    match crate::claude::is_inside_session() {
        false => Ok(()),
        true => Err(Error::denied(format!(
            "interleaf config {verb} is for a person, and this is a session of Claude Code"
        ))
        .hint("run it in a terminal of your own")),
    }
}
