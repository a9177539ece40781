//! `jobs`: captures that wait to be looked at, and work put off; both count towards what a layer may leave behind in
//! one session.

use std::time::Duration;

use super::tally::{JOBS, Tally};
use super::{LayerHost, Use, wire};
use crate::error::Result as Counted;
use crate::layer::Need;
use crate::sandbox::bindings::jobs::{Capture, Host, Request, Waiting};
use crate::sandbox::bindings::types::Error;
use crate::state::{self, PushResult, Scope, SubmitResult};

impl Host for LayerHost {
    fn push_capture(&mut self, capture: Capture) -> Result<bool, Error> {
        self.permit(Use::Other(Need::Jobs), capture.id.len() + capture.payload.len())?;
        let capture = state::Capture {
            id: capture.id,
            layer: self.layer.name.clone(),
            session: self.layer.conversation.session.clone(),
            payload: capture.payload,
            at: self.host.clock.now(),
        };
        self.count_work(1).map_err(wire)?;
        let pushed = self.host.state.push_capture(&capture);
        if !matches!(pushed, Ok(PushResult::Queued | PushResult::QueuedDroppingOldest(_))) {
            // What waits already, or could not be written, is no work more.
            let _ = self.count_work(-1);
        }
        let pushed = pushed.map_err(wire)?;
        if let PushResult::QueuedDroppingOldest(lost) = pushed {
            let message = format!("the queue of captures is full: the oldest {lost} were dropped");
            self.host.log.write(crate::log::Level::Warn, Some(&self.layer.name), message);
        }
        Ok(pushed != PushResult::AlreadyQueued)
    }

    fn captures(&mut self, limit: u32) -> Result<Vec<Waiting>, Error> {
        self.permit(Use::Other(Need::Jobs), 0)?;
        let captures = self.host.state.captures(limit as usize).map_err(wire)?;
        self.meter.carry(captures.iter().map(|capture| capture.payload.len()).sum()).map_err(wire)?;
        Ok(captures.into_iter().map(waiting).collect())
    }

    fn settle_captures(&mut self, ids: Vec<String>) -> Result<(), Error> {
        self.permit(Use::Other(Need::Jobs), ids.iter().map(String::len).sum())?;
        self.host.state.remove_captures(&ids).map_err(wire)
    }

    fn submit(&mut self, request: Request) -> Result<bool, Error> {
        self.permit(Use::Other(Need::Jobs), request.id.len() + request.payload.len())?;
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
        self.count_work(1).map_err(wire)?;
        let submitted = self.host.state.submit(&job, Duration::from_millis(request.delay_ms));
        if !matches!(submitted, Ok(SubmitResult::New | SubmitResult::Requeued)) {
            // What waits already, or could not be written, is no work more. What is done once more is: a job that
            // submits itself ends at the limit.
            let _ = self.count_work(-1);
        }
        submitted.map(|submitted| submitted == SubmitResult::New).map_err(wire)
    }
}

fn waiting(capture: state::Capture) -> Waiting {
    let state::Capture { id, payload, session: session_id, at, .. } = capture;
    Waiting { id, payload, session_id, at }
}

impl LayerHost {
    /// Counts captures and jobs of this layer in this session, over all its processes.
    fn count_work(&self, more: i32) -> Counted<()> {
        let (limit, conversation) = (self.layer.limits.jobs, &self.layer.conversation);
        let (scope, key) = (Scope::Session(&conversation.session), self.layer.name.as_str());
        Tally { state: &self.host.state, scope, owner: JOBS, key }.change(|known: u32| {
            let now = known.saturating_add_signed(more);
            if now > limit {
                let what = format!("the {limit} captures and jobs of this session are used up");
                return Err(crate::error::Error::over_budget(what));
            }
            Ok(now)
        })
    }
}
