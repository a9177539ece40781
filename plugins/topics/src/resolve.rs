//! From words to commands: what stands before a command is taken off, and scripts inside arguments are read too.

use crate::command::Command;
use crate::reader::{self, Simple};
use crate::wrappers;

/// How often a script within a script is looked into.
const DEEPEST: usize = 4;

/// Names of variables kept for a command.
const MOST_VARIABLES: usize = 16;

/// Words that may stand before a command and are none.
const KEYWORDS: [&str; 15] = [
    "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "!", "{", "}", "esac", "coproc",
    "time",
];

/// Words that begin something that runs no program by itself.
const HEADS: [&str; 4] = ["for", "select", "case", "function"];

const SHELLS: [&str; 7] = ["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"];

/// The simple commands of a shell line, in order, as they would run: through variables set before them, `sudo`, `env`,
/// `time`, `xargs` and their like, pipes, lists, substitutions and `bash -c '…'`. Never fails: what is no shell is read
/// as well as can be.
pub fn commands(line: &str) -> Vec<Command> {
    let mut found = Vec::new();
    read(line, &Around::default(), &mut found);
    found
}

/// What the commands of a script take over from the command that runs it.
#[derive(Default, Clone)]
struct Around {
    depth: usize,
    elevated: bool,
    variables: Vec<String>,
}

fn read(line: &str, around: &Around, found: &mut Vec<Command>) {
    let mut echoed = String::new();
    for simple in reader::read(line) {
        let Simple { words, mut input, piped } = simple;
        if piped && input.is_empty() {
            input = std::mem::take(&mut echoed);
        }
        let echoes = words.first().is_some_and(|word| word == "echo" || word == "printf");
        echoed = if echoes { words[1..].join(" ") } else { String::new() };
        resolve(&words, input, around.clone(), found);
    }
}

fn resolve(mut words: &[String], input: String, mut around: Around, found: &mut Vec<Command>) {
    loop {
        words = without_prefix(words, &mut around.variables);
        let Some((first, arguments)) = words.split_first() else { return };
        let program = base_name(first);
        if HEADS.contains(&program) {
            return;
        }
        match wrappers::unwrap(program, arguments) {
            Some(inside) => {
                around.elevated |= inside.elevates;
                inside.removed.into_iter().for_each(|name| note(&mut around.variables, name));
                if !inside.inner.is_empty() {
                    words = inside.inner;
                    continue;
                }
            }
            None => around.elevated |= program == "su",
        }
        let (program, arguments) = (program.to_owned(), arguments.to_vec());
        let (elevated, variables) = (around.elevated, around.variables.clone());
        return add(Command { program, arguments, elevated, input, variables }, around, found);
    }
}

/// Without keywords and assignments, whose names are kept.
fn without_prefix<'a>(mut words: &'a [String], variables: &mut Vec<String>) -> &'a [String] {
    while let Some((first, rest)) = words.split_first() {
        match assigned(first) {
            Some(name) => note(variables, name.to_owned()),
            None if KEYWORDS.contains(&first.as_str()) => {}
            None => break,
        }
        words = rest;
    }
    words
}

/// Keeps a variable's name once. A script hands all of them to each of its commands: past a handful they are all.
fn note(variables: &mut Vec<String>, name: String) {
    let name = if variables.len() < MOST_VARIABLES { name } else { "*".to_owned() };
    if !variables.contains(&name) {
        variables.push(name);
    }
}

/// The name in `NAME=value`.
fn assigned(word: &str) -> Option<&str> {
    let name = word.split_once('=')?.0;
    let name = name.strip_suffix('+').unwrap_or(name);
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(plain))
        .then_some(name)
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path)
}

/// Adds the command, and what the scripts in its arguments run. A shell that only runs a script is none itself.
fn add(command: Command, around: Around, found: &mut Vec<Command>) {
    let scripts = if around.depth < DEEPEST { scripts(&command) } else { Vec::new() };
    let transparent =
        SHELLS.contains(&command.program.as_str()) || matches!(command.program.as_str(), "eval" | "su");
    if !transparent || scripts.is_empty() {
        found.push(command);
    }
    let around = Around { depth: around.depth + 1, ..around };
    for script in scripts {
        match script {
            Script::Line(line) => read(&line, &around, found),
            Script::Words(words) => resolve(&words, String::new(), around.clone(), found),
        }
    }
}

enum Script {
    Line(String),
    Words(Vec<String>),
}

/// The file that a shell runs, with its arguments: `ship.sh one` of `bash -x ship.sh one`.
fn file(arguments: &[String]) -> Option<Vec<String>> {
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

/// What the arguments of a command make run.
fn scripts(command: &Command) -> Vec<Script> {
    let arguments = &command.arguments;
    match command.program.as_str() {
        "eval" => vec![Script::Line(arguments.join(" "))],
        "su" => after_c(arguments).into_iter().map(Script::Line).collect(),
        "ssh" => remote(command).into_iter().map(Script::Line).collect(),
        "find" => executed(arguments),
        program if SHELLS.contains(&program) => match after_c(arguments) {
            Some(script) => vec![Script::Line(script)],
            None if !command.input.is_empty() => vec![Script::Line(command.input.clone())],
            None => file(arguments).into_iter().map(Script::Words).collect(),
        },
        _ => Vec::new(),
    }
}

/// The word behind `-c`, also as `-lc`, with other options between.
fn after_c(arguments: &[String]) -> Option<String> {
    let short = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.contains('c');
    let at = arguments.iter().position(|word| short(word) || word == "--command")?;
    arguments[at + 1..].iter().find(|word| !word.starts_with('-')).cloned()
}

/// The command that `ssh` runs on the other machine.
fn remote(command: &Command) -> Option<String> {
    let host = command.operands().next()?;
    let at = command.arguments.iter().position(|word| std::ptr::eq(word.as_str(), host))?;
    let words = &command.arguments[at + 1..];
    (!words.is_empty()).then(|| words.join(" "))
}

/// The commands behind `-exec` of `find`.
fn executed(arguments: &[String]) -> Vec<Script> {
    let starts = |word: &String| matches!(word.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir");
    let parts = arguments.split(starts).skip(1);
    let until_end =
        |part: &[String]| part.iter().take_while(|word| *word != ";" && *word != "+").cloned().collect();
    parts.map(|part| Script::Words(until_end(part))).collect()
}
