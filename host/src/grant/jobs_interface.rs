//! `jobs`: the queues of captures and jobs. Both count toward the number of entries that a layer may queue in
//! one session.

use std::time::Duration;

use super::shared_counter::{JOB_COUNTS, SharedCounter};
use super::{Access, LayerHost, wit_error};
use crate::error::{Error as HostError, Result as HostResult};
use crate::layer::Need;
use crate::log::Level;
use crate::sandbox::bindings::jobs::{Capture, Host, Request, Waiting};
use crate::sandbox::bindings::types::Error;
use crate::state::{self, PushResult, Scope, SubmitResult};

impl Host for LayerHost {
    fn push_capture(&mut self, capture: Capture) -> Result<bool, Error> {
        self.begin_call(Access::Interface(Need::Jobs), capture.id.len() + capture.payload.len())?;
        let capture = state::Capture {
            id: capture.id,
            layer: self.layer.name.clone(),
            session: self.layer.conversation.session.clone(),
            payload: capture.payload,
            at: self.host.clock.now(),
        };
        self.add_to_count(1).map_err(wit_error)?;
        let pushed = self.host.state.push_capture(&capture);
        if !matches!(pushed, Ok(PushResult::Queued | PushResult::QueuedDroppingOldest(_))) {
            // Nothing was added: the capture is queued already, or it could not be written.
            let _ = self.add_to_count(-1);
        }
        let pushed = pushed.map_err(wit_error)?;
        if let PushResult::QueuedDroppingOldest(dropped) = pushed {
            let message = format!("the queue of captures is full: the oldest {dropped} were dropped");
            self.host.log.write(Level::Warn, Some(&self.layer.name), message);
        }
        Ok(pushed != PushResult::AlreadyQueued)
    }

    fn captures(&mut self, limit: u32) -> Result<Vec<Waiting>, Error> {
        self.begin_call(Access::Interface(Need::Jobs), 0)?;
        let captures = self.host.state.captures(limit as usize).map_err(wit_error)?;
        let bytes = captures.iter().map(|capture| capture.payload.len()).sum();
        self.limiter.check_size(bytes).map_err(wit_error)?;
        Ok(captures.into_iter().map(waiting).collect())
    }

    fn settle_captures(&mut self, ids: Vec<String>) -> Result<(), Error> {
        self.begin_call(Access::Interface(Need::Jobs), ids.iter().map(String::len).sum())?;
        self.host.state.remove_captures(&ids).map_err(wit_error)
    }

    fn submit(&mut self, request: Request) -> Result<bool, Error> {
        self.begin_call(Access::Interface(Need::Jobs), request.id.len() + request.payload.len())?;
        let (layer, transcript) = (&self.layer, &self.host.transcript);
        let job = state::Job {
            layer: layer.name.clone(),
            id: request.id,
            kind: request.kind,
            payload: request.payload,
            at: self.host.clock.now(),
            session: layer.conversation.session.clone(),
            agent: layer.conversation.agent.clone(),
            transcript: transcript.as_ref().and_then(|transcript| transcript.path()).map(str::to_owned),
        };
        self.add_to_count(1).map_err(wit_error)?;
        let submitted = self.host.state.submit(&job, Duration::from_millis(request.delay_ms));
        if !matches!(submitted, Ok(SubmitResult::New | SubmitResult::Requeued)) {
            // Nothing was added: the job is queued or done already, or it could not be written. A job that is
            // queued again does count, so a job that submits itself stops at the limit.
            let _ = self.add_to_count(-1);
        }
        submitted.map(|submitted| submitted == SubmitResult::New).map_err(wit_error)
    }
}

fn waiting(capture: state::Capture) -> Waiting {
    let state::Capture { id, payload, session: session_id, at, .. } = capture;
    Waiting { id, payload, session_id, at }
}

impl LayerHost {
    /// Adds to the number of captures and jobs that this layer has queued in this session, in all processes.
    fn add_to_count(&self, change: i32) -> HostResult<()> {
        let (limit, conversation) = (self.layer.limits.jobs, &self.layer.conversation);
        let (scope, key) = (Scope::Session(&conversation.session), self.layer.name.as_str());
        let counter = SharedCounter { state: &self.host.state, scope, owner: JOB_COUNTS, key };
        counter.update(|count: u32| {
            let count = count.saturating_add_signed(change);
            if u64::from(count) > limit {
                let message = format!("the {limit} captures and jobs of this session are used up");
                return Err(HostError::over_budget(message));
            }
            Ok(count)
        })
    }
}
