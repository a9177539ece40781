//! What a project is told once, whatever session comes across it: which files a change touched, what a design chose.

use super::renew::renew;
use super::resolve::{By, resolve};
use super::{Keeper, LEADING};
use crate::bindings::interleaf::layer::types::Error;
use crate::find::Find;
use crate::host;

impl Keeper<'_> {
    /// Writes it, unless it was written or forgotten.
    ///
    /// # Errors
    /// As for [`Keeper::of`].
    pub fn once(&mut self, name: &str, mut find: Find) -> Result<(), Error> {
        find.tags.retain(|tag| tag != LEADING);
        let done = resolve(&find, name, By::Itself, true)?;
        // What stands for it already is no news.
        self.done.extend(done.filter(|done| done.is_written() || done.id.is_none()));
        Ok(())
    }

    /// Writes what may change: where its words have changed, they are written into the memory of this name.
    ///
    /// # Errors
    /// As for [`Keeper::of`].
    pub fn latest(&mut self, name: &str, mut find: Find) -> Result<(), Error> {
        find.tags.retain(|tag| tag != LEADING);
        let known: (u64, String) = host::kept_of_project(name)?;
        let hash = hash(&find.text);
        if known.0 == hash {
            return Ok(());
        }
        let done = match known.1.as_str() {
            "" => resolve(&find, name, By::Itself, true)?,
            id => renew(id, &find, "what it was taken from was changed")?,
        };
        let id = done.as_ref().and_then(|done| done.id.clone()).unwrap_or(known.1);
        if !id.is_empty() {
            host::keep_in_project(name, &(hash, &id))?;
        }
        self.done.extend(done);
        Ok(())
    }
}

/// FNV-1a: the same everywhere and for ever, as a name for a text.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
