//! What becomes of a layer that did not answer: it is missing from the reply and named in the log. One that fails again
//! and again is left alone until the next session. In place of a gate stands the answer that was pinned when it was
//! accepted.

use std::collections::HashMap;

use super::Pipeline;
use super::turns::{Answer, Turn};
use crate::error::{Error, ErrorKind};
use crate::layer::{EventName, FailurePolicy, Grants, Layer, Power};
use crate::log::{LayerOutcome, Level};
use crate::sandbox::LayerFailure;
use crate::sandbox::bindings::types::{Decision, Reply};
use crate::state::State;

/// A layer that failed this often in a session is left alone until the next.
const PATIENCE: u32 = 3;

/// Why a layer did not answer.
pub(super) enum Trouble {
    /// It ran, and failed.
    Failed(LayerFailure),
    /// It was not run: in words.
    NotRun(String),
    /// It failed too often in this session.
    LeftAlone,
}

impl From<Error> for Trouble {
    /// What cannot be had now may be had by the next event; anything else is the layer's fault.
    fn from(error: Error) -> Self {
        let words = error.full();
        match error.kind {
            ErrorKind::Unavailable => Self::NotRun(words),
            _ => Self::Failed(LayerFailure::Broken(words)),
        }
    }
}

impl Trouble {
    /// An error that the layer answers itself is an answer, orderly and quick.
    fn counts(&self) -> bool {
        matches!(self, Self::Failed(failure) if !matches!(failure, LayerFailure::Refused(_)))
    }

    /// What the log calls it.
    pub(super) fn outcome(&self) -> LayerOutcome {
        match self {
            Self::Failed(_) => LayerOutcome::Failed,
            Self::NotRun(_) => LayerOutcome::NotRun,
            Self::LeftAlone => LayerOutcome::Suspended,
        }
    }
}

/// Whether the layer failed too often in this session. A session's start asks nothing: it comes first.
pub(super) fn left_alone(state: &State, session: &str, layer: &str, event: EventName) -> bool {
    let asked = event != EventName::SessionStart && !session.is_empty();
    // A state that cannot be read has counted nothing.
    asked && state.failure_count(session, layer).unwrap_or_default() >= PATIENCE
}

/// Judges the troubles of one event.
pub(super) struct Judge<'a> {
    pub(super) pipeline: &'a Pipeline<'a>,
    pub(super) session: &'a str,
}

impl Judge<'_> {
    /// Logs the trouble, counts it, and gives the layer's pinned answer, if it has one.
    pub(super) fn trouble(&self, turn: &Turn<'_>, trouble: &Trouble) -> Option<Answer> {
        let layer = &turn.member.layer.name;
        let allowed = turn.deadline.saturating_duration_since(self.pipeline.began);
        let words = match trouble {
            Trouble::Failed(failure) => failure.describe(allowed),
            Trouble::NotRun(why) => format!("was not run: {why}"),
            Trouble::LeftAlone => {
                let why =
                    format!("it failed {PATIENCE} times in this session and is left alone until the next");
                return pinned(&turn.member.layer, turn.event, &why);
            }
        };
        self.log(layer, &words);
        if trouble.counts() {
            self.count(layer);
        }
        pinned(&turn.member.layer, turn.event, &words)
    }

    fn count(&self, layer: &str) {
        if self.session.is_empty() {
            return;
        }
        match self.pipeline.host.state.count_failure(self.session, layer) {
            Ok(PATIENCE) => {
                self.log(layer, &format!("left alone until the next session, after {PATIENCE} failures"))
            }
            Ok(_) => {}
            Err(error) => self.log(layer, &format!("its failure could not be counted: {error}")),
        }
    }

    fn log(&self, layer: &str, words: &str) {
        self.pipeline.host.log.write(Level::Error, Some(layer), words);
    }
}

/// The answer that is pinned for this layer and event, with the reason.
pub(super) fn pinned(layer: &Layer, event: EventName, why: &str) -> Option<Answer> {
    let pinned = layer.failure_answer(event)?;
    let reason = format!("this gate gives the answer that was pinned for its failure: {why}");
    let (power, decision) = match pinned {
        FailurePolicy::Deny => (Power::Deny, Decision::Deny(reason)),
        FailurePolicy::Ask | FailurePolicy::Pass => (Power::Ask, Decision::Ask(reason)),
    };
    // Not the layer decides here but the person who pinned it, so its own powers do not matter.
    let grants = Grants { decide: [power].into(), ..Grants::default() };
    let reply = Reply { context: None, decisions: vec![decision], notice: None };
    Some(Answer { layer: layer.name.to_string(), grants, reply, read: HashMap::new() })
}
