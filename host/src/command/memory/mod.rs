//! `interleaf memory`: looking into the memories of a project, changing them, moving them.

mod approve;
mod change;
mod find;
mod gc;
mod stats;
pub mod status;
mod transfer;
mod verify;

use crate::project_context::ProjectContext;

use super::output::Output;
use super::remember;

/// What can be done with memories.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Write a memory (the same as `interleaf remember`)
    Add(remember::Args),
    /// Find memories by words
    Search(find::Search),
    /// List memories, the newest first
    List(find::List),
    /// Show one memory whole
    Show(find::Show),
    /// Show what happened to a memory, and what it said before
    History(find::History),
    /// Change a memory
    Update(change::Args),
    /// Forget a memory: it is kept, but neither found nor shown (the same as `interleaf forget`)
    Retire(status::Forget),
    /// Bring a forgotten memory back
    Restore(status::Change),
    /// Put a memory away for good: neither found nor shown, and never deleted
    Archive(status::Change),
    /// Bring an archived memory back
    Unarchive(status::Change),
    /// Say that a memory is true: it becomes your own (only at a terminal, outside Claude Code)
    Confirm(approve::Confirm),
    /// Say whether a memory helped: it counts a little more or less
    Rate(approve::Rate),
    /// Retire what is beyond its days, and delete what was retired long enough ago
    Gc(gc::Args),
    /// Check every memory against the rules
    Verify(verify::Args),
    /// Count memories
    Stats(stats::Args),
    /// Read memories from a file: a JSON list, or one JSON object a line
    Import(transfer::Import),
    /// Write all memories out, one JSON object a line
    Export,
}

impl Verb {
    /// Does it.
    pub fn run(self, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
        use status::Way;
        match self {
            Self::Add(args) => remember::run(args, context, out),
            Self::Search(args) => find::search(args, context, out),
            Self::List(args) => find::list(args, context, out),
            Self::Show(args) => find::show(&args, context, out),
            Self::History(args) => find::history(&args, context, out),
            Self::Update(args) => change::run(args, context, out),
            Self::Retire(args) => status::forget(&args, "interleaf memory retire", context, out),
            Self::Restore(args) => status::run(&args, Way::Restore, context, out),
            Self::Archive(args) => status::run(&args, Way::Archive, context, out),
            Self::Unarchive(args) => status::run(&args, Way::Unarchive, context, out),
            Self::Confirm(args) => approve::confirm(&args, context, out),
            Self::Rate(args) => approve::rate(&args, context, out),
            Self::Gc(args) => gc::run(&args, context, out),
            Self::Verify(args) => verify::run(&args, context, out),
            Self::Stats(args) => stats::run(&args, context, out),
            Self::Import(args) => transfer::import(&args, context, out),
            Self::Export => context.memories()?.export(&mut *out).map(drop).map_err(Into::into),
        }
    }
}
