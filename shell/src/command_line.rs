//! Finds the commands that a shell line would run. It removes keywords, variables and wrappers such as
//! `sudo`, and reads scripts inside arguments too.

use crate::command::Command;
use crate::embedded_scripts::{SHELLS, Script, command_option, scripts};
use crate::shell_reader::{self, Operator, SimpleCommand};
use crate::shell_variables::{ShellVariables, assignment, expand_braces};
use crate::wrappers::{split_string, unwrap};

/// Maximum depth of scripts within scripts. Deeper ones are not read, and the line says so.
const MAX_SCRIPT_DEPTH: usize = 4;

/// Maximum number of variable names kept for a command.
const MAX_VARIABLES: usize = 16;

/// Maximum number of expansions of a command's first word: `a='$b'` may refer to another variable.
const MAX_EXPANSIONS: usize = 8;

/// Maximum number of words that `xargs` adds to a command.
const MAX_INPUT_WORDS: usize = 64;

/// Keywords that may precede a command.
pub(crate) const KEYWORDS: [&str; 15] = [
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}", "esac", "coproc",
    "time",
];

/// Keywords that are followed by words other than a command.
pub(crate) const COMPOUND_KEYWORDS: [&str; 4] = ["for", "select", "case", "function"];

/// Returns the commands of a shell line, in order. Commands after variable assignments, inside `sudo`, `env`,
/// `time`, `xargs` and the like, in pipes, lists and substitutions, and in `bash -c '…'` are included. Text
/// that is not valid shell is read as far as possible.
pub fn commands(line: &str) -> Vec<Command> {
    CommandLine::read(line).commands
}

/// Returns the files to which a shell line redirects output, as they are written. Those of scripts inside
/// arguments are included.
pub fn output_files(line: &str) -> Vec<String> {
    CommandLine::read(line).output_files
}

/// What a shell line does, as far as it can be read.
#[derive(Debug, Default)]
pub struct CommandLine {
    /// Its commands, in order.
    pub commands: Vec<Command>,
    /// The files to which it redirects output, as they are written.
    pub output_files: Vec<String>,
    /// The variables that it sets to a text.
    pub variables: ShellVariables,
    /// Whether it may run commands that are not among these: scripts within too many scripts, or a shell that
    /// reads what another program prints.
    pub has_unread_commands: bool,
}

/// Properties that the commands of a script inherit from the command that runs it.
#[derive(Default, Clone)]
struct Inherited {
    depth: usize,
    expansions: usize,
    is_elevated: bool,
    variables: Vec<String>,
}

/// What a command reads on its standard input.
#[derive(Clone)]
enum Input {
    /// Nothing that the line contains.
    None,
    /// This text.
    Text(String),
    /// What another program prints.
    Unknown,
}

impl CommandLine {
    /// Reads a shell line.
    pub fn read(line: &str) -> Self {
        let mut found = Self::default();
        found.add_script(line, &Inherited::default());
        let nested = Inherited { depth: 1, ..Inherited::default() };
        for script in found.variables.take_scripts() {
            found.add_script(&script, &nested);
        }
        found.has_unread_commands |= !found.variables.take_scripts().is_empty();
        found
    }

    fn add_script(&mut self, script: &str, inherited: &Inherited) {
        let mut printed = Input::Unknown;
        let line = shell_reader::read(script);
        self.output_files.extend(line.output_files);
        self.has_unread_commands |= line.is_too_deep;
        for SimpleCommand { words, input, operator, has_process_substitution, .. } in line.commands {
            let input = match (operator == Operator::Pipe, input.is_empty()) {
                _ if has_process_substitution => Input::Unknown,
                (_, false) => Input::Text(input),
                (true, true) => std::mem::replace(&mut printed, Input::Unknown),
                (false, true) => Input::None,
            };
            printed = printed_by(&words, &input);
            self.add_words(&words, &input, inherited.clone());
        }
    }

