//! `interleaf memory search` and `list`.

use std::io::Write;

use interleaf_text::for_terminal;

use super::memory_preview::{self, Moment};
use crate::clock::{Millis, format_date};
use crate::command::branch_argument;
use crate::command::output::Output;
use crate::error::Result;
use crate::memory::{Category, Filter, Memory, Order, Origin, Status, is_private, is_tentative};
use crate::project_context::ProjectContext;

/// Arguments of `search` and `list` that select memories.
#[derive(Debug, clap::Args)]
pub struct FilterArgs {
    /// Only this category; repeatable
    #[arg(short, long = "category", value_name = "CATEGORY")]
    categories: Vec<Category>,
    /// Only this tag; repeatable
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Only this branch, and memories of no branch
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    /// Only memories written on or after this day (UTC)
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = parse_day)]
    since: Option<Millis>,
    /// Only this origin; repeatable
    #[arg(long = "origin", value_name = "ORIGIN")]
    origins: Vec<Origin>,
    /// Maximum number of memories
    #[arg(short = 'n', long, default_value_t = 20)]
    limit: usize,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Search memories by words
#[derive(Debug, clap::Args)]
pub struct SearchArgs {
    /// The words to search for
    #[arg(required_unless_present = "preview")]
    text: Vec<String>,
    /// Print exactly what a hook would inject at this moment, in a new session, or why it would be nothing
    #[arg(long, alias = "occasion", value_enum, value_name = "MOMENT")]
    preview: Option<Moment>,
    /// Minimum relevance, from 0 to 1; `interleaf why` prints the one that hooks require
    #[arg(long, alias = "floor", value_name = "RELEVANCE", default_value_t = 0.0)]
    #[arg(value_parser = parse_relevance)]
    min_relevance: f32,
    #[command(flatten)]
    filter: FilterArgs,
}

/// List memories, newest first
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Include retired and archived memories
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Prints the memories found, or the preview.
pub fn search(args: SearchArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    branch_argument::check(args.filter.branch.as_deref(), context)?;
    let text = args.text.join(" ");
    if let Some(moment) = args.preview {
        return memory_preview::run(moment, &text, args.filter.json, context, out);
    }
    let (limit, json) = (args.filter.limit, args.filter.json);
    let memories = context.memories()?;
    let hits = memories.search_on_request(args.min_relevance, &text, &filter(args.filter, false), limit)?;
    if hits.is_empty() && !json {
        match args.min_relevance {
            min if min > 0.0 => writeln!(out, "No memory has a relevance of {min} or more.")?,
            _ => writeln!(out, "No memory shares a word with this text.")?,
        }
    }
    for hit in hits {
        match json {
            true => out.json(&serde_json::json!({
                "relevance": hit.relevance, "features": hit.features, "memory": hit.memory
            }))?,
            false => print_line(&hit.memory, Some(hit.relevance), out)?,
        }
    }
    Ok(())
}

/// Prints the memories, newest first.
pub fn list(args: ListArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    branch_argument::check(args.filter.branch.as_deref(), context)?;
    let (limit, json) = (args.filter.limit, args.filter.json);
    let memories = context.memories()?.list(&filter(args.filter, args.all), Order::Newest, limit)?;
    if memories.is_empty() && !json {
        writeln!(out, "No memories found in {}.", context.project.root.display())?;
    }
    for memory in memories {
        match json {
            true => out.json(&memory)?,
            false => print_line(&memory, None, out)?,
        }
    }
    Ok(())
}

fn filter(args: FilterArgs, all: bool) -> Filter {
    Filter {
        categories: args.categories,
        tags: args.tags,
        branches: args.branch.into_iter().collect(),
        since: args.since,
        origins: args.origins,
        statuses: if all { Status::ALL.to_vec() } else { vec![Status::Active] },
        ..Filter::default()
    }
}

fn print_line(memory: &Memory, relevance: Option<f32>, out: &mut Output) -> anyhow::Result<()> {
    let relevance = relevance.map_or(String::new(), |relevance| format!(" {relevance:.2}"));
    let about = format!("{} {}{}{relevance}", format_date(memory.created_at), memory.category, marks(memory));
    let (id, title) = (out.bold(&for_terminal(&memory.id)), for_terminal(&memory.title));
    Ok(writeln!(out, "{id}  {}  {title}", out.faint(&about))?)
}

/// Returns what is special about a memory, each part after a comma.
fn marks(memory: &Memory) -> String {
    let status = (memory.status != Status::Active).then(|| memory.status.to_string());
    let origin = memory.origin.is_untrusted().then(|| memory.origin.to_string());
    let tentative = is_tentative(memory).then(|| "tentative".to_owned());
    let private = is_private(memory).then(|| "private".to_owned());
    let parts = [status, origin, tentative, private].into_iter().flatten();
    parts.map(|part| format!(", {part}")).collect()
}

fn parse_relevance(text: &str) -> Result<f32, String> {
    let relevance = text.parse().ok().filter(|relevance| (0.0..=1.0).contains(relevance));
    relevance.ok_or_else(|| "a relevance is a number from 0 to 1".to_owned())
}

/// Returns the first millisecond of a day, in UTC.
pub fn parse_day(text: &str) -> Result<Millis, String> {
    let date: jiff::civil::Date = text.parse().map_err(|_| "a day is written YYYY-MM-DD".to_owned())?;
    let zoned = date.to_zoned(jiff::tz::TimeZone::UTC).map_err(|error| error.to_string())?;
    Ok(zoned.timestamp().as_millisecond())
}
