//! The worker: runs the jobs that hooks submit, one after another, after the hooks have answered.
//!
//! Each project has at most one worker at a time, which holds a file lock (`worker_lock.rs`). If a worker is
//! killed, the worker of a later event runs its job again. The layer must therefore make sure, with the keys
//! of its memories, that its work is written once. Only the layer knows what a job is about.

mod background;
mod branch_states;
mod followed_memories;
mod memory_traces;
mod missed_sessions;
mod replica_exchange;
mod session_end;
mod session_recording;
mod upkeep;
mod worker_lock;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use background::{run_in_background, should_start};
pub use branch_states::record as record_branches;
pub use missed_sessions::unscanned_folder;
pub use session_end::{replay_end, was_replayed};
pub use session_recording::{Recorded, cleanup_days, kept_days, record_all};
pub use upkeep::damage_message;
pub use worker_lock::{RunningWorker, WorkerLock};

use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::grant::HostContext;
use crate::layer::EventName;
use crate::log::{EventRecord, LayerNotes, LayerOutcome, LayerRecord, Level, Log, round_to_hundredths};
use crate::pipeline::Pipeline;
use crate::project_context::ProjectContext;
use crate::roster::{Member, Roster};
use crate::sandbox::Sandbox;
use crate::state::{ClaimedJob, Job, MAX_JOB_ATTEMPTS, State};

/// Time between the first, second, … failure of a job and its next attempt. A short outage has ended by the
/// first retry; a model or a disk that fails for longer gets more time.
const RETRY_DELAYS: [Duration; 4] = [
    Duration::from_secs(10),
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
];

/// Time limit for the worker's own database calls.
const BOOKKEEPING_TIME: Duration = Duration::from_secs(10);

/// Time limit for compiling a layer, in addition to a job's own time.
const COMPILE_TIME: Duration = Duration::from_secs(60);

/// A job whose run has ended.
#[derive(Debug)]
pub struct FinishedJob {
    /// The job.
    pub job: Job,
    /// The error, if the job failed.
    pub error: Option<Error>,
    /// When the job is tried again, if it is.
    pub retry_at: Option<Millis>,
}

/// A worker. Create one only while holding the [`WorkerLock`].
pub struct Worker<'a> {
    context: &'a ProjectContext,
    state: State,
    roster: Roster,
    /// Created for the first job.
    sandbox: Option<Arc<Sandbox>>,
    /// A name that no other worker has.
    name: String,
}

