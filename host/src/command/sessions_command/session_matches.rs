//! `interleaf sessions search`.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::json;

use super::{resume_command, say_nothing_recorded};
use crate::clock::{Millis, format_date};
use crate::command::log_format::session_prefix;
use crate::command::memory_command::parse_day;
use crate::command::output::Output;
use crate::project_context::ProjectContext;
use crate::sessions::{SearchHit, SearchQuery};

/// Length of a day in milliseconds.
const DAY: Millis = 24 * 3_600_000;

/// Search what was said and run in earlier sessions; the best matches come first
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The words to search for
    words: Vec<String>,
    /// Only turns that changed this file; the end of its path is enough
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Only turns that ran a command with these words
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// Only turns in which a command failed with these words in its error line
    #[arg(long, value_name = "TEXT")]
    failure: Option<String>,
    /// Only turns on or after this day (UTC)
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day)]
    since: Option<Millis>,
    /// Only turns on or before this day (UTC)
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day)]
    until: Option<Millis>,
    /// Maximum number of turns
    #[arg(short = 'n', long, default_value_t = 10)]
    limit: usize,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Prints the hits.
pub(super) fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let record = context.record()?;
    let hits = record.search(&SearchQuery {
        words: args.words.join(" "),
        file: args.file.clone(),
        command: args.command.clone(),
        failure: args.failure.clone(),
        since: args.since,
        until: args.until.map(|day| day + DAY),
        limit: args.limit,
    })?;
    if args.json {
        return hits.iter().try_for_each(|hit| print_json(hit, out));
    }
    if hits.is_empty() {
        return match record.exists() {
            true => Ok(writeln!(out, "No recorded turn matches. Try fewer or other words.")?),
            false => say_nothing_recorded(context, out),
        };
    }
    hits.iter().try_for_each(|hit| print(hit, out))?;
    Ok(writeln!(
        out,
        "\nTo read the best one: interleaf sessions show {}. To continue it: {}",
        session_prefix(&hits[0].session),
        resume_command(&hits[0].session)
    )?)
}

fn print_json(hit: &SearchHit, out: &mut Output) -> anyhow::Result<()> {
    let mut object = serde_json::to_value(hit)?;
    object["resume"] = json!(resume_command(&hit.session));
    out.json(&object)
}

fn print(hit: &SearchHit, out: &mut Output) -> anyhow::Result<()> {
    let id = out.bold(&for_terminal(session_prefix(&hit.session)));
    let place = serde_json::to_value(hit.found_in)?;
    let about = format!("{} {}", format_date(hit.at), place.as_str().unwrap_or_default());
    Ok(writeln!(out, "{id}  {}  {}", out.faint(&about), for_terminal(&hit.line))?)
}
