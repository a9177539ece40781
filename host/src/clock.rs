//! The current time, as a type that lets tests and the harness fix it, and the formats of printed moments.

/// Milliseconds since the Unix epoch, in UTC.
pub type Millis = i64;

/// A source of the current time.
#[derive(Debug, Clone, Copy, Default)]
pub enum Clock {
    /// The system clock.
    #[default]
    System,
    /// A clock that always shows this moment.
    Fixed(Millis),
}

impl Clock {
    /// Returns the current moment.
    pub fn now(self) -> Millis {
        match self {
            Self::System => jiff::Timestamp::now().as_millisecond(),
            Self::Fixed(moment) => moment,
        }
    }
}

/// Formats the day of a moment in UTC, as in `2026-01-31`.
pub fn format_date(moment: Millis) -> String {
    jiff::Timestamp::from_millisecond(moment).unwrap_or_default().strftime("%Y-%m-%d").to_string()
}

/// Formats a moment in UTC to the second, as in `2026-01-31 23:59:58`.
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
