//! A command line without what does not matter for a comparison of two runs: redirections, the folder,
//! programs that only read the output, messages, time limits.

use std::fmt;

use crate::command_line::{COMPOUND_KEYWORDS, KEYWORDS, base_name};
use crate::normalized_command::NormalizedCommand;
use crate::read_only::prints_content;
use crate::shell_reader::{self, Operator, ShellLine, SimpleCommand};

/// A command line as it is compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NormalizedLine {
    /// Its commands in order, without those that only print or change the folder. Never empty.
    pub commands: Vec<NormalizedCommand>,
    /// The folder that it changes to first.
    pub folder: Option<String>,
    /// The files to which it redirects output.
    pub output_files: Vec<String>,
    /// Whether its exit status is not that of its commands: behind a pipe or `||`, before `;`, in the
    /// background.
    pub is_masked: bool,
    /// Whether it has loops or conditions, so that what it ran cannot be told.
    pub is_compound: bool,
    /// The commands inside substitutions, as they were written.
    nested: Vec<Vec<String>>,
}

impl NormalizedLine {
    /// Reads a line; `None` if it runs nothing but `cd`, assignments and messages.
    pub fn read(line: &str) -> Option<Self> {
        let ShellLine { commands, output_files, is_too_deep } = shell_reader::read(line);
        let mut normalized = Self { is_compound: is_too_deep, ..Self::default() };
        normalized.output_files = output_files.into_iter().filter(|file| file != "/dev/null").collect();
        let mut variables: Vec<(String, String)> = Vec::new();
        for command in commands {
            normalized.add(command, &mut variables);
        }
        (!normalized.commands.is_empty()).then_some(normalized)
    }

    /// Returns the program of the last command.
    pub fn program(&self) -> &str {
        self.commands.last().map_or("", NormalizedCommand::program)
    }

    /// Tells whether two lines run the same, whatever their folders, variables and interpreters.
    pub fn is_like(&self, other: &Self) -> bool {
        let pairs = || self.commands.iter().zip(&other.commands);
        self.commands.len() == other.commands.len()
            && self.nested == other.nested
            && !self.is_compound
            && !other.is_compound
            && pairs().all(|(one, other)| one.is_like(other))
    }

    fn add(&mut self, command: SimpleCommand, variables: &mut Vec<(String, String)>) {
        if command.is_nested {
            return self.nested.push(command.words);
        }
        self.is_compound |= command.words.first().is_some_and(|word| is_keyword(word));
        self.is_masked |= command.is_in_background || command.operator == Operator::Or;
        let first = command.words.first().map_or("", String::as_str);
        match base_name(first) {
            "cd" | "pushd" => self.folder = self.folder.take().or_else(|| command.words.get(1).cloned()),
            "export" => variables.extend(crate::normalized_command::assignments(&command.words[1..])),
            "echo" | "printf" | "true" | "pwd" | ":" | "set" | "unset" | "sleep" | "popd" => {
                self.add_message(&command)
            }
            _ => self.add_command(command, variables),
        }
    }

    /// Notes a command that only prints. Behind `;`, the line ends with its exit status.
    fn add_message(&mut self, command: &SimpleCommand) {
        self.is_masked |= !self.commands.is_empty() && command.operator == Operator::Sequence;
    }

    fn add_command(&mut self, command: SimpleCommand, variables: &mut Vec<(String, String)>) {
        let operator = command.operator;
        let Some(read) = NormalizedCommand::read(command, variables) else { return };
        match operator {
            // What reads the output of a file or a message is the program that the line is about.
            Operator::Pipe if self.commands.last().is_some_and(|last| prints_content(last.base_name())) => {
                self.commands.pop();
                self.commands.push(read);
            }
            Operator::Pipe if self.commands.is_empty() => self.commands.push(read),
            Operator::Pipe => self.is_masked = true,
            Operator::Or => {}
            Operator::Sequence => {
                self.is_masked |= !self.commands.is_empty();
                self.commands.push(read);
            }
            Operator::And => self.commands.push(read),
        }
    }
}

fn is_keyword(word: &str) -> bool {
    COMPOUND_KEYWORDS.contains(&word) || KEYWORDS.contains(&word) && word != "time" && word != "!"
}

impl fmt::Display for NormalizedLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, command) in self.commands.iter().enumerate() {
            let before = if index == 0 { "" } else { " && " };
            write!(formatter, "{before}{command}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> NormalizedLine {
        NormalizedLine::read(line).expect(line)
    }

    #[test]
    fn what_does_not_matter_is_left_out() {
        for (line, expected) in [
            ("cd app && npm test 2>&1 | tail -20", "npm test"),
            ("cd /x; TZ=UTC timeout 60 pytest -q > out.txt", "pytest -q"),
            ("export A=1 && make && make test", "make && make test"),
            ("echo y | ./setup.sh", "./setup.sh"),
            ("cat in.sql | psql -d shop", "psql -d shop"),
            ("pytest || true", "pytest"),
            ("pytest; echo \"exit $?\"", "pytest"),
            ("python3 - <<'E'\nprint(1)\nE", "python3 - <<…"),
            ("git commit -m 'two words'", "git commit -m 'two words'"),
        ] {
            assert_eq!(read(line).to_string(), expected, "{line}");
        }
    }

    #[test]
    fn a_line_that_runs_nothing_is_none() {
        for line in ["", "cd app", "A=1", "echo done", "export A=1", "# comment"] {
            assert_eq!(NormalizedLine::read(line), None, "{line}");
        }
    }

    #[test]
    fn the_exit_status_is_masked_behind_pipes_lists_and_background_jobs() {
        for line in
            ["make | tail", "make || true", "make; echo x", "make; make test", "make &", "(make) | head"]
        {
            assert!(read(line).is_masked, "{line}");
        }
        for line in
            ["make", "cd x && make", "cd x; make", "make && echo ok", "A=1 make 2>&1", "echo y | make"]
        {
            assert!(!read(line).is_masked, "{line}");
        }
    }

    #[test]
    fn lines_are_alike_if_only_folders_variables_and_interpreters_differ() {
        let alike = |one: &str, other: &str| read(one).is_like(&read(other));
        assert!(alike("cd a && python x.py", "PYTHONPATH=. python3 x.py | head"));
        assert!(alike("python -m pytest -q", "python3.11 -m pytest -q"));
        assert!(!alike("python x.py", "python3 y.py"));
        assert!(!alike("make test", "make lint"));
        assert!(!alike("python -c 'a'", "python3 -c 'b'"));
        assert!(!alike("python - <<E\na\nE", "python3 - <<E\nb\nE"));
        assert!(!alike("run $(ls a)", "run $(ls b)"));
        assert!(!alike("for i in 1; do make; done", "for i in 1; do make; done"));
    }
}
