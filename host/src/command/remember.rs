//! `interleaf remember`: the word an agent needs to have something written down. `memory add` says more about it.

use std::io::{IsTerminal, Read, Write};

use serde_json::Value;

use crate::error::{Error, Result};
use crate::memory::{Category, Draft, Origin, Source, WriteOutcome, WriteResult};
use crate::project_context::ProjectContext;

use super::output::Output;

/// What was asked for by name matters more than what a layer picked up.
const IMPORTANCE: f32 = 0.8;

/// The longest text read from standard input, in bytes; the store refuses less than this with a reason.
const MOST_INPUT: u64 = 1 << 20;

/// Writes a memory.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to remember; `-`, or nothing, reads it from standard input
    text: Vec<String>,
    /// What kind of thing it is
    #[arg(short, long, default_value = "learning", value_name = "CATEGORY")]
    category: Category,
    /// One line that names it; made from the text where absent
    #[arg(long)]
    title: Option<String>,
    /// What its category asks for: a JSON object (`interleaf schema` shows its form)
    #[arg(long, value_name = "JSON")]
    content: Option<String>,
    /// A word to find it by; may be given several times
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// A file it is about; may be given several times
    #[arg(short, long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// It holds on this branch only
    #[arg(long)]
    branch: Option<String>,
    /// How much depends on it, 0 to 1
    #[arg(long, default_value_t = IMPORTANCE)]
    importance: f32,
    /// How sure it is true, 0 to 1
    #[arg(long, default_value_t = 0.9)]
    confidence: f32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Writes it.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let json = args.json;
    let written = context.memories()?.with_actor("interleaf remember").remember(draft(args)?)?;
    let WriteResult { id, outcome, evicted } = &written;
    let created = *outcome == WriteOutcome::Created;
    if json {
        return out.json(&serde_json::json!({ "id": id, "created": created }));
    }
    match created {
        true => writeln!(out, "Remembered as {id}. To take it back: interleaf forget {id}")?,
        false => writeln!(out, "Nothing new: memory {id} says so already.")?,
    }
    for gone in evicted {
        let more = if gone.unique_items.is_empty() { gone.brief() } else { gone.warning() };
        writeln!(out, "{more}")?;
    }
    Ok(())
}

fn draft(args: Args) -> Result<Draft> {
    let origin = whose_words();
    Ok(Draft {
        title: args.title,
        content: content(args.content.as_deref())?.unwrap_or_default(),
        tags: args.tags,
        related_files: args.files,
        importance: args.importance,
        confidence: args.confidence,
        source: Source { branch: args.branch, ..Source::default() },
        ..Draft::new(args.category, text(&args.text)?, origin)
    })
}

/// The content that an argument holds.
pub(super) fn content(json: Option<&str>) -> Result<Option<Value>> {
    let content = json.map(serde_json::from_str).transpose();
    content.map_err(|error| Error::invalid(format!("--content is no JSON: {error}")).hint("interleaf schema"))
}

/// A person's only at a terminal outside a session of Claude Code; everything else may have been typed by the
/// assistant.
pub(super) fn whose_words() -> Origin {
    let terminal = std::io::stdin().is_terminal() || std::io::stdout().is_terminal();
    match terminal && !crate::claude::is_inside_session() {
        true => Origin::Person,
        false => Origin::Assistant,
    }
}

fn text(words: &[String]) -> Result<String> {
    let words = words.join(" ");
    if !matches!(words.as_str(), "" | "-") {
        return Ok(words);
    }
    if words.is_empty() && std::io::stdin().is_terminal() {
        return Err(Error::invalid("there is nothing to remember")
            .hint("interleaf remember \"what later sessions must know\""));
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MOST_INPUT).read_to_string(&mut text);
    read.map_err(|error| Error::invalid(format!("standard input cannot be read as text: {error}")))?;
    Ok(text)
}
