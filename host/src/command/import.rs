//! `interleaf import`: takes over what other tools remember of this project.
//!
//! Each source turns what it finds into entries of `interleaf memory import`, which redacts them and checks
//! them by the same rules. They get the origin *imported*. Their ids follow from the source, so importing
//! again writes nothing twice.

mod claude_code;
mod claude_mem;
mod claude_memory;
mod cs_memory;
mod source_folder;
mod wt_memory;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use interleaf_text::for_terminal;
use serde_json::{Value, json};

use super::jobs_command::progress_bar;
use super::output::Output;
use crate::database::Database;
use crate::error::{Error, Result};
use crate::memory::{ImportReport, ImportTrust, Memories, Memory, NearDuplicates, SqliteStore};
use crate::project_context::ProjectContext;

/// Maximum number of reasons that are listed.
const MAX_LISTED_REASONS: usize = 10;

/// Maximum number of memories that a dry run lists.
const MAX_LISTED_MEMORIES: usize = 20;

/// Take over what other memory tools have kept of this project
///
/// Everything gets the origin `imported`: it is shown as a quotation, and you can confirm what is right.
/// Secrets are removed. Importing again writes nothing twice.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit code: 0 everything was taken or known, 1 the source cannot be read, 2 something was \
    skipped."
)]
pub struct Args {
    /// The tool that kept it
    source: SourceTool,
    /// Where it is, if not in the default place of the tool
    path: Option<PathBuf>,
    /// Only show what would be taken and what skipped
    #[arg(long)]
    dry_run: bool,
    /// Also take what says nearly the same as a memory, in other words
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The tools whose memories can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SourceTool {
    /// Its files: a folder, by default .claude/memory of the project
    ClaudeMemory,
    /// Git notes below refs/notes/cs of the project, or of the repository PATH
    CsMemory,
    /// A file that `wt-memory export --output PATH` wrote
    WtMemory,
    /// Its database, by default ~/.claude-mem/claude-mem.db: the rows of this project
    ClaudeMem,
    /// Claude Code's own notes of this project, or a Markdown file or a folder of them, such as CLAUDE.md
    ClaudeCode,
}

impl SourceTool {
    fn read(self, path: Option<&Path>, context: &ProjectContext) -> Result<Found> {
        match self {
            Self::ClaudeMemory => claude_memory::read(path, &context.project),
            Self::CsMemory => cs_memory::read(path, &context.project),
            Self::WtMemory => wt_memory::read(path),
            Self::ClaudeMem => claude_mem::read(path, &context.project),
            Self::ClaudeCode => claude_code::read(path, &context.project),
        }
    }

    /// Returns the name on the command line.
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// What a source holds.
#[derive(Debug, Default)]
struct Found {
    /// Where it was looked for.
    place: String,
    entries: Vec<FoundEntry>,
    /// What could not be read: where it stands, and why.
    unreadable: Vec<(String, String)>,
}

/// An entry of `interleaf memory import`, and where it stands in the source.
#[derive(Debug)]
struct FoundEntry {
    place: String,
    fields: Value,
}

impl Found {
    fn in_place(place: impl Into<String>) -> Self {
        Self { place: place.into(), ..Self::default() }
    }

    /// Adds an entry. If it has no category, its text decides, as for `interleaf remember`.
    fn add(&mut self, place: impl Into<String>, mut fields: Value) {
        if fields["category"].is_null() {
            let text = fields["text"].as_str().unwrap_or_default();
            fields["category"] = interleaf_classifier::category(text).unwrap_or("learning").into();
        }
        self.entries.push(FoundEntry { place: place.into(), fields });
    }

    fn add_unreadable(&mut self, place: impl Into<String>, reason: impl ToString) {
        self.unreadable.push((place.into(), reason.to_string()));
    }

    fn json_lines(&self) -> String {
        self.entries.iter().map(|entry| format!("{}\n", entry.fields)).collect()
    }

