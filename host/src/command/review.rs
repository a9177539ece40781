//! `interleaf review`: lists the tentative memories, and at a terminal asks what becomes of each.

use std::io::{IsTerminal, Write};

use interleaf_text::for_terminal;
use serde_json::json;

use super::confirm::ask_text;
use super::output::Output;
use super::remember::caller_origin;
use crate::memory::{Memories, Memory, Origin, Patch, id_for_command};
use crate::project_context::ProjectContext;

/// Decide what becomes of memories that are likely but not certain
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print them as JSON, one a line, and ask nothing
    #[arg(long)]
    json: bool,
}

/// What a person answers about a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Keep,
    Edit,
    Drop,
    Skip,
    Quit,
}

impl Answer {
    /// Reads the first letter; an empty answer skips.
    fn parse(text: &str) -> Option<Self> {
        Some(match text.trim().chars().next().map(|letter| letter.to_ascii_lowercase()) {
            None | Some('s') => Self::Skip,
            Some('k') => Self::Keep,
            Some('e') => Self::Edit,
            Some('d') => Self::Drop,
            Some('q') => Self::Quit,
            Some(_) => return None,
        })
    }
}

/// Lists the tentative memories, and asks about each if a person is at the terminal.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let memories = context.memories()?.with_actor("interleaf review");
    let tentative = memories.tentative()?;
    if args.json {
        return tentative.iter().try_for_each(|memory| out.json(&as_json(memory)));
    }
    if tentative.is_empty() {
        return Ok(writeln!(out, "Nothing to review: no memory of this project is tentative.")?);
    }
    let can_ask = std::io::stdin().is_terminal() && caller_origin() == Origin::Person;
    for (at, memory) in tentative.iter().enumerate() {
        print(memory, at + 1, tentative.len(), out)?;
        if can_ask && !review(memory, &memories, out)? {
            return Ok(());
        }
    }
    if !can_ask {
        writeln!(
            out,
            "\nRun `interleaf review` at a terminal outside Claude Code to keep, edit or drop them."
        )?;
    }
    Ok(())
}

fn as_json(memory: &Memory) -> serde_json::Value {
    json!({
        "id": memory.id, "category": memory.category, "title": memory.title, "text": memory.text,
        "confidence": memory.confidence, "origin": memory.origin, "created_at": memory.created_at,
    })
}

fn print(memory: &Memory, place: usize, count: usize, out: &mut Output) -> anyhow::Result<()> {
    let confidence = (memory.confidence * 100.0).round();
    let head = format!("{place} of {count}  {}, {confidence} % certain, {}", memory.category, memory.id);
    writeln!(out, "\n{}", out.faint(&head))?;
    Ok(writeln!(out, "{}", for_terminal(&memory.text))?)
}

/// Asks about a memory and does what the person wants. Returns false if they want to stop.
fn review(memory: &Memory, memories: &Memories, out: &mut Output) -> anyhow::Result<bool> {
    loop {
        let answer = ask_text("[k]eep, [e]dit, [d]rop, [s]kip, [q]uit?", "", out)?;
        match Answer::parse(&answer) {
            None => writeln!(out, "Type one of the letters k, e, d, s and q, then Enter.")?,
            Some(Answer::Quit) => return Ok(false),
            Some(Answer::Skip) => return Ok(true),
            Some(Answer::Keep) => {
                keep(memory, memories)?;
                writeln!(out, "Kept.")?;
                return Ok(true);
            }
            Some(Answer::Edit) => return edit(memory, memories, out).map(|()| true),
            Some(Answer::Drop) => {
                memories.retire(&memory.id, None, "dropped in a review")?;
                let id = id_for_command(&memory.id);
                writeln!(out, "Dropped. To undo: interleaf memory restore {id}")?;
                return Ok(true);
            }
        }
    }
}

/// Confirms a memory that the person has read: its words are theirs from now on.
fn keep(memory: &Memory, memories: &Memories) -> anyhow::Result<()> {
    memories.confirm(&memory.id)?;
    Ok(memories.promote(&memory.id, "kept in a review")?)
}

fn edit(memory: &Memory, memories: &Memories, out: &mut Output) -> anyhow::Result<()> {
    let text = ask_text("New text (empty: as it is):", &memory.text, out)?;
    if text != memory.text {
        let patch = Patch { text: Some(text), ..Patch::new(Origin::Person, "edited in a review") };
        memories.update(&memory.id, memory.version, patch)?;
    }
    keep(memory, memories)?;
    Ok(writeln!(out, "Kept.")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_its_first_letter_and_nothing_skips() {
        assert_eq!(Answer::parse("Keep\n"), Some(Answer::Keep));
        assert_eq!(Answer::parse(" d"), Some(Answer::Drop));
        assert_eq!(Answer::parse(""), Some(Answer::Skip));
        assert_eq!(Answer::parse("x"), None);
    }
}
