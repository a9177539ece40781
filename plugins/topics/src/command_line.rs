//! Finds the commands that a shell line would run. It removes keywords, variables and wrappers such as
//! `sudo`, and reads scripts inside arguments too.

use crate::command::Command;
use crate::shell_reader::{self, SimpleCommand};

/// Maximum depth of scripts within scripts.
const MAX_SCRIPT_DEPTH: usize = 4;

/// Maximum number of variable names kept for a command.
const MAX_VARIABLES: usize = 16;

/// Keywords that may precede a command.
const KEYWORDS: [&str; 15] = [
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}", "esac", "coproc",
    "time",
];

/// Keywords that are followed by words other than a command.
const COMPOUND_KEYWORDS: [&str; 4] = ["for", "select", "case", "function"];

const SHELLS: [&str; 7] = ["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"];

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

/// The commands and output files of a shell line.
#[derive(Default)]
struct CommandLine {
    commands: Vec<Command>,
    output_files: Vec<String>,
}

/// Properties that the commands of a script inherit from the command that runs it.
#[derive(Default, Clone)]
struct Inherited {
    depth: usize,
    is_elevated: bool,
    variables: Vec<String>,
}

impl CommandLine {
    fn read(line: &str) -> Self {
        let mut found = Self::default();
        found.add_script(line, &Inherited::default());
        found
    }

    fn add_script(&mut self, script: &str, inherited: &Inherited) {
        let mut echoed = String::new();
        let line = shell_reader::read(script);
        self.output_files.extend(line.output_files);
        for SimpleCommand { words, mut input, is_piped } in line.commands {
            if is_piped && input.is_empty() {
                input = std::mem::take(&mut echoed);
            }
            let is_echo = words.first().is_some_and(|word| word == "echo" || word == "printf");
            echoed = if is_echo { words[1..].join(" ") } else { String::new() };
            self.add_words(&words, input, inherited.clone());
        }
    }

    fn add_words(&mut self, mut words: &[String], input: String, mut inherited: Inherited) {
        loop {
            words = without_prefix(words, &mut inherited.variables);
            let Some((first, arguments)) = words.split_first() else { return };
            let program = base_name(first);
            if COMPOUND_KEYWORDS.contains(&program) {
                return;
            }
            match unwrap(program, arguments) {
                Some(wrapped) => {
                    inherited.is_elevated |= wrapped.is_elevated;
                    wrapped.removed.into_iter().for_each(|name| add_variable(&mut inherited.variables, name));
                    if !wrapped.words.is_empty() {
                        words = wrapped.words;
                        continue;
                    }
                }
                None => inherited.is_elevated |= program == "su",
            }
            let (program, arguments) = (program.to_owned(), arguments.to_vec());
            let (is_elevated, variables) = (inherited.is_elevated, inherited.variables.clone());
            return self.add(Command { program, arguments, is_elevated, input, variables }, inherited);
        }
    }

    /// Adds the command, and the commands of the scripts in its arguments. A shell that only runs a script
    /// does not count.
    fn add(&mut self, command: Command, inherited: Inherited) {
        let scripts = if inherited.depth < MAX_SCRIPT_DEPTH { scripts(&command) } else { Vec::new() };
        let is_transparent =
            SHELLS.contains(&command.program.as_str()) || matches!(command.program.as_str(), "eval" | "su");
        if !is_transparent || scripts.is_empty() {
            self.commands.push(command);
        }
        let inherited = Inherited { depth: inherited.depth + 1, ..inherited };
        for script in scripts {
            match script {
                Script::Line(line) => self.add_script(&line, &inherited),
                Script::Words(words) => self.add_words(&words, String::new(), inherited.clone()),
            }
        }
    }
}

/// Returns the words without keywords and assignments, and adds the names of the latter to `variables`.
fn without_prefix<'a>(mut words: &'a [String], variables: &mut Vec<String>) -> &'a [String] {
    while let Some((first, rest)) = words.split_first() {
        match assigned_name(first) {
            Some(name) => add_variable(variables, name.to_owned()),
            None if KEYWORDS.contains(&first.as_str()) => {}
            None => break,
        }
        words = rest;
    }
    words
}

/// Adds a variable's name once. Beyond the maximum it adds `*`, because every command of a script stores the
/// whole list.
fn add_variable(variables: &mut Vec<String>, name: String) {
    let name = if variables.len() < MAX_VARIABLES { name } else { "*".to_owned() };
    if !variables.contains(&name) {
        variables.push(name);
    }
}

/// Returns the name in `NAME=value`.
fn assigned_name(word: &str) -> Option<&str> {
    let name = word.split_once('=')?.0;
    let name = name.strip_suffix('+').unwrap_or(name);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_name))
        .then_some(name)
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path)
}

/// A script that a command runs.
enum Script {
    Line(String),
    Words(Vec<String>),
}

/// Returns the file that a shell runs, with its arguments: `ship.sh one` of `bash -x ship.sh one`.
fn script_file(arguments: &[String]) -> Option<Vec<String>> {
    let takes_value =
        |word: &String| matches!(word.as_str(), "-o" | "+o" | "-O" | "--rcfile" | "--init-file");
    let mut at = 0;
    while arguments.get(at)?.starts_with(['-', '+']) {
        if arguments[at] == "-s" {
            return None;
        }
        at += 1 + usize::from(takes_value(&arguments[at]));
    }
    Some(arguments[at..].to_vec())
}

