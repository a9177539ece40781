//! `remember` and `forget`: the tools that write, by the same rules as the commands of the same names.
//!
//! The words of a call are the assistant's, whoever registered the server: no person types them.

use super::answer_text::notices;
use super::reading_tools::find;
use super::tool_arguments::{ForgetArguments, RememberArguments};
use crate::command::related_files::RelatedFiles;
use crate::command::remember::{
    EMBEDDED_AT_ONCE, already_known, different_memory, eviction_notices, requested_draft,
};
use crate::error::{Error, Result};
use crate::memory::{
    Draft, Memories, Memory, Origin, Source, Status, WriteOutcome, id_for_command, says_nearly_the_same,
};
use crate::project_context::ProjectContext;

/// The author of changes in the history of a memory.
const ACTOR: &str = "interleaf mcp";

/// The reason in the history of a memory that another one supersedes.
const SUPERSEDED: &str = "corrected by the assistant";

/// The reason in the history of a memory that is forgotten.
const FORGOTTEN: &str = "asked to forget it";

/// Writes a memory.
pub(super) fn remember(arguments: RememberArguments, context: &ProjectContext) -> Result<String> {
    let memories = context.memories()?.with_actor(ACTOR);
    let RememberArguments { text, category, tags, related_files, asked_as, supersedes } = arguments;
    let related_files = RelatedFiles::read(&related_files, &context.project)?.paths;
    let draft = requested_draft(category, text, Origin::Assistant);
    let source = Source { session: crate::claude::session_id(), ..draft.source };
    let draft = Draft { tags, related_files, asked_as, source, ..draft };
    let answer = match supersedes {
        Some(old) => supersede(&old, draft, &memories),
        None => add(draft, &memories, context),
    };
    // The memory is stored; without a vector, it is found by its words until the worker computes one.
    let _ = memories.embed_some(EMBEDDED_AT_ONCE);
    answer
}

fn add(draft: Draft, memories: &Memories, context: &ProjectContext) -> Result<String> {
    let (category, text) = (draft.category, draft.text.clone());
    let written = memories.remember(draft)?;
    if let Some(known) = different_memory(&written, &text, memories, context)? {
        return Err(not_added(&known));
    }
    let id = &written.id;
    let answer = match written.outcome {
        WriteOutcome::Created => format!("Remembered as {id} ({category}). To undo: forget {id}."),
        WriteOutcome::Duplicate => already_known(id),
    };
    Ok(notices(&[vec![answer], eviction_notices(&written)].concat()))
}

/// Returns the error of a text that says nearly the same as a memory, with the ways on from here.
fn not_added(known: &Memory) -> Error {
    let id = id_for_command(&known.id);
    says_nearly_the_same(known).hint(format!(
        "if it corrects that memory, call remember again with supersedes: \"{id}\"; if both hold, say in \
         the text what is different, or run `interleaf remember --force`"
    ))
}

fn supersede(old: &str, draft: Draft, memories: &Memories) -> Result<String> {
    let old = find(old, memories)?;
    let written = memories.supersede(&old.id, old.version, draft, SUPERSEDED)?;
    let (new, old) = (&written.id, &old.id);
    let answer = match written.outcome {
        WriteOutcome::Created => {
            format!("Remembered as {new}. It supersedes {old}, which is no longer found.")
        }
        WriteOutcome::Duplicate => format!("{} It now supersedes {old}.", already_known(new)),
    };
    Ok(notices(&[vec![answer], eviction_notices(&written)].concat()))
}

/// Retires a memory, if the person has agreed.
pub(super) fn forget(arguments: &ForgetArguments, context: &ProjectContext) -> Result<String> {
    let memories = context.memories()?.with_actor(ACTOR);
    let memory = find(&arguments.id, &memories)?;
    let (id, title) = (id_for_command(&memory.id), &memory.title);
    if memory.status == Status::Active && !arguments.yes {
        return Err(Error::invalid(format!(
            "nothing was done: forgetting \"{title}\" ({id}) needs the person's yes"
        ))
        .hint("ask the person about exactly this memory; after a yes, call forget again with yes: true"));
    }
    let memory = memories.retire(&memory.id, None, FORGOTTEN)?;
    let days = context.config.policy.grace_days;
    let undo = format!("To undo within {days} days: interleaf memory restore {id}");
    Ok(notices(&[format!("Forgotten: {} ({id}). {undo}", memory.title)]))
}
