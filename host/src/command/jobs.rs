//! `interleaf jobs`: the work that hooks put off, newest first: what waits, what runs, what failed, what was done lately.

mod run;
mod told;

use std::io::Write;

use crate::clock::Millis;
use crate::error::Error;
use crate::project_context::ProjectContext;
use crate::state::{JobRecord, Progress};
use crate::worker::WorkerLock;

use super::output::Output;

/// How far back jobs that were done are told, in milliseconds: a day.
const LATELY: Millis = 24 * 3_600_000;

/// Lists jobs, unless something else is to be done with them.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    list: List,
}

/// What can be done with jobs.
#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// List them (the same as without a word)
    List(List),
    /// Do what is due, here and now
    Run(run::Args),
    /// Try one again that was given up, or that waits for its next try
    Retry(Retry),
}

/// Lists jobs.
#[derive(Debug, clap::Args)]
struct List {
    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Tries a job again.
#[derive(Debug, clap::Args)]
struct Retry {
    /// Its id; the beginning is enough
    id: String,
}

/// Does it.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match args.verb {
        None => list(&args.list, context, out),
        Some(Verb::List(args)) => list(&args, context, out),
        Some(Verb::Run(args)) => run::run(&args, context, out),
        Some(Verb::Retry(args)) => retry(&args.id, context, out),
    }
}

fn list(args: &List, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let now = context.clock.now();
    let mut jobs = context.state()?.jobs()?;
    jobs.retain(|job| job.progress != Progress::Done || job.settled_at.is_some_and(|at| now - at < LATELY));
    if args.json {
        return jobs.iter().try_for_each(|job| out.json(&told::object(job)));
    }
    let at_work = WorkerLock::is_held(context);
    jobs.iter().try_for_each(|job| told::print(job, now, at_work, out))?;
    if jobs.is_empty() {
        writeln!(out, "No job waits, and none was done in the last day.")?;
    }
    Ok(())
}

fn retry(id: &str, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let state = context.state()?;
    let jobs = state.jobs()?;
    let job = one(&jobs, id)?;
    if !state.retry(&job.job.layer, &job.job.id)? {
        let what = format!("job {} is not one that waits or was given up", job.job.id);
        return Err(Error::conflict(what).hint("interleaf jobs").into());
    }
    Ok(writeln!(out, "{} is due now; interleaf jobs run does it, or else the next event.", job.job.id)?)
}

/// The job of this id, or the only one whose id begins like this.
fn one<'a>(jobs: &'a [JobRecord], id: &str) -> Result<&'a JobRecord, Error> {
    let exact = jobs.iter().find(|job| job.job.id == id);
    let mut beginning = jobs.iter().filter(|job| job.job.id.starts_with(id));
    match (exact, beginning.next(), beginning.next()) {
        (Some(job), ..) | (None, Some(job), None) => Ok(job),
        (None, None, _) => {
            Err(Error::not_found(format!("no job is called {id}")).hint("interleaf jobs lists them"))
        }
        (None, Some(_), Some(_)) => {
            Err(Error::invalid(format!("several jobs are called {id}…")).hint("name more of the id"))
        }
    }
}
