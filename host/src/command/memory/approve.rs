//! `interleaf memory confirm` and `rate`: what a person says of a memory.

use std::io::Write;

use clap::ValueEnum;

use crate::command::output::Output;
use crate::command::remember;
use crate::error::Error;
use crate::memory::{Origin, Rating};
use crate::project_context::ProjectContext;

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
    let memory = context.memories()?.written_by("interleaf memory confirm").confirm(&args.id)?;
    Ok(writeln!(out, "Confirmed: {} ({}). It is your own now.", memory.title, memory.id)?)
}

/// Weighs it a little more or less.
pub fn rate(args: &Rate, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let rating = match args.rating {
        UpOrDown::Up => Rating::Up,
        UpOrDown::Down => Rating::Down,
    };
    let memory = context.memories()?.written_by("interleaf memory rate").rate(&args.id, rating)?;
    Ok(writeln!(out, "{} ({}) has the importance {:.2} now", memory.title, memory.id, memory.importance)?)
}
