//! `interleaf-eval` evaluates the program `interleaf` as a black box: it plays recorded sessions through the
//! hooks, one process for each event as Claude Code would, and compares the shown and saved memories with the
//! expectations of the recordings; and it measures recall on stores that were written for that.
//!
//! `cargo xtask replay`, `figures`, `recall` and `demo` build both programs and run this one.

mod archive;
mod event;
mod figures;
mod memory_line;
mod played_event;
mod project_copy;
mod recall;
mod recording;
mod replay;
mod replay_folder;
mod reply;
mod report;
mod saved;
mod saving;
mod score;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

/// Plays recorded sessions and measures recall.
#[derive(Parser)]
#[command(name = "interleaf-eval", version, arg_required_else_help = true)]
enum Cli {
    /// Play recorded sessions through the hooks
    Replay(replay::Args),
    /// Play all recorded sessions and print the figures for saved and shown memories as a table
    Figures(figures::Args),
    /// Measure whether needed memories are shown, and how much is shown needlessly
    Recall(recall::Args),
    /// Measure what the rules save of the examples of `plugins/save/data`
    Saving(saving::Args),
    /// Fit the classifier to its examples
    Train(saving::train::Args),
}

fn main() -> ExitCode {
    let mut out = std::io::stdout().lock();
    let done = match Cli::parse() {
        Cli::Replay(args) => replay::run(&args, &mut out),
        Cli::Figures(args) => figures::run(&args, &mut out),
        Cli::Recall(args) => recall::run(&args, &mut out),
        Cli::Saving(args) => saving::run(&args, &mut out),
        Cli::Train(args) => saving::train::run(&args, &mut out),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
