//! `log`: lines of the layer's own. They have a limit of their own, so that a layer that talks much can still work; past
//! it, one line says that more were dropped. Where the log was taken away, lines are dropped without a word.

use super::LayerHost;
use crate::log::Level;
use crate::sandbox::Room;
use crate::sandbox::bindings::log::{self as wit, Host};

impl Host for LayerHost {
    fn write(&mut self, level: wit::Level, message: String) {
        if !self.layer.grants.log {
            return;
        }
        let (level, message) = match self.meter.line() {
            Room::Left => (self::level(level), message),
            Room::JustUsedUp => (Level::Warn, "more lines were dropped".to_owned()),
            Room::None => return,
        };
        self.host.log.write(level, Some(&self.layer.name), message);
    }
}

fn level(level: wit::Level) -> Level {
    match level {
        wit::Level::Debug => Level::Debug,
        wit::Level::Info => Level::Info,
        wit::Level::Warn => Level::Warn,
        wit::Level::Error => Level::Error,
    }
}
