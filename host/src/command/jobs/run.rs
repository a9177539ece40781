//! `interleaf jobs run`: does in the foreground what a worker would do behind a hook's back.

use std::io::Write;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::command::output::{Output, tame};
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::state::{Progress, State};
use crate::worker::{FinishedJob, Worker, WorkerLock};

/// How often it is asked whether another worker has ended.
const LOOK: Duration = Duration::from_millis(100);

/// Which jobs.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Also what is not due yet
    #[arg(long)]
    all: bool,
}

/// Does the jobs, once no other worker is at it.
pub fn run(args: &Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if context.config.disabled {
        return Err(Error::denied("INTERLEAF_DISABLE is set").hint("unset it, and try again").into());
    }
    let state = context.state()?;
    if state.next_due()?.is_none() {
        return Ok(writeln!(out, "No job waits.")?);
    }
    let bar = bar();
    let lock = wait(context, &bar)?;
    let ended = work(args, context, &state, &bar);
    bar.finish_and_clear();
    let _ = context.database.checkpoint_if_long();
    drop(lock);
    tell(&ended?, out)
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(LOOK);
    bar
}

fn wait(context: &ProjectContext, bar: &ProgressBar) -> Result<WorkerLock> {
    loop {
        if let Some(lock) = WorkerLock::try_acquire(context)? {
            return Ok(lock);
        }
        bar.set_message("waiting for another worker");
        thread::sleep(LOOK);
    }
}

/// With `--all` everything is done that there is, also what other jobs put off; what failed is tried once.
fn work(args: &Args, context: &ProjectContext, state: &State, bar: &ProgressBar) -> Result<Vec<FinishedJob>> {
    let mut worker = Worker::new(context)?;
    let mut ended = Vec::new();
    if args.all {
        state.make_due(true)?;
    }
    loop {
        while let Some(claimed) = worker.claim_next()? {
            bar.set_length((ended.len() + left(state)?) as u64);
            bar.set_message(format!("{} {}", claimed.job.layer, claimed.job.kind));
            ended.push(worker.run_job(&claimed)?);
            bar.inc(1);
        }
        if !args.all || state.make_due(false)? == 0 {
            return Ok(ended);
        }
    }
}

/// What is still to be done, with what is being done.
fn left(state: &State) -> Result<usize> {
    let unfinished = |progress| matches!(progress, Progress::Waiting | Progress::Running);
    Ok(state.jobs()?.iter().filter(|job| unfinished(job.progress)).count())
}

fn tell(ended: &[FinishedJob], out: &mut Output) -> anyhow::Result<()> {
    let mut failed = 0;
    for FinishedJob { job, error, retry_at } in ended {
        let Some(error) = error else { continue };
        failed += 1;
        let then = if retry_at.is_some() { "it is tried again" } else { "it was given up" };
        writeln!(out, "{} {} failed: {}; {then}", job.layer, tame(&job.id), tame(&error.message))?;
    }
    if failed > 0 {
        let what = format!("{failed} of {} jobs failed", ended.len());
        return Err(Error::unavailable(what).hint("interleaf jobs").into());
    }
    Ok(match ended.len() {
        0 => writeln!(out, "No job is due; --all does what waits."),
        1 => writeln!(out, "1 job was done."),
        done => writeln!(out, "{done} jobs were done."),
    }?)
}
