//! `interleaf forget --session`: deletes a recorded session, and with `--purge` the memories that it wrote.

use std::io::Write;

use interleaf_text::for_terminal;

use crate::command::confirm::{ask, require_person};
use crate::command::output::{Output, shell_word};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Filter, Memory, Order, Status};
use crate::project_context::ProjectContext;

/// Length of the id of a session of Claude Code.
const WHOLE_ID_CHARS: usize = 36;

/// Deletes the session after asking.
pub(super) fn run(
    session: &str,
    purge: bool,
    yes: bool,
    command: &str,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    require_person(&format!("{command} --session"))?;
    let record = context.record()?;
    let id = session_id(session, context)?;
    let memories = if purge { memories_of(&id, context)? } else { Vec::new() };
    let question = match memories.len() {
        0 => format!("Delete the recorded session {} for good?", for_terminal(&id)),
        number => format!(
            "Delete the recorded session {} and {} of it for good, here and wherever they went?",
            for_terminal(&id),
            count_memories(number)
        ),
    };
    let option = if purge { " --purge" } else { "" };
    let noninteractive = format!("{command} --session {}{option} --yes", shell_word(&id));
    if !ask(&question, yes, &noninteractive, out)? {
        return Ok(writeln!(out, "Not deleted.")?);
    }
    let was_recorded = record.forget(&id)?;
    delete_memories(&memories, command, context)?;
    let what = match was_recorded {
        true => "Deleted for good: the recorded session",
        false => "It is not recorded, and will not be: the session",
    };
    writeln!(out, "{what} {}", for_terminal(&id))?;
    if memories.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "Deleted for good: {}. Backups of this store are deleted, too.",
        count_memories(memories.len())
    )?;
    if !context.replica_records().accepted()?.is_empty() {
        writeln!(out, "The next sync deletes them where they went: interleaf sync")?;
    }
    Ok(())
}

fn count_memories(number: usize) -> String {
    if number == 1 { "1 memory".to_owned() } else { format!("{number} memories") }
}

/// Returns the id of a session. One that is not recorded must be named by its whole id.
fn session_id(session: &str, context: &ProjectContext) -> Result<String> {
    match context.record()?.session_id(session) {
        Err(error) if error.kind == ErrorKind::NotFound && session.len() == WHOLE_ID_CHARS => {
            Ok(session.to_owned())
        }
        Err(error) if error.kind == ErrorKind::NotFound => Err(Error::hint(
            error,
            "interleaf sessions lists them; to keep one out that is not there, give its whole id",
        )),
        id => id,
    }
}

/// Returns the memories that the session wrote, whatever became of them.
fn memories_of(session: &str, context: &ProjectContext) -> Result<Vec<Memory>> {
    let filter = Filter { statuses: Status::ALL.to_vec(), ..Filter::default() };
    let all = context.memories()?.list(&filter, Order::Newest, usize::MAX)?;
    Ok(all.into_iter().filter(|memory| memory.source.session.as_deref() == Some(session)).collect())
}

fn delete_memories(memories: &[Memory], command: &str, context: &ProjectContext) -> Result<()> {
    if memories.is_empty() {
        return Ok(());
    }
    let store = context.memories()?.with_actor(command);
    memories.iter().try_for_each(|memory| store.purge(&memory.id))?;
    context.erase_deleted()
}
