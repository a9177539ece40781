//! All that `interleaf init` does, in its order: what was asked for comes first, and offers come last.

use std::io::Write;

use super::{Args, InstallContext, init_sharing};
use crate::command::output::Output;
use crate::command::{
    background_commands, confirm, learn, llm_choose, model_command, project_command, sessions_command,
};
use crate::project_context::ProjectContext;

/// Registers the hooks, compiles the layers, so that the first event need not wait, exchanges memories if
/// asked, and offers models.
pub fn set_up(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    init_sharing::check(args, context)?;
    super::run(args, &mut InstallContext::of(context, out)?)?;
    if args.dry_run {
        return init_sharing::run(args, context, out);
    }
    confirm::record_folders(&context.folders, out)?;
    context.project.record(&context.folders.data)?;
    for notice in project_command::candidate_notices(context) {
        writeln!(out, "\nnote: {notice}")?;
    }
    background_commands::compile_layers(context)?;
    let shared = init_sharing::run(args, context, out);
    llm_choose::offer(context, args.yes, out)?;
    model_command::offer(context, args.yes, out)?;
    sessions_command::offer(args.recording(), args.yes, context, out)?;
    learn::offer(context, out)?;
    // An exchange that failed takes none of the rest away.
    shared
}
