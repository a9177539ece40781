//! `interleaf memory`: looking into the memories of a project, changing them, moving them.

mod memory_import;
mod memory_search;
pub(super) mod memory_status;
mod memory_update;
mod memory_upkeep;

use super::output::Output;
use super::remember;
use crate::project_context::ProjectContext;

/// What can be done with memories.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Write a memory (the same as `interleaf remember`)
    Add(remember::Args),
    /// Find memories by words
    Search(memory_search::Search),
    /// List memories, the newest first
    List(memory_search::List),
    /// Show one memory whole
    Show(memory_search::Show),
    /// Show what happened to a memory, and what it said before
    History(memory_search::History),
    /// Change a memory
    Update(memory_update::Args),
    /// Forget a memory: it is kept, but neither found nor shown (the same as `interleaf forget`)
    Retire(memory_status::Forget),
    /// Bring a forgotten memory back
    Restore(memory_status::Change),
    /// Put a memory away for good: neither found nor shown, and never deleted
    Archive(memory_status::Change),
    /// Bring an archived memory back
    Unarchive(memory_status::Change),
    /// Say that a memory is true: it becomes your own (only at a terminal, outside Claude Code)
    Confirm(memory_status::Confirm),
    /// Say whether a memory helped: it counts a little more or less
    Rate(memory_status::Rate),
    /// Retire what is beyond its days, and delete what was retired long enough ago
    Gc(memory_upkeep::GcArgs),
    /// Check every memory against the rules
    Verify(memory_upkeep::VerifyArgs),
    /// Count memories
    Stats(memory_upkeep::StatsArgs),
    /// Read memories from a file: a JSON list, or one JSON object a line
    Import(memory_import::Import),
    /// Write all memories out, one JSON object a line
    Export,
}

impl Verb {
    /// Does it.
    pub fn run(self, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
        use memory_status::Way;
        match self {
            Self::Add(args) => remember::run(args, context, out),
            Self::Search(args) => memory_search::search(args, context, out),
            Self::List(args) => memory_search::list(args, context, out),
            Self::Show(args) => memory_search::show(&args, context, out),
            Self::History(args) => memory_search::history(&args, context, out),
            Self::Update(args) => memory_update::run(args, context, out),
            Self::Retire(args) => memory_status::forget(&args, "interleaf memory retire", context, out),
            Self::Restore(args) => memory_status::run(&args, Way::Restore, context, out),
            Self::Archive(args) => memory_status::run(&args, Way::Archive, context, out),
            Self::Unarchive(args) => memory_status::run(&args, Way::Unarchive, context, out),
            Self::Confirm(args) => memory_status::confirm(&args, context, out),
            Self::Rate(args) => memory_status::rate(&args, context, out),
            Self::Gc(args) => memory_upkeep::gc(&args, context, out),
            Self::Verify(args) => memory_upkeep::verify(&args, context, out),
            Self::Stats(args) => memory_upkeep::stats(&args, context, out),
            Self::Import(args) => memory_import::import(&args, context, out),
            Self::Export => context.memories()?.export(&mut *out).map(drop).map_err(Into::into),
        }
    }
}
