//! `interleaf memory update`: changes a memory. The caller gives the version that it has read.

use std::io::Write;

use interleaf_text::for_terminal;

use crate::command::output::Output;
use crate::command::related_files::RelatedFiles;
use crate::command::remember::{EMBEDDED_AT_ONCE, caller_origin, parse_content};
use crate::error::{Error, Result};
use crate::memory::{Memory, Patch, id_for_command, normalize_tag};
use crate::project_context::ProjectContext;

/// Change a memory
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The memory's id, or its first four characters or more
    id: String,
    /// The version that you have read, always required; nothing changes if the memory has another one by now
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    /// The reason, always required, kept in the memory's history
    #[arg(long)]
    reason: String,
    /// The new text
    #[arg(long)]
    text: Option<String>,
    /// The new title, one line
    #[arg(long)]
    title: Option<String>,
    /// The new content, a JSON object that replaces the old one (see `interleaf schema`)
    #[arg(long, value_name = "JSON")]
    content: Option<String>,
    /// A tag to add; repeatable
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// A tag to remove, so that an added one fits; repeatable
    #[arg(long = "remove-tag", alias = "without-tag", value_name = "TAG", requires = "tags")]
    removed_tags: Vec<String>,
    /// A related file of the project to add; repeatable
    #[arg(short, long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// A related file to remove, because it no longer exists; repeatable
    #[arg(long = "remove-file", alias = "without-file", value_name = "PATH")]
    removed_files: Vec<String>,
    /// How one would ask for it without knowing its words; repeatable
    #[arg(long = "asked-as", value_name = "TEXT")]
    asked_as: Vec<String>,
    /// Such a text to remove; repeatable
    #[arg(long = "remove-asked-as", value_name = "TEXT")]
    removed_asked_as: Vec<String>,
    /// How important it is, from 0 to 1
    #[arg(long)]
    importance: Option<f32>,
    /// How certain it is, from 0.7 to 0.9; more only for a memory of your own
    #[arg(long)]
    confidence: Option<f32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Changes the memory.
pub fn run(mut args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let json = args.json;
    let memories = context.memories()?.with_actor("interleaf memory update");
    let current = memories.get(&args.id)?;
    let version = args.version.ok_or_else(|| missing_version(&current))?;
    let files = RelatedFiles::read(&args.files, &context.project)?;
    args.files.clone_from(&files.paths);
    let patch = patch(args, &current)?;
    let memory = memories.update(&current.id, version, patch)?;
    // The memory is stored; without a vector, it is found by its words until the worker computes one.
    let _ = memories.embed_some(EMBEDDED_AT_ONCE);
    files.print_notices();
    if json {
        return out.json(&serde_json::json!({ "id": memory.id, "version": memory.version }));
    }
    let title = for_terminal(&memory.title);
    Ok(writeln!(out, "Changed: {title} ({}), now version {}", memory.id, memory.version)?)
}

fn missing_version(current: &Memory) -> Error {
    let (id, version) = (id_for_command(&current.id), current.version);
    Error::invalid(format!("--version is missing: memory `{id}` has version {version}"))
        .hint(format!("read it with `interleaf memory show {id}`, then add --version {version}"))
}

fn patch(args: Args, current: &Memory) -> Result<Patch> {
    let content = parse_content(args.content.as_deref())?;
    let removed_tags: Vec<String> = args.removed_tags.iter().map(|tag| normalize_tag(tag)).collect();
    let patch = Patch {
        title: args.title,
        text: args.text,
        content,
        tags: changed(&current.tags, args.tags, &removed_tags),
        related_files: changed(&current.related_files, args.files, &args.removed_files),
        asked_as: changed(&current.asked_as, args.asked_as, &args.removed_asked_as),
        confidence: args.confidence,
        importance: args.importance,
        ..Patch::new(caller_origin(), args.reason)
    };
    match patch.is_empty() {
        true => Err(Error::invalid("nothing to change was given").hint("interleaf memory update --help")),
        false => Ok(patch),
    }
}

/// Returns the list with `added` and without `removed`; `None` if neither was given.
fn changed(list: &[String], added: Vec<String>, removed: &[String]) -> Option<Vec<String>> {
    let is_requested = !added.is_empty() || !removed.is_empty();
    let kept = list.iter().filter(|entry| !removed.contains(entry)).cloned();
    is_requested.then(|| kept.chain(added).collect())
}
