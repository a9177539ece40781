//! Runs a job. The layer that submitted it runs alone, in its own thread and store, under the deadline of
//! jobs, with the session and transcript of the event that submitted the job. A job has no reply; only the
//! layer's writes have an effect.

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use super::Pipeline;
use super::layer_execution::{GRACE_PERIOD, LayerResult, LayerRun, NoReply};
use crate::error::{Error, Result};
use crate::layer::EventName;
use crate::roster::Member;
use crate::sandbox::bindings::events::job;
use crate::sandbox::{Invocation, LayerFailure, Sandbox, thread_stack};
use crate::state::{ClaimedJob, ConversationKey};

impl Pipeline<'_> {
    /// Runs one job.
    ///
    /// # Errors
    /// `NotFound` if its layer no longer takes jobs here; `Unavailable` with the layer's failure, which is
    /// not in the log yet.
    pub fn run_job(&self, claimed: &ClaimedJob, sandbox: &Arc<Sandbox>) -> Result<()> {
        let members = self.roster.answering(EventName::Job);
        let member = members.into_iter().find(|member| member.layer.name == claimed.job.layer);
        let member = member.filter(|member| member.unavailable.is_none()).ok_or_else(|| {
            Error::not_found(format!("layer {} no longer takes jobs here", claimed.job.layer))
        })?;
        let deadline = member.config.limits.deadline(EventName::Job);
        match self.run_until(deadline, member, claimed, sandbox) {
            Ok(_) => Ok(()),
            Err(NoReply::Failed(failure)) => Err(Error::unavailable(failure.describe(deadline))),
            Err(NoReply::NotRun(reason)) => Err(Error::unavailable(format!("was not run: {reason}"))),
            Err(NoReply::NotCompiled) => Err(Error::unavailable("was not run: it is being compiled")),
            Err(NoReply::Suspended) => Err(Error::unavailable("was suspended")),
        }
    }

    /// Runs the layer and stops it at its deadline. A layer that stays in a host call for longer counts as
    /// late.
    fn run_until(
        &self,
        deadline: Duration,
        member: &Member,
        claimed: &ClaimedJob,
        sandbox: &Arc<Sandbox>,
    ) -> LayerResult {
        let end = self.began + deadline;
        let job = &claimed.job;
        let conversation = ConversationKey { session: job.session.clone(), agent: job.agent.clone() };
        let run = LayerRun::new(member, EventName::Job, &conversation, &self.host, 1);
        let (invocation, thread_sandbox) = (invocation(claimed), sandbox.clone());
        let (sender, report) = mpsc::channel();
        let stack = thread_stack(member.config.limits.stack_bytes as usize);
        let work = move || drop(sender.send(run.run(&thread_sandbox, &invocation)));
        let spawned = thread::Builder::new().stack_size(stack).spawn(work);
        spawned.map_err(|error| NoReply::NotRun(format!("cannot start a thread: {error}")))?;
        let left = end.saturating_duration_since(Instant::now());
        report.recv_timeout(left).unwrap_or_else(|_| {
            sandbox.tick();
            report.recv_timeout(GRACE_PERIOD).unwrap_or(Err(NoReply::Failed(LayerFailure::Deadline)))
        })
    }
}

fn invocation(claimed: &ClaimedJob) -> Invocation {
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
