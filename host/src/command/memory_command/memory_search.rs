//! `interleaf memory search` and `list`, and the preview of the context that a hook would inject.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use interleaf_text::for_terminal;

use crate::claude::{Event, sample_event, utf16_len};
use crate::clock::{Millis, format_date};
use crate::command::output::Output;
use crate::command::topics_command::{TOPICS_KEY, stored_topics};
use crate::database::Database;
use crate::error::Result;
use crate::grant::SHARED_OWNER;
use crate::memory::{Category, Filter, Memory, Order, Origin, Status};
use crate::pipeline::{Pipeline, max_deadline};
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;
use crate::state::{Scope, State};

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
    #[arg(long)]
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
    /// Print exactly what a hook would inject at this moment, in a new session
    #[arg(long, alias = "occasion", value_enum, value_name = "MOMENT")]
    preview: Option<Moment>,
    /// Minimum relevance, from 0 to 1; hooks show a memory from 0.4, its title from 0.15
    #[arg(long, alias = "floor", value_name = "RELEVANCE", default_value_t = 0.0)]
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

/// A moment at which a hook may inject memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Moment {
    /// A session starts (the text is ignored)
    Start,
    /// The text is entered as a prompt
    Prompt,
    /// The text is about to run as a shell command
    Command,
    /// The text is the error of a shell command
    Failure,
}

/// Prints the memories found, or the preview.
pub fn search(args: SearchArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let text = args.text.join(" ");
    if let Some(moment) = args.preview {
        return print_preview(&preview(moment, &text, context)?, args.filter.json, out);
    }
    let (limit, json) = (args.filter.limit, args.filter.json);
    let memories = context.memories()?;
    let hits =
        memories.search_with_min_relevance(args.min_relevance, &text, &filter(args.filter, false), limit)?;
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
        branch: args.branch,
        since: args.since,
        origins: args.origins,
        statuses: if all { Status::ALL.to_vec() } else { vec![Status::Active] },
        ..Filter::default()
    }
}

fn print_line(memory: &Memory, relevance: Option<f32>, out: &mut Output) -> anyhow::Result<()> {
    let relevance = relevance.map_or(String::new(), |relevance| format!(" {relevance:.2}"));
    let status = if memory.status == Status::Active { String::new() } else { format!(", {}", memory.status) };
    let about = format!("{} {}{status}{relevance}", format_date(memory.created_at), memory.category);
    let (id, title) = (out.bold(&for_terminal(&memory.id)), for_terminal(&memory.title));
    Ok(writeln!(out, "{id}  {}  {title}", out.faint(&about))?)
}

/// Returns the first millisecond of a day, in UTC.
fn parse_day(text: &str) -> Result<Millis, String> {
    let date: jiff::civil::Date = text.parse().map_err(|_| "a day is written YYYY-MM-DD".to_owned())?;
    let zoned = date.to_zoned(jiff::tz::TimeZone::UTC).map_err(|error| error.to_string())?;
    Ok(zoned.timestamp().as_millisecond())
}

impl Moment {
    fn event_json(self, text: &str) -> String {
        match self {
            Self::Start => sample_event::session_start("startup"),
            Self::Prompt => sample_event::prompt(text),
            Self::Command => sample_event::command(text),
            Self::Failure => sample_event::failure("", text),
        }
    }
}

/// Returns the context that a hook would inject, empty for none.
///
/// The event runs through the same layers as in a hook, in a separate session, and changes nothing.
fn preview(moment: Moment, text: &str, context: &ProjectContext) -> Result<String> {
    let began = Instant::now();
    let event = sample_event::in_folder(&moment.event_json(text), &context.project.root.to_string_lossy());
    let event = Event::parse(event.as_bytes())?;
    let roster = context.roster();
    let deadline = began + max_deadline(&roster, &event);
    let mut host = context.host_context(&event.name, event.transcript(), deadline)?;
    let topics = stored_topics(&host.state)?;
    // Memories shown and budget spent in real sessions must not count, but the project's topics must.
    host.state = State::new(Database::in_memory()?, context.clock);
    if let Some(topics) = topics {
        host.state.set(Scope::Project, SHARED_OWNER, TOPICS_KEY, &topics)?;
    }
    let pipeline = Pipeline { roster: &roster, config: &context.config, host, began, guards_only: false };
    let reply = pipeline.answer(&event, || Sandbox::new(Some(&context.folders.cache)).map(Arc::new));
    Ok(reply.context.unwrap_or_default())
}

fn print_preview(injected: &str, json: bool, out: &mut Output) -> anyhow::Result<()> {
    if json {
        return out.json(&serde_json::json!({ "units": utf16_len(injected), "context": injected }));
    }
    if !injected.is_empty() {
        writeln!(out, "{injected}")?;
    }
    Ok(())
}
