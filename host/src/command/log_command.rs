//! `interleaf log`: prints the log of this project's hooks, and follows it with `--follow`.

use std::thread;
use std::time::Duration;

use interleaf_text::for_terminal;

use super::log_format::{self, Titles};
use super::output::{Output, print_message};
use crate::log::LogLine;
use crate::project_context::ProjectContext;

/// Time between two checks for new lines while following.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Show what recent hooks did: layers, timing, memories shown, failures
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Keep showing new lines until interrupted
    #[arg(short, long)]
    follow: bool,
    /// Show this session only; a prefix of its id is enough
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print the lines as they are in the log, one JSON object each
    #[arg(long)]
    json: bool,
    /// Number of lines to begin with
    #[arg(short = 'n', long, default_value_t = 20)]
    lines: usize,
}

/// Prints the newest lines; with `--follow`, also new lines as they are written.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let titles = Titles::of(context);
    let (mut lines, follower) = match context.log.follow().filter(|_| args.follow) {
        Some((mut lines, mut follower)) => {
            lines.extend(follower.new_lines());
            (lines, Some(follower))
        }
        None => (context.log.raw_lines(), None),
    };
    lines.retain(|line| args.selects(line, context));
    let skipped = lines.len().saturating_sub(args.lines);
    args.print(&lines[skipped..], &titles, out)?;
    if lines.is_empty() && !args.json {
        print_message(&args.no_lines_message());
    }
    let Some(mut follower) = follower else { return Ok(()) };
    loop {
        thread::sleep(POLL_INTERVAL);
        let mut lines = follower.new_lines();
        lines.retain(|line| args.selects(line, context));
        args.print(&lines, &titles, out)?;
    }
}

impl Args {
    /// Tells whether the line is of this project, and of the requested session.
    fn selects(&self, line: &str, context: &ProjectContext) -> bool {
        let Some(line) = parse(line) else { return false };
        let is_of_session = self.session.as_ref().is_none_or(|session| line.session.starts_with(session));
        line.project == context.project.id && is_of_session
    }

    fn print(&self, lines: &[String], titles: &Titles, out: &mut Output) -> anyhow::Result<()> {
        for line in lines {
            match parse(line).filter(|_| !self.json) {
                Some(line) => log_format::print(&line, titles, out)?,
                None => out.json_lines(line)?,
            }
        }
        Ok(())
    }

    fn no_lines_message(&self) -> String {
        let session = self.session.as_ref().map(|session| format!(" for session {}", for_terminal(session)));
        let session = session.unwrap_or_default();
        format!(
            "the log of this project has no lines{session}; \
             interleaf doctor checks that Claude Code calls the hooks"
        )
    }
}

fn parse(line: &str) -> Option<LogLine> {
    serde_json::from_str(line).ok()
}
