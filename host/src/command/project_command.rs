//! `interleaf project`: lists the projects with memories, joins this one to another, and forgets one.

mod project_forget;
mod project_join;
mod project_list;

use interleaf_text::for_terminal;

use super::output::Output;
use crate::project::{KnownProject, KnownProjects};
use crate::project_context::ProjectContext;

/// Maximum number of candidates that are named.
const MAX_CANDIDATES: usize = 3;

/// List the projects that have memories, join this one to another, or forget one
///
/// A project keeps its memories when its folder is moved or renamed. A clone is a project of its own: join it
/// to the other one to use the same memories in both.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    List(project_list::Args),
    Join(project_join::Args),
    Forget(project_forget::Args),
}

/// Runs the verb.
pub fn run(args: &Args, context: ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match &args.verb {
        Verb::List(args) => project_list::run(args, &context, out),
        Verb::Join(args) => project_join::run(args, context, out),
        Verb::Forget(args) => project_forget::run(args, &context, out),
    }
}

/// Returns a sentence for each project with memories that this one could be, if it has no memories itself:
/// it was moved to another disk, cloned anew, or another repository took its path.
pub fn candidate_notices(context: &ProjectContext) -> Vec<String> {
    if !has_no_memories(context) {
        return Vec::new();
    }
    let known = KnownProjects::read(&context.folders.data);
    let with_memories = known.candidates_for(&context.project).into_iter().filter_map(|(known, reason)| {
        let memories = active_memories(known, context).filter(|memories| *memories > 0)?;
        Some(format!(
            "the project {} has {}, and {reason}; to use them here: interleaf project join {}",
            described(known),
            memory_count(memories),
            known.id
        ))
    });
    with_memories.take(MAX_CANDIDATES).collect()
}

/// Tells whether the project has no memories; false if they cannot be read.
pub fn has_no_memories(context: &ProjectContext) -> bool {
    context.memories().and_then(|memories| memories.is_empty()).unwrap_or(false)
}

/// Returns the name of a project and where it was last.
fn described(known: &KnownProject) -> String {
    match &known.root {
        Some(root) => for_terminal(&format!("{} ({})", known.name, root.display())),
        None => for_terminal(&known.name),
    }
}

/// Returns the number of active memories; `None` if they cannot be read.
fn active_memories(known: &KnownProject, context: &ProjectContext) -> Option<u64> {
    context.memories_in(&known.database_file()).and_then(|memories| memories.count()).ok()
}

fn memory_count(memories: u64) -> String {
    format!("{memories} {}", if memories == 1 { "memory" } else { "memories" })
}
