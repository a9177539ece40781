//! `interleaf log`: what the hooks of this project did lately, and with `--follow` what they do.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use super::log_format::{self, Titles};
use super::output::Output;
use crate::log::LogLine;
use crate::project_context::ProjectContext;

/// How often the log is looked at while following.
const LOOK: Duration = Duration::from_millis(200);

/// Which lines, and how they are shown.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Go on showing lines as they are written, until interrupted
    #[arg(short, long)]
    follow: bool,
    /// Only of this session; the beginning of its id is enough
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print the lines as they are in the log, one JSON object each
    #[arg(long)]
    json: bool,
    /// Begin with so many of the newest
    #[arg(short = 'n', long, default_value_t = 20)]
    lines: usize,
}

/// Shows lines of the log.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let titles = Titles::of(context);
    let (mut lines, tail) = match context.log.follow().filter(|_| args.follow) {
        Some((mut lines, mut tail)) => {
            lines.extend(tail.new_lines());
            (lines, Some(tail))
        }
        None => (context.log.raw_lines(), None),
    };
    lines.retain(|line| args.wants(line, context));
    let skipped = lines.len().saturating_sub(args.lines);
    args.show(&lines[skipped..], &titles, out)?;
    if lines.is_empty() && !args.json {
        writeln!(io::stderr(), "{}", args.nothing())?;
    }
    let Some(mut tail) = tail else { return Ok(()) };
    loop {
        thread::sleep(LOOK);
        let mut lines = tail.new_lines();
        lines.retain(|line| args.wants(line, context));
        args.show(&lines, &titles, out)?;
    }
}

impl Args {
    /// Whether the line is one of this project, and of the session that is asked for.
    fn wants(&self, line: &str, context: &ProjectContext) -> bool {
        let Some(line) = read(line) else { return false };
        let session = self.session.as_ref().is_none_or(|session| line.session.starts_with(session));
        line.project == context.project.id && session
    }

    fn show(&self, lines: &[String], titles: &Titles, out: &mut Output) -> anyhow::Result<()> {
        for line in lines {
            match read(line).filter(|_| !self.json) {
                Some(line) => log_format::print(&line, titles, out)?,
                None => writeln!(out, "{line}")?,
            }
        }
        Ok(())
    }

    fn nothing(&self) -> String {
        let what = match &self.session {
            Some(session) => {
                format!("no hook of session {session} has left a line in the log of this project")
            }
            None => "no hook has left a line in the log of this project".to_owned(),
        };
        format!("{what}; interleaf doctor tells whether Claude Code calls them")
    }
}

fn read(line: &str) -> Option<LogLine> {
    serde_json::from_str(line).ok()
}
