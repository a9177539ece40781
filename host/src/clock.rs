//! What time it is. One type, so that tests and the harness can hold it still.

/// Milliseconds since the Unix epoch, in UTC.
pub type Millis = i64;

/// Where the time comes from.
#[derive(Debug, Clone, Copy, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// Always this moment.
    Fixed(Millis),
}

impl Clock {
    /// The present moment.
    pub fn now(self) -> Millis {
        match self {
            Self::System => jiff::Timestamp::now().as_millisecond(),
            Self::Fixed(moment) => moment,
        }
    }
}

/// The day of a moment, as `2026-01-31`, in UTC.
pub fn format_date(moment: Millis) -> String {
    jiff::Timestamp::from_millisecond(moment).unwrap_or_default().strftime("%Y-%m-%d").to_string()
}

/// A moment to the second, as `2026-01-31 23:59:58`, in UTC.
pub fn format_date_time(moment: Millis) -> String {
    jiff::Timestamp::from_millisecond(moment).unwrap_or_default().strftime("%Y-%m-%d %H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_utc() {
        assert_eq!((format_date(0), format_date(-1)), ("1970-01-01".to_owned(), "1969-12-31".to_owned()));
    }
}
