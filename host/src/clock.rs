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
