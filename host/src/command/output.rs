//! Where commands write: standard output, with colour only on a terminal.

use std::io::{IsTerminal, Result, Write};

use serde::Serialize;

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
