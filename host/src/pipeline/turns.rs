//! The layers of one event side by side: each in a thread and store of its own, watched from here.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Pipeline, call};
use crate::claude::Event;
use crate::grant::{Context, Granted, Holder, outside};
use crate::layer::{EventName, Grants, Layer, Member};
use crate::log::Level;
use crate::memory::Memory;
use crate::sandbox::bindings::types::Reply;
use crate::sandbox::{Call, Failure, Limits, Run, Sandbox, thread_stack};

/// How long after the last deadline a layer that was told to stop may take to say so. One that sits in a host call
/// says nothing; the reply goes out without it.
const GRACE: Duration = Duration::from_millis(25);

/// What a layer said.
pub(super) struct Answer {
    /// The layer.
    pub(super) layer: String,
    /// What it may do.
    pub(super) grants: Grants,
    /// Its reply.
    pub(super) reply: Reply,
    /// The memories it read, by id.
    pub(super) read: HashMap<String, Memory>,
}

/// The reply and the memories read for it.
type Said = Result<(Reply, HashMap<String, Memory>), Failure>;

/// Which layer, and what it said.
type Report = (usize, Said);

struct Turn<'a> {
    member: &'a Member,
    deadline: Instant,
}

/// Runs all members on the event and returns the answers in their order. Failures go to the log.
pub(super) fn run(
    sandbox: &Arc<Sandbox>,
    members: &[&Member],
    event: &Event,
    context: &Context,
    pipeline: &Pipeline<'_>,
) -> Vec<Answer> {
    let name = call::name(event);
    let call = Arc::new(call::call(event));
    let deadline = |member: &Member| pipeline.began + member.config.limits.deadline(name);
    let turns: Vec<Turn<'_>> =
        members.iter().map(|&member| Turn { member, deadline: deadline(member) }).collect();
    let deadlines = deadlines(&turns);
    let (report, reports) = mpsc::channel();
    for (index, turn) in turns.iter().enumerate() {
        let ticks = deadlines.iter().position(|deadline| *deadline == turn.deadline).unwrap_or(0) as u64 + 1;
        let (limits, clock, layer) = (limits(turn.member), pipeline.world.clock, turn.member.layer.clone());
        let outside = outside(&layer.name, &layer.grants, &pipeline.world, context);
        let run = Run { limits, ticks, clock, outside };
        let granted = Granted::new(pipeline.world.clone(), holder(turn.member, name, context));
        let (sandbox, call, report) = (sandbox.clone(), call.clone(), report.clone());
        let stack = thread_stack(limits.stack);
        let work = move || drop(report.send((index, one(&sandbox, &layer, &call, granted, &run))));
        // A thread that cannot be had is a layer that does not answer; it is missed below.
        drop(thread::Builder::new().stack_size(stack).spawn(work));
    }
    drop(report);
    collect(sandbox, turns, &deadlines, &reports, pipeline)
}

fn holder(member: &Member, event: EventName, context: &Context) -> Holder {
    Holder {
        layer: member.layer.name.to_string(),
        grants: member.layer.grants.clone(),
        settings: member.config.settings.to_string(),
        limits: limits(member),
        event: event.as_str(),
        context: context.clone(),
    }
}

/// The configured limits as the sandbox takes them.
fn limits(member: &Member) -> Limits {
    let set = &member.config.limits;
    Limits {
        memory: set.memory_bytes as usize,
        table_elements: set.table_elements as usize,
        instances: set.instances as usize,
        host_calls: set.host_calls as u32,
        host_call_bytes: set.host_call_bytes as usize,
        output: set.output_bytes as usize,
        log_lines: set.log_lines as u32,
        state: set.state_bytes as usize,
        jobs: set.jobs as u32,
        stack: set.stack_bytes as usize,
    }
}

/// One layer, from its compiled code to its answer.
fn one(sandbox: &Sandbox, layer: &Layer, call: &Call, granted: Granted, run: &Run) -> Said {
    let loaded =
        sandbox.ready(layer, run.limits.stack).map_err(|error| Failure::Broken(error.to_string()))?;
    let outcome = sandbox.run(&loaded, call, granted, run);
    outcome.reply.map(|reply| (reply, outcome.powers.into_read()))
}

/// The distinct deadlines, soonest first.
fn deadlines(turns: &[Turn<'_>]) -> Vec<Instant> {
    let mut deadlines: Vec<Instant> = turns.iter().map(|turn| turn.deadline).collect();
    deadlines.sort_unstable();
    deadlines.dedup();
    deadlines
}

/// Waits for the reports and ticks the sandbox at each deadline.
fn collect(
    sandbox: &Sandbox,
    turns: Vec<Turn<'_>>,
    deadlines: &[Instant],
    reports: &Receiver<Report>,
    pipeline: &Pipeline<'_>,
) -> Vec<Answer> {
    let mut outcomes: Vec<Option<Report>> = turns.iter().map(|_| None).collect();
    let mut take_until = |moment: Instant| -> bool {
        loop {
            match reports.recv_timeout(moment.saturating_duration_since(Instant::now())) {
                Ok(report) => {
                    let index = report.0;
                    outcomes[index] = Some(report);
                }
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
    };
    let done = deadlines.iter().any(|deadline| {
        let done = take_until(*deadline);
        if !done {
            sandbox.tick();
        }
        done
    });
    if !done {
        take_until(Instant::now() + GRACE);
    }
    let answers =
        turns.into_iter().zip(outcomes).filter_map(|(turn, outcome)| judge(turn, outcome, pipeline));
    answers.collect()
}

fn judge(turn: Turn<'_>, outcome: Option<Report>, pipeline: &Pipeline<'_>) -> Option<Answer> {
    let layer = turn.member.layer.name.to_string();
    let failure = match outcome {
        Some((_, Ok((reply, read)))) => {
            return Some(Answer { layer, grants: turn.member.layer.grants.clone(), reply, read });
        }
        Some((_, Err(failure))) => failure,
        None => Failure::Deadline,
    };
    let allowed = turn.deadline.saturating_duration_since(pipeline.began);
    pipeline.world.log.write(Level::Error, Some(&layer), failure.describe(allowed));
    None
}
