//! `interleaf sessions`: the list.

use std::io::Write;

use interleaf_text::{collapse_whitespace, for_terminal, truncate_at_word};

use super::say_nothing_recorded;
use crate::clock::format_date;
use crate::command::log_format::session_prefix;
use crate::command::output::{Output, count, terminal_width};
use crate::project_context::ProjectContext;
use crate::sessions::SessionSummary;

/// Minimum number of characters of a prompt in the list, however narrow the terminal is.
const MIN_PROMPT_CHARS: usize = 20;

#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// Maximum number of sessions
    #[arg(short = 'n', long, default_value_t = 20)]
    limit: usize,
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Prints the sessions, newest first.
pub(super) fn run(args: &ListArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let sessions = context.record()?.list(args.limit)?;
    if args.json {
        return sessions.iter().try_for_each(|session| out.json(session));
    }
    if sessions.is_empty() {
        return say_nothing_recorded(context, out);
    }
    sessions.iter().try_for_each(|session| print(session, out))
}

fn print(session: &SessionSummary, out: &mut Output) -> anyhow::Result<()> {
    let id = for_terminal(session_prefix(&session.id));
    let branch = session.branch.as_deref().unwrap_or("no branch");
    let turns = count(session.turns as usize, "turn");
    let about = for_terminal(&format!("{} {branch}, {turns}", format_date(session.last_at)));
    let prompt = collapse_whitespace(session.first_prompt.as_deref().unwrap_or("(no prompt)"));
    let left = terminal_width().saturating_sub(id.chars().count() + about.chars().count() + 4);
    let prompt = truncate_at_word(&prompt, left.max(MIN_PROMPT_CHARS)).into_owned();
    writeln!(out, "{}  {}  {}", out.bold(&id), out.faint(&about), for_terminal(&prompt))?;
    removed(session).map_or(Ok(()), |removed| Ok(writeln!(out, "          {}", out.faint(&removed))?))
}

/// Says what is no longer recorded of a session, if anything.
pub(super) fn removed(session: &SessionSummary) -> Option<String> {
    let texts = (session.removed_texts > 0)
        .then(|| count(session.removed_texts as usize, "text") + " of commands and messages");
    let turns = (session.removed_turns > 0).then(|| count(session.removed_turns as usize, "turn"));
    let parts: Vec<String> = [turns, texts].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("removed by the limits of size and age: {}", parts.join(", ")))
}