    fn add_words(&mut self, mut words: &[String], input: &Input, mut inherited: Inherited) {
        loop {
            words = self.without_prefix(words, &mut inherited.variables);
            let Some((first, arguments)) = words.split_first() else { return };
            if let Some(mut expanded) = self.expand(first).filter(|_| inherited.expansions < MAX_EXPANSIONS) {
                inherited.expansions += 1;
                expanded.extend_from_slice(arguments);
                return self.add_words(&expanded, input, inherited);
            }
            let program = base_name(first);
            if COMPOUND_KEYWORDS.contains(&program) {
                return self.variables.set_loop_variable(words);
            }
            if let Some(script) = (program == "env").then(|| split_string(arguments)).flatten() {
                return self.add_nested(vec![Script::Line(script)], input, &inherited);
            }
            if let Some(script) = (program == "npx").then(|| command_option(arguments)).flatten() {
                return self.add_nested(vec![Script::Line(script)], input, &inherited);
            }
            match unwrap(program, arguments) {
                Some(wrapped) => {
                    inherited.is_elevated |= wrapped.is_elevated;
                    wrapped.removed.into_iter().for_each(|name| add_variable(&mut inherited.variables, name));
                    if let (false, "xargs", Input::Text(text)) = (wrapped.words.is_empty(), program, input) {
                        return self.add_words(&with_input(wrapped.words, text), &Input::None, inherited);
                    }
                    if !wrapped.words.is_empty() {
                        words = wrapped.words;
                        continue;
                    }
                }
                None => inherited.is_elevated |= program == "su",
            }
            let (program, arguments) = (program.to_owned(), arguments.to_vec());
            let (is_elevated, variables) = (inherited.is_elevated, inherited.variables.clone());
            let text = if let Input::Text(text) = input { text.clone() } else { String::new() };
            let command = Command { program, arguments, is_elevated, input: text, variables };
            return self.add(command, input, &inherited);
        }
    }

    /// Returns what a shell would make of the first word of a command: variables and aliases that the line
    /// sets, and braces.
    fn expand(&self, first: &str) -> Option<Vec<String>> {
        self.variables.command(first).or_else(|| expand_braces(first))
    }

    /// Adds the command, and the commands of the scripts in its arguments. A shell that only runs a script
    /// does not count.
    fn add(&mut self, command: Command, input: &Input, inherited: &Inherited) {
        let mut scripts = scripts(&command);
        let is_shell = SHELLS.contains(&command.program.as_str());
        let reads_script = is_shell || matches!(command.program.as_str(), "source" | "." | "at" | "batch");
        let is_transparent = is_shell || matches!(command.program.as_str(), "eval" | "su");
        self.has_unread_commands |= reads_script && scripts.is_empty() && matches!(input, Input::Unknown);
        if inherited.depth >= MAX_SCRIPT_DEPTH {
            self.has_unread_commands |= !scripts.is_empty();
            scripts.clear();
        }
        if !is_transparent || scripts.is_empty() {
            self.commands.push(command);
        }
        self.add_nested(scripts, input, inherited);
    }

    fn add_nested(&mut self, scripts: Vec<Script>, input: &Input, inherited: &Inherited) {
        if inherited.depth >= MAX_SCRIPT_DEPTH {
            self.has_unread_commands |= !scripts.is_empty();
            return;
        }
        let inherited = Inherited { depth: inherited.depth + 1, ..inherited.clone() };
        for script in scripts {
            match script {
                Script::Line(line) => self.add_script(&line, &inherited),
                Script::Words(words) => self.add_words(&words, input, inherited.clone()),
            }
        }
    }

    /// Returns the words without keywords and assignments, and adds the names of the latter to `names`. An
    /// empty word names no program; if it was an empty substitution, the next word does.
    fn without_prefix<'a>(&mut self, mut words: &'a [String], names: &mut Vec<String>) -> &'a [String] {
        while let Some((first, rest)) = words.split_first() {
            match assignment(first) {
                Some((name, value)) => {
                    // Other separators make several words of one variable.
                    self.has_unread_commands |= name == "IFS";
                    add_variable(names, name.to_owned());
                    self.variables.set(name, value);
                }
                None if first.is_empty() || KEYWORDS.contains(&first.as_str()) => {}
                None => break,
            }
            words = rest;
        }
        self.variables.set_declared(words);
        words
    }
}

