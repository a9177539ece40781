//! `interleaf sessions show`.

use std::io::Write;

use interleaf_text::for_terminal;
use serde_json::json;

use super::resume_command;
use super::session_list::removed;
use crate::clock::format_date_time;
use crate::command::output::Output;
use crate::project_context::ProjectContext;
use crate::sessions::{RecordedRun, Turn};

/// Show a recorded session: prompts, closing messages, commands with their outcomes, files and commits
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session's id, or its first four characters or more
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the session.
pub(super) fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let session = context.record()?.show(&args.id)?;
    let summary = &session.summary;
    let resume = resume_command(&summary.id);
    if args.json {
        let mut object = serde_json::to_value(&session)?;
        object["resume"] = json!(resume);
        return out.json(&object);
    }
    let (first, last) = (format_date_time(summary.first_at), format_date_time(summary.last_at));
    let branch = summary.branch.as_deref().map(|branch| format!(", branch {branch}")).unwrap_or_default();
    writeln!(
        out,
        "{}  {}",
        out.bold(&for_terminal(&summary.id)),
        for_terminal(&format!("{first} to {last}{branch}"))
    )?;
    if let Some(removed) = removed(summary) {
        writeln!(out, "{}", out.faint(&removed))?;
    }
    session.timeline.iter().try_for_each(|turn| print(turn, out))?;
    Ok(writeln!(out, "\nTo continue it, where Claude Code still has it: {resume}")?)
}

fn print(turn: &Turn, out: &mut Output) -> anyhow::Result<()> {
    let agent = if turn.agent.is_empty() { String::new() } else { format!("  subagent {}", turn.agent) };
    writeln!(out, "\n{}", out.faint(&for_terminal(&format!("{}{agent}", format_date_time(turn.began_at)))))?;
    print_text("> ", turn.prompt.as_deref().unwrap_or("(no prompt)"), out)?;
    for run in &turn.runs {
        writeln!(out, "  {}", for_terminal(&run_line(run)))?;
        if let Some(error) = &run.error {
            writeln!(out, "      {}", for_terminal(error))?;
        }
    }
    for file in &turn.files {
        writeln!(out, "  changed  {}", for_terminal(file))?;
    }
    for commit in &turn.commits {
        writeln!(out, "  commit   {}", for_terminal(&format!("{} {}", commit.hash, commit.subject)))?;
    }
    turn.closing.as_ref().map_or(Ok(()), |closing| print_text("  ", closing, out))
}

/// Returns outcome, exit status, folder and command of a run.
fn run_line(run: &RecordedRun) -> String {
    let status = run.exit_status.map(|status| format!(" ({status})")).unwrap_or_default();
    let folder = if run.folder.is_empty() { String::new() } else { format!("  [in {}]", run.folder) };
    let command = run.line.as_deref().unwrap_or(&run.command);
    let outcome = format!("{}{status}", run.outcome);
    format!("{outcome:<8} {command}{folder}")
}

/// Prints a text with each of its lines behind the margin.
fn print_text(margin: &str, text: &str, out: &mut Output) -> anyhow::Result<()> {
    for line in text.lines() {
        writeln!(out, "{margin}{}", for_terminal(line))?;
    }
    Ok(())
}