/// Returns the scripts that the arguments of a command run.
fn scripts(command: &Command) -> Vec<Script> {
    let arguments = &command.arguments;
    match command.program.as_str() {
        "eval" => vec![Script::Line(arguments.join(" "))],
        "su" => command_option(arguments).into_iter().map(Script::Line).collect(),
        "ssh" => remote_script(command).into_iter().map(Script::Line).collect(),
        "find" => exec_scripts(arguments),
        program if SHELLS.contains(&program) => match command_option(arguments) {
            Some(script) => vec![Script::Line(script)],
            None if !command.input.is_empty() => vec![Script::Line(command.input.clone())],
            None => script_file(arguments).into_iter().map(Script::Words).collect(),
        },
        _ => Vec::new(),
    }
}

/// Returns the word after `-c`, also as `-lc`, also with other options between.
fn command_option(arguments: &[String]) -> Option<String> {
    let short = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.contains('c');
    let at = arguments.iter().position(|word| short(word) || word == "--command")?;
    arguments[at + 1..].iter().find(|word| !word.starts_with('-')).cloned()
}

/// Returns the command that `ssh` runs on the other machine.
fn remote_script(command: &Command) -> Option<String> {
    let host = command.operands().next()?;
    let at = command.arguments.iter().position(|word| std::ptr::eq(word.as_str(), host))?;
    let words = &command.arguments[at + 1..];
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the commands after `-exec` of `find`.
fn exec_scripts(arguments: &[String]) -> Vec<Script> {
    let starts = |word: &String| matches!(word.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let parts = arguments.split(starts).skip(1);
    let until_end =
        |part: &[String]| part.iter().take_while(|word| *word != ";" && *word != "+").cloned().collect();
    parts.map(|part| Script::Words(until_end(part))).collect()
}

/// A command that runs another command: `sudo -u x make`, `timeout 5 make`, `xargs -n 1 make`.
struct Wrapper {
    name: &'static str,
    /// Options that take the next word as their value.
    values: &'static [&'static str],
    /// Number of its own operands before the command: 1 for the duration of `timeout`.
    operands: usize,
    is_elevated: bool,
}

const fn wrapper(name: &'static str, values: &'static [&'static str]) -> Wrapper {
    Wrapper { name, values, operands: 0, is_elevated: false }
}

const WRAPPERS: [Wrapper; 20] = [
    Wrapper {
        is_elevated: true,
        ..wrapper(
            "sudo",
            &[
                "-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-U", "-D", "-R", "--user", "--group",
                "--chdir",
            ],
        )
    },
    Wrapper { is_elevated: true, ..wrapper("doas", &["-u", "-C"]) },
    Wrapper { is_elevated: true, ..wrapper("pkexec", &["--user"]) },
    Wrapper { is_elevated: true, ..wrapper("run0", &["-u", "--user"]) },
    wrapper("env", &["-u", "-C", "--unset", "--chdir"]),
    wrapper("time", &["-f", "-o"]),
    wrapper("nohup", &[]),
    wrapper("nice", &["-n", "--adjustment"]),
    wrapper("ionice", &["-c", "-n", "-p"]),
    Wrapper { operands: 1, ..wrapper("timeout", &["-s", "-k", "--signal", "--kill-after"]) },
    wrapper(
        "xargs",
        &["-I", "-n", "-P", "-d", "-L", "-E", "-a", "-s", "--max-args", "--max-procs", "--delimiter"],
    ),
    wrapper("stdbuf", &["-i", "-o", "-e"]),
    wrapper("setsid", &[]),
    wrapper("watch", &["-n", "--interval"]),
    wrapper("command", &[]),
    wrapper("builtin", &[]),
    wrapper("exec", &["-a"]),
    wrapper("caffeinate", &["-t", "-w"]),
    wrapper("strace", &["-o", "-e", "-p", "-s"]),
    Wrapper { operands: 1, ..wrapper("flock", &["-w", "-E", "--timeout"]) },
];

/// The command that a wrapper runs.
struct Wrapped<'a> {
    /// Its words, with leading assignments; empty if the wrapper runs no command.
    words: &'a [String],
    is_elevated: bool,
    /// Variables that the wrapper removes; `*` for all.
    removed: Vec<String>,
}

/// Returns the command that `program` runs, if it is a wrapper. `command -v x` only looks `x` up.
fn unwrap<'a>(program: &str, arguments: &'a [String]) -> Option<Wrapped<'a>> {
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == program)?;
    if program == "command"
        && arguments.iter().take_while(|word| word.starts_with('-')).any(|word| is_query(word))
    {
        return None;
    }
    let mut removed = Vec::new();
    let (mut at, mut operands) = (0, wrapper.operands);
    while let Some(word) = arguments.get(at) {
        let is_option = word.len() > 1 && word.starts_with('-');
        if !is_option && operands == 0 {
            break;
        }
        operands -= usize::from(!is_option);
        let has_value = wrapper.values.contains(&word.as_str());
        if program == "env" {
            removed.extend(removed_variable(word, arguments.get(at + 1)));
        }
        at += 1 + usize::from(has_value);
    }
    let words = arguments.get(at..).unwrap_or_default();
    Some(Wrapped { words, is_elevated: wrapper.is_elevated, removed })
}

/// Returns the variable that an option of `env` removes.
fn removed_variable(option: &str, next: Option<&String>) -> Option<String> {
    match option {
        "-i" | "-" | "--ignore-environment" => Some("*".to_owned()),
        "-u" | "--unset" => next.cloned(),
        _ => option.strip_prefix("--unset=").or_else(|| option.strip_prefix("-u")).map(str::to_owned),
    }
}

/// Tells whether an option of `command` is `-v` or `-V`, alone or among others.
fn is_query(option: &str) -> bool {
    !option.starts_with("--") && option.contains(['v', 'V'])
}
