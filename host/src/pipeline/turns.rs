//! The layers of one event side by side: each in a thread and store of its own, watched from here.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::{self, Trouble};
use super::{Pipeline, call};
use crate::claude::Event;
use crate::grant::{LayerHost, LayerIdentity, TracedHost, outside};
use crate::layer::{EventName, Grants, Layer, Member};
use crate::log::{LayerOutcome, LayerRecord, round_to_hundredths};
use crate::memory::Memory;
use crate::sandbox::bindings::types::Reply;
use crate::sandbox::{Invocation, LayerFailure, Limits, RunOptions, Sandbox, thread_stack};
use crate::state::ConversationKey;

/// How long after the last deadline a layer that was told to stop may take to say so. One that sits in a host call
/// says nothing; the reply goes out without it.
pub(super) const GRACE: Duration = Duration::from_millis(25);

/// How long what comes after the layers may wait for the database: less than the hook has left after its last deadline
/// (`command/hook.rs`).
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
pub(super) type Said = Result<(Reply, HashMap<String, Memory>), Trouble>;

/// What a layer said, and how long it took.
type Heard = (Said, Duration);

/// Which layer, and what was heard of it.
type Report = (usize, Heard);

/// A member's part in this event.
pub(super) struct Turn<'a> {
    pub(super) member: &'a Member,
    pub(super) event: EventName,
    pub(super) deadline: Instant,
}

/// What came of all turns.
pub(super) struct Turns {
    /// The answers in the order of the roster, those that are pinned for a failing gate among them.
    pub(super) answers: Vec<Answer>,
    /// What the log tells of each layer.
    pub(super) parts: Vec<LayerRecord>,
}

/// Runs all members on the event. Failures go to the log.
pub(super) fn run<'a>(
    sandbox: &Arc<Sandbox>,
    members: &[&'a Member],
    event: &Event,
    conversation: &ConversationKey,
    pipeline: &Pipeline<'_>,
) -> Turns {
    let name = call::name(event);
    let call = Arc::new(call::call(event));
    let deadline = |member: &Member| pipeline.began + member.config.limits.deadline(name);
    let turn = |&member: &&'a Member| Turn { member, event: name, deadline: deadline(member) };
    let turns: Vec<Turn<'_>> = members.iter().map(turn).collect();
    let deadlines = deadlines(&turns);
    let (report, reports) = mpsc::channel();
    for (index, turn) in turns.iter().enumerate().filter(|(_, turn)| turn.member.unavailable.is_none()) {
        let ticks = deadlines.iter().position(|deadline| *deadline == turn.deadline).unwrap_or(0) as u64 + 1;
        let work = work(sandbox.clone(), turn, call.clone(), ticks, conversation, pipeline);
        let report = report.clone();
        let stack = thread_stack(turn.member.config.limits.stack_bytes as usize);
        // A thread that cannot be had is a layer that does not answer; it is missed below.
        drop(thread::Builder::new().stack_size(stack).spawn(move || drop(report.send((index, work())))));
    }
    drop(report);
    let heard = collect(sandbox, turns.len(), &deadlines, &reports);
    // A layer that took all the time there was must not keep its failure, or what others show, from being written down.
    pipeline.host.state.extend_deadline(BOOKKEEPING);
    let judge = failure::Judge { pipeline, session: &conversation.session };
    let (answers, parts): (Vec<_>, Vec<_>) =
        turns.iter().zip(heard).map(|(turn, heard)| answer(turn, heard, &judge)).unzip();
    Turns { answers: answers.into_iter().flatten().collect(), parts }
}

/// What one layer's thread does.
fn work(
    sandbox: Arc<Sandbox>,
    turn: &Turn<'_>,
    call: Arc<Invocation>,
    ticks: u64,
    conversation: &ConversationKey,
    pipeline: &Pipeline<'_>,
) -> impl FnOnce() -> Heard + Send + 'static {
    let (layer, event) = (turn.member.layer.clone(), turn.event);
    let outside = outside(&layer.name, &layer.grants, &pipeline.host, conversation);
    let run = RunOptions { limits: limits(turn.member), ticks, clock: pipeline.host.clock, outside };
    let granted = LayerHost::new(pipeline.host.clone(), identity(turn.member, event, conversation));
    let (state, session) = (pipeline.host.state.clone(), conversation.session.clone());
    move || {
        let began = Instant::now();
        let said = match failure::left_alone(&state, &session, &layer.name, event) {
            true => Err(Trouble::LeftAlone),
            false => one(&sandbox, &layer, &call, granted, &run),
        };
        (said, began.elapsed())
    }
}

fn answer(
    turn: &Turn<'_>,
    heard: Option<Heard>,
    judge: &failure::Judge<'_>,
) -> (Option<Answer>, LayerRecord) {
    let layer = &turn.member.layer;
    if let Some(why) = &turn.member.unavailable {
        return (failure::pinned(layer, turn.event, why), part(layer, Duration::ZERO, LayerOutcome::NotRun));
    }
    // Nothing was heard of one that is still at work.
    let late = || (Err(Trouble::Failed(LayerFailure::Deadline)), judge.pipeline.began.elapsed());
    let (said, took) = heard.unwrap_or_else(late);
    match said {
        Ok((reply, read)) => {
            let part = part(
                layer,
                took,
                if is_silent(&reply) { LayerOutcome::Silent } else { LayerOutcome::Answered },
            );
            let (layer, grants) = (layer.name.to_string(), layer.grants.clone());
            (Some(Answer { layer, grants, reply, read }), part)
        }
        Err(trouble) => (judge.trouble(turn, &trouble), part(layer, took, trouble.outcome())),
    }
}

fn part(layer: &Layer, took: Duration, outcome: LayerOutcome) -> LayerRecord {
    let ms = round_to_hundredths(took.as_secs_f64() * 1000.0);
    LayerRecord { layer: layer.name.to_string(), ms, outcome, logged: Vec::new() }
}

fn is_silent(reply: &Reply) -> bool {
    reply.context.is_none() && reply.decisions.is_empty() && reply.notice.is_none()
}

pub(super) fn identity(member: &Member, event: EventName, conversation: &ConversationKey) -> LayerIdentity {
    LayerIdentity {
        name: member.layer.name.to_string(),
        grants: member.layer.grants.clone(),
        settings: member.config.settings.to_string(),
        limits: limits(member),
        event: event.as_str(),
        conversation: conversation.clone(),
    }
}

/// The configured limits as the sandbox takes them.
pub(super) fn limits(member: &Member) -> Limits {
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
pub(super) fn one(
    sandbox: &Sandbox,
    layer: &Layer,
    call: &Invocation,
    granted: LayerHost,
    run: &RunOptions,
) -> Said {
    let began = Instant::now();
    let loaded = sandbox.load_for_event(layer, run.limits.stack)?;
    if let Some(trace) = granted.trace() {
        let load = began.elapsed();
        let outcome = sandbox.run(&loaded, call, TracedHost::new(granted), run);
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
) -> Vec<Option<Heard>> {
    let mut heard: Vec<Option<Heard>> = (0..turns).map(|_| None).collect();
    let mut take_until = |moment: Instant| -> bool {
        loop {
            match reports.recv_timeout(moment.saturating_duration_since(Instant::now())) {
                Ok((index, report)) => heard[index] = Some(report),
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
    heard
}
