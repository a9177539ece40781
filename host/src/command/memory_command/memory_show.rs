//! `interleaf memory show` and `history`: print one memory, and its changes.

use std::io::Write;

use interleaf_text::{for_terminal, strip_invisible};

use crate::clock::{format_date, format_date_time};
use crate::command::output::{Output, count};
use crate::command::sync::shown;
use crate::memory::{Citation, Memory, Status};
use crate::project_context::ProjectContext;

/// Show one memory in full
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// The memory's id, or a prefix of it
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Show the changes of a memory, oldest first, with the previous values
#[derive(Debug, clap::Args)]
pub struct HistoryArgs {
    /// The memory's id, or a prefix of it
    id: String,
    /// Print JSON, one change per line
    #[arg(long)]
    json: bool,
}

/// Prints the memory.
pub fn show(args: &ShowArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memory = context.memories()?.get(&args.id)?;
    if args.json {
        return out.json(&memory);
    }
    let (title, text) = (out.bold(&for_terminal(&memory.title)), strip_invisible(&memory.text));
    writeln!(out, "{title}\n\n{}\n", text.trim_end())?;
    for (name, value) in facts(&memory, context).iter().filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "{} {}", out.faint(&format!("{name:<9}")), for_terminal(value))?;
    }
    if let Some(change) = memory.changes.last() {
        let change = format!("{} {} ({})", format_date(change.at), change.what, change.by);
        writeln!(out, "{} {}", out.faint(&format!("{:<9}", "last")), for_terminal(&change))?;
    }
    Ok(())
}

/// Returns the author of a memory that came from another device.
fn author(memory: &Memory, context: &ProjectContext) -> String {
    let author = context.memories().and_then(|memories| memories.foreign_author(&memory.id));
    author.ok().flatten().map(|author| for_terminal(&shown(&author))).unwrap_or_default()
}

/// Returns the names and values of what is known of a memory besides title and text. A value may be empty.
pub(in crate::command) fn facts(memory: &Memory, context: &ProjectContext) -> Vec<(&'static str, String)> {
    let (created, updated) = (format_date(memory.created_at), format_date(memory.updated_at));
    let category = context.config.policy.of(memory.category);
    let outdated = context.memories().map(|memories| memories.outdated_citations(&memory.citations));
    let outdated = outdated.map(|outdated| citations(&outdated)).unwrap_or_default();
    let rank = format!("importance {:.2}, confidence {:.2}", memory.importance, memory.confidence);
    vec![
        ("id", memory.id.clone()),
        ("category", format!("{} ({})", memory.category, category.description)),
        ("origin", memory.origin.to_string()),
        ("author", author(memory, context)),
        ("status", status(memory)),
        ("replaces", memory.supersedes.join(", ")),
        ("replaced", memory.superseded_by.clone().map(|id| format!("by {id}")).unwrap_or_default()),
        ("tags", memory.tags.join(", ")),
        ("files", memory.related_files.join(", ")),
        ("asked as", memory.asked_as.join("; ")),
        ("cites", citations(&memory.citations)),
        ("outdated", outdated),
        ("branch", memory.source.branch.clone().unwrap_or_default()),
        ("written", format!("{created}, changed {updated}, version {}", memory.version)),
        ("weight", rank),
        ("use", usage(memory)),
    ]
}

/// Returns how often the memory was shown and followed.
fn usage(memory: &Memory) -> String {
    let shown = format!("shown {}", count(memory.uses as usize, "time"));
    match memory.followed {
        0 => shown,
        followed => format!("{shown}, followed in {}", count(followed as usize, "session")),
    }
}

/// Returns the cited files, and the names in them.
fn citations(citations: &[Citation]) -> String {
    let cited = citations.iter().map(|Citation { file, term }| match term {
        Some(term) => format!("{term} in {file}"),
        None => file.clone(),
    });
    cited.collect::<Vec<_>>().join(", ")
}

/// Returns the status, with its date and reason.
fn status(memory: &Memory) -> String {
    let since = || format!("{} since {}", memory.status, format_date(memory.status_since));
    match (memory.status, &memory.status_reason) {
        (Status::Active, _) if memory.confirmed_at.is_some() => "active, confirmed".to_owned(),
        (Status::Active, _) => "active".to_owned(),
        (_, Some(reason)) => format!("{}: {reason}", since()),
        (_, None) => since(),
    }
}

/// Prints the changes of the memory.
pub fn history(args: &HistoryArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memory = context.memories()?.get(&args.id)?;
    if args.json {
        return memory.changes.iter().try_for_each(|change| out.json(change));
    }
    writeln!(out, "{} ({}, {})", out.bold(&for_terminal(&memory.title)), memory.id, memory.status)?;
    for change in &memory.changes {
        let what = for_terminal(&format!("{} ({})", change.what, change.by));
        writeln!(out, "{}  {what}", out.faint(&format_date_time(change.at)))?;
        for (field, previous) in &change.was {
            let label = out.faint(&format!("{} was", for_terminal(field)));
            writeln!(out, "    {label} {}", strip_invisible(&previous.to_string()))?;
        }
    }
    Ok(())
}
