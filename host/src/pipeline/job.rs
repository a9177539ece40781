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
use crate::grant::{Context, Granted, World, outside};
use crate::layer::{EventName, Member};
use crate::sandbox::bindings::job::exports::interleaf::layer::job;
use crate::sandbox::{Call, Failure, Run, Sandbox, thread_stack};
use crate::state::Claimed;

impl Pipeline<'_> {
    /// Does one job.
    ///
    /// # Errors
    /// `NotFound` where its layer takes no jobs here any more; `Unavailable` with what went wrong in the layer, which is
    /// not in the log yet.
    pub fn work(&self, claimed: &Claimed, sandbox: &Arc<Sandbox>) -> Result<()> {
        let members = self.roster.answering(EventName::Job);
        let member = members.into_iter().find(|member| member.layer.name == claimed.job.layer);
        let member = member.filter(|member| member.gone.is_none()).ok_or_else(|| {
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
    fn watched(&self, member: &Member, claimed: &Claimed, sandbox: &Arc<Sandbox>, allowed: Duration) -> Said {
        let deadline = self.began + allowed;
        let (said, heard) = mpsc::channel();
        let work = work(self.world.clone(), member, claimed, sandbox.clone());
        let stack = thread_stack(member.config.limits.stack_bytes as usize);
        let started = thread::Builder::new().stack_size(stack).spawn(move || drop(said.send(work())));
        started.map_err(|error| Trouble::NotRun(format!("no thread could be had: {error}")))?;
        let left = deadline.saturating_duration_since(Instant::now());
        heard.recv_timeout(left).unwrap_or_else(|_| {
            sandbox.tick();
            heard.recv_timeout(GRACE).unwrap_or(Err(Trouble::Failed(Failure::Deadline)))
        })
    }
}

fn work(
    world: World,
    member: &Member,
    claimed: &Claimed,
    sandbox: Arc<Sandbox>,
) -> impl FnOnce() -> Said + Send + 'static {
    let (layer, job) = (member.layer.clone(), &claimed.job);
    let context = Context { session: job.session.clone(), agent: job.agent.clone() };
    let outside = outside(&layer.name, &layer.grants, &world, &context);
    let run = Run { limits: turns::limits(member), ticks: 1, clock: world.clock, outside };
    let granted = Granted::new(world, turns::holder(member, EventName::Job, &context));
    let call = call(claimed);
    move || turns::one(&sandbox, &layer, &call, granted, &run)
}

fn call(claimed: &Claimed) -> Call {
    let job = &claimed.job;
    Call::Job(job::Job {
        id: job.id.clone(),
        kind: job.kind.clone(),
        payload: job.payload.clone(),
        attempt: claimed.attempt,
        session_id: job.session.clone(),
        agent_id: Some(job.agent.clone()).filter(|agent| !agent.is_empty()),
    })
}
