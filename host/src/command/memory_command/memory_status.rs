//! `interleaf memory retire`, `restore`, `archive`, `unarchive`, and `interleaf forget`: whether a memory counts.

use std::io::Write;

use clap::ValueEnum;

use crate::command::confirm::agreed;
use crate::command::output::Output;
use crate::command::remember;
use crate::error::Error;
use crate::memory::{Memory, Origin, Rating, Status};
use crate::project_context::ProjectContext;

/// Forgets a memory.
#[derive(Debug, clap::Args)]
pub struct Forget {
    /// Its id, or the beginning of it
    id: String,
    /// Why; it stays in the memory's history
    #[arg(long, default_value = "asked to forget it")]
    reason: String,
    /// Do not ask
    #[arg(short, long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Archives a memory or brings one back.
#[derive(Debug, clap::Args)]
pub struct Change {
    /// Its id, or the beginning of it
    id: String,
    /// Why; it stays in the memory's history
    #[arg(long, default_value = "asked for it")]
    reason: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is done about a status.
#[derive(Debug, Clone, Copy)]
pub enum Way {
    /// Back from the forgotten.
    Restore,
    /// Away for good.
    Archive,
    /// Back from there.
    Unarchive,
}

/// Forgets it, once it was shown and somebody agreed.
pub fn forget(
    args: &Forget,
    command: &str,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    let memories = context.memories()?.with_actor(command);
    let memory = memories.get(&args.id)?;
    let again = format!("{command} {} --yes", memory.id);
    let question = format!("Forget \"{}\" ({}, {})?", memory.title, memory.id, memory.category);
    if memory.status == Status::Active && !agreed(&question, args.yes, &again, out)? {
        return Ok(writeln!(out, "It stays.")?);
    }
    let memory = memories.retire(&memory.id, None, &args.reason)?;
    if args.json {
        return told(&memory, out);
    }
    let days = context.config.policy.grace_days;
    let (title, id) = (&memory.title, &memory.id);
    Ok(writeln!(
        out,
        "Forgotten: {title} ({id}). For {days} days it can come back: interleaf memory restore {id}"
    )?)
}

/// Does one of the others.
pub fn run(args: &Change, way: Way, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (verb, done) = match way {
        Way::Restore => ("restore", "Restored"),
        Way::Archive => ("archive", "Archived"),
        Way::Unarchive => ("unarchive", "Unarchived"),
    };
    let memories = context.memories()?.with_actor(&format!("interleaf memory {verb}"));
    let memory = match way {
        Way::Restore => memories.restore(&args.id, None, &args.reason),
        Way::Archive => memories.archive(&args.id, None, &args.reason),
        Way::Unarchive => memories.unarchive(&args.id, None, &args.reason),
    }?;
    match args.json {
        true => told(&memory, out),
        false => Ok(writeln!(out, "{done}: {} ({})", memory.title, memory.id)?),
    }
}

fn told(memory: &Memory, out: &mut Output) -> anyhow::Result<()> {
    out.json(&serde_json::json!({ "id": memory.id, "status": memory.status, "version": memory.version }))
}

/// Confirms a memory.
#[derive(Debug, clap::Args)]
pub struct Confirm {
    /// Its id, or the beginning of it
    id: String,
}

/// Rates a memory.
#[derive(Debug, clap::Args)]
pub struct Rate {
    /// Its id, or the beginning of it
    id: String,
    /// Whether it helped
    #[arg(value_enum)]
    rating: UpOrDown,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum UpOrDown {
    /// It helped
    Up,
    /// It was in the way
    Down,
}

/// Makes it the person's own.
pub fn confirm(args: &Confirm, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if remember::whose_words() != Origin::Person {
        return Err(Error::denied("only a person at a terminal can confirm a memory")
            .hint("run it in a terminal of your own, outside Claude Code")
            .into());
    }
    let memory = context.memories()?.with_actor("interleaf memory confirm").confirm(&args.id)?;
    Ok(writeln!(out, "Confirmed: {} ({}). It is your own now.", memory.title, memory.id)?)
}

/// Weighs it a little more or less.
pub fn rate(args: &Rate, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let rating = match args.rating {
        UpOrDown::Up => Rating::Up,
        UpOrDown::Down => Rating::Down,
    };
    let memory = context.memories()?.with_actor("interleaf memory rate").rate(&args.id, rating)?;
    Ok(writeln!(out, "{} ({}) has the importance {:.2} now", memory.title, memory.id, memory.importance)?)
}
