//! `interleaf memory update`: changes a memory that somebody has seen.

use std::io::Write;

use crate::command::output::Output;
use crate::command::remember;
use crate::error::{Error, Result};
use crate::memory::{Memory, Patch};
use crate::project_context::ProjectContext;

/// Changes a memory.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its id, or the beginning of it
    id: String,
    /// The version that you have seen; if somebody was faster, nothing is changed
    #[arg(long, value_name = "N")]
    version: Option<u64>,
    /// Why; it stays in the memory's history
    #[arg(long)]
    reason: String,
    /// What there is to know now, in place of what it says
    #[arg(long)]
    text: Option<String>,
    /// One line that names it
    #[arg(long)]
    title: Option<String>,
    /// What its category asks for, in place of the whole: a JSON object (`interleaf schema` shows its form)
    #[arg(long, value_name = "JSON")]
    content: Option<String>,
    /// A further word to find it by; may be given several times
    #[arg(short, long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// A tag that goes for one that comes, where it has twelve; may be given several times
    #[arg(long, value_name = "TAG", requires = "tags")]
    without_tag: Vec<String>,
    /// A further file it is about; may be given several times
    #[arg(short, long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// A file that is no longer there; may be given several times
    #[arg(long, value_name = "PATH")]
    without_file: Vec<String>,
    /// How much depends on it, 0 to 1
    #[arg(long)]
    importance: Option<f32>,
    /// How sure it is true, 0.7 to 0.9; beyond that only of what is your own
    #[arg(long)]
    confidence: Option<f32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Changes it.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let json = args.json;
    let memories = context.memories()?.with_actor("interleaf memory update");
    let seen = memories.get(&args.id)?;
    let version = args.version.ok_or_else(|| unseen(&seen))?;
    let patch = patch(args, &seen)?;
    let memory = memories.update(&seen.id, version, patch)?;
    if json {
        return out.json(&serde_json::json!({ "id": memory.id, "version": memory.version }));
    }
    Ok(writeln!(out, "Changed: {} ({}), version {} now", memory.title, memory.id, memory.version)?)
}

/// Nobody changes what they have not read.
fn unseen(seen: &Memory) -> Error {
    let (id, version) = (&seen.id, seen.version);
    Error::invalid(format!(
        "memory `{id}` has version {version}, and no --version says that you have seen that"
    ))
    .hint(format!("read it with `interleaf memory show {id}`, then add --version {version}"))
}

fn patch(args: Args, seen: &Memory) -> Result<Patch> {
    let content = remember::content(args.content.as_deref())?;
    let patch = Patch {
        title: args.title,
        text: args.text,
        content,
        tags: changed(&seen.tags, args.tags, &args.without_tag),
        related_files: changed(&seen.related_files, args.files, &args.without_file),
        confidence: args.confidence,
        importance: args.importance,
        ..Patch::new(remember::whose_words(), args.reason)
    };
    match patch.is_empty() {
        true => Err(Error::invalid("there is nothing to change").hint("interleaf memory update --help")),
        false => Ok(patch),
    }
}

/// The list with these and without those; none where that is no change.
fn changed(list: &[String], with: Vec<String>, without: &[String]) -> Option<Vec<String>> {
    let asked = !with.is_empty() || !without.is_empty();
    let kept = list.iter().filter(|entry| !without.contains(entry)).cloned();
    asked.then(|| kept.chain(with).collect())
}
