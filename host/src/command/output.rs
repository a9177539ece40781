//! Where commands write: standard output, with colour only on a terminal.

use std::io::{IsTerminal, Result, Write};

use serde::Serialize;

use crate::clock::Millis;

/// Standard output, or a buffer in tests.
pub struct Output {
    to: Box<dyn Write>,
    coloured: bool,
}

impl Output {
    /// Standard output. `NO_COLOR` is heeded (no-color.org).
    pub fn standard() -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self { to: Box::new(std::io::stdout()), coloured: !plain && std::io::stdout().is_terminal() }
    }

    /// One value as a line of JSON.
    pub fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        Ok(writeln!(self, "{}", serde_json::to_string(value)?)?)
    }

    /// The text, faint where colours are shown.
    pub fn faint(&self, text: &str) -> String {
        self.dressed("2", text)
    }

    /// The text, bold where colours are shown.
    pub fn strong(&self, text: &str) -> String {
        self.dressed("1", text)
    }

    fn dressed(&self, code: &str, text: &str) -> String {
        if self.coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.to.flush()
    }
}

/// A text of somebody else's without what would move a terminal's cursor.
pub fn tame(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// How long, in the largest unit that fits.
pub fn span(passed: Millis) -> String {
    let seconds = passed.max(0) / 1_000;
    let (count, unit) = match seconds {
        0..60 => (seconds, "s"),
        60..3_600 => (seconds / 60, "min"),
        3_600..86_400 => (seconds / 3_600, "h"),
        _ => (seconds / 86_400, "d"),
    };
    format!("{count} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_told_in_the_largest_unit_that_fits() {
        for (passed, expected) in
            [(-5, "0 s"), (59_000, "59 s"), (60_000, "1 min"), (7_200_000, "2 h"), (180_000_000, "2 d")]
        {
            assert_eq!(span(passed), expected);
        }
    }
}
