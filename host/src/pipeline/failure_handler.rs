//! Handles a layer that gives no reply: it is missing from the hook's reply and named in the log. A layer
//! that fails repeatedly is suspended until the next session. A gate's missing reply is replaced by the
//! answer that was pinned when the gate was accepted.

use std::collections::HashMap;
use std::time::Instant;

use super::layer_execution::{LayerAnswer, NoReply};
use crate::claude::Event;
use crate::grant::HostContext;
use crate::layer::{EventName, FailurePolicy, Grants, Layer, Power};
use crate::log::Level;
use crate::sandbox::LayerFailure;
use crate::sandbox::bindings::types::{Decision, Reply};
use crate::state::State;

/// Number of failures in a session after which a layer is suspended until the next session.
const MAX_FAILURES_PER_SESSION: u32 = 3;

/// Tells whether the layer is suspended in this session. A layer that guards tool calls is never suspended
/// before one: three calls that it cannot judge in time would switch it off. At a session's start nothing is
/// read, because no layer has failed yet.
pub(super) fn is_suspended(state: &State, session: &str, layer: &Layer, event: EventName) -> bool {
    let is_guarding = event == EventName::PreTool && layer.is_guard();
    let can_be_suspended = event != EventName::SessionStart && !session.is_empty() && !is_guarding;
    // If the state cannot be read, no failure counts.
    can_be_suspended
        && state.failure_count(session, &layer.name).unwrap_or_default() >= MAX_FAILURES_PER_SESSION
}

/// Handles the failures of one event.
pub(super) struct FailureHandler<'a> {
    pub(super) host: &'a HostContext,
    pub(super) session: &'a str,
    pub(super) event: &'a Event,
    /// When the event came in.
    pub(super) began: Instant,
}

impl FailureHandler<'_> {
    /// Logs why the layer gave no reply, counts the failure if the layer caused it, and returns its pinned
    /// answer, if it has one.
    pub(super) fn handle(&self, layer: &Layer, deadline: Instant, no_reply: &NoReply) -> Option<LayerAnswer> {
        let reason = match no_reply {
            NoReply::Failed(failure) => failure.describe(deadline.saturating_duration_since(self.began)),
            NoReply::NotRun(reason) => format!("was not run: {reason}"),
            NoReply::NotCompiled => "was not run: it is being compiled".to_owned(),
            NoReply::Suspended => return None,
        };
        let level = if matches!(no_reply, NoReply::NotCompiled) { Level::Info } else { Level::Error };
        self.host.log.write(level, Some(&layer.name), &reason);
        if counts_as_failure(no_reply) {
            self.count(&layer.name);
        }
        pinned_answer(layer, self.event, &reason)
    }

    fn count(&self, layer: &str) {
        if self.session.is_empty() {
            return;
        }
        match self.host.state.count_failure(self.session, layer) {
            Ok(MAX_FAILURES_PER_SESSION) => {
                let count = MAX_FAILURES_PER_SESSION;
                self.log(layer, &format!("suspended until the next session, after {count} failures"));
            }
            Ok(_) => {}
            Err(error) => self.log(layer, &format!("cannot count its failure: {error}")),
        }
    }

    fn log(&self, layer: &str, message: &str) {
        self.host.log.write(Level::Error, Some(layer), message);
    }
}

/// Tells whether the missing reply counts toward suspension. An error that the layer itself returns does not
/// count, because it is orderly and quick.
fn counts_as_failure(no_reply: &NoReply) -> bool {
    matches!(no_reply, NoReply::Failed(failure) if !matches!(failure, LayerFailure::Refused(_)))
}

/// Returns the answer that is pinned for this layer and event, with the reason.
pub(super) fn pinned_answer(layer: &Layer, event: &Event, reason: &str) -> Option<LayerAnswer> {
    let pinned = layer.failure_answer(event.tool_call()?)?;
    let reason = format!("this gate failed, so its pinned answer applies: {reason}");
    let (power, decision) = match pinned {
        FailurePolicy::Deny => (Power::Deny, Decision::Deny(reason)),
        FailurePolicy::Ask | FailurePolicy::Pass => (Power::Ask, Decision::Ask(reason)),
    };
    // The decision is the person's, who pinned the answer, and not the layer's, so the layer's own powers do
    // not matter.
    let grants = Grants { decide: [power].into(), ..Grants::default() };
    let reply = Reply { context: None, decisions: vec![decision], notice: None };
    Some(LayerAnswer { layer: layer.name.to_string(), grants, reply, read: HashMap::new() })
}
