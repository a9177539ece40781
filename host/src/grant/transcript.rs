//! `transcript`: the host does not read transcripts yet, so every call is answered `unavailable`.

use super::{Granted, Use};
use crate::layer::Need;
use crate::sandbox::bindings::transcript::{Host, Page};
use crate::sandbox::bindings::types::Error;

impl Host for Granted {
    fn read(&mut self, _cursor: u64, _limit: u32) -> Result<Page, Error> {
        self.permit(Use::Other(Need::Transcript), 0)?;
        Err(Error::Unavailable("this version of the host does not read transcripts".into()))
    }
}
