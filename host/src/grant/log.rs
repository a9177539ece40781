//! `log`: lines of the layer's own. They need no grant, but they count as host calls: past the allowance they are
//! dropped.

use super::Granted;
use crate::log::Level;
use crate::sandbox::bindings::log::{self as wit, Host};

impl Host for Granted {
    fn write(&mut self, level: wit::Level, message: String) {
        let level = match level {
            wit::Level::Debug => Level::Debug,
            wit::Level::Info => Level::Info,
            wit::Level::Warn => Level::Warn,
            wit::Level::Error => Level::Error,
        };
        if self.meter.call(message.len()).is_ok() {
            self.world.log.write(level, Some(&self.holder.layer), message);
        }
    }
}
