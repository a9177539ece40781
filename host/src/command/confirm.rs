//! Asking before something that is not easily undone.

use std::io::{BufRead, IsTerminal, Write};

use crate::error::{Error, Result};

use super::output::Output;

/// Whether it is to be done: `yes` says so, else the person at the terminal does.
///
/// # Errors
/// `invalid` where nobody is there to be asked; `again` is the command that would not ask.
pub fn agreed(question: &str, yes: bool, again: &str, out: &mut Output) -> Result<bool> {
    if yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        return Err(Error::invalid("there is no terminal to ask at, so nothing was done").hint(again));
    }
    let mut answer = String::new();
    let asked = write!(out, "{question} [y/N] ").and_then(|()| out.flush());
    let read = asked.and_then(|()| std::io::stdin().lock().read_line(&mut answer));
    read.map_err(|error| Error::unavailable(format!("the terminal cannot be read: {error}")))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
