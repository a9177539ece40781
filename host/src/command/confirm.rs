//! Consent: commands that only a person may run, and questions for yes or no.
//!
//! Every command asks through this module, so that all of them treat a missing terminal, a digest given in
//! advance and a session of Claude Code in the same way.

use std::io::{self, BufRead, IsTerminal, Write};

use super::output::Output;
use crate::config::GUARD;
use crate::dirs::{self, Folders};
use crate::error::{Error, Result};
use crate::layer::is_digest;

/// Refuses the command inside a session of Claude Code. This is only a weak barrier, as SECURITY.md explains.
///
/// # Errors
/// `Denied` inside a session of Claude Code.
pub fn require_person(command: &str) -> Result<()> {
    match crate::claude::is_inside_session() {
        false => Ok(()),
        true => Err(Error::denied(format!("`{command}` needs a person and does not run inside Claude Code"))
            .hint("run it in a terminal outside Claude Code")),
    }
}

/// Records the folders of configuration and data as the person's, if they are not the account's default ones.
/// Inside a session of Claude Code, whose variables a project can set, it says that they are not recorded.
pub fn record_folders(folders: &Folders, out: &mut Output) -> anyhow::Result<()> {
    let Some(notice) = unrecorded_notice(folders) else { return Ok(()) };
    if crate::claude::is_inside_session() {
        return Ok(writeln!(out, "\nnote: {notice}")?);
    }
    match dirs::record_folders(folders) {
        Ok(()) => writeln!(out, "\nRecorded as your folders: {}", names(folders))?,
        Err(error) => writeln!(out, "\nnote: {notice}; they cannot be recorded: {}", error.full())?,
    }
    Ok(())
}

/// Returns what follows from folders that are not recorded as the person's, with the next step; `None` if
/// they are.
pub fn unrecorded_notice(folders: &Folders) -> Option<String> {
    (!folders.are_recorded()).then(|| {
        format!(
            "{} not recorded as yours, so nothing in there switches off or replaces the layer {GUARD}, which \
             guards you; if you set the variables that lead there, run interleaf init in a terminal outside \
             Claude Code",
            match folders.unrecorded.len() {
                1 => format!("the folder {} is", names(folders)),
                _ => format!("the folders {} are", names(folders)),
            }
        )
    })
}

fn names(folders: &Folders) -> String {
    let names: Vec<String> = folders.unrecorded.iter().map(|folder| folder.display().to_string()).collect();
    names.join(" and ")
}

/// Asks a yes-or-no question, unless `yes` answers it in advance.
///
/// # Errors
/// `Invalid` if there is no terminal to ask on, with the command that does not ask, `noninteractive`, as the
/// hint.
pub fn ask(question: &str, yes: bool, noninteractive: &str, out: &mut Output) -> Result<bool> {
    if yes {
        return Ok(true);
    }
    require_terminal(noninteractive)?;
    ask_yes_or_no(question, out)
}

/// Content that a person accepts by answering a question or by naming its digest.
pub struct Proposal<'a> {
    /// The name of the content in messages, such as `layer gate`.
    pub subject: &'a str,
    /// Its SHA-256 digest in hexadecimal digits.
    pub digest: &'a str,
    /// The question to ask.
    pub question: &'a str,
    /// The command that accepts the content.
    pub command: &'a str,
}

impl Proposal<'_> {
    /// Tells whether the person accepts, either with the digest on the command line or by answering the
    /// question.
    ///
    /// # Errors
    /// `Denied` for another digest, `Invalid` if there is no terminal to ask on.
    pub fn is_accepted(&self, given_digest: Option<&str>, out: &mut Output) -> Result<bool> {
        let Self { subject, digest, question, command } = self;
        match given_digest {
            Some(given) if given == *digest => Ok(true),
            Some(given) => {
                Err(Error::denied(format!("{subject}: the digest is sha256:{digest}, not sha256:{given}"))
                    .hint("the content has changed; review it before you accept it"))
            }
            None => {
                require_terminal(&format!("{command} --digest sha256:{digest}"))?;
                ask_yes_or_no(&format!("\n{question}"), out)
            }
        }
    }
}

/// Asks an open question. An empty answer means `default`.
///
/// # Errors
/// `Unavailable` if the terminal cannot be read or written.
pub fn ask_text(question: &str, default: &str, out: &mut Output) -> Result<String> {
    let shown_default = if default.is_empty() { String::new() } else { format!(" [{default}]") };
    let answer = read_answer(&format!("{question}{shown_default} "), out)?;
    Ok(Some(answer.trim()).filter(|answer| !answer.is_empty()).unwrap_or(default).to_owned())
}

/// Parses a digest from the command line: `sha256:` and 64 hexadecimal digits, or the digits alone.
pub fn parse_digest(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text).to_lowercase();
    match is_digest(&digits) {
        true => Ok(digits),
        false => Err("a digest is `sha256:` and 64 hexadecimal digits".to_owned()),
    }
}

/// Returns the option `--yes` where a command that asks could not ask.
pub fn yes_option() -> &'static str {
    if io::stdin().is_terminal() { "" } else { " --yes" }
}

/// Returns the option `--json` of a command that is to be repeated, so that its caller can read the answer.
pub fn json_option(is_json: bool) -> &'static str {
    if is_json { " --json" } else { "" }
}

/// Refuses where nobody can be asked.
///
/// # Errors
/// `Invalid` without a terminal, with the command that does not ask, `noninteractive`, as the hint.
pub fn require_terminal(noninteractive: &str) -> Result<()> {
    match io::stdin().is_terminal() {
        true => Ok(()),
        false => {
            Err(Error::invalid("nothing was done: standard input is not a terminal, so no one can confirm")
                .hint(noninteractive))
        }
    }
}

pub fn ask_yes_or_no(question: &str, out: &mut Output) -> Result<bool> {
    let answer = read_answer(&format!("{question} [y/N] "), out)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn read_answer(prompt: &str, out: &mut Output) -> Result<String> {
    let mut answer = String::new();
    let asked = write!(out, "{prompt}").and_then(|()| out.flush());
    let read = asked.and_then(|()| io::stdin().lock().read_line(&mut answer));
    read.map_err(|error| Error::unavailable(format!("cannot read the answer: {error}")))?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_accepted_with_and_without_its_prefix() {
        let digits = "0a".repeat(32);
        for text in [digits.clone(), format!("sha256:{digits}"), digits.to_uppercase()] {
            assert_eq!(parse_digest(&text).as_ref(), Ok(&digits));
        }
        assert!(parse_digest("sha256:0a").is_err());
    }
}
