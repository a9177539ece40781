//! The worker: does the jobs that hooks put off, one after another, after the hook has answered.
//!
//! There is one for each project at a time, and it is held by a lock on a file, never by a number in one: a lock ends with
//! its process, however that ends. A worker that was killed leaves its job to the next event, so a job may be done a
//! second time; that its work is written once is for the layer and the keys of its memories. What a job is about is not
//! known here.

mod behind;
mod lock;
mod told;
mod upkeep;

use std::sync::Arc;
use std::time::{Duration, Instant};

pub use behind::{run as run_in_background, should_start};
pub use lock::WorkerLock;

use crate::clock::Millis;
use crate::error::{Error, Result};
use crate::grant::HostContext;
use crate::layer::{EventName, Member, Roster};
use crate::log::{Level, Log};
use crate::pipeline::Pipeline;
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;
use crate::state::{ClaimedJob, Job, State};
use told::tell;

/// How long after its first, second, … failure a job is tried again. What fails for a moment has passed by the first; what
/// is down for longer, a model or a disk, is left alone for a while.
const RETRIES: [Duration; 4] = [
    Duration::from_secs(10),
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
];

/// How long the worker's own questions to the database may take.
const BOOKKEEPING: Duration = Duration::from_secs(10);

/// A job that was done, or was not.
#[derive(Debug)]
pub struct FinishedJob {
    /// The job.
    pub job: Job,
    /// What went wrong.
    pub error: Option<Error>,
    /// When it is tried again.
    pub retry_at: Option<Millis>,
}

/// What a worker has at hand. Who makes one holds the lock.
pub struct Worker<'a> {
    context: &'a ProjectContext,
    state: State,
    roster: Roster,
    /// Made when the first job is at hand.
    sandbox: Option<Arc<Sandbox>>,
    /// A name that no other worker has.
    name: String,
}

impl<'a> Worker<'a> {
    /// A worker for this project, which has taken up what dead ones left.
    ///
    /// # Errors
    /// `Unavailable` when the database is.
    pub fn new(context: &'a ProjectContext) -> Result<Self> {
        context.database.set_deadline(Instant::now() + BOOKKEEPING);
        let name = format!("{} {}", std::process::id(), context.clock.now());
        let worker = Self { context, state: context.state()?, roster: context.roster(), sandbox: None, name };
        for standing in worker.state.recover_abandoned()? {
            let (job, why) = (standing.job, standing.error.unwrap_or_default());
            let message = format!("job {} was given up: its worker died every time {why}", job.id);
            worker.log(&job).write(Level::Error, Some(&job.layer), message.trim_end());
        }
        Ok(worker)
    }

    /// Takes the next job that is due, if there is one.
    ///
    /// # Errors
    /// `Unavailable` when the database is.
    pub fn claim_next(&self) -> Result<Option<ClaimedJob>> {
        self.context.database.set_deadline(Instant::now() + BOOKKEEPING);
        self.state.claim(&self.name, self.max_job_time() + BOOKKEEPING)
    }

    /// The longest that any layer may take over a job, with loading it.
    pub fn max_job_time(&self) -> Duration {
        let members = self.roster.answering(EventName::Job).into_iter();
        let longest = members.map(|member| member.config.limits.deadline(EventName::Job)).max();
        longest.unwrap_or_default() + COMPILING
    }

    /// Does the job and writes down what became of it, in the database and in the log.
    ///
    /// # Errors
    /// `Unavailable` when the database is. What went wrong in the job is no error of the worker's.
    pub fn run_job(&mut self, claimed: &ClaimedJob) -> Result<FinishedJob> {
        let (began, mut log) = (Instant::now(), self.log(&claimed.job));
        let error = self.try_to(claimed, &mut log).err();
        self.context.database.set_deadline(Instant::now() + BOOKKEEPING);
        let retry_at = error.as_ref().and_then(|_| self.retry_at(claimed));
        match &error {
            None => self.state.finish(claimed)?,
            Some(error) => self.state.fail(claimed, &error.full(), retry_at)?,
        };
        tell(&log, claimed, error.as_ref(), retry_at.is_some(), began.elapsed());
        Ok(FinishedJob { job: claimed.job.clone(), error, retry_at })
    }

    /// Leaves the log that the layer wrote to.
    fn try_to(&mut self, claimed: &ClaimedJob, log: &mut Log) -> Result<()> {
        let sandbox = self.sandbox()?;
        let member = self.member(&claimed.job.layer);
        if let Some(member) = member.filter(|member| member.unavailable.is_none()) {
            // A hook compiles nothing that somebody brought along; here nobody waits.
            sandbox.load_with_stack(&member.layer, member.config.limits.stack_bytes as usize)?;
        }
        let began = Instant::now();
        let allowed = member.map(|member| member.config.limits.deadline(EventName::Job));
        let host = self.host(&claimed.job, began + allowed.unwrap_or_default())?;
        *log = host.log.clone();
        Pipeline { roster: &self.roster, config: &self.context.config, host, began }
            .run_job(claimed, &sandbox)
    }

    fn host(&self, job: &Job, deadline: Instant) -> Result<HostContext> {
        let host = self.context.host_context("job", job.transcript.as_deref(), deadline)?;
        Ok(HostContext { log: host.log.for_session(&job.session), ..host })
    }

    fn sandbox(&mut self) -> Result<Arc<Sandbox>> {
        if let Some(sandbox) = &self.sandbox {
            return Ok(sandbox.clone());
        }
        let made = Arc::new(Sandbox::new(Some(&self.context.folders.cache))?);
        Ok(self.sandbox.insert(made).clone())
    }

    fn member(&self, layer: &str) -> Option<&Member> {
        self.roster.answering(EventName::Job).into_iter().find(|member| member.layer.name == layer)
    }

    fn retry_at(&self, claimed: &ClaimedJob) -> Option<Millis> {
        let after = RETRIES.get(claimed.attempt.saturating_sub(1) as usize)?;
        Some(self.context.clock.now() + after.as_millis() as Millis)
    }

    /// When the next job is due, of those that wait.
    ///
    /// # Errors
    /// `Unavailable` when the database is.
    pub fn next_due(&self) -> Result<Option<Millis>> {
        self.context.database.set_deadline(Instant::now() + BOOKKEEPING);
        self.state.next_due()
    }

    fn log(&self, job: &Job) -> Log {
        self.context.log.for_event(&self.context.project.id, "job").for_session(&job.session)
    }
}

/// What compiling a layer may take on top of a job's own time.
const COMPILING: Duration = Duration::from_secs(60);
