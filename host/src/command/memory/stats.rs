//! `interleaf memory stats`: how many there are.

use std::io::Write;

use crate::command::output::Output;
use crate::memory::{Category, Status};
use crate::project_context::ProjectContext;

/// Counts.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints how many memories there are of each category and status, and how many there may be.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (counts, policy) = (context.memories()?.counts()?, &context.config.policy);
    let count = |category, status| {
        let of = counts.iter().find(|(of, is, _)| (*of, *is) == (category, status));
        of.map_or(0, |(_, _, count)| *count)
    };
    if args.json {
        let one = |category: &Category| {
            let of = |status| count(*category, status);
            let (active, retired) = (of(Status::Active), of(Status::Retired));
            let counts =
                serde_json::json!({ "active": active, "retired": retired, "archived": of(Status::Archived) });
            (category.to_string(), counts)
        };
        return out.json(&Category::ALL.iter().map(one).collect::<serde_json::Map<_, _>>());
    }
    writeln!(
        out,
        "{}",
        out.faint(&format!("{:<16} {:>7} {:>7} {:>8}  kept", "category", "active", "retired", "archived"))
    )?;
    for &category in Category::ALL {
        let [active, retired, archived] =
            [Status::Active, Status::Retired, Status::Archived].map(|status| count(category, status));
        let kept = policy.of(category).in_words();
        writeln!(out, "{:<16} {active:>7} {retired:>7} {archived:>8}  {kept}", category.as_str())?;
    }
    let total: u64 =
        counts.iter().filter(|(_, status, _)| *status == Status::Active).map(|(_, _, n)| n).sum();
    Ok(writeln!(out, "{total} active in {}", context.project.root.display())?)
}
