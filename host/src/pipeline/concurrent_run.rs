//! Runs the layers of one event concurrently, each in its own thread and store. The thread that waits for
//! their replies also stops them at their deadlines.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::failure_handler::{FailureHandler, is_suspended, pinned_answer};
use super::layer_execution::{GRACE_PERIOD, LayerAnswer, LayerResult, LayerRun, NoReply};
use super::{Pipeline, contract_event, thread_heap};
use crate::claude::Event;
use crate::layer::Layer;
use crate::log::{LayerOutcome, LayerRecord, round_to_hundredths};
use crate::roster::Member;
use crate::sandbox::bindings::types::Reply;
use crate::sandbox::{LayerFailure, Sandbox, thread_stack};
use crate::state::ConversationKey;

/// Time limit for the host's own writes after the layers: less than the hook has left after its last deadline
/// (`command/hook.rs`).
const BOOKKEEPING_TIME: Duration = Duration::from_millis(100);

/// A layer's result, and the duration of its run.
type TimedResult = (LayerResult, Duration);

/// A layer's index among the layers of the event, and its result.
type Report = (usize, TimedResult);

/// The results of all layers.
pub(super) struct LayerResults {
    /// The answers in the order of the roster, including the pinned answers of failed gates.
    pub(super) answers: Vec<LayerAnswer>,
    /// The log's record of each layer.
    pub(super) records: Vec<LayerRecord>,
}

/// Runs all members on the event. Failures go to the log.
pub(super) fn run_layers(
    sandbox: &Arc<Sandbox>,
    members: &[&Member],
    event: &Event,
    conversation: &ConversationKey,
    pipeline: &Pipeline<'_>,
) -> LayerResults {
    let name = contract_event::name(event);
    let invocation = Arc::new(contract_event::invocation(event));
    let deadline_of = |member: &&Member| pipeline.began + member.config.limits.deadline(name);
    let deadlines: Vec<Instant> = members.iter().map(deadline_of).collect();
    let ticks = distinct(&deadlines);
    let (sender, reports) = mpsc::channel();
    for (index, member) in members.iter().enumerate().filter(|(_, member)| member.unavailable.is_none()) {
        let tick = ticks.iter().position(|tick| *tick == deadlines[index]).unwrap_or(0) as u64 + 1;
        let run = LayerRun::new(member, name, conversation, &pipeline.host, tick);
        let (state, session, layer) =
            (pipeline.host.state.clone(), conversation.session.clone(), member.layer.clone());
        let (sandbox, invocation, sender) = (sandbox.clone(), invocation.clone(), sender.clone());
        let work = move || {
            let began = Instant::now();
            thread_heap::reserve();
            let result = match is_suspended(&state, &session, &layer, name) {
                true => Err(NoReply::Suspended),
                false => run.run(&sandbox, &invocation),
            };
            drop(sender.send((index, (result, began.elapsed()))));
        };
        let stack = thread_stack(member.config.limits.stack_bytes as usize);
        // If no thread can be started, the layer does not report and counts as late.
        drop(thread::Builder::new().stack_size(stack).spawn(work));
    }
    drop(sender);
    let results = collect(sandbox, members.len(), &ticks, &reports);
    // A layer that used up the time must not prevent the writing of its failure or of the memories that other
    // layers show.
    pipeline.host.state.extend_deadline(BOOKKEEPING_TIME);
    let handler =
        FailureHandler { host: &pipeline.host, session: &conversation.session, event, began: pipeline.began };
    let results = members.iter().zip(deadlines).zip(results);
    let (answers, records): (Vec<_>, Vec<_>) =
        results.map(|((member, deadline), result)| answer(member, deadline, result, &handler)).unzip();
    LayerResults { answers: answers.into_iter().flatten().collect(), records }
}

/// Returns a member's answer, its own or the pinned one, and its record for the log.
fn answer(
    member: &Member,
    deadline: Instant,
    result: Option<TimedResult>,
    handler: &FailureHandler<'_>,
) -> (Option<LayerAnswer>, LayerRecord) {
    let layer = &member.layer;
    if let Some(reason) = &member.unavailable {
        let answer = pinned_answer(layer, handler.event, reason);
        return (answer, record(layer, Duration::ZERO, LayerOutcome::NotRun));
    }
    // A layer that is still running has reported nothing.
    let late = || (Err(NoReply::Failed(LayerFailure::Deadline)), handler.began.elapsed());
    let (result, duration) = result.unwrap_or_else(late);
    match result {
        Ok((reply, read)) => {
            let outcome = if is_empty(&reply) { LayerOutcome::Silent } else { LayerOutcome::Answered };
            let (name, grants) = (layer.name.to_string(), layer.grants.clone());
            (Some(LayerAnswer { layer: name, grants, reply, read }), record(layer, duration, outcome))
        }
        Err(no_reply) => {
            let outcome = match no_reply {
                NoReply::Failed(_) => LayerOutcome::Failed,
                NoReply::NotRun(_) | NoReply::NotCompiled => LayerOutcome::NotRun,
                NoReply::Suspended => LayerOutcome::Suspended,
            };
            (handler.handle(layer, deadline, &no_reply), record(layer, duration, outcome))
        }
    }
}

fn record(layer: &Layer, duration: Duration, outcome: LayerOutcome) -> LayerRecord {
    let ms = round_to_hundredths(duration.as_secs_f64() * 1000.0);
    LayerRecord { layer: layer.name.to_string(), ms, outcome, logged: Vec::new(), searches: Vec::new() }
}

fn is_empty(reply: &Reply) -> bool {
    reply.context.is_none() && reply.decisions.is_empty() && reply.notice.is_none()
}

/// Returns the distinct deadlines, soonest first. The sandbox ticks once at each of them, so a layer with the
/// n-th deadline is stopped at its n-th tick.
fn distinct(deadlines: &[Instant]) -> Vec<Instant> {
    let mut distinct = deadlines.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    distinct
}

/// Waits for the reports of this many layers, and ticks the sandbox at each deadline.
fn collect(
    sandbox: &Sandbox,
    layers: usize,
    deadlines: &[Instant],
    reports: &Receiver<Report>,
) -> Vec<Option<TimedResult>> {
    let mut results: Vec<Option<TimedResult>> = (0..layers).map(|_| None).collect();
    let mut receive_until = |end: Instant| -> bool {
        loop {
            match reports.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok((index, result)) => results[index] = Some(result),
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
    };
    let all_reported = deadlines.iter().any(|deadline| {
        let all_reported = receive_until(*deadline);
        if !all_reported {
            sandbox.tick();
        }
        all_reported
    });
    if !all_reported {
        receive_until(Instant::now() + GRACE_PERIOD);
    }
    results
}
