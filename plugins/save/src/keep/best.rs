//! The single facts of a session: the best of them, as many as it may leave behind. A place is taken by what makes the
//! store grow; what is told again, or corrects what is known, takes none.

use super::resolve::{By, resolve};
use super::{Keeper, LEADING};
use crate::bindings::interleaf::layer::memory::Action;
use crate::bindings::interleaf::layer::types::Error;
use crate::find::{Find, Origin};

/// How much a session may add to the cheat sheet (seed 001).
const MOST_LEADING: usize = 2;

impl Keeper<'_> {
    /// Writes the best of them, until the session has left `most` behind. A place is taken before the memory is
    /// written, and given back where no new one came of it.
    ///
    /// # Errors
    /// As for [`Keeper::of`].
    pub fn best(&mut self, finds: Vec<Find>, most: usize) -> Result<(), Error> {
        for find in finds {
            let key = format!("{}/{}", self.session, find.key);
            let known = self.kept.memories.contains(&key);
            let room = known || self.kept.memories.len() < most;
            let find = self.led(find, &key);
            if room && !known {
                self.kept.memories.push(key.clone());
                self.remember()?;
            }
            let Some(done) = resolve(&find, &key, By::Likeness, room)? else {
                self.kept.leading.retain(|leading| *leading != key);
                continue;
            };
            if !known {
                self.settle(&key, done.action)?;
            }
            // What was written by an earlier attempt is no news.
            if !known || done.is_written() {
                self.done.push(done);
            }
        }
        Ok(())
    }

    /// Gives back what was taken for a memory that is none.
    fn settle(&mut self, key: &str, action: Action) -> Result<(), Error> {
        if action != Action::Create {
            self.kept.memories.retain(|memory| memory != key);
        }
        if action == Action::Nothing {
            self.kept.leading.retain(|leading| leading != key);
        }
        self.remember()
    }

    /// The find as far as the cheat sheet goes: a tool's words never lead, and a session adds two.
    fn led(&mut self, mut find: Find, key: &str) -> Find {
        let leading = &mut self.kept.leading;
        let room = leading.len() < MOST_LEADING || leading.iter().any(|known| known == key);
        if !(self.promote && find.origin == Origin::Assistant && room) {
            find.tags.retain(|tag| tag != LEADING);
        }
        if find.tags.iter().any(|tag| tag == LEADING) && leading.iter().all(|known| known != key) {
            leading.push(key.to_owned());
        }
        find
    }
}
