//! `interleaf forget`: a memory is retired. It is kept, but neither found nor shown.

use std::io::Write;

use crate::here::Here;

use super::output::Output;

/// Forgets a memory.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, or the beginning of it
    id: String,
    /// Why; it stays in the memory's history
    #[arg(long, default_value = "asked to forget it")]
    reason: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Forgets it.
pub fn run(args: &Args, here: &Here, out: &mut Output) -> anyhow::Result<()> {
    let memory = here.memories()?.written_by("interleaf forget").retire(&args.id, None, &args.reason)?;
    if args.json {
        return out.json(&serde_json::json!({ "id": memory.id, "status": memory.status }));
    }
    Ok(writeln!(out, "Forgotten: {} ({}). It is kept as retired.", memory.title, memory.id)?)
}
