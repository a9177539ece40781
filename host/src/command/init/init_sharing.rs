//! The exchange of memories that `interleaf init --share` begins. What it needs is checked before `init`
//! writes anything.

use std::io::Write;

use clap::ValueEnum as _;

use super::Args;
use crate::command::output::Output;
use crate::command::{confirm, sync};
use crate::project_context::ProjectContext;
use crate::replica::{Exchange, ReplicaKind};

/// Checks that memories can be exchanged, and that somebody can be asked whether they may be. The place is
/// read for that, and nothing is changed there.
///
/// # Errors
/// Those of [`ProjectContext::replica`] and [`Exchange::preview`]; `Invalid` if nobody can be asked, `Denied`
/// inside Claude Code.
pub fn check(args: &Args, context: &ProjectContext) -> anyhow::Result<()> {
    let Some(kind) = args.share else { return Ok(()) };
    context.project.require_work_tree()?;
    let mut replica = context.replica(kind)?;
    let is_accepted = context.replica_records().get(replica.place())?.accepted_at.is_some();
    if !args.dry_run && !is_accepted {
        let command = format!("interleaf init --share {}", name(kind));
        confirm::require_person(&command)?;
        if !args.yes {
            confirm::require_terminal(&format!("{command} --yes"))?;
        }
    }
    replica.check()?;
    let (memories, records) = (context.memories()?, context.replica_records());
    let replica = &mut *replica;
    Exchange { memories: &memories, records: &records, replica, on_progress: &|_| () }.preview()?;
    Ok(())
}

/// Exchanges the memories, or shows what would go and where.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let Some(kind) = args.share else { return Ok(()) };
    writeln!(out)?;
    let exchange = sync::Args::first(kind, args.yes, args.dry_run);
    let shared = sync::run(&exchange, context, out);
    if shared.is_err() && !args.dry_run {
        writeln!(
            out,
            "The hooks are registered. To try the exchange again: interleaf sync --to {}",
            name(kind)
        )?;
    }
    shared
}

fn name(kind: ReplicaKind) -> String {
    kind.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
