//! By what name a command is remembered: the program, and the words that say what it is to do.

use crate::command::Command;

/// Programs that fail every day and say nothing about the project (seed 000 and its code).
const ORDINARY: [&str; 46] = [
    "ls", "cat", "head", "tail", "echo", "cd", "pwd", "mkdir", "cp", "mv", "touch", "chmod", "chown", "wc",
    "sort", "grep", "find", "which", "test", "true", "false", "exit", "printf", "rm", "stat", "readlink",
    "basename", "dirname", "date", "sleep", "egrep", "rg", "sed", "awk", "diff", "cmp", "[", "[[", "source",
    ".", "set", "export", "unset", "type", "kill", "read",
];

/// Programs whose first word says what they do.
const WITH_SUBCOMMAND: [&str; 29] = [
    "make",
    "gmake",
    "just",
    "task",
    "git",
    "cargo",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "npx",
    "go",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "terraform",
    "tofu",
    "pip",
    "pip3",
    "uv",
    "poetry",
    "bundle",
    "gradle",
    "mvn",
    "deno",
    "dotnet",
    "systemctl",
    "rustup",
];

/// Programs whose own name says nothing: what they run does.
const INTERPRETERS: [&str; 9] =
    ["python", "python3", "node", "ruby", "perl", "php", "tsx", "ts-node", "Rscript"];

/// Whether this first word only leads to the next one: `npm run build`.
fn leads(program: &str, word: &str) -> bool {
    match program {
        "npm" | "pnpm" | "yarn" | "bun" | "uv" | "poetry" | "bundle" | "deno" => {
            matches!(word, "run" | "exec")
        }
        "docker" | "podman" => word == "compose",
        "cargo" => word == "xtask",
        _ => false,
    }
}

/// Whether this program is too ordinary to be a topic.
pub fn is_ordinary(program: &str) -> bool {
    ORDINARY.contains(&program)
}

/// The name under which a command is remembered, such as `make deploy`, `npm run build`, `g++`; none for the ordinary.
pub fn pattern(command: &Command) -> Option<String> {
    let program = command.program.as_str();
    let odd =
        program.is_empty() || program.len() > 80 || program.contains(|c: char| c.is_whitespace() || c == '$');
    if odd || is_ordinary(program) {
        return None;
    }
    let mut words = vec![program];
    words.extend(module(command));
    if INTERPRETERS.contains(&program) && words.len() == 1 && !command.has_option(&["-c", "-e", "-p"]) {
        words.extend(command.operands().next().filter(|word| is_plain(word)));
    }
    if WITH_SUBCOMMAND.contains(&program) {
        let mut operands = command.operands().filter(|word| is_plain(word));
        words.extend(operands.next());
        if words.get(1).is_some_and(|word| leads(program, word)) {
            words.extend(operands.next());
        }
    }
    Some(words.join(" "))
}

/// `-m pytest` of Python.
fn module(command: &Command) -> Vec<&str> {
    let python = command.program.starts_with("python");
    match &command.arguments[..] {
        [m, module, ..] if python && m == "-m" && is_plain(module) => vec!["-m", module],
        _ => Vec::new(),
    }
}

/// A word that names something: no path with blanks, no variable, no assignment, no number.
fn is_plain(word: &str) -> bool {
    let number = word.bytes().all(|byte| byte.is_ascii_digit());
    !number && word.len() <= 80 && !word.contains(|c: char| c.is_whitespace() || "$=`\0".contains(c))
}
