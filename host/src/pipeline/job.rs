//! A job: the layer that put the work off does it, alone, in a thread and store of its own, under the deadline of jobs
//! and with the session and transcript that it had when it submitted it. There is no reply; what it wrote is what
//! remains.

use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::Pipeline;
use super::failure::Trouble;
use super::turns::{self, GRACE, Said};
use crate::error::{Error, Result};
use crate::grant::{HostContext, LayerHost, outside};
use crate::layer::{EventName, Member};
use crate::sandbox::bindings::job::exports::interleaf::layer::job;
use crate::sandbox::{Invocation, LayerFailure, RunOptions, Sandbox, thread_stack};
use crate::state::{ClaimedJob, ConversationKey};

impl Pipeline<'_> {
    /// Does one job.
    ///
    /// # Errors
    /// `NotFound` where its layer takes no jobs here any more; `Unavailable` with what went wrong in the layer, which is
    /// not in the log yet.
    pub fn run_job(&self, claimed: &ClaimedJob, sandbox: &Arc<Sandbox>) -> Result<()> {
        let members = self.roster.answering(EventName::Job);
        let member = members.into_iter().find(|member| member.layer.name == claimed.job.layer);
        let member = member.filter(|member| member.unavailable.is_none()).ok_or_else(|| {
            Error::not_found(format!("the layer {} takes no jobs here any more", claimed.job.layer))
        })?;
        let allowed = member.config.limits.deadline(EventName::Job);
        match self.watched(member, claimed, sandbox, allowed) {
            Ok(_) => Ok(()),
            Err(Trouble::Failed(failure)) => Err(Error::unavailable(failure.describe(allowed))),
            Err(Trouble::NotRun(why)) => Err(Error::unavailable(format!("was not run: {why}"))),
            Err(Trouble::LeftAlone) => Err(Error::unavailable("was left alone")),
        }
    }

    /// Runs it and stops it at its deadline. Nothing is heard of one that sits in a host call for longer.
    fn watched(
        &self,
        member: &Member,
        claimed: &ClaimedJob,
        sandbox: &Arc<Sandbox>,
        allowed: Duration,
    ) -> Said {
        let deadline = self.began + allowed;
        let (said, heard) = mpsc::channel();
        let work = work(self.host.clone(), member, claimed, sandbox.clone());
        let stack = thread_stack(member.config.limits.stack_bytes as usize);
        let started = thread::Builder::new().stack_size(stack).spawn(move || drop(said.send(work())));
        started.map_err(|error| Trouble::NotRun(format!("no thread could be had: {error}")))?;
        let left = deadline.saturating_duration_since(Instant::now());
        heard.recv_timeout(left).unwrap_or_else(|_| {
            sandbox.tick();
            heard.recv_timeout(GRACE).unwrap_or(Err(Trouble::Failed(LayerFailure::Deadline)))
        })
    }
}

fn work(
    host: HostContext,
    member: &Member,
    claimed: &ClaimedJob,
    sandbox: Arc<Sandbox>,
) -> impl FnOnce() -> Said + Send + 'static {
    let (layer, job) = (member.layer.clone(), &claimed.job);
    let conversation = ConversationKey { session: job.session.clone(), agent: job.agent.clone() };
    let outside = outside(&layer.name, &layer.grants, &host, &conversation);
    let run = RunOptions { limits: turns::limits(member), ticks: 1, clock: host.clock, outside };
    let granted = LayerHost::new(host, turns::identity(member, EventName::Job, &conversation));
    let call = call(claimed);
    move || turns::one(&sandbox, &layer, &call, granted, &run)
}

fn call(claimed: &ClaimedJob) -> Invocation {
    let job = &claimed.job;
    Invocation::Job(job::Job {
        id: job.id.clone(),
        kind: job.kind.clone(),
        payload: job.payload.clone(),
        attempt: claimed.attempt,
        session_id: job.session.clone(),
        agent_id: Some(job.agent.clone()).filter(|agent| !agent.is_empty()),
    })
}
