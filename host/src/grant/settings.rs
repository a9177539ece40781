//! `settings`: the layer's own configuration. Its own words are no power, so they need no grant.

use super::Granted;
use crate::sandbox::bindings::settings::Host;

impl Host for Granted {
    fn get(&mut self) -> String {
        self.holder.settings.clone()
    }
}
