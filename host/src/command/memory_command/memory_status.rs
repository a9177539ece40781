//! `interleaf memory retire`, `restore`, `archive`, `unarchive`, `confirm`, `rate`, and `interleaf forget`:
//! change the status of a memory, confirm it, or rate it.

use std::io::Write;

use clap::ValueEnum;
use interleaf_text::for_terminal;

use super::session_forget;
use crate::command::confirm::{ask, json_option, require_person};
use crate::command::output::Output;
use crate::command::remember::caller_origin;
use crate::error::Error;
use crate::memory::{Memory, Origin, Rating, Status, id_for_command};
use crate::project_context::ProjectContext;

/// Retire a memory, so that it is no longer found or shown
#[derive(Debug, clap::Args)]
pub struct ForgetArgs {
    /// The memory's id, or its first four characters or more
    #[arg(required_unless_present = "session")]
    id: Option<String>,
    /// Delete a recorded session instead, for good, and never record it again: its id, or the beginning of it
    #[arg(long, value_name = "ID", conflicts_with_all = ["id", "reason", "json"])]
    session: Option<String>,
    /// The reason, kept in the memory's history
    #[arg(long, default_value = "asked to forget it")]
    reason: String,
    /// Delete it with its history, here and wherever it went, for good: for a secret that was saved; with
    /// --session also the memories of that session
    #[arg(long, conflicts_with_all = ["reason", "json"])]
    purge: bool,
    /// Do not ask for confirmation
    #[arg(short, long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `restore`, `archive` and `unarchive`.
#[derive(Debug, clap::Args)]
pub struct StatusArgs {
    /// The memory's id, or its first four characters or more
    id: String,
    /// The reason, kept in the memory's history
    #[arg(long, default_value = "requested")]
    reason: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A change of status that needs no confirmation.
#[derive(Debug, Clone, Copy)]
pub enum StatusChange {
    /// From retired to active.
    Restore,
    /// From active to archived.
    Archive,
    /// From archived to active.
    Unarchive,
}

/// Confirm that a memory is true, which makes it your own (only at a terminal, outside Claude Code)
#[derive(Debug, clap::Args)]
pub struct ConfirmArgs {
    /// The memory's id, or its first four characters or more
    id: String,
}

/// Rate whether a memory helped, which raises or lowers its importance
#[derive(Debug, clap::Args)]
pub struct RateArgs {
    /// The memory's id, or its first four characters or more
    id: String,
    /// The rating
    #[arg(value_enum)]
    rating: UpOrDown,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum UpOrDown {
    /// It helped
    Up,
    /// It did not help
    Down,
}

/// Retires a memory after showing it and asking. `command` is the command as it was typed.
pub fn retire(
    args: &ForgetArgs,
    command: &str,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    if let Some(session) = &args.session {
        return session_forget::run(session, args.purge, args.yes, command, context, out);
    }
    let memories = context.memories()?.with_actor(command);
    let memory = memories.get(args.id.as_deref().unwrap_or_default())?;
    if args.purge {
        return purge(&memory, args.yes, command, context, out);
    }
    let noninteractive = format!("{command} {} --yes{}", id_for_command(&memory.id), json_option(args.json));
    let question =
        format!("Forget \"{}\" ({}, {})?", for_terminal(&memory.title), memory.id, memory.category);
    if memory.status == Status::Active && !ask(&question, args.yes, &noninteractive, out)? {
        return Ok(writeln!(out, "Not forgotten.")?);
    }
    let memory = memories.retire(&memory.id, None, &args.reason)?;
    if args.json {
        return print_json(&memory, out);
    }
    let (days, id) = (context.config.policy.grace_days, id_for_command(&memory.id));
    let title = for_terminal(&memory.title);
    Ok(writeln!(out, "Forgotten: {title} ({id}). To undo within {days} days: interleaf memory restore {id}")?)
}

/// Deletes a memory for good.
fn purge(
    memory: &Memory,
    yes: bool,
    command: &str,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    require_person(&format!("{command} --purge"))?;
    let id = id_for_command(&memory.id);
    let question = format!(
        "Delete \"{}\" ({}) with its history, here and wherever it went? This cannot be undone.",
        for_terminal(&memory.title),
        memory.id
    );
    if !ask(&question, yes, &format!("{command} {id} --purge --yes"), out)? {
        return Ok(writeln!(out, "Not deleted.")?);
    }
    context.memories()?.with_actor(command).purge(&memory.id)?;
    context.erase_deleted()?;
    writeln!(out, "Deleted for good: {id}. Backups of this store are deleted, too.")?;
    if !context.replica_records().accepted()?.is_empty() {
        writeln!(out, "The next sync deletes it where it went: interleaf sync")?;
    }
    Ok(())
}

/// Changes the status of a memory.
pub fn change(
    args: &StatusArgs,
    change: StatusChange,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    let (verb, done) = match change {
        StatusChange::Restore => ("restore", "Restored"),
        StatusChange::Archive => ("archive", "Archived"),
        StatusChange::Unarchive => ("unarchive", "Unarchived"),
    };
    let memories = context.memories()?.with_actor(&format!("interleaf memory {verb}"));
    let memory = match change {
        StatusChange::Restore => memories.restore(&args.id, None, &args.reason),
        StatusChange::Archive => memories.archive(&args.id, None, &args.reason),
        StatusChange::Unarchive => memories.unarchive(&args.id, None, &args.reason),
    }?;
    match args.json {
        true => print_json(&memory, out),
        false => Ok(writeln!(out, "{done}: {} ({})", for_terminal(&memory.title), memory.id)?),
    }
}

fn print_json(memory: &Memory, out: &mut Output) -> anyhow::Result<()> {
    out.json(&serde_json::json!({ "id": memory.id, "status": memory.status, "version": memory.version }))
}

/// Gives a memory the origin *person*.
pub fn confirm(args: &ConfirmArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if caller_origin() != Origin::Person {
        return Err(Error::denied("only a person at a terminal can confirm a memory")
            .hint("run it in a terminal outside Claude Code")
            .into());
    }
    let memory = context.memories()?.with_actor("interleaf memory confirm").confirm(&args.id)?;
    Ok(writeln!(out, "Confirmed as your own: {} ({})", for_terminal(&memory.title), memory.id)?)
}

/// Raises or lowers the importance of a memory.
pub fn rate(args: &RateArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let rating = match args.rating {
        UpOrDown::Up => Rating::Up,
        UpOrDown::Down => Rating::Down,
    };
    let memory = context.memories()?.with_actor("interleaf memory rate").rate(&args.id, rating)?;
    let title = for_terminal(&memory.title);
    Ok(writeln!(out, "Rated: {title} ({}), importance is now {:.2}", memory.id, memory.importance)?)
}
