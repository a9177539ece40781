//! `settings`: the layer's own configuration. Its own words are no power, so they need no grant.

use super::LayerHost;
use crate::sandbox::bindings::settings::Host;

impl Host for LayerHost {
    fn get(&mut self) -> String {
        self.layer.settings.clone()
    }
}
