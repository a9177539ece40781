//! `recall`, `show` and `history`: the tools that change nothing.

use super::answer_text::{block, fact, hit, in_quotes, listed, whole_text};
use super::tool_arguments::{IdArguments, RecallArguments};
use crate::clock::format_date_time;
use crate::command::memory_command::memory_show::{changes, described, facts};
use crate::error::{Error, ErrorKind, Result};
use crate::memory::{Author, Change, Filter, Memories, Memory};
use crate::project_context::ProjectContext;

/// Number of memories that `recall` returns if the agent names none.
const DEFAULT_LIMIT: u64 = 10;

/// Maximum number of memories that `recall` returns: about as much as Claude Code takes from a tool.
const MAX_LIMIT: u64 = 50;

/// Searches like a person does: with no minimum of relevance.
pub(super) fn recall(arguments: RecallArguments, context: &ProjectContext) -> Result<String> {
    let limit = arguments.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(Error::invalid(format!("recall: a limit of {limit} is not possible"))
            .hint(format!("limit is a number from 1 to {MAX_LIMIT}; leave it out for {DEFAULT_LIMIT}")));
    }
    let RecallArguments { query, categories, tags, .. } = arguments;
    let filter = Filter { categories, tags, ..Filter::default() };
    let hits = context.memories()?.search_on_request(0.0, &query, &filter, limit as usize)?;
    match hits.is_empty() {
        true => {
            Ok("No memory of this project shares a word with the query. Try other words for the same thing, \
                    or the words of the file or command that it is about."
                .to_owned())
        }
        false => Ok(block("recall", &hits.iter().map(hit).collect::<Vec<_>>())),
    }
}

/// Shows one memory in full.
pub(super) fn show(arguments: &IdArguments, context: &ProjectContext) -> Result<String> {
    let memory = find(&arguments.id, &context.memories()?)?;
    let title = fact("title", &in_quotes(memory.origin, &memory.title));
    let mut lines: Vec<String> = title.into_iter().chain([whole_text(&memory)]).collect();
    lines.extend(facts(&memory, context).iter().filter_map(|(name, value)| fact(name, value)));
    Ok(block("show", &lines))
}

/// Shows the changes of a memory, the oldest first.
pub(super) fn history(arguments: &IdArguments, context: &ProjectContext) -> Result<String> {
    let memory = find(&arguments.id, &context.memories()?)?;
    let about = format!("{} ({}, {})", in_quotes(memory.origin, &memory.title), memory.id, memory.status);
    let mut lines: Vec<String> = fact("memory", &about).into_iter().collect();
    let changes = changes(&memory, context)?;
    lines.extend(changes.iter().flat_map(|(change, author)| change_lines(&memory, change, author.as_ref())));
    Ok(block("history", &lines))
}

fn change_lines(memory: &Memory, change: &Change, author: Option<&Author>) -> Vec<String> {
    let what = listed(&described(change, author));
    let was = change.was.iter().map(|(field, previous)| {
        let field = listed(field);
        format!("  {field} was {}", in_quotes(memory.origin, &listed(previous)))
    });
    [format!("- {} {what}", format_date_time(change.at))].into_iter().chain(was).collect()
}

/// Returns the memory with this id, or the only one whose id begins with it.
///
/// # Errors
/// As [`Memories::get`], with a next step that the agent can take here.
pub(super) fn find(id: &str, memories: &Memories) -> Result<Memory> {
    memories.get(id).map_err(|error| match error.kind {
        ErrorKind::NotFound => {
            error.hint("recall prints ids; give one of them, or four of its characters or more")
        }
        _ => error,
    })
}
