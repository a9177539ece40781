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

/// Reads a time as other programs write it. Without a time zone, it is UTC.
pub fn parse_date_time(text: &str) -> Option<Millis> {
    let text = text.trim().replacen(' ', "T", 1);
    let whole = if text.contains('T') { text } else { format!("{text}T00:00:00Z") };
    let local = || -> Option<jiff::Timestamp> {
        let time: jiff::civil::DateTime = whole.parse().ok()?;
        Some(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
    };
    whole.parse().ok().or_else(local).map(jiff::Timestamp::as_millisecond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_utc() {
        assert_eq!((format_date(0), format_date(-1)), ("1970-01-01".to_owned(), "1969-12-31".to_owned()));
    }

    #[test]
    fn times_of_other_programs_are_read() {
        for (text, expected) in [
            ("2026-01-02T03:04:05Z", Some(1_767_323_045_000)),
            ("2026-01-02 03:04:05+00:00", Some(1_767_323_045_000)),
            ("2026-01-02T03:04:05.250000", Some(1_767_323_045_250)),
            ("2026-01-02", Some(1_767_312_000_000)),
            ("yesterday", None),
        ] {
            assert_eq!(parse_date_time(text), expected, "{text}");
        }
    }
}
