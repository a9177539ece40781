//! `interleaf memory`: searches, changes, maintains, imports and exports the memories of a project.

mod files_at_commit;
mod memory_backup;
mod memory_import;
mod memory_preview;
mod memory_search;
mod memory_sharing;
pub(super) mod memory_show;
mod memory_status;
mod memory_update;
mod memory_upkeep;
mod session_forget;

pub use memory_status::ForgetArgs;

use super::output::Output;
use super::remember;
use crate::project_context::ProjectContext;
pub(super) use memory_search::parse_day;
use memory_status::StatusChange;

/// Search, list, change, import and export memories
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Save a memory (the same as `interleaf remember`)
    Add(remember::Args),
    Search(memory_search::SearchArgs),
    List(memory_search::ListArgs),
    Show(memory_show::ShowArgs),
    History(memory_show::HistoryArgs),
    Update(memory_update::Args),
    /// Retire a memory, so that it is no longer found or shown (the same as `interleaf forget`)
    Retire(ForgetArgs),
    /// Restore a retired memory
    Restore(memory_status::StatusArgs),
    /// Archive a memory: it is no longer found or shown, and never deleted
    Archive(memory_status::StatusArgs),
    /// Restore an archived memory
    Unarchive(memory_status::StatusArgs),
    Confirm(memory_status::ConfirmArgs),
    Rate(memory_status::RateArgs),
    Trust(memory_sharing::TrustArgs),
    Distrust(memory_sharing::DistrustArgs),
    Private(memory_sharing::PrivateArgs),
    Gc(memory_upkeep::GcArgs),
    Verify(memory_upkeep::VerifyArgs),
    Stats(memory_upkeep::StatsArgs),
    Backup(memory_backup::BackupArgs),
    Repair(memory_backup::RepairArgs),
    Import(memory_import::Args),
    /// Write all memories to standard output, one JSON object per line
    Export,
}

/// Runs the verb.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match args.verb {
        Verb::Add(args) => remember::run(args, context, out),
        Verb::Search(args) => memory_search::search(args, context, out),
        Verb::List(args) => memory_search::list(args, context, out),
        Verb::Show(args) => memory_show::show(&args, context, out),
        Verb::History(args) => memory_show::history(&args, context, out),
        Verb::Update(args) => memory_update::run(args, context, out),
        Verb::Retire(args) => memory_status::retire(&args, "interleaf memory retire", context, out),
        Verb::Restore(args) => memory_status::change(&args, StatusChange::Restore, context, out),
        Verb::Archive(args) => memory_status::change(&args, StatusChange::Archive, context, out),
        Verb::Unarchive(args) => memory_status::change(&args, StatusChange::Unarchive, context, out),
        Verb::Confirm(args) => memory_status::confirm(&args, context, out),
        Verb::Rate(args) => memory_status::rate(&args, context, out),
        Verb::Trust(args) => memory_sharing::trust(&args, context, out),
        Verb::Distrust(args) => memory_sharing::distrust(&args, context, out),
        Verb::Private(args) => memory_sharing::private(&args, context, out),
        Verb::Gc(args) => memory_upkeep::gc(&args, context, out),
        Verb::Verify(args) => memory_upkeep::verify(&args, context, out),
        Verb::Stats(args) => memory_upkeep::stats(&args, context, out),
        Verb::Backup(args) => memory_backup::backup(&args, context, out),
        Verb::Repair(args) => memory_backup::repair(&args, context, out),
        Verb::Import(args) => memory_import::run(&args, context, out),
        Verb::Export => export(context, out),
    }
}

fn export(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let mut lines = Vec::new();
    match context.memories()?.export(&mut lines)? {
        0 => Ok(()),
        _ => out.json_lines(std::str::from_utf8(&lines)?),
    }
}

/// Runs `interleaf forget`.
pub fn forget(args: &ForgetArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    memory_status::retire(args, "interleaf forget", context, out)
}
