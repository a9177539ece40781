//! `interleaf config`: shows and checks the configuration, accepts a project's category descriptions, and
//! imports the settings of claude-memory.

mod config_accept;
mod config_check;
mod config_import;
mod config_set;
mod config_show;
mod import_options;
mod toml_insert;

pub(super) use config_set::set_in_user_file;

use super::output::Output;
use crate::config::LoadedConfig;
use crate::project_context::ProjectContext;

/// Show effective settings, their source, and ignored entries
///
/// docs/configuration.md describes every setting.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    show: config_show::ShowArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Check(config_check::Args),
    Accept(config_accept::Args),
    /// Revoke the accepted descriptions of this project
    Revoke,
    Import(config_import::Args),
}

/// Runs the verb.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match &args.verb {
        None => config_show::run(&args.show, context, out),
        Some(Verb::Check(args)) => config_check::run(args, context, out),
        Some(Verb::Accept(args)) => config_accept::accept(args, context, out),
        Some(Verb::Revoke) => config_accept::revoke(context, out),
        Some(Verb::Import(args)) => config_import::run(args, context, out),
    }
}

/// Reads both files again, with a status for every setting.
pub fn load(context: &ProjectContext) -> LoadedConfig {
    LoadedConfig::load(Some(&context.folders), &context.project.config_file(), &context.project.id)
}
