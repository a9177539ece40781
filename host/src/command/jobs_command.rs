//! `interleaf jobs`: lists the jobs that hooks deferred, runs them in the foreground, and retries failed
//! jobs.

use std::io::Write;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use interleaf_text::for_terminal;
use serde_json::{Value, json};

use super::output::{Output, count, format_duration};
use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::state::{JobRecord, MAX_JOB_ATTEMPTS, Progress, State};
use crate::worker::{FinishedJob, RunningWorker, Worker, WorkerLock};

/// Age of the oldest finished job that is listed, in milliseconds: a day.
const MAX_FINISHED_AGE: Millis = 24 * 3_600_000;

/// Time between two attempts to get the worker's lock.
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// List deferred jobs, or run them now
///
/// Hooks defer work that takes longer than a hook may, such as saving what a session taught. The list has
/// waiting, running and failed jobs, and those finished within the last day; newest first.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    #[command(flatten)]
    list: ListArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    List(ListArgs),
    Run(RunArgs),
    Retry(RetryArgs),
}

/// List jobs (the same as `interleaf jobs`)
#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Print JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// Run the jobs that are due, in the foreground
#[derive(Debug, clap::Args)]
struct RunArgs {
    /// Also run jobs that are not due yet
    #[arg(long)]
    all: bool,
}

/// Retry a failed job, or one that waits for its next attempt
#[derive(Debug, clap::Args)]
struct RetryArgs {
    /// The job's id, or a prefix of it
    id: String,
}

/// Runs the verb.
pub fn run(args: Args, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    match args.verb {
        None => list(&args.list, context, out),
        Some(Verb::List(args)) => list(&args, context, out),
        Some(Verb::Run(args)) => run_now(&args, context, out),
        Some(Verb::Retry(args)) => retry(&args.id, context, out),
    }
}

fn list(args: &ListArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let now = context.clock.now();
    let mut jobs = context.state()?.jobs()?;
    let is_recent = |job: &JobRecord| job.settled_at.is_some_and(|at| now - at < MAX_FINISHED_AGE);
    jobs.retain(|job| job.progress != Progress::Done || is_recent(job));
    if args.json {
        return jobs.iter().try_for_each(|job| out.json(&object(job)));
    }
    let worker = WorkerLock::holder(context);
    jobs.iter().try_for_each(|job| print(job, now, worker, out))?;
    if jobs.is_empty() {
        writeln!(out, "No jobs are waiting, and none finished in the last day.")?;
    }
    Ok(())
}

/// Returns the job as JSON, without its payload, which is private to its layer.
fn object(job: &JobRecord) -> Value {
    json!({
        "id": job.job.id, "layer": job.job.layer, "kind": job.job.kind, "session": job.job.session,
        "agent": Some(&job.job.agent).filter(|agent| !agent.is_empty()),
        "progress": progress_name(job.progress), "attempts": job.attempts, "submitted_at": job.job.at,
        "due_at": Some(job.due_at).filter(|_| job.progress == Progress::Waiting),
        "settled_at": job.settled_at, "error": job.error,
    })
}

fn print(
    job: &JobRecord,
    now: Millis,
    worker: Option<RunningWorker>,
    out: &mut Output,
) -> anyhow::Result<()> {
    let progress = out.bold(&format!("{:<7}", progress_name(job.progress)));
    let (layer, id) = (for_terminal(&job.job.layer), for_terminal(&job.job.id));
    let detail = out.faint(&progress_detail(job, now, worker));
    writeln!(out, "{progress}  {layer}  {id}  {detail}")?;
    if let Some(error) = &job.error {
        writeln!(out, "         {}", for_terminal(error))?;
    }
    Ok(())
}

fn progress_name(progress: Progress) -> &'static str {
    match progress {
        Progress::Waiting => "waiting",
        Progress::Running => "running",
        Progress::Done => "done",
        Progress::Failed => "failed",
    }
}

fn progress_detail(job: &JobRecord, now: Millis, worker: Option<RunningWorker>) -> String {
    let due = match job.due_at - now {
        ..=0 => "due now".to_owned(),
        wait => format!("due in {}", format_duration(wait)),
    };
    let ago = job.settled_at.map(|at| format!("{} ago", format_duration(now - at))).unwrap_or_default();
    match (job.progress, job.attempts) {
        (Progress::Waiting, 0) => due,
        (Progress::Waiting, attempts) => format!("{due}, attempt {} of {MAX_JOB_ATTEMPTS}", attempts + 1),
        (Progress::Running, attempt) => match worker {
            Some(worker) if worker.is_stuck() => stuck_worker(worker),
            Some(_) => format!("attempt {attempt} of {MAX_JOB_ATTEMPTS}"),
            None => "worker exited; will resume on the next event".to_owned(),
        },
        (Progress::Done, _) => ago,
        (Progress::Failed, attempts) => format!("{ago}, after {attempts} attempts"),
    }
}

