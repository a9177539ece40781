//! `interleaf memory search`, `list`, `show` and `history`: looking into the memories of a project.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use crate::claude::{Event, sample_event, utf16_len};
use crate::clock::{Millis, format_date, format_date_time};
use crate::command::output::Output;
use crate::command::topics_command as topics;
use crate::database::Database;
use crate::error::Result;
use crate::grant::SHARED_OWNER;
use crate::memory::{Category, Filter, Memory, Order, Origin, Status};
use crate::pipeline::{Pipeline, max_deadline};
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;
use crate::state::{Scope, State};

/// Which memories.
#[derive(Debug, clap::Args)]
pub struct Which {
    /// Of this category; may be given several times
    #[arg(short, long = "category", value_name = "CATEGORY")]
    categories: Vec<Category>,
    /// With this tag; may be given several times
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Of this branch, or of none
    #[arg(long)]
    branch: Option<String>,
    /// Written on or after this day
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = first_moment)]
    since: Option<Millis>,
    /// Of this origin; may be given several times
    #[arg(long = "origin", value_name = "ORIGIN")]
    origins: Vec<Origin>,
    /// At most so many
    #[arg(short = 'n', long, default_value_t = 20)]
    limit: usize,
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Shows a history.
#[derive(Debug, clap::Args)]
pub struct History {
    /// Its id, or the beginning of it
    id: String,
    /// Print JSON, one change a line
    #[arg(long)]
    json: bool,
}

/// Finds memories.
#[derive(Debug, clap::Args)]
pub struct Search {
    /// Words
    #[arg(required_unless_present = "occasion")]
    text: Vec<String>,
    /// Answer exactly what a hook would inject on this occasion, in a fresh session
    #[arg(long, value_enum)]
    occasion: Option<Occasion>,
    /// The lowest relevance shown, 0 to 1; a hook shows nothing below the default
    #[arg(long, default_value_t = crate::memory::MIN_RELEVANCE)]
    floor: f32,
    #[command(flatten)]
    which: Which,
}

/// Lists memories.
#[derive(Debug, clap::Args)]
pub struct List {
    /// Those forgotten and archived, too
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    which: Which,
}

/// Shows one memory.
#[derive(Debug, clap::Args)]
pub struct Show {
    /// Its id, or the beginning of it
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn search(args: Search, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let text = args.text.join(" ");
    if let Some(occasion) = args.occasion {
        let context = preview(occasion, &text, context)?;
        if args.which.json {
            return out.json(&serde_json::json!({ "units": utf16_len(&context), "context": context }));
        }
        if !context.is_empty() {
            writeln!(out, "{context}")?;
        }
        return Ok(());
    }
    let (limit, json) = (args.which.limit, args.which.json);
    let hits = context.memories()?.search_with_min_relevance(
        args.floor,
        &text,
        &filter(args.which, false),
        limit,
    )?;
    if hits.is_empty() && !json {
        writeln!(
            out,
            "No memory reaches a relevance of {}; --floor 0 shows whatever shares a word.",
            args.floor
        )?;
    }
    for hit in hits {
        match json {
            true => out.json(&serde_json::json!({ "relevance": hit.relevance, "memory": hit.memory }))?,
            false => row(&hit.memory, Some(hit.relevance), out)?,
        }
    }
    Ok(())
}

pub(super) fn list(args: List, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let (limit, json) = (args.which.limit, args.which.json);
    let memories = context.memories()?.list(&filter(args.which, args.all), Order::Newest, limit)?;
    if memories.is_empty() && !json {
        writeln!(out, "There is no such memory in {}.", context.project.root.display())?;
    }
    for memory in memories {
        match json {
            true => out.json(&memory)?,
            false => row(&memory, None, out)?,
        }
    }
    Ok(())
}

fn filter(which: Which, all: bool) -> Filter {
    Filter {
        categories: which.categories,
        tags: which.tags,
        branch: which.branch,
        since: which.since,
        origins: which.origins,
        statuses: if all { Status::ALL.to_vec() } else { vec![Status::Active] },
        ..Filter::default()
    }
}

/// One memory on one line.
fn row(memory: &Memory, relevance: Option<f32>, out: &mut Output) -> anyhow::Result<()> {
    let relevance = relevance.map_or(String::new(), |relevance| format!(" {relevance:.2}"));
    let status = if memory.status == Status::Active { String::new() } else { format!(", {}", memory.status) };
    let about =
        out.faint(&format!("{} {}{status}{relevance}", format_date(memory.created_at), memory.category));
    Ok(writeln!(out, "{}  {about}  {}", out_id(memory, out), memory.title)?)
}

fn out_id(memory: &Memory, out: &Output) -> String {
    out.strong(&memory.id)
}

pub(super) fn show(args: &Show, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memory = context.memories()?.get(&args.id)?;
    if args.json {
        return out.json(&memory);
    }
    writeln!(out, "{}\n\n{}\n", out.strong(&memory.title), memory.text.trim_end())?;
    let (created, updated) = (format_date(memory.created_at), format_date(memory.updated_at));
    let facts = [
        ("id", memory.id.clone()),
        ("category", category(&memory, context)),
        ("origin", memory.origin.to_string()),
        ("status", status(&memory)),
        ("replaces", memory.supersedes.join(", ")),
        ("replaced", memory.superseded_by.clone().map(|id| format!("by {id}")).unwrap_or_default()),
        ("tags", memory.tags.join(", ")),
        ("files", memory.related_files.join(", ")),
        ("branch", memory.source.branch.clone().unwrap_or_default()),
        ("written", format!("{created}, changed {updated}, version {}", memory.version)),
        (
            "weight",
            format!(
                "importance {:.2}, confidence {:.2}, shown {} times",
                memory.importance, memory.confidence, memory.uses
            ),
        ),
    ];
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "{:<9} {value}", out.faint(name))?;
    }
    if let Some(change) = memory.changes.last() {
        writeln!(out, "{:<9} {} {} ({})", out.faint("last"), format_date(change.at), change.what, change.by)?;
    }
    Ok(())
}

