//! The topic name of a command: the program, and the words that specify its action.

use interleaf_shell::Command;

/// Programs that fail every day, so that a failure says nothing about the project.
const ORDINARY_PROGRAMS: [&str; 47] = [
    "ls", "cat", "head", "tail", "echo", "cd", "pwd", "mkdir", "cp", "mv", "touch", "chmod", "chown", "wc",
    "sort", "grep", "find", "which", "test", "true", "false", "exit", "printf", "rm", "stat", "readlink",
    "basename", "dirname", "date", "sleep", "egrep", "rg", "sed", "awk", "diff", "cmp", "[", "[[", "source",
    ".", "set", "export", "unset", "type", "kill", "read", "command",
];

/// Programs whose first operand specifies their action.
const PROGRAMS_WITH_SUBCOMMAND: [&str; 29] = [
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

/// Programs that are named by the script they run.
const INTERPRETERS: [&str; 9] =
    ["python", "python3", "node", "ruby", "perl", "php", "tsx", "ts-node", "Rscript"];

/// Programs whose name is also an English word that may begin a sentence.
const ENGLISH_WORDS: [&str; 7] = ["make", "just", "task", "go", "bundle", "node", "helm"];

/// Further programs of everyday work that a sentence may begin with.
const OTHER_PROGRAMS: [&str; 24] = [
    "pytest", "tox", "ruff", "mypy", "eslint", "prettier", "biome", "jest", "vitest", "tsc", "psql",
    "sqlite3", "curl", "ssh", "scp", "rsync", "gh", "aws", "gcloud", "rustc", "rustfmt", "clang", "gcc",
    "cmake",
];

/// Tells whether a word can only be the name of a program: `npm`, but not `make`.
pub fn is_program_name(word: &str) -> bool {
    is_known_program(word) && !ENGLISH_WORDS.contains(&word)
}

/// Tells whether a word is the name of a program of everyday work, which may be an English word, too: `make`.
pub fn is_known_program(word: &str) -> bool {
    let lists: [&[&str]; 3] = [&PROGRAMS_WITH_SUBCOMMAND, &INTERPRETERS, &OTHER_PROGRAMS];
    lists.iter().any(|list| list.contains(&word))
}

/// Tells whether this first operand is meaningless without the next one: `npm run build`.
fn needs_next_word(program: &str, word: &str) -> bool {
    match program {
        "npm" | "pnpm" | "yarn" | "bun" | "uv" | "poetry" | "bundle" | "deno" => {
            matches!(word, "run" | "exec")
        }
        "docker" | "podman" => word == "compose",
        "cargo" => word == "xtask",
        _ => false,
    }
}

/// Tells whether this program is too ordinary to be a topic.
pub fn is_ordinary(program: &str) -> bool {
    ORDINARY_PROGRAMS.contains(&program)
}

/// Returns the topic name of a command, such as `make deploy`, `npm run build` or `g++`; none for ordinary
/// programs.
pub fn topic_name(command: &Command) -> Option<String> {
    let program = command.program.as_str();
    let is_unusable =
        program.is_empty() || program.len() > 80 || program.contains(|c: char| c.is_whitespace() || c == '$');
    if is_unusable || is_ordinary(program) {
        return None;
    }
    let mut words = vec![program];
    words.extend(python_module(command));
    if INTERPRETERS.contains(&program) && words.len() == 1 && !command.has_option(&["-c", "-e", "-p"]) {
        words.extend(command.operands().next().filter(|word| is_name(word)));
    }
    if PROGRAMS_WITH_SUBCOMMAND.contains(&program) {
        let mut operands = command.operands().filter(|word| is_name(word));
        words.extend(operands.next());
        if words.get(1).is_some_and(|word| needs_next_word(program, word)) {
            words.extend(operands.next());
        }
    }
    Some(words.join(" "))
}

/// Returns the words `-m` and `pytest` of `python -m pytest`.
fn python_module(command: &Command) -> Vec<&str> {
    let is_python = command.program.starts_with("python");
    match &command.arguments[..] {
        [m, module, ..] if is_python && m == "-m" && is_name(module) => vec!["-m", module],
        _ => Vec::new(),
    }
}

/// Tells whether a word names something: no white space, variable, assignment or number.
fn is_name(word: &str) -> bool {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    !is_number && word.len() <= 80 && !word.contains(|c: char| c.is_whitespace() || "$=`\0".contains(c))
}
