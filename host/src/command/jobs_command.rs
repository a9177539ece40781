//! `interleaf jobs`: the work that hooks put off, newest first: what waits, what runs, what failed, what was done lately.

use std::io::Write;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::output::{Output, span, tame};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::state::{JobRecord, MAX_JOB_ATTEMPTS, Progress, State};
use crate::worker::{FinishedJob, Worker, WorkerLock};

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
    Run(RunArgs),
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
        Some(Verb::Run(args)) => run_jobs(&args, context, out),
        Some(Verb::Retry(args)) => retry(&args.id, context, out),
    }
}

fn list(args: &List, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let now = context.clock.now();
    let mut jobs = context.state()?.jobs()?;
    jobs.retain(|job| job.progress != Progress::Done || job.settled_at.is_some_and(|at| now - at < LATELY));
    if args.json {
        return jobs.iter().try_for_each(|job| out.json(&object(job)));
    }
    let at_work = WorkerLock::is_held(context);
    jobs.iter().try_for_each(|job| print(job, now, at_work, out))?;
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

/// The job for programs. What it carries is for its layer alone.
fn object(job: &JobRecord) -> Value {
    json!({
        "id": job.job.id, "layer": job.job.layer, "kind": job.job.kind, "session": job.job.session,
        "agent": Some(&job.job.agent).filter(|agent| !agent.is_empty()),
        "progress": word(job.progress), "attempts": job.attempts, "submitted_at": job.job.at,
        "due_at": Some(job.due_at).filter(|_| job.progress == Progress::Waiting),
        "settled_at": job.settled_at, "error": job.error,
    })
}

/// Prints the job. `at_work` is whether there is a worker.
fn print(job: &JobRecord, now: Millis, at_work: bool, out: &mut Output) -> std::io::Result<()> {
    let (progress, id) = (out.strong(&format!("{:<7}", word(job.progress))), tame(&job.job.id));
    let what = out.faint(&what(job, now, at_work));
    writeln!(out, "{progress}  {}  {id}  {what}", job.job.layer)?;
    match &job.error {
        Some(error) => writeln!(out, "         {}", tame(error)),
        None => Ok(()),
    }
}

fn word(progress: Progress) -> &'static str {
    match progress {
        Progress::Waiting => "waiting",
        Progress::Running => "running",
        Progress::Done => "done",
        Progress::Failed => "failed",
    }
}

fn what(job: &JobRecord, now: Millis, at_work: bool) -> String {
    let due = match job.due_at - now {
        ..=0 => "due now".to_owned(),
        left => format!("due in {}", span(left)),
    };
    let ago = job.settled_at.map(|at| format!("{} ago", span(now - at))).unwrap_or_default();
    match (job.progress, job.attempts) {
        (Progress::Waiting, 0) => due,
        (Progress::Waiting, tried) => format!("{due}, attempt {} of {MAX_JOB_ATTEMPTS}", tried + 1),
        (Progress::Running, attempt) if at_work => format!("attempt {attempt} of {MAX_JOB_ATTEMPTS}"),
        (Progress::Running, _) => "its worker is no more; the next event takes it up".to_owned(),
        (Progress::Done, _) => ago,
        (Progress::Failed, attempts) => format!("{ago}, after {attempts} attempts"),
    }
}

/// How often it is asked whether another worker has ended.
const LOOK: Duration = Duration::from_millis(100);

/// Which jobs.
#[derive(Debug, clap::Args)]
struct RunArgs {
    /// Also what is not due yet
    #[arg(long)]
    all: bool,
}

/// Does the jobs, once no other worker is at it.
fn run_jobs(args: &RunArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
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
fn work(
    args: &RunArgs,
    context: &ProjectContext,
    state: &State,
    bar: &ProgressBar,
) -> Result<Vec<FinishedJob>> {
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
