//! `interleaf remember`, which is the same command as `interleaf memory add`: saves a memory.

use std::io::{IsTerminal, Read, Write};

use interleaf_text::for_terminal;
use serde_json::Value;

use super::branch_argument;
use super::confirm::yes_option;
use super::output::Output;
use super::related_files::RelatedFiles;
use crate::error::{Error, Result};
use crate::memory::{
    Category, Draft, Evicted, Memories, Memory, Origin, PRIVATE_TAG, Source, WriteOutcome, WriteResult,
    has_same_words, says_nearly_the_same,
};
use crate::project_context::ProjectContext;

/// Importance of an explicitly requested memory. It is higher than the importance that layers set.
const DEFAULT_IMPORTANCE: f32 = 0.8;

/// Confidence of an explicitly requested memory.
const DEFAULT_CONFIDENCE: f32 = 0.9;

/// Number of memories whose sentence vectors are computed at once: the new one, and some that are missing.
pub const EMBEDDED_AT_ONCE: usize = 4;

/// Maximum number of bytes read from standard input. The store's own limit is lower and names the reason.
const MAX_INPUT_BYTES: u64 = 1 << 20;

/// Save a memory
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to remember; read from standard input if absent or `-`
    text: Vec<String>,
    /// The category; if absent, what the text says decides: a rule is a preference, and so on
    #[arg(short, long, value_name = "CATEGORY")]
    category: Option<Category>,
    /// The title, one line; made from the text if absent
    #[arg(long)]
    title: Option<String>,
    /// The content that the category requires, a JSON object (see `interleaf schema`)
    #[arg(long, value_name = "JSON")]
    content: Option<String>,
    /// A tag; repeatable
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// A related file of the project; repeatable
    #[arg(short, long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// How one would ask for it without knowing its words, in any language; repeatable
    #[arg(long = "asked-as", value_name = "TEXT")]
    asked_as: Vec<String>,
    /// Keep it on this machine: it does not go to others with `interleaf sync`
    #[arg(long)]
    private: bool,
    /// The branch that the memory is limited to: one that git or another memory knows
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    /// How important it is, from 0 to 1
    #[arg(long, default_value_t = DEFAULT_IMPORTANCE)]
    importance: f32,
    /// How certain it is, from 0 to 1
    #[arg(long, default_value_t = DEFAULT_CONFIDENCE)]
    confidence: f32,
    /// Save it even if another memory says nearly the same
    #[arg(long)]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Writes the memory.
///
/// # Errors
/// `Conflict`, which names the memory that says nearly the same, unless `--force` is given.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    branch_argument::check(args.branch.as_deref(), context)?;
    let (json, force) = (args.json, args.force);
    let memories = context.memories()?.with_actor("interleaf remember");
    let files = RelatedFiles::read(&args.files, &context.project)?;
    let draft = draft(args, files.paths.clone())?;
    let (category, text) = (draft.category, draft.text.clone());
    let written = if force { memories.remember_again(draft)? } else { memories.remember(draft)? };
    // The memory is stored; without a vector, it is found by its words until the worker computes one.
    let _ = memories.embed_some(EMBEDDED_AT_ONCE);
    files.print_notices();
    let (id, is_new) = (&written.id, written.outcome == WriteOutcome::Created);
    if json {
        out.json(&serde_json::json!({ "id": id, "created": is_new }))?;
    }
    if let Some(known) = different_memory(&written, &text, &memories, context)? {
        return Err(says_nearly_the_same(&known).into());
    }
    match is_new {
        _ if json => {}
        true => {
            let undo = format!("interleaf forget {id}{}", yes_option());
            writeln!(out, "Remembered as {id} ({category}). To undo: {undo}")?;
        }
        false => writeln!(out, "{}", already_known(id))?,
    }
    for notice in eviction_notices(&written).iter().filter(|_| !json) {
        writeln!(out, "{}", for_terminal(notice))?;
    }
    Ok(())
}

/// Returns the memory that kept a text out although its words are others, so that it may say something else.
pub(super) fn different_memory(
    written: &WriteResult,
    text: &str,
    memories: &Memories,
    context: &ProjectContext,
) -> Result<Option<Memory>> {
    if written.outcome == WriteOutcome::Created {
        return Ok(None);
    }
    let (known, text) = (memories.get(&written.id)?, context.config.redactor()?.redact(text));
    Ok(Some(known).filter(|known| !has_same_words(&known.text, &text)))
}

/// Returns the answer to a text that a memory says already.
pub(super) fn already_known(id: &str) -> String {
    format!("Already known: memory {id} says the same.")
}

/// Returns a notice for each memory that was retired to make room.
pub(super) fn eviction_notices(written: &WriteResult) -> Vec<String> {
    let notice = |memory: &Evicted| match memory.unique_items.is_empty() {
        true => memory.brief(),
        false => memory.warning(),
    };
    written.evicted.iter().map(notice).collect()
}

/// Returns a draft of an explicitly requested memory, with its usual rank. Without a category, the classifier
/// chooses it, so that a rule becomes a rule.
pub(super) fn requested_draft(category: Option<Category>, text: String, origin: Origin) -> Draft {
    let category = category.or_else(|| interleaf_classifier::category(&text)?.parse().ok());
    let category = category.unwrap_or(Category::Learning);
    let (importance, confidence) = (DEFAULT_IMPORTANCE, DEFAULT_CONFIDENCE);
    Draft { importance, confidence, ..Draft::new(category, text, origin) }
}

fn draft(args: Args, related_files: Vec<String>) -> Result<Draft> {
    Ok(Draft {
        title: args.title,
        content: parse_content(args.content.as_deref())?.unwrap_or_default(),
        tags: args.tags.into_iter().chain(args.private.then(|| PRIVATE_TAG.to_owned())).collect(),
        related_files,
        asked_as: args.asked_as,
        importance: args.importance,
        confidence: args.confidence,
        source: Source { branch: args.branch, session: crate::claude::session_id(), ..Source::default() },
        ..requested_draft(args.category, read_text(&args.text)?, caller_origin())
    })
}

/// Parses the value of `--content`.
pub(super) fn parse_content(json: Option<&str>) -> Result<Option<Value>> {
    let content = json.map(serde_json::from_str).transpose();
    content.map_err(|error| {
        Error::invalid(format!("--content is not valid JSON: {error}")).hint("interleaf schema")
    })
}

/// Returns the origin of typed text: the person at a terminal outside Claude Code, otherwise the assistant.
pub(super) fn caller_origin() -> Origin {
    let has_terminal = std::io::stdin().is_terminal() || std::io::stdout().is_terminal();
    match has_terminal && !crate::claude::is_inside_session() {
        true => Origin::Person,
        false => Origin::Assistant,
    }
}

fn read_text(words: &[String]) -> Result<String> {
    let text = words.join(" ");
    if !matches!(text.as_str(), "" | "-") {
        return Ok(text);
    }
    if text.is_empty() && std::io::stdin().is_terminal() {
        return Err(Error::invalid("no text was given")
            .hint("interleaf remember \"what later sessions need to know\""));
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_INPUT_BYTES).read_to_string(&mut text);
    read.map_err(|error| Error::invalid(format!("cannot read standard input as text: {error}")))?;
    Ok(text)
}