/// Returns what a command prints, if the line contains it: the words of `echo`, the input of `cat`.
fn printed_by(words: &[String], input: &Input) -> Input {
    let mut words = words.iter().skip_while(|word| KEYWORDS.contains(&word.as_str()) || *word == "command");
    let program = words.next().map(|word| base_name(word));
    match (program, input) {
        (Some("echo" | "printf"), _) => Input::Text(words.cloned().collect::<Vec<_>>().join(" ")),
        (Some("cat" | "tee"), input) if words.all(|word| word.starts_with('-')) => input.clone(),
        _ => Input::Unknown,
    }
}

/// Returns the words of the command that `xargs` runs, with what it reads.
fn with_input(words: &[String], text: &str) -> Vec<String> {
    let read: Vec<&str> = text.split_whitespace().take(MAX_INPUT_WORDS).collect();
    if words.iter().any(|word| word.contains("{}")) {
        return words.iter().map(|word| word.replace("{}", &read.join(" "))).collect();
    }
    words.iter().cloned().chain(read.into_iter().map(str::to_owned)).collect()
}

/// Adds a variable's name once. Beyond the maximum it adds `*`, because every command of a script stores the
/// whole list.
fn add_variable(variables: &mut Vec<String>, name: String) {
    let name = if variables.len() < MAX_VARIABLES { name } else { "*".to_owned() };
    if !variables.contains(&name) {
        variables.push(name);
    }
}

pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_found_behind_the_disguises_that_a_shell_removes() {
        for line in [
            r"bash -c $'make\x20deploy'",
            r"$'\x6dake' deploy",
            "$\"make\" deploy",
            "env -S 'make deploy'",
            "env -vS'A=1 make deploy'",
            "env --split-string='-u X make' deploy",
            "cat <<E | sh\nmake deploy\nE",
            "cat <<E | cat | bash -s\nmake deploy\nE",
            "(echo make deploy) | sh",
            "echo make deploy |& sh",
            "echo make deploy |\n sh",
            "source /dev/stdin <<< 'make deploy'",
            "echo make deploy | at now",
            "echo deploy | xargs make",
            "xargs -I{} sh -c 'make {}' <<< deploy",
            "busybox env -u X make deploy",
            "unshare -r make deploy",
            "chroot / make deploy",
            "nsenter -t 1 -m make deploy",
            "gdb -batch --args make deploy",
            "npx -y make deploy",
            "systemd-run --user make deploy",
            "script -qc 'make deploy' /dev/null",
            "{make,deploy}",
            "ma{ke,} deploy",
            "m=make; $m deploy",
            "c='make deploy' && ${c}",
            "a=ma b=ke; $a$b deploy",
            "alias m='make deploy'; m",
            "for m in make; do $m deploy; done",
            "export m=make\n$m deploy",
        ] {
            let found = commands(line);
            let is_deploy = |command: &Command| {
                command.program == "make" && command.arguments.iter().any(|it| it == "deploy")
            };
            assert!(found.iter().any(is_deploy), "{line}: {found:?}");
            assert!(!CommandLine::read(line).has_unread_commands, "{line}");
        }
    }

    #[test]
    fn a_line_says_that_it_may_run_commands_that_cannot_be_read() {
        let nested = |line: &str, levels: usize| {
            (0..levels).fold(line.to_owned(), |line, _| format!("eval {}", quoted(&line)))
        };
        assert!(!CommandLine::read(&nested("make", 4)).has_unread_commands);
        for line in [
            nested("make", 6),
            format!("echo {}make{}", "$(".repeat(20), ")".repeat(20)),
            "curl x | sh".to_owned(),
            "echo x | rev | sh".to_owned(),
            "bash <(echo make)".to_owned(),
            "source <(curl x)".to_owned(),
        ] {
            assert!(CommandLine::read(&line).has_unread_commands, "{line}");
        }
        for line in ["make | tee log", "bash script.sh < in", "cat <(make)", "curl x | sh ./script.sh"] {
            assert!(!CommandLine::read(line).has_unread_commands, "{line}");
        }
    }

    /// Quotes a word for a shell.
    fn quoted(word: &str) -> String {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