impl<'a> Worker<'a> {
    /// Creates the worker of this project, and recovers the jobs that dead workers abandoned.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn new(context: &'a ProjectContext) -> Result<Self> {
        context.database.set_deadline(Instant::now() + BOOKKEEPING_TIME);
        let name = format!("{} {}", std::process::id(), context.clock.now());
        let worker = Self { context, state: context.state()?, roster: context.roster(), sandbox: None, name };
        for given_up in worker.state.recover_abandoned()? {
            let job = given_up.job;
            let mut message = format!("job {} was given up: its worker died every time", job.id);
            if let Some(error) = given_up.error {
                message.push_str(&format!("; last error: {error}"));
            }
            worker.log(&job).write(Level::Error, Some(&job.layer), message);
        }
        Ok(worker)
    }

    /// Claims the next job that is due, if there is one; with a session, only a job of this session.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn claim_next(&self, session: Option<&str>) -> Result<Option<ClaimedJob>> {
        self.context.database.set_deadline(Instant::now() + BOOKKEEPING_TIME);
        self.state.claim_in(&self.name, self.max_job_time() + BOOKKEEPING_TIME, session)
    }

    /// Returns the time limit for a job of any layer, including the time to compile the layer.
    pub fn max_job_time(&self) -> Duration {
        let members = self.roster.answering(EventName::Job).into_iter();
        let deadline = members.map(|member| member.config.limits.deadline(EventName::Job)).max();
        deadline.unwrap_or_default() + COMPILE_TIME
    }

    /// Runs the job, and writes its result to the database and to the log.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used. The job's own failure is in the result.
    pub fn run_job(&mut self, claimed: &ClaimedJob) -> Result<FinishedJob> {
        if self.context.switched_off().include(&claimed.job.session) {
            return self.drop_job(claimed);
        }
        let (began, mut log) = (Instant::now(), self.log(&claimed.job));
        if let Err(error) = session_recording::record_job(self.context, &claimed.job) {
            // The next job of the session reads on.
            log.write(Level::Warn, None, format!("cannot record the session: {}", error.full()));
        }
        let error = self.try_run(claimed, &mut log).err();
        self.context.database.set_deadline(Instant::now() + BOOKKEEPING_TIME);
        let retry_at = error.as_ref().and_then(|_| self.retry_at(claimed));
        match &error {
            None => self.state.finish(claimed)?,
            Some(error) => self.state.fail(claimed, &error.full(), retry_at)?,
        };
        write_job_record(&log, claimed, error.is_some(), began.elapsed());
        if let Err(error) = followed_memories::count(self.context, &claimed.job) {
            // The next job of the session reads on.
            let message = format!("cannot count which memories were followed: {}", error.full());
            log.write(Level::Info, None, message);
        }
        if let Some(error) = &error {
            log_failure(&log, claimed, error, retry_at.is_some());
        }
        Ok(FinishedJob { job: claimed.job.clone(), error, retry_at })
    }

    /// Ends a job of a session for which Interleaf was switched off without running it.
    fn drop_job(&self, claimed: &ClaimedJob) -> Result<FinishedJob> {
        self.context.database.set_deadline(Instant::now() + BOOKKEEPING_TIME);
        self.state.finish(claimed)?;
        let message = "nothing of this session is saved, because Interleaf was switched off in it";
        self.log(&claimed.job).write(Level::Info, None, message);
        Ok(FinishedJob { job: claimed.job.clone(), error: None, retry_at: None })
    }

    /// Runs the job. Sets `log` to the log to which the layer writes, which keeps the objects that it logs.
    fn try_run(&mut self, claimed: &ClaimedJob, log: &mut Log) -> Result<()> {
        let sandbox = self.sandbox()?;
        let member = self.member(&claimed.job.layer);
        if let Some(member) = member.filter(|member| member.unavailable.is_none()) {
            // A hook does not compile accepted layers. The worker does, because nobody waits for it.
            sandbox.load_with_stack(&member.layer, member.config.limits.stack_bytes as usize)?;
        }
        let began = Instant::now();
        let deadline = member.map(|member| member.config.limits.deadline(EventName::Job));
        let host = self.host_context(&claimed.job, began + deadline.unwrap_or_default())?;
        *log = host.log.clone();
        let pipeline =
            Pipeline { roster: &self.roster, config: &self.context.config, host, began, guards_only: false };
        pipeline.run_job(claimed, &sandbox)
    }

    fn host_context(&self, job: &Job, deadline: Instant) -> Result<HostContext> {
        self.context.host_context("job", &job.session, job.transcript.as_deref(), deadline)
    }

    fn sandbox(&mut self) -> Result<Arc<Sandbox>> {
        if let Some(sandbox) = &self.sandbox {
            return Ok(sandbox.clone());
        }
        let sandbox = Arc::new(Sandbox::new(Some(&self.context.folders.cache))?);
        Ok(self.sandbox.insert(sandbox).clone())
    }

    fn member(&self, layer: &str) -> Option<&Member> {
        self.roster.answering(EventName::Job).into_iter().find(|member| member.layer.name == layer)
    }

    fn retry_at(&self, claimed: &ClaimedJob) -> Option<Millis> {
        let delay = RETRY_DELAYS.get(claimed.attempt.saturating_sub(1) as usize)?;
        Some(self.context.clock.now() + delay.as_millis() as Millis)
    }

    /// Returns when the next waiting job is due.
    ///
    /// # Errors
    /// `Unavailable` if the database cannot be used.
    pub fn next_due(&self) -> Result<Option<Millis>> {
        self.context.database.set_deadline(Instant::now() + BOOKKEEPING_TIME);
        self.state.next_due()
    }

    fn log(&self, job: &Job) -> Log {
        self.context.log.for_event(&self.context.project.id, "job").for_session(&job.session)
    }
}

/// Writes the log's record of a job: the layer's outcome and the objects that it logged.
fn write_job_record(log: &Log, claimed: &ClaimedJob, has_failed: bool, duration: Duration) {
    let (job, ms) = (&claimed.job, round_to_hundredths(duration.as_secs_f64() * 1000.0));
    let notes = log.take_layer_notes().remove(&job.layer).unwrap_or_default();
    let LayerNotes { objects: logged, searches } = notes;
    let outcome = match has_failed {
        true => LayerOutcome::Failed,
        false if logged.is_empty() => LayerOutcome::Silent,
        false => LayerOutcome::Answered,
    };
    let record = LayerRecord { layer: job.layer.clone(), ms, outcome, logged, searches };
    let tool = Some(job.kind.clone());
    log.write_event_record(EventRecord { tool, layers: vec![record], ms, ..EventRecord::default() });
}

fn log_failure(log: &Log, claimed: &ClaimedJob, error: &Error, is_retried: bool) {
    let (id, attempt, cause) = (&claimed.job.id, claimed.attempt, error.full());
    let (level, message) = match is_retried {
        true => (
            Level::Warn,
            format!("job {id} failed (attempt {attempt} of {MAX_JOB_ATTEMPTS}) and will be retried: {cause}"),
        ),
        false => (Level::Error, format!("job {id} was given up after {attempt} attempts: {cause}")),
    };
    log.write(level, Some(&claimed.job.layer), message);
}
