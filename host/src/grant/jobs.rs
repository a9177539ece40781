//! `jobs`: captures that wait to be looked at, and work put off. Nothing runs jobs yet, so none is accepted: a job
//! written down and never done would be a lie.

use super::{Granted, Use, wire};
use crate::sandbox::bindings::jobs::{Capture, Host};
use crate::sandbox::bindings::types::Error;
use crate::state::{self, Pushed};

impl Host for Granted {
    fn push_capture(&mut self, capture: Capture) -> Result<bool, Error> {
        self.permit(Use::Jobs, capture.id.len() + capture.payload.len())?;
        let capture = state::Capture {
            id: capture.id,
            layer: self.holder.layer.clone(),
            session: self.holder.context.session.clone(),
            payload: capture.payload,
            at: self.world.clock.now(),
        };
        let pushed = self.world.state.push(&capture).map_err(wire)?;
        if let Pushed::NewDropped(lost) = pushed {
            let message = format!("the queue of captures is full: the oldest {lost} were dropped");
            self.world.log.write(crate::log::Level::Warn, Some(&self.holder.layer), message);
        }
        Ok(pushed != Pushed::Known)
    }

    fn captures(&mut self, limit: u32) -> Result<Vec<Capture>, Error> {
        self.permit(Use::Jobs, 0)?;
        let captures = self.world.state.captures(limit as usize).map_err(wire)?;
        self.meter.carry(captures.iter().map(|capture| capture.payload.len()).sum()).map_err(wire)?;
        Ok(captures.into_iter().map(|capture| Capture { id: capture.id, payload: capture.payload }).collect())
    }

    fn settle_captures(&mut self, ids: Vec<String>) -> Result<(), Error> {
        self.permit(Use::Jobs, ids.iter().map(String::len).sum())?;
        self.world.state.settle(&ids).map_err(wire)
    }

    fn submit(&mut self, _id: String, _kind: String, payload: String) -> Result<bool, Error> {
        self.permit(Use::Jobs, payload.len())?;
        Err(Error::Unavailable("this version of the host runs no jobs".into()))
    }
}
