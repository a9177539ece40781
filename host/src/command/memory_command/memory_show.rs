//! `interleaf memory show` and `history`: print one memory, and its changes.

use std::io::Write;

use interleaf_text::{for_terminal, strip_invisible};
use serde_json::{Value, json};

use super::files_at_commit::{OldFile, files_at_commit};
use crate::clock::{format_date, format_date_time};
use crate::command::output::{Output, count};
use crate::command::sync_report::shown;
use crate::memory::{Author, Change, Citation, Memory, Status};
use crate::project_context::ProjectContext;

/// Number of characters of a commit that are shown.
const SHORT_COMMIT_CHARS: usize = 10;

/// How much of a memory is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Detail {
    /// One line, of a memory of any category: date, category, title and id
    Summary,
    /// The whole memory
    Full,
    /// Also the files that it names, as they were at the commit at which it was written
    Files,
}

/// Show one memory
#[derive(Debug, clap::Args)]
pub struct ShowArgs {
    /// The memory's id, or its first four characters or more
    id: String,
    /// How much to show
    #[arg(long, default_value = "full", value_name = "LEVEL")]
    detail: Detail,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Show the changes of a memory, oldest first, with the previous values
#[derive(Debug, clap::Args)]
pub struct HistoryArgs {
    /// The memory's id, or its first four characters or more
    id: String,
    /// Print JSON, one change per line
    #[arg(long)]
    json: bool,
}

/// Prints the memory.
pub fn show(args: &ShowArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memory = context.memories()?.get(&args.id)?;
    let files = match args.detail {
        Detail::Files => files_at_commit(&memory, context)?,
        _ => Vec::new(),
    };
    if args.json {
        return print_json(&memory, args.detail, &files, context, out);
    }
    if args.detail == Detail::Summary {
        let (date, category) = (format_date(memory.created_at), memory.category);
        return Ok(writeln!(out, "{date} {category} {} ({})", for_terminal(&memory.title), memory.id)?);
    }
    let (title, text) = (out.bold(&for_terminal(&memory.title)), strip_invisible(&memory.text));
    writeln!(out, "{title}\n\n{}\n", text.trim_end())?;
    for (name, value) in facts(&memory, context).iter().filter(|(_, value)| !value.is_empty()) {
        writeln!(out, "{} {}", out.faint(&format!("{name:<9}")), for_terminal(value))?;
    }
    if let Some((change, author)) = changes(&memory, context)?.last() {
        let change = format!("{} {}", format_date(change.at), described(change, author.as_ref()));
        writeln!(out, "{} {}", out.faint(&format!("{:<9}", "last")), for_terminal(&change))?;
    }
    if args.detail == Detail::Files && files.is_empty() {
        writeln!(out, "\nThe memory names no file, or no commit is known at which it was written.")?;
    }
    for file in files {
        let commit: String = file.commit.chars().take(SHORT_COMMIT_CHARS).collect();
        writeln!(out, "\n{}", out.bold(&for_terminal(&format!("{} at {commit}", file.path))))?;
        let text = file.text.or(file.obstacle.map(str::to_owned)).unwrap_or_default();
        writeln!(out, "{}", strip_invisible(&text).trim_end())?;
    }
    Ok(())
}

/// Prints the memory as JSON, with its files if they were asked for.
fn print_json(
    memory: &Memory,
    detail: Detail,
    files: &[OldFile],
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    let mut value = serde_json::to_value(memory)?;
    let changes = changes(memory, context)?;
    value["changes"] = changes.iter().map(change_json).collect::<Result<_, _>>()?;
    match detail {
        Detail::Summary => out.json(&json!({
            "id": memory.id, "category": memory.category, "title": memory.title,
            "created_at": memory.created_at, "status": memory.status,
        })),
        Detail::Full => out.json(&value),
        Detail::Files => {
            value["files"] = serde_json::to_value(files)?;
            out.json(&value)
        }
    }
}

/// Returns the changes of a memory, each with its author if another device made it.
pub(in crate::command) fn changes<'m>(
    memory: &'m Memory,
    context: &ProjectContext,
) -> crate::error::Result<Vec<(&'m Change, Option<Author>)>> {
    let authors = context.memories()?.change_authors(memory)?;
    Ok(memory.changes.iter().zip(authors).collect())
}

/// Returns what was changed, by what, and by whom if that was somebody else.
pub(in crate::command) fn described(change: &Change, author: Option<&Author>) -> String {
    let author = author.map(|author| format!("; {}", shown(author))).unwrap_or_default();
    format!("{} ({}{author})", change.what, change.by)
}

fn change_json((change, author): &(&Change, Option<Author>)) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(change)?;
    match (author, value.as_object_mut()) {
        (Some(author), _) => value["author"] = serde_json::to_value(author)?,
        // Of a change that was made here, nobody needs to know which device this is.
        (None, Some(fields)) => drop(fields.remove("author")),
        (None, None) => {}
    }
    Ok(value)
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
        ("branch", branch(memory, context)),
        ("commit", memory.source.commit.clone().unwrap_or_default()),
        ("written", format!("{created}, changed {updated}, version {}", memory.version)),
        ("weight", rank),
        ("use", usage(memory)),
    ]
}

/// Returns the branch on which the memory was written, and whether no hook shows it for that.
fn branch(memory: &Memory, context: &ProjectContext) -> String {
    let branch = memory.source.branch.clone().unwrap_or_default();
    let is_hidden = context.memories().is_ok_and(|memories| memories.branches().hide(memory));
    match is_hidden {
        true => {
            format!("{branch}, which was deleted without being merged, so that no hook shows this memory")
        }
        false => branch,
    }
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
        return changes(&memory, context)?.iter().try_for_each(|change| out.json(&change_json(change)?));
    }
    writeln!(out, "{} ({}, {})", out.bold(&for_terminal(&memory.title)), memory.id, memory.status)?;
    for (change, author) in changes(&memory, context)? {
        let what = for_terminal(&described(change, author.as_ref()));
        writeln!(out, "{}  {what}", out.faint(&format_date_time(change.at)))?;
        for (field, previous) in &change.was {
            let label = out.faint(&format!("{} was", for_terminal(field)));
            writeln!(out, "    {label} {}", strip_invisible(&previous.to_string()))?;
        }
    }
    Ok(())
}
