//! The summary: one memory a session, which grows with it.

use serde_json::Value;

use super::Keeper;
use super::renew::renew;
use super::resolve::{By, resolve};
use crate::bindings::interleaf::layer::memory::Action;
use crate::bindings::interleaf::layer::types::Error;
use crate::find::Find;

impl Keeper<'_> {
    /// Writes the summary, or writes it into the one that this session has.
    ///
    /// # Errors
    /// As for [`Keeper::of`].
    pub fn summary(&mut self, find: &Find) -> Result<(), Error> {
        let earlier = self.kept.summary.as_ref().map(|(id, _)| id.clone()).filter(|id| !id.is_empty());
        let done = match &earlier {
            Some(id) => renew(id, find, "the session went on")?,
            None => resolve(find, &format!("summary/{}", self.session), By::Itself, true)?,
        };
        // Another session's that says the same is not this one's to go on with.
        let own = done.as_ref().filter(|done| done.action != Action::Update).and_then(|done| done.id.clone());
        self.kept.summary = Some((earlier.or(own).unwrap_or_default(), find.content.clone()));
        self.remember()?;
        self.done.extend(done);
        Ok(())
    }

    /// The content of the summary that this session has.
    pub fn summarised(&self) -> Option<&Value> {
        self.kept.summary.as_ref().map(|(_, content)| content)
    }
}
