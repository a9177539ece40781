//! The output of commands, with color only on a terminal; and the format of durations.
//!
//! Names and texts come from projects, layers, imports and models. What they hold cannot steer a terminal:
//! the writer itself replaces control characters, marks of reading direction and invisible characters, and
//! passes only the styles that [`Output::faint`] and [`Output::bold`] write. In JSON it escapes them, which
//! changes no value.

use std::fmt::{self, Write as _};
use std::io::{IsTerminal, Result, Write};

use interleaf_text::is_invisible;
use serde::Serialize;

use crate::clock::Millis;

/// The styles of this module's own text.
const STYLES: [&str; 3] = ["\x1b[0m", "\x1b[1m", "\x1b[2m"];

/// Standard output, or standard error.
pub struct Output {
    writer: Box<dyn Write>,
    is_colored: bool,
}

impl Output {
    /// Opens standard output. `NO_COLOR` switches colors off (no-color.org).
    pub fn standard() -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        Self { writer: Box::new(std::io::stdout()), is_colored: is_terminal && allows_color() }
    }

    /// Opens standard error, for text about an output that a program may read.
    pub fn standard_error() -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Self { writer: Box::new(std::io::stderr()), is_colored: is_terminal && allows_color() }
    }

    /// Writes one value as a line of JSON.
    pub fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        self.json_lines(&serde_json::to_string(value)?)
    }

    /// Writes text that is JSON already, one value on each line.
    pub fn json_lines(&mut self, text: &str) -> anyhow::Result<()> {
        let text = escape_in_json(text);
        Ok(writeln!(self, "{}", text.strip_suffix('\n').unwrap_or(&text))?)
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
        self.writer.write_all(clean(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    /// Formats the whole text before it is cleaned, so that no character is cut.
    fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<()> {
        self.writer.write_all(clean(&text.to_string()).as_bytes())
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.flush()
    }
}

fn allows_color() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Returns the text with U+FFFD in place of each character that a terminal interprets or does not show,
/// except for line feeds, tabs and this module's styles.
pub fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let style = STYLES.iter().find(|style| rest.starts_with(**style));
        let length = style.map_or(char.len_utf8(), |style| style.len());
        match style {
            None if !matches!(char, '\n' | '\t') && is_invisible(char) => {
                cleaned.push(char::REPLACEMENT_CHARACTER)
            }
            _ => cleaned.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    cleaned
}

/// Writes a message to standard error, cleaned.
/// A reader that has closed its end of a pipe needs no message.
pub fn print_message(message: &str) {
    let _ = writeln!(std::io::stderr(), "{}", clean_message(message));
}

/// Returns an error message for standard error. Only its first line begins at the margin, so a name with line
/// feeds cannot imitate other messages.
pub fn clean_message(message: &str) -> String {
    let lines: Vec<String> =
        message.lines().map(|line| interleaf_text::for_terminal(line.trim_end())).collect();
    lines.join("\n").replace("\n  ", "\n").replace('\n', "\n  ")
}

/// Escapes the characters that [`clean`] would replace. JSON has them in strings only.
fn escape_in_json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if char == '\n' || !is_invisible(char) {
            escaped.push(char);
            continue;
        }
        for unit in char.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(escaped, "\\u{unit:04x}");
        }
    }
    escaped
}

/// Returns a path for a sentence: in quotes if it has a space or another character that could end it.
pub fn quoted_path(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@~:".contains(c);
    match !path.is_empty() && path.chars().all(is_plain) {
        true => path.to_owned(),
        false => format!("\"{}\"", interleaf_text::for_terminal(path)),
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

/// Returns the width of the terminal in characters; a usual one where there is none.
pub fn terminal_width() -> usize {
    const USUAL_WIDTH: usize = 100;
    let width = rustix::termios::tcgetwinsize(std::io::stdout()).map(|size| usize::from(size.ws_col));
    width.ok().filter(|width| *width > 0).unwrap_or(USUAL_WIDTH)
}

/// Returns the number with its noun: `1 hook`, `2 hooks`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Quotes a word of a command that a person may copy, if it holds a space or another special character.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.@".contains(c);
    match text.chars().all(is_plain) && !text.is_empty() {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An output whose text can be read.
    fn output(is_colored: bool) -> (Output, std::rc::Rc<std::cell::RefCell<Vec<u8>>>) {
        struct Shared(std::rc::Rc<std::cell::RefCell<Vec<u8>>>);
        impl Write for Shared {
            fn write(&mut self, bytes: &[u8]) -> Result<usize> {
                self.0.borrow_mut().write(bytes)
            }
            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }
        let text = std::rc::Rc::default();
        (Output { writer: Box::new(Shared(std::rc::Rc::clone(&text))), is_colored }, text)
    }

    /// What may steer a terminal: clear it, set its title or clipboard, erase a line, reverse or hide text.
    const HOSTILE: &str = "a\x1b[2J\x1b]52;c;eA==\x07\u{9b}1A\rb\u{202e}c\u{2066}\u{200b}\u{e0041}\u{7f}d";

    #[test]
    fn nothing_that_steers_a_terminal_passes_by_any_way_of_writing() -> anyhow::Result<()> {
        let (mut out, text) = output(true);

        writeln!(out, "{HOSTILE}")?;
        out.write_all(HOSTILE.as_bytes())?;
        (&mut out as &mut dyn Write).write_fmt(format_args!("{HOSTILE}"))?;
        let bold = out.bold(HOSTILE);
        writeln!(out, "{bold}")?;
        out.json(&HOSTILE)?;

        let shown = String::from_utf8(text.borrow().clone())?;
        let without_styles = STYLES.iter().fold(shown.clone(), |shown, style| shown.replace(style, ""));
        assert!(!without_styles.contains(|c| c != '\n' && is_invisible(c)), "{shown:?}");
        assert!(shown.contains("\x1b[1ma\u{fffd}[2J"), "our own styles pass: {shown:?}");
        Ok(())
    }

    #[test]
    fn json_keeps_its_values() -> anyhow::Result<()> {
        let (mut out, text) = output(false);

        out.json(&HOSTILE)?;
        out.json_lines("{\"a\":\"\u{202e}\"}\n{}\n")?;

        let shown = String::from_utf8(text.borrow().clone())?;
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(serde_json::from_str::<String>(lines[0])?, HOSTILE);
        assert_eq!(lines[1..], ["{\"a\":\"\\u202e\"}", "{}"]);
        Ok(())
    }

    #[test]
    fn only_the_first_line_of_an_error_begins_at_the_margin() {
        assert_eq!(
            clean_message("a\x1b[1mb\nEverything is in order.\n  c"),
            "a\u{fffd}[1mb\n  Everything is in order.\n  c"
        );
    }

    #[test]
    fn a_path_that_could_end_a_sentence_is_quoted() {
        assert_eq!(quoted_path("docs/a-b_c.md"), "docs/a-b_c.md");
        assert_eq!(quoted_path("src  (nothing secret"), "\"src  (nothing secret\"");
        assert_eq!(quoted_path("a\u{202e}b\n"), "\"a\u{fffd}b\u{fffd}\"");
    }

    #[test]
    fn a_duration_is_shown_in_its_largest_unit() {
        for (duration, expected) in
            [(-5, "0 s"), (59_000, "59 s"), (60_000, "1 min"), (7_200_000, "2 h"), (180_000_000, "2 d")]
        {
            assert_eq!(format_duration(duration), expected);
        }
    }
}
