//! `interleaf memory gc`, `verify` and `stats`: expiry, consistency and counts.

use std::io::Write;

use interleaf_text::for_terminal;

use crate::command::confirm::{ask, json_option};
use crate::command::output::Output;
use crate::command::sync::look_at_branches;
use crate::database::Thoroughness;
use crate::error::Error;
use crate::memory::{Category, Status};
use crate::project_context::ProjectContext;

/// Retire expired memories, and delete those that were retired long enough ago
///
/// Also looks at what became of the branches on which memories were written. The worker does the same by
/// itself.
#[derive(Debug, clap::Args)]
pub struct GcArgs {
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Check the database for damage, and every memory against the write rules
///
/// Memories from an older version or another program may break them.
#[derive(Debug, clap::Args)]
pub struct VerifyArgs {
    /// Print JSON, one violation per line
    #[arg(long)]
    json: bool,
}

/// Count memories by category and status
#[derive(Debug, clap::Args)]
pub struct StatsArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the memories that are due, asks, and retires or removes them.
pub fn gc(args: &GcArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if !args.dry_run {
        look_at_branches(context);
    }
    let memories = context.memories()?.with_actor("interleaf memory gc");
    let collected = if context.config.policy.archive_retired { "archived" } else { "deleted" };
    let due = memories.preview_retention()?;
    if args.json {
        let ids = |list: &[(String, String)]| list.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
        out.json(&serde_json::json!({ "expired": ids(&due.expired), "collected": ids(&due.collected) }))?;
    } else {
        for (list, action) in [(&due.expired, "retired"), (&due.collected, collected)] {
            for (id, title) in list {
                writeln!(out, "to be {action}: {} ({id})", for_terminal(title))?;
            }
        }
    }
    if due.is_empty() {
        return if args.json { Ok(()) } else { Ok(writeln!(out, "There is nothing to collect.")?) };
    }
    if args.dry_run {
        return Ok(());
    }
    let question =
        format!("{} to be retired, {} to be {collected}. Continue?", due.expired.len(), due.collected.len());
    let noninteractive = format!("interleaf memory gc --yes{}", json_option(args.json));
    if ask(&question, args.yes, &noninteractive, out)? {
        let report = memories.apply_retention()?;
        if !args.json {
            writeln!(out, "{} retired, {} {collected}", report.expired.len(), report.collected.len())?;
        }
    }
    Ok(())
}

/// Prints every violation with its remedy.
///
/// # Errors
/// `Unavailable` if a memory breaks a rule.
pub fn verify(args: &VerifyArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    // Rules are checked only of memories that can be read.
    if let Some(problem) = context.database.problems(Thoroughness::Full)?.into_iter().next() {
        return Err(Error::unavailable(format!("the database is damaged ({problem})"))
            .hint("interleaf memory repair")
            .into());
    }
    let memories = context.memories()?;
    let (checked, violations) = memories.verify()?;
    // A store that cannot be written keeps its missing vectors.
    let without_vectors = memories.check_vectors().unwrap_or_default();
    if without_vectors > 0 && !args.json {
        writeln!(
            out,
            "{without_vectors} memories lacked their sentence vectors. The worker computes them; \
             to do it now: interleaf model index"
        )?;
    }
    for violation in &violations {
        match args.json {
            true => out.json(
                &serde_json::json!({ "id": violation.id, "flaw": violation.message, "next": violation.hint }),
            )?,
            false => {
                let (id, what) = (out.bold(&for_terminal(&violation.id)), for_terminal(&violation.message));
                writeln!(
                    out,
                    "{id}  {what}
    {}",
                    for_terminal(&violation.hint)
                )?;
            }
        }
    }
    match violations.len() {
        0 if args.json => Ok(()),
        0 => Ok(writeln!(out, "Checked {checked}: no memory breaks a rule.")?),
        broken => Err(Error::unavailable(format!("{broken} of {checked} memories break a rule")).into()),
    }
}

/// Prints the number of memories of each category and status, how often they were shown and followed, and the
/// limits of each category.
pub fn stats(args: &StatsArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (memories, policy) = (context.memories()?, &context.config.policy);
    let (counts, uses) = (memories.counts()?, memories.use_counts()?);
    let use_of = |category| {
        let found = uses.iter().find(|(of, _, _)| *of == category);
        found.map_or((0, 0), |(_, shown, followed)| (*shown, *followed))
    };
    let count = |category, status| {
        let entry = counts.iter().find(|entry| (entry.0, entry.1) == (category, status));
        entry.map_or(0, |(_, _, count)| *count)
    };
    let counts_of =
        |category| [Status::Active, Status::Retired, Status::Archived].map(|status| count(category, status));
    if args.json {
        let entry = |category: &Category| {
            let [active, retired, archived] = counts_of(*category);
            let (shown, followed) = use_of(*category);
            let counts = serde_json::json!({
                "active": active, "retired": retired, "archived": archived,
                "shown": shown, "followed": followed,
            });
            (category.to_string(), counts)
        };
        return out.json(&Category::ALL.iter().map(entry).collect::<serde_json::Map<_, _>>());
    }
    let header = format!(
        "{:<16} {:>7} {:>7} {:>8} {:>7} {:>8}  kept",
        "category", "active", "retired", "archived", "shown", "followed"
    );
    writeln!(out, "{}", out.faint(&header))?;
    for &category in Category::ALL {
        let [active, retired, archived] = counts_of(category);
        let kept = policy.of(category).summary();
        let (shown, followed) = use_of(category);
        let counts = format!("{active:>7} {retired:>7} {archived:>8} {shown:>7} {followed:>8}");
        writeln!(out, "{:<16} {counts}  {kept}", category.as_str())?;
    }
    let total: u64 =
        counts.iter().filter(|(_, status, _)| *status == Status::Active).map(|(_, _, count)| count).sum();
    Ok(writeln!(out, "{total} active in {}", context.project.root.display())?)
}