    /// Returns what was not taken: where it stands, and why.
    fn skipped(&self, refused: &[(usize, Error)]) -> Vec<(String, String)> {
        let place = |position: &usize| self.entries.get(position - 1).map_or("", |entry| &entry.place);
        let refused = refused.iter().map(|(position, error)| (place(position).to_owned(), error.to_string()));
        self.unreadable.iter().cloned().chain(refused).collect()
    }
}

/// Imports what the source holds.
///
/// # Errors
/// `Invalid` with what was skipped, after the rest was written; the error of a source that cannot be read.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let found = args.source.read(args.path.as_deref(), context)?;
    let memories = context.memories()?.with_actor(&format!("interleaf import {}", args.source.name()));
    let (mut report, new) = match args.dry_run {
        true => rehearse(&found, &memories, args, context)?,
        false => (write(&found, &memories, args, context)?, Vec::new()),
    };
    let skipped = found.skipped(&report.refused);
    match args.json {
        true => print_json(&report, &new, &skipped, args, out)?,
        false => print(&found, &report, &new, &skipped, args, out)?,
    }
    match report.stopped_by.take() {
        Some(error) => Err(error.context("the import stopped before its end").into()),
        None => skipped_error(&skipped, args).map_or(Ok(()), |error| Err(error.into())),
    }
}

/// Writes the entries. The disk has them once everything is done, and not after each transaction.
fn write(found: &Found, memories: &Memories, args: &Args, context: &ProjectContext) -> Result<ImportReport> {
    context.database.set_durable(false);
    let report = import(found, memories, args.force);
    context.database.checkpoint()?;
    Ok(report)
}

/// Writes the entries to a copy of the memories, and returns what is new there. Only the store knows what it
/// would refuse.
fn rehearse(
    found: &Found,
    memories: &Memories,
    args: &Args,
    context: &ProjectContext,
) -> Result<(ImportReport, Vec<Memory>)> {
    let mut exported = Vec::new();
    memories.export(&mut exported)?;
    let store = SqliteStore::new(Database::in_memory()?);
    let copy = Memories::new(Arc::new(store), context.config.redactor()?, context.clock)
        .with_policy(context.config.policy.clone())
        .with_project_root(&context.project.root);
    copy.import(exported.as_slice(), ImportTrust::Own, NearDuplicates::Written);
    let known: BTreeSet<String> = all(&copy)?.into_iter().map(|memory| memory.id).collect();
    let report = import(found, &copy, args.force);
    let new = all(&copy)?.into_iter().filter(|memory| !known.contains(&memory.id)).collect();
    Ok((report, new))
}

fn all(memories: &Memories) -> Result<Vec<Memory>> {
    let mut all = Vec::new();
    memories.for_each(&mut |memory| {
        all.push(memory);
        Ok(())
    })?;
    Ok(all)
}

/// Imports the entries, with a progress bar at a terminal.
fn import(found: &Found, memories: &Memories, force: bool) -> ImportReport {
    let near_duplicates = if force { NearDuplicates::Written } else { NearDuplicates::Refused };
    let lines = found.json_lines();
    let bar = progress_bar();
    bar.set_length(lines.len() as u64);
    bar.set_message("importing");
    let report = memories.import(bar.wrap_read(lines.as_bytes()), ImportTrust::Untrusted, near_duplicates);
    bar.finish_and_clear();
    report
}

fn print(
    found: &Found,
    report: &ImportReport,
    new: &[Memory],
    skipped: &[(String, String)],
    args: &Args,
    out: &mut Output,
) -> anyhow::Result<()> {
    if found.entries.is_empty() && skipped.is_empty() {
        return Ok(writeln!(out, "Nothing to take over in {}.", for_terminal(&found.place))?);
    }
    for memory in new.iter().take(MAX_LISTED_MEMORIES) {
        writeln!(out, "  {}: {}", memory.category, for_terminal(&memory.title))?;
    }
    if new.len() > MAX_LISTED_MEMORIES {
        writeln!(out, "  … and {} more", new.len() - MAX_LISTED_MEMORIES)?;
    }
    let taken = if args.dry_run { "would be taken" } else { "taken" };
    let (written, known) = (report.written, report.duplicates);
    writeln!(out, "{written} {taken}, {known} already known, {} skipped", skipped.len())?;
    print_side_effects(report, args.dry_run, out)
}

/// Prints what else an import changes.
fn print_side_effects(report: &ImportReport, dry_run: bool, out: &mut Output) -> anyhow::Result<()> {
    if report.untagged > 0 {
        let untagged = report.untagged;
        writeln!(out, "{untagged} without some of their tags, which an imported memory cannot have")?;
    }
    if report.evicted > 0 {
        let retired = if dry_run { "would be retired" } else { "retired" };
        writeln!(out, "{} {retired} to make room: interleaf memory stats", report.evicted)?;
    }
    if report.written > 0 && !dry_run {
        writeln!(out, "To see them: interleaf memory list")?;
    }
    Ok(())
}

fn print_json(
    report: &ImportReport,
    new: &[Memory],
    skipped: &[(String, String)],
    args: &Args,
    out: &mut Output,
) -> anyhow::Result<()> {
    let skipped = skipped.iter().map(|(place, reason)| json!({ "place": place, "reason": reason }));
    let new = new.iter().map(|memory| {
        json!({ "id": memory.id, "category": memory.category, "title": memory.title, "text": memory.text })
    });
    let mut value = json!({
        "source": args.source.name(), "dry_run": args.dry_run, "written": report.written,
        "known": report.duplicates, "untagged": report.untagged, "displaced": report.evicted,
        "skipped": skipped.collect::<Vec<_>>(),
    });
    if args.dry_run {
        value["would_write"] = new.collect();
    }
    out.json(&value)
}

/// Returns the error that lists what was skipped; `None` if nothing was.
fn skipped_error(skipped: &[(String, String)], args: &Args) -> Option<Error> {
    if skipped.is_empty() {
        return None;
    }
    let line = |(place, reason): &(String, String)| for_terminal(&format!("{place}: {reason}"));
    let mut lines: Vec<String> = skipped.iter().take(MAX_LISTED_REASONS).map(line).collect();
    if skipped.len() > MAX_LISTED_REASONS {
        lines.push(format!("… and {} more; --json lists them all", skipped.len() - MAX_LISTED_REASONS));
    }
    let noun = if skipped.len() == 1 { "entry" } else { "entries" };
    let would = if args.dry_run { " would be" } else { "" };
    let message = format!("{} {noun}{would} skipped:\n  {}", skipped.len(), lines.join("\n  "));
    Some(Error::invalid(message).hint(
        "correct them and import again; what is already known is not written twice, and --force also takes \
         what says nearly the same as a memory",
    ))
}

/// Returns the home folder of this user.
fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute())
}

/// Splits a text into the YAML between its first two lines `---` and what follows.
fn front_matter(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---\n")?;
    let end = rest.find("\n---").filter(|end| matches!(rest.as_bytes().get(end + 4), None | Some(b'\n')))?;
    Some((&rest[..end], rest[end + 4..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_without_a_category_gets_that_of_its_text() {
        let mut found = Found::default();
        found.add("a", json!({ "text": "Never force push to main" }));
        found.add("b", json!({ "text": "The parser lives in src/parse.rs." }));
        found.add("c", json!({ "text": "Never force push to main", "category": "context" }));

        let categories: Vec<&Value> = found.entries.iter().map(|entry| &entry.fields["category"]).collect();
        assert_eq!(categories, ["preference", "learning", "context"]);
    }

    #[test]
    fn front_matter_ends_at_a_line_of_three_hyphens() {
        assert_eq!(front_matter("---\na: b\n---\n\nText"), Some(("a: b", "Text")));
        assert_eq!(front_matter("---\na: b\n---"), Some(("a: b", "")));
        assert_eq!(front_matter("Text\n---\na\n---\n"), None);
    }
}
