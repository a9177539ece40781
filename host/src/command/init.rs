//! `interleaf init`: has Claude Code call us in this project, and takes the place of wt-memory where it was.
//!
//! Everything is worked out before anything is written, so that a refusal leaves the project as it was and
//! `--dry-run` shows exactly what would happen. What the files mean is known to `claude/`; where the project
//! and the person's folders are is given.

mod diff;
pub(crate) mod file_edit;
pub(crate) mod git_exclude;
pub(crate) mod install_record;
pub(crate) mod plan;
pub(crate) mod slash_commands;

use std::io::Write;
use std::path::Path;

use crate::claude::settings::{HookCommand, HookedEvent, LOCAL_SETTINGS, SHARED_SETTINGS};
use crate::error::{Error, Result};

use plan::Plan;

/// Have Claude Code call interleaf in this project
///
/// Registers the hooks, writes a short section into CLAUDE.md, and removes the hooks and instruction blocks
/// of wt-memory. What was there stays as it was; doing it twice changes nothing; `interleaf uninstall` undoes
/// it.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    /// Register in .claude/settings.json, which the team shares, instead of .claude/settings.local.json
    #[arg(long)]
    pub shared: bool,
    /// Write the slash commands /memory and /memory:config, :search and :save into .claude/commands, where /memory
    /// takes the place of Claude Code's own
    #[arg(long)]
    pub commands: bool,
    /// Show what would change and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// The place where `init` and `uninstall` work.
pub struct Site<'a> {
    /// The project's folder, in which Claude Code is started.
    pub root: &'a Path,
    /// The person's own Claude Code folder: [`user_folder`](crate::claude::settings::user_folder). Only read.
    pub user_folder: Option<&'a Path>,
    /// The folder for state that outlives the command. What was removed is kept under `installed/`.
    pub state: &'a Path,
    /// The absolute path of this program.
    pub program: &'a Path,
    /// The events to be called for: [`HOOKED_EVENTS`](crate::claude::settings::HOOKED_EVENTS) and what other layers answer.
    pub events: &'a [HookedEvent<'a>],
    /// Where to say what was done.
    pub out: &'a mut dyn Write,
}

/// Does it, and says on `site.out` what was done. The error is a [`crate::error::Error`] wherever a person
/// can help it.
pub fn run(args: &Args, site: &mut Site<'_>) -> anyhow::Result<()> {
    const SET_UP: &str = "Interleaf is already set up here; nothing to change.";

    let mut plan = plan(args, site)?;
    if args.dry_run {
        return Ok(plan.changes.show(site.out, SET_UP)?);
    }
    plan.carry_out(site)?;
    plan.changes.tell(site.out, SET_UP)?;
    if plan.changes.changed().next().is_some() {
        let removed = plan.record.hooks.len() + plan.record.blocks.len() > 0;
        let restore = if removed { " (--restore puts back what was removed)" } else { "" };
        writeln!(
            site.out,
            "\nIt begins with the next Claude Code session here. To undo: interleaf uninstall{restore}"
        )?;
    }
    Ok(())
}

fn plan(args: &Args, site: &Site<'_>) -> Result<Plan> {
    if !site.root.is_dir() {
        return Err(
            Error::not_found(format!("{} is no folder", site.root.display())).hint("name a project's folder")
        );
    }
    let program = site.program.to_str().filter(|_| site.program.is_absolute()).ok_or_else(|| {
        Error::invalid(format!("{} is no absolute path in UTF-8", site.program.display()))
            .hint("install interleaf in a folder with a plain name, then try again")
    })?;
    let (target, call) = if args.shared {
        (SHARED_SETTINGS, HookCommand::Shared)
    } else {
        (LOCAL_SETTINGS, HookCommand::Program(program))
    };
    let mut plan = Plan::new(site)?;
    plan.refuse_second(target, site)?;
    plan.register(target, call, site)?;
    plan.clear_instructions(site.root)?;
    plan.instruct()?;
    if args.commands {
        slash_commands::add(&mut plan.changes)?;
    }
    plan.keep_out_of_git(site.root)?;
    Ok(plan)
}

#[cfg(test)]
mod tests;
