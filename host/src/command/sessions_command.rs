//! `interleaf sessions`: lists, shows and searches the recorded sessions, and switches recording on and off.

mod recording_switch;
mod session_list;
mod session_matches;
mod session_view;

use std::io::Write;

use super::output::Output;
use crate::project_context::ProjectContext;
use crate::sessions::Consent;

pub use recording_switch::offer;

/// Runs the verb; without one, prints the list.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let Some(verb) = &args.verb else {
        return session_list::run(&args.list, context, out);
    };
    match verb {
        Verb::List(args) => session_list::run(args, context, out),
        Verb::Show(args) => session_view::run(args, context, out),
        Verb::Search(args) => session_matches::run(args, context, out),
        Verb::On(args) => recording_switch::on(args, context, out),
        Verb::Off(args) => recording_switch::off(args, context, out),
    }
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List the recorded sessions, newest first; the same as without a verb
    List(session_list::ListArgs),
    Show(session_view::Args),
    Search(session_matches::Args),
    On(recording_switch::OnArgs),
    Off(recording_switch::OffArgs),
}

/// List, show and search what was said and run in earlier sessions, or switch recording on or off
///
/// Without a verb, it lists the recorded sessions, newest first. Nothing is recorded before you agreed.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(flatten)]
    list: session_list::ListArgs,
    #[command(subcommand)]
    verb: Option<Verb>,
}

/// Says why there is nothing to show.
fn say_nothing_recorded(context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let said = match context.record_consent() {
        Consent::On => {
            "No session is recorded yet. To record those that Claude Code kept: interleaf learn".to_owned()
        }
        Consent::OffByProject => {
            let file = context.project.config_file();
            format!("Sessions are not recorded: {} switches that off for this project.", file.display())
        }
        Consent::Off | Consent::NotAsked => {
            "Sessions are not recorded. To record them: interleaf sessions on".to_owned()
        }
    };
    Ok(writeln!(out, "{said}")?)
}

/// Returns the command that continues a session in Claude Code.
fn resume_command(session: &str) -> String {
    format!("claude --resume {}", super::output::shell_word(session))
}
