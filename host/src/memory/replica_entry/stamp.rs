//! The time of a write: a hybrid logical clock. See Kulkarni et al., *Logical Physical Clocks*, 2014.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::clock::Millis;
use crate::error::{Error, Result};

/// The last moment that a stamp may name: the end of the year 9999. A later one would win for good.
const MAX_MILLIS: Millis = 253_402_300_799_999;

/// Maximum number of characters of a device's id.
const MAX_DEVICE_CHARS: usize = 40;

/// When a field was written: of two writes, the one with the greater stamp is the later one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Stamp {
    /// The time on the device, but not before any that it had read.
    pub millis: Millis,
    /// The order of writes within a millisecond.
    pub counter: u32,
    /// The device.
    pub device: String,
}

impl Stamp {
    /// Returns the stamp that follows this one on its device at the time `now`.
    #[must_use]
    pub fn next(&self, now: Millis) -> Self {
        let device = self.device.clone();
        match now > self.millis {
            true => Self { millis: now, counter: 0, device },
            false => match self.counter.checked_add(1) {
                Some(counter) => Self { millis: self.millis, counter, device },
                None => Self { millis: self.millis + 1, counter: 0, device },
            },
        }
    }
}

/// Tells whether a text can be the id of a device.
pub fn is_device(text: &str) -> bool {
    (1..=MAX_DEVICE_CHARS).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.millis, self.counter, self.device)
    }
}

impl FromStr for Stamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parse = || {
            let mut parts = text.splitn(3, '-');
            let (millis, counter) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            let device = parts.next()?;
            let is_time = (0..=MAX_MILLIS).contains(&millis);
            (is_device(device) && is_time).then(|| Self { millis, counter, device: device.to_owned() })
        };
        parse().ok_or_else(|| {
            Error::invalid(format!("`{}` is not the time of a write", text.escape_debug()))
                .hint("a stamp is written milliseconds-counter-device")
        })
    }
}

impl TryFrom<String> for Stamp {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Stamp> for String {
    fn from(stamp: Stamp) -> Self {
        stamp.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_follows_all_that_its_device_knows() {
        let stamp = Stamp { millis: 5, counter: u32::MAX - 1, device: "a".to_owned() };

        assert_eq!(stamp.next(9).to_string(), "9-0-a");
        assert_eq!(stamp.next(1).to_string(), format!("5-{}-a", u32::MAX), "the clock went back");
        assert_eq!(stamp.next(1).next(1).to_string(), "6-0-a");
    }

    #[test]
    fn only_a_stamp_is_read_as_one() {
        assert_eq!("12-3-ab-c".parse::<Stamp>().expect("a stamp").device, "ab-c");
        for text in ["", "1-2", "1-2-", "-1-2-a", "1-x-a", "1-2-a b", "253402300800000-0-a"] {
            assert!(text.parse::<Stamp>().is_err(), "{text}");
        }
    }
}
