//! One command that a shell line would run.

use crate::options;

/// A simple command, with what stood around it taken off: `FOO=1 sudo -u x /usr/bin/git push` is `git push`, elevated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Command {
    /// The base name of the program, as typed.
    pub program: String,
    /// Its arguments, without quotes.
    pub arguments: Vec<String>,
    /// Whether it runs with somebody else's rights (`sudo`, `doas`, `su -c`).
    pub elevated: bool,
    /// What is fed to it on the line: here-documents, here-strings, the words of an `echo` before a pipe.
    pub input: String,
    /// Names of the variables that were set or removed for it; `*` where all were.
    pub variables: Vec<String>,
}

impl Command {
    /// The first argument that is no option and no option's value: `push` of `git -C dir push`.
    pub fn subcommand(&self) -> Option<&str> {
        self.operands().next()
    }

    /// The arguments that are no options and no values of the options known here.
    pub fn operands(&self) -> impl Iterator<Item = &str> {
        options::operands(&self.program, &self.arguments)
    }

    /// Whether one of these options is given: `--force`, or `-f` also within `-fd`.
    pub fn has_option(&self, names: &[&str]) -> bool {
        let options = self.arguments.iter().take_while(|argument| *argument != "--");
        options.filter(|argument| argument.starts_with('-')).any(|argument| {
            names.iter().any(|name| match name.strip_prefix("--") {
                Some(_) => argument.split('=').next() == Some(name),
                None => !argument.starts_with("--") && argument[1..].contains(&name[1..]),
            })
        })
    }

    /// Program and arguments, apart by one space.
    pub fn text(&self) -> String {
        let mut text = self.program.clone();
        for argument in &self.arguments {
            text.push(' ');
            text.push_str(argument);
        }
        text
    }
}