/// The category, and what it holds.
fn category(memory: &Memory, context: &ProjectContext) -> String {
    format!("{} ({})", memory.category, context.config.policy.of(memory.category).description)
}

/// The status, since when and why.
fn status(memory: &Memory) -> String {
    let since = || format!("{} since {}", memory.status, format_date(memory.status_since));
    match (memory.status, &memory.status_reason) {
        (Status::Active, _) if memory.confirmed_at.is_some() => "active, confirmed".to_owned(),
        (Status::Active, _) => "active".to_owned(),
        (_, Some(reason)) => format!("{}: {reason}", since()),
        (_, None) => since(),
    }
}

/// Prints what happened to a memory, oldest first.
pub(super) fn history(args: &History, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memory = context.memories()?.get(&args.id)?;
    if args.json {
        return memory.changes.iter().try_for_each(|change| out.json(change));
    }
    writeln!(out, "{} ({}, {})", out.strong(&memory.title), memory.id, memory.status)?;
    for change in &memory.changes {
        writeln!(out, "{}  {} ({})", out.faint(&format_date_time(change.at)), change.what, change.by)?;
        for (field, was) in &change.was {
            writeln!(out, "    {} {was}", out.faint(&format!("{field} was")))?;
        }
    }
    Ok(())
}

/// The first moment of a day, in UTC.
fn first_moment(text: &str) -> Result<Millis, String> {
    let date: jiff::civil::Date = text.parse().map_err(|_| "a day is written YYYY-MM-DD".to_owned())?;
    let zoned = date.to_zoned(jiff::tz::TimeZone::UTC).map_err(|error| error.to_string())?;
    Ok(zoned.timestamp().as_millisecond())
}

/// A moment at which memories may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Occasion {
    /// A session starts (the text does not matter)
    Start,
    /// The text is entered as a prompt
    Prompt,
    /// The text is about to run as a shell command
    Command,
    /// The text is the error of a shell command
    Failure,
}

impl Occasion {
    fn event(self, text: &str) -> String {
        match self {
            Self::Start => sample_event::session_start("startup"),
            Self::Prompt => sample_event::prompt(text),
            Self::Command => sample_event::command(text),
            Self::Failure => sample_event::failure("", text),
        }
    }
}

/// The context that the model would see; empty for none.
fn preview(occasion: Occasion, text: &str, context: &ProjectContext) -> Result<String> {
    let began = Instant::now();
    let event = sample_event::in_folder(&occasion.event(text), &context.project.root.to_string_lossy());
    let event = Event::parse(event.as_bytes())?;
    let roster = context.roster();
    let mut host =
        context.host_context(&event.name, event.transcript(), began + max_deadline(&roster, &event))?;
    let topics = topics::kept(&host.state)?;
    // What was shown and what was spent belongs to no session of anybody's; the project's commands are its own.
    host.state = State::new(Database::in_memory()?, context.clock);
    if let Some(topics) = topics {
        host.state.set(Scope::Project, SHARED_OWNER, topics::KEY, &topics)?;
    }
    let pipeline = Pipeline { roster: &roster, config: &context.config, host, began };
    let reply = pipeline.answer(&event, || Sandbox::new(Some(&context.folders.cache)).map(Arc::new));
    Ok(reply.context.unwrap_or_default())
}
