//! `settings`: the layer's own configuration. It gives no access to anything, so it needs no grant.

use super::LayerHost;
use crate::sandbox::bindings::settings::Host;

impl Host for LayerHost {
    fn get(&mut self) -> String {
        self.layer.settings.clone()
    }
}
