//! `interleaf init`: registers the hooks of a project with Claude Code, and removes those of wt-memory.
//!
//! All edits are planned before any is written, so an error leaves the project unchanged, and `--dry-run`
//! shows the exact changes. [`crate::claude`] defines the formats of the files.

mod called_program;
pub(crate) mod git_exclude;
mod init_sharing;
pub(crate) mod install_record;
pub(crate) mod mcp_registration;
mod plan;
mod set_up;
pub(crate) mod slash_commands;

use called_program::called_program;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::claude::settings::{
    HOOKED_EVENTS, HookCommand, HookedEvent, LOCAL_SETTINGS, SHARED_SETTINGS, ServerCommand, user_folder,
};
use crate::command::output::Output;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::replica::ReplicaKind;

use plan::Plan;
pub use set_up::set_up;

/// Register the hooks of this project with Claude Code
///
/// Also writes a short section into CLAUDE.md, or into CLAUDE.local.md where git would commit it for your
/// team, and removes the hooks and instruction blocks of wt-memory. Everything else in these files stays as
/// it is, and `interleaf uninstall` undoes it.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Args {
    /// Register in .claude/settings.json and write into CLAUDE.md, which the team shares, instead of
    /// .claude/settings.local.json and CLAUDE.local.md
    #[arg(long)]
    pub shared: bool,
    /// Write the slash commands /memory, /memory:config, /memory:search and /memory:save into
    /// .claude/commands. This /memory replaces the one of Claude Code
    #[arg(long)]
    pub commands: bool,
    /// Offer the memories to the agent as tools, too: recall, show, history, remember and forget. Writes the
    /// server `interleaf mcp` into .mcp.json
    #[arg(long)]
    pub mcp: bool,
    /// Also exchange memories with other machines and people, there: see `interleaf sync`. Nothing is written
    /// if the place cannot be used
    #[arg(long, value_name = "PLACE")]
    pub share: Option<ReplicaKind>,
    /// Record what is said and run in the sessions of this project, without asking
    #[arg(long, conflicts_with = "no_record")]
    pub record: bool,
    /// Do not record sessions, and do not ask
    #[arg(long)]
    pub no_record: bool,
    /// Do not ask: exchange memories with the place of --share, install and choose no model, and record no
    /// session without --record
    #[arg(short, long)]
    pub yes: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub dry_run: bool,
}

impl Args {
    /// Returns whether sessions are recorded, if the command line says that.
    fn recording(&self) -> Option<bool> {
        (self.record || self.no_record).then_some(self.record)
    }
}

/// The folders, the program and the output that `init` and `uninstall` use.
pub struct InstallContext<'a> {
    /// The project's folder, in which Claude Code is started.
    pub root: &'a Path,
    /// The user's Claude Code folder: [`user_folder`](crate::claude::settings::user_folder). It is only
    /// read.
    pub user_folder: Option<PathBuf>,
    /// The user's folder for state. Its folder `installed/` has the records of `init`.
    pub state: &'a Path,
    /// The file of the project's memories.
    pub store: PathBuf,
    /// The absolute path of this program.
    pub program: PathBuf,
    /// The events to register: [`HOOKED_EVENTS`](crate::claude::settings::HOOKED_EVENTS).
    pub events: &'a [HookedEvent<'a>],
    /// The output of the command.
    pub out: &'a mut dyn Write,
}

impl<'a> InstallContext<'a> {
    /// Returns those of a project.
    ///
    /// # Errors
    /// `Unavailable` if the path of this program cannot be found.
    pub fn of(context: &'a ProjectContext, out: &'a mut Output) -> Result<Self> {
        let program = called_program(&context.project.root)
            .map_err(|error| Error::unavailable(format!("cannot find the path of this program: {error}")))?;
        Ok(Self {
            root: &context.project.root,
            user_folder: user_folder(&|name| std::env::var_os(name)),
            state: &context.folders.state,
            store: context.database_file(),
            program,
            events: &HOOKED_EVENTS,
            out,
        })
    }
}

/// Plans the edits, and writes or shows them.
pub fn run(args: &Args, install: &mut InstallContext<'_>) -> anyhow::Result<()> {
    const UNCHANGED: &str = "Interleaf is already set up here; nothing to change.";

    let mut plan = plan(args, install)?;
    if args.dry_run {
        return Ok(plan.edits.print_diffs(install.out, UNCHANGED)?);
    }
    plan.carry_out(install)?;
    plan.edits.print_effects(install.out, UNCHANGED)?;
    if plan.edits.changed().next().is_some() {
        let has_removed = plan.record.hooks.len() + plan.record.blocks.len() > 0;
        let restore = if has_removed { " (with --restore to put back what was removed)" } else { "" };
        let next =
            format!("Takes effect in the next Claude Code session. To undo: interleaf uninstall{restore}");
        writeln!(install.out, "\n{next}")?;
    }
    Ok(())
}

fn plan(args: &Args, install: &InstallContext<'_>) -> Result<Plan> {
    if !install.root.is_dir() {
        let what = format!("{} is not a folder", install.root.display());
        return Err(Error::not_found(what).hint("name a project's folder"));
    }
    let program = install.program.to_str().filter(|_| install.program.is_absolute()).ok_or_else(|| {
        Error::invalid(format!("{} is not an absolute path in UTF-8", install.program.display()))
            .hint("install interleaf at another path, then try again")
    })?;
    let (settings_file, command, server) = match args.shared {
        true => (SHARED_SETTINGS, HookCommand::Shared, ServerCommand::Shared),
        false => (LOCAL_SETTINGS, HookCommand::Program(program), ServerCommand::Program(program)),
    };
    let mut plan = Plan::new(install)?;
    plan.reject_second_registration(settings_file, install)?;
    plan.register(settings_file, command, install)?;
    plan.remove_wt_memory_blocks(install.root)?;
    plan.add_instructions(args.shared, install.root)?;
    if args.commands {
        slash_commands::add(&mut plan.edits)?;
    }
    if args.mcp {
        mcp_registration::add(&mut plan, server, install.root)?;
    }
    plan.exclude_own_files(install.root)?;
    Ok(plan)
}

#[cfg(test)]
mod tests;
