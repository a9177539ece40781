//! `interleaf memory backup` and `interleaf memory repair`: copies of the database, and a way back from
//! damage.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::clock::format_date_time;
use crate::command::confirm::ask;
use crate::command::output::Output;
use crate::database::{Database, RollingBackups, SalvageReport, Thoroughness};
use crate::error::{Error, Result};
use crate::memory::{add_missing, become_new_device, reindex};
use crate::project_context::ProjectContext;
use crate::worker::WorkerLock;

/// Copy all memories to a file, or put such a copy back
///
/// The copy is one SQLite file. It is consistent, also while Claude Code is running. The worker makes a
/// backup by itself once a day and keeps a few of them beside the database.
#[derive(Debug, clap::Args)]
pub struct BackupArgs {
    /// The file to write or to restore; by default a new one in the current folder, or the newest backup that
    /// the worker made
    file: Option<PathBuf>,
    /// Put the backup in the place of the memories, which are set aside
    #[arg(long)]
    restore: bool,
    /// Do not ask for confirmation
    #[arg(short, long, requires = "restore")]
    yes: bool,
}

/// Repair a damaged database: keep what can be read, and take what is missing from the newest backup
///
/// The damaged file is set aside, not deleted.
#[derive(Debug, clap::Args)]
pub struct RepairArgs {
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
}

/// Makes or restores a backup.
pub fn backup(args: &BackupArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if args.restore {
        return restore(args, context, out);
    }
    let name = || PathBuf::from(format!("interleaf-{}-{}.db", context.project.name, moment(context)));
    let file = args.file.clone().unwrap_or_else(name);
    if !context.database.back_up_to(&file)? {
        return Err(Error::not_found("there is nothing to back up: this project has no memories yet").into());
    }
    let memories = context.memories_in(&file)?.count()?;
    Ok(writeln!(out, "Copied {memories} active memories to {}", file.display())?)
}

fn restore(args: &BackupArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let newest = || RollingBackups::beside(&context.database_file()).newest().map(|(file, _)| file);
    let file = args.file.clone().or_else(newest).ok_or_else(|| {
        Error::not_found("there is no backup yet")
            .hint("name the file: interleaf memory backup --restore FILE")
    })?;
    let question = format!("Replace the memories of this project with {}?", file.display());
    let noninteractive = format!("interleaf memory backup --restore --yes {}", file.display());
    if !ask(&question, args.yes, &noninteractive, out)? {
        return Ok(writeln!(out, "Nothing was changed.")?);
    }
    let _lock = worker_lock(context)?;
    let aside = context.database.restore_from(&file, &format!(".before-{}", moment(context)))?;
    // The store that the backup is from may still be in use, here or elsewhere.
    become_new_device(&context.database, context.clock.now())?;
    let memories = context.memories()?.count()?;
    writeln!(out, "Restored {memories} active memories from {}", file.display())?;
    print_aside(aside.as_deref(), out)
}

/// Repairs the database, if it is damaged.
pub fn repair(args: &RepairArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    context.database.check_not_newer()?;
    let Some(problem) = problem(context) else {
        return Ok(writeln!(out, "The database is sound; there is nothing to repair.")?);
    };
    writeln!(out, "The database is damaged: {problem}")?;
    if !ask("Keep what can be read, and set the file aside?", args.yes, "interleaf memory repair --yes", out)?
    {
        return Ok(writeln!(out, "Nothing was changed.")?);
    }
    let _lock = worker_lock(context)?;
    let backup = RollingBackups::beside(&context.database_file()).newest();
    let mut from_backup = 0;
    let finish = |new: &Database| {
        reindex(new)?;
        if let Some((file, _)) = &backup {
            // A backup that is damaged, too, must not prevent the repair.
            from_backup = add_missing(new, &Database::at(file)).unwrap_or_default();
        }
        become_new_device(new, context.clock.now())
    };
    let (report, aside) = context.database.salvage(&format!(".damaged-{}", moment(context)), finish)?;
    print_report(&report, from_backup, backup.map(|(_, day)| day).as_deref(), out)?;
    print_aside(aside.as_deref(), out)
}

/// Returns the first problem of the database.
fn problem(context: &ProjectContext) -> Option<String> {
    match context.database.problems(Thoroughness::Full) {
        Ok(problems) => {
            problems.into_iter().next().or_else(|| context.memories().ok()?.readability_problem())
        }
        Err(error) => Some(error.message),
    }
}

fn print_report(
    report: &SalvageReport,
    from_backup: u64,
    day: Option<&str>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let SalvageReport { memories, unreadable } = report;
    writeln!(out, "Repaired: {memories} memories were read, and {unreadable} rows were not readable.")?;
    match day {
        Some(day) => writeln!(out, "{from_backup} memories were added from the backup of {day}.")?,
        None => writeln!(out, "There was no backup to take others from.")?,
    }
    Ok(())
}

fn print_aside(aside: Option<&Path>, out: &mut Output) -> anyhow::Result<()> {
    if let Some(aside) = aside {
        writeln!(out, "The file as it was: {}", aside.display())?;
    }
    Ok(())
}

/// Returns the lock that keeps workers from the database.
fn worker_lock(context: &ProjectContext) -> Result<Option<WorkerLock>> {
    if !context.database_file().exists() {
        return Ok(None);
    }
    let lock = WorkerLock::try_acquire(context)?;
    lock.map(Some).ok_or_else(|| {
        Error::unavailable("a worker is using the database").hint("wait until it is done: interleaf jobs")
    })
}

/// Returns the current moment for the name of a file.
fn moment(context: &ProjectContext) -> String {
    format_date_time(context.clock.now()).replace(' ', "-").replace(':', "")
}
