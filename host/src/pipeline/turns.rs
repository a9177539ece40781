//! The layers of one event side by side: each in a thread and store of its own, watched from here.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::{self, Trouble};
use super::{Pipeline, call};
use crate::claude::Event;
use crate::grant::{Context, Granted, Holder, Traced, outside};
use crate::layer::{EventName, Grants, Layer, Member};
use crate::memory::Memory;
use crate::sandbox::bindings::types::Reply;
use crate::sandbox::{Call, Failure, Limits, Run, Sandbox, thread_stack};

/// How long after the last deadline a layer that was told to stop may take to say so. One that sits in a host call
/// says nothing; the reply goes out without it.
const GRACE: Duration = Duration::from_millis(25);

/// How long what comes after the layers may wait for the database: less than the hook has left after its last deadline
/// (`command/hook/watch.rs`).
const BOOKKEEPING: Duration = Duration::from_millis(100);

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
type Said = Result<(Reply, HashMap<String, Memory>), Trouble>;

/// Which layer, and what it said.
type Report = (usize, Said);

/// A member's part in this event.
pub(super) struct Turn<'a> {
    pub(super) member: &'a Member,
    pub(super) event: EventName,
    pub(super) deadline: Instant,
}

/// Runs all members on the event and returns the answers in their order, those that are pinned for a failing gate among
/// them. Failures go to the log.
pub(super) fn run<'a>(
    sandbox: &Arc<Sandbox>,
    members: &[&'a Member],
    event: &Event,
    context: &Context,
    pipeline: &Pipeline<'_>,
) -> Vec<Answer> {
    let name = call::name(event);
    let call = Arc::new(call::call(event));
    let deadline = |member: &Member| pipeline.began + member.config.limits.deadline(name);
    let turn = |&member: &&'a Member| Turn { member, event: name, deadline: deadline(member) };
    let turns: Vec<Turn<'_>> = members.iter().map(turn).collect();
    let deadlines = deadlines(&turns);
    let (report, reports) = mpsc::channel();
    for (index, turn) in turns.iter().enumerate().filter(|(_, turn)| turn.member.gone.is_none()) {
        let ticks = deadlines.iter().position(|deadline| *deadline == turn.deadline).unwrap_or(0) as u64 + 1;
        let work = work(sandbox.clone(), turn, call.clone(), ticks, context, pipeline);
        let report = report.clone();
        let stack = thread_stack(turn.member.config.limits.stack_bytes as usize);
        // A thread that cannot be had is a layer that does not answer; it is missed below.
        drop(thread::Builder::new().stack_size(stack).spawn(move || drop(report.send((index, work())))));
    }
    drop(report);
    let said = collect(sandbox, turns.len(), &deadlines, &reports);
    // A layer that took all the time there was must not keep its failure, or what others show, from being written down.
    pipeline.world.state.allow(BOOKKEEPING);
    let judge = failure::Judge { pipeline, session: &context.session };
    turns.iter().zip(said).filter_map(|(turn, said)| answer(turn, said, &judge)).collect()
}

/// What one layer's thread does.
fn work(
    sandbox: Arc<Sandbox>,
    turn: &Turn<'_>,
    call: Arc<Call>,
    ticks: u64,
    context: &Context,
    pipeline: &Pipeline<'_>,
) -> impl FnOnce() -> Said + Send + 'static {
    let (layer, event) = (turn.member.layer.clone(), turn.event);
    let outside = outside(&layer.name, &layer.grants, &pipeline.world, context);
    let run = Run { limits: limits(turn.member), ticks, clock: pipeline.world.clock, outside };
    let granted = Granted::new(pipeline.world.clone(), holder(turn.member, event, context));
    let (state, session) = (pipeline.world.state.clone(), context.session.clone());
    move || match failure::left_alone(&state, &session, &layer.name, event) {
        true => Err(Trouble::LeftAlone),
        false => one(&sandbox, &layer, &call, granted, &run),
    }
}

fn answer(turn: &Turn<'_>, said: Option<Said>, judge: &failure::Judge<'_>) -> Option<Answer> {
    let layer = &turn.member.layer;
    if let Some(why) = &turn.member.gone {
        return failure::pinned(layer, turn.event, why);
    }
    match said.unwrap_or(Err(Trouble::Failed(Failure::Deadline))) {
        Ok((reply, read)) => {
            Some(Answer { layer: layer.name.to_string(), grants: layer.grants.clone(), reply, read })
        }
        Err(trouble) => judge.trouble(turn, &trouble),
    }
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
    let began = Instant::now();
    let loaded = sandbox.ready(layer, run.limits.stack)?;
    if let Some(trace) = granted.trace() {
        let load = began.elapsed();
        let outcome = sandbox.run(&loaded, call, Traced::new(granted), run);
        return trace.note(&layer.name, load, outcome).map_err(Trouble::Failed);
    }
    let outcome = sandbox.run(&loaded, call, granted, run);
    let reply = outcome.reply.map_err(Trouble::Failed)?;
    Ok((reply, outcome.powers.finish()))
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
    turns: usize,
    deadlines: &[Instant],
    reports: &Receiver<Report>,
) -> Vec<Option<Said>> {
    let mut said: Vec<Option<Said>> = (0..turns).map(|_| None).collect();
    let mut take_until = |moment: Instant| -> bool {
        loop {
            match reports.recv_timeout(moment.saturating_duration_since(Instant::now())) {
                Ok((index, report)) => said[index] = Some(report),
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
    said
}