/// Returns what is said of a worker that gives no sign of life.
pub(super) fn stuck_worker(worker: RunningWorker) -> String {
    let process = worker.pid.map_or("the worker".to_owned(), |pid| format!("the worker (process {pid})"));
    let minutes = worker.silent_for.as_secs() / 60;
    format!("{process} has not moved for {minutes} min; the next event or interleaf jobs run replaces it")
}

fn retry(id: &str, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    let state = context.state()?;
    let jobs = state.jobs()?;
    let job = find(&jobs, id)?;
    if !state.retry(&job.job.layer, &job.job.id)? {
        let what = format!("job {} neither waits nor failed", job.job.id);
        return Err(Error::conflict(what).hint("interleaf jobs").into());
    }
    Ok(writeln!(out, "{} is due now. The next event runs it, or interleaf jobs run.", job.job.id)?)
}

/// Returns the job with this id, or the only one whose id starts with it.
fn find<'a>(jobs: &'a [JobRecord], id: &str) -> Result<&'a JobRecord> {
    let exact = jobs.iter().find(|job| job.job.id == id);
    let mut with_prefix = jobs.iter().filter(|job| job.job.id.starts_with(id));
    match (exact, with_prefix.next(), with_prefix.next()) {
        (Some(job), ..) | (None, Some(job), None) => Ok(job),
        (None, None, _) => Err(Error::not_found(format!("no job has the id {id}")).hint("interleaf jobs")),
        (None, Some(_), Some(_)) => {
            Err(Error::invalid(format!("several jobs have an id that starts with {id}"))
                .hint("give more characters of the id"))
        }
    }
}

/// Waits until no other worker is running, then runs the jobs.
fn run_now(args: &RunArgs, context: &ProjectContext, out: &mut Output) -> anyhow::Result<()> {
    if context.config.disabled {
        return Err(Error::denied("INTERLEAF_DISABLE is set").hint("unset it, then try again").into());
    }
    let state = context.state()?;
    if state.next_due()?.is_none() {
        return Ok(writeln!(out, "No jobs are waiting.")?);
    }
    let bar = progress_bar();
    let lock = wait_for_lock(context, &bar)?;
    let finished = run_jobs(args, context, &state, &bar);
    bar.finish_and_clear();
    let _ = context.database.checkpoint_if_long();
    drop(lock);
    summarize(&finished?, out)
}

pub(super) fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:30}] {pos}/{len} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(LOCK_POLL_INTERVAL);
    bar
}

pub(super) fn wait_for_lock(context: &ProjectContext, bar: &ProgressBar) -> Result<WorkerLock> {
    loop {
        if let Some(lock) = WorkerLock::try_acquire_or_replace(context)? {
            return Ok(lock);
        }
        bar.set_message(match WorkerLock::holder(context).and_then(|worker| worker.pid) {
            Some(pid) => format!("waiting for another worker (process {pid})"),
            None => "waiting for another worker".to_owned(),
        });
        thread::sleep(LOCK_POLL_INTERVAL);
    }
}

/// Runs the due jobs. With `--all`, runs every job, also the jobs that these submit; a failing job runs once.
fn run_jobs(
    args: &RunArgs,
    context: &ProjectContext,
    state: &State,
    bar: &ProgressBar,
) -> Result<Vec<FinishedJob>> {
    let mut worker = Worker::new(context)?;
    let mut finished = Vec::new();
    if args.all {
        state.make_due(true, None)?;
    }
    loop {
        while let Some(claimed) = worker.claim_next(None)? {
            bar.set_length((finished.len() + unfinished(state)?) as u64);
            bar.set_message(format!("{} {}", claimed.job.layer, claimed.job.kind));
            finished.push(worker.run_job(&claimed)?);
            bar.inc(1);
        }
        if !args.all || state.make_due(false, None)? == 0 {
            return Ok(finished);
        }
    }
}

fn unfinished(state: &State) -> Result<usize> {
    let is_unfinished = |progress| matches!(progress, Progress::Waiting | Progress::Running);
    Ok(state.jobs()?.iter().filter(|job| is_unfinished(job.progress)).count())
}

fn summarize(finished: &[FinishedJob], out: &mut Output) -> anyhow::Result<()> {
    let mut failed = 0;
    for FinishedJob { job, error, retry_at } in finished {
        let Some(error) = error else { continue };
        failed += 1;
        let next = if retry_at.is_some() { "will be retried" } else { "gave up" };
        let failure = format!("{} {} failed: {}; {next}", job.layer, job.id, error.message);
        writeln!(out, "{}", for_terminal(&failure))?;
    }
    if failed > 0 {
        let what = format!("{failed} of {} failed", count(finished.len(), "job"));
        return Err(Error::unavailable(what).hint("interleaf jobs").into());
    }
    match finished.len() {
        0 => writeln!(out, "No jobs are due. To run those that wait: interleaf jobs run --all")?,
        done => writeln!(out, "Finished {}.", count(done, "job"))?,
    }
    Ok(())
}
