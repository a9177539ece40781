//! The output of commands: standard output, with color only on a terminal; and the format of durations.

use std::io::{IsTerminal, Result, Write};

use serde::Serialize;

use crate::clock::Millis;

/// Standard output.
pub struct Output {
    writer: Box<dyn Write>,
    is_colored: bool,
}

impl Output {
    /// Opens standard output. `NO_COLOR` switches colors off (no-color.org).
    pub fn standard() -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_colored = !no_color && std::io::stdout().is_terminal();
        Self { writer: Box::new(std::io::stdout()), is_colored }
    }

    /// Writes one value as a line of JSON.
    pub fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        Ok(writeln!(self, "{}", serde_json::to_string(value)?)?)
    }

    /// Returns the text in faint type if colors are on.
    pub fn faint(&self, text: &str) -> String {
        self.styled("2", text)
    }

    /// Returns the text in bold type if colors are on.
    pub fn bold(&self, text: &str) -> String {
        self.styled("1", text)
    }

    fn styled(&self, code: &str, text: &str) -> String {
        if self.is_colored { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.flush()
    }
}

/// Formats a duration in the largest unit in which it is at least 1.
pub fn format_duration(duration: Millis) -> String {
    let seconds = duration.max(0) / 1_000;
    let (count, unit) = match seconds {
        0..60 => (seconds, "s"),
        60..3_600 => (seconds / 60, "min"),
        3_600..86_400 => (seconds / 3_600, "h"),
        _ => (seconds / 86_400, "d"),
    };
    format!("{count} {unit}")
}

/// Returns the number with its noun: `1 hook`, `2 hooks`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_shown_in_its_largest_unit() {
        for (duration, expected) in
            [(-5, "0 s"), (59_000, "59 s"), (60_000, "1 min"), (7_200_000, "2 h"), (180_000_000, "2 d")]
        {
            assert_eq!(format_duration(duration), expected);
        }
    }
}
