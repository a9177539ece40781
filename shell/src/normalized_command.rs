//! One command as it is compared: its words, without time limits and other wrappers that change nothing, and
//! the variables that are set for it.

use std::fmt;

use crate::command_line::base_name;
use crate::shell_reader::SimpleCommand;
use crate::shell_variables::assignment;
use crate::wrappers::unwrap;

/// Wrappers that change neither what runs nor in which environment.
const NEUTRAL_WRAPPERS: [&str; 9] =
    ["time", "timeout", "nohup", "nice", "env", "stdbuf", "command", "builtin", "exec"];

/// Programs that run scripts in one language, without the version at their end: `python3.11` is `python`.
const INTERPRETERS: [&str; 9] = ["python", "pypy", "node", "nodejs", "ruby", "perl", "php", "deno", "bun"];

/// A command as it is compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NormalizedCommand {
    /// The program as it was written, and its arguments. Never empty.
    pub words: Vec<String>,
    /// The variables that are set for it, by name.
    pub variables: Vec<(String, String)>,
    /// What it reads from the line itself: here-documents.
    input: String,
}

impl NormalizedCommand {
    /// Reads a command. `exported` holds the variables that the line set before; if the command only sets
    /// variables, they are added there, and there is no command.
    pub(crate) fn read(command: SimpleCommand, exported: &mut Vec<(String, String)>) -> Option<Self> {
        let SimpleCommand { words, input, .. } = command;
        let (mut rest, mut variables) = (&words[..], exported.clone());
        loop {
            let set = rest.iter().take_while(|word| assignment(word).is_some()).count();
            variables.extend(assignments(&rest[..set]));
            rest = &rest[set..];
            let Some((first, arguments)) = rest.split_first() else {
                *exported = variables;
                return None;
            };
            let wrapped = unwrap(base_name(first), arguments).filter(|wrapped| !wrapped.words.is_empty());
            match wrapped.filter(|_| NEUTRAL_WRAPPERS.contains(&base_name(first))) {
                Some(wrapped) => rest = wrapped.words,
                None => break,
            }
        }
        variables.sort();
        variables.dedup();
        Some(Self { words: rest.to_vec(), variables, input })
    }

    /// Returns the program as it was written.
    pub fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// Returns the program without its folder.
    pub fn base_name(&self) -> &str {
        base_name(self.program())
    }

    /// Tells whether the program runs scripts in a language.
    pub fn is_interpreter(&self) -> bool {
        language(self.program()).is_some()
    }

    /// Tells whether both run the same, whatever the variables and the interpreter.
    pub fn is_like(&self, other: &Self) -> bool {
        let same_program = self.words.first() == other.words.first();
        let same_language =
            || language(self.program()).is_some_and(|one| language(other.program()) == Some(one));
        self.input == other.input
            && self.words.get(1..) == other.words.get(1..)
            && (same_program || same_language())
    }
}

/// Returns the language of an interpreter: `python` of `.venv/bin/python3.11`.
fn language(program: &str) -> Option<&'static str> {
    let name = base_name(program).trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.into_iter().find(|known| *known == name)
}

/// Returns the names and values of the assignments among the words.
pub(crate) fn assignments(words: &[String]) -> impl Iterator<Item = (String, String)> {
    words.iter().filter_map(|word| assignment(word)).map(|(name, value)| (name.to_owned(), value.to_owned()))
}

impl fmt::Display for NormalizedCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, word) in self.words.iter().enumerate() {
            let before = if index == 0 { "" } else { " " };
            write!(formatter, "{before}{}", quoted(word))?;
        }
        formatter.write_str(if self.input.is_empty() { "" } else { " <<…" })
    }
}

/// Quotes a word as a shell needs it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+~^".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
