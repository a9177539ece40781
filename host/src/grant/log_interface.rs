//! `log`: the layer's own lines in the log. Their number is limited separately from host calls, so that a
//! layer that logs a lot can still work. Beyond the limit, one line says that more were dropped. Without the
//! grant, lines are dropped silently.

use super::LayerHost;
use super::access::LogRoom;
use crate::log::Level;
use crate::sandbox::bindings::log::{self as wit, Host};

impl Host for LayerHost {
    fn write(&mut self, level: wit::Level, message: String) {
        if !self.layer.grants.log {
            return;
        }
        let (level, message) = match self.limiter.count_line(message.len()) {
            LogRoom::Left => (from_wit(level), message),
            LogRoom::JustExhausted => (Level::Warn, "more lines were dropped".to_owned()),
            LogRoom::Exhausted => return,
        };
        self.host.log.write(level, Some(&self.layer.name), message);
    }
}

fn from_wit(level: wit::Level) -> Level {
    match level {
        wit::Level::Debug => Level::Debug,
        wit::Level::Info => Level::Info,
        wit::Level::Warn => Level::Warn,
        wit::Level::Error => Level::Error,
    }
}
