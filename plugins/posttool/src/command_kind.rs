//! Classifies a shell command: a build, whose failure counts even without an error message; a question, whose
//! exit code 1 means "no"; or a reader.

use interleaf_shell::Command;

/// Subcommands of git that only read.
const GIT_READERS: [&str; 9] =
    ["log", "show", "diff", "blame", "grep", "shortlog", "reflog", "cat-file", "ls-files"];

/// Words that name a build, a test, a release or the like: in the name of a program or a script, or among its
/// first operands.
const BUILD_WORDS: [&str; 26] = [
    "build",
    "test",
    "tests",
    "check",
    "lint",
    "clippy",
    "deploy",
    "release",
    "publish",
    "install",
    "ci",
    "migrate",
    "compile",
    "package",
    "push",
    "apply",
    "upgrade",
    "verify",
    "bench",
    "doc",
    "vet",
    "typecheck",
    "bundle",
    "e2e",
    "up",
    "sync",
];

/// Programs that only build or test.
const BUILD_TOOLS: [&str; 46] = [
    "make",
    "gmake",
    "just",
    "task",
    "rake",
    "ninja",
    "cmake",
    "meson",
    "bazel",
    "buck2",
    "gradle",
    "gradlew",
    "mvn",
    "mvnw",
    "sbt",
    "ant",
    "gcc",
    "g++",
    "cc",
    "c++",
    "clang",
    "clang++",
    "rustc",
    "javac",
    "kotlinc",
    "tsc",
    "ghc",
    "swiftc",
    "zig",
    "webpack",
    "vite",
    "rollup",
    "esbuild",
    "pytest",
    "tox",
    "nox",
    "jest",
    "vitest",
    "mocha",
    "rspec",
    "phpunit",
    "ctest",
    "playwright",
    "cypress",
    "ansible-playbook",
    "dune",
];

/// The purpose of a shell line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandKind {
    /// Build, test, release or deploy.
    Build,
    /// Anything else.
    Other,
}

/// Tells whether a command only reads or compares, so that its output is existing text.
pub fn is_reader(command: &Command) -> bool {
    let program = command.program.as_str();
    let is_git_reader =
        program == "git" && command.subcommand().is_some_and(|word| GIT_READERS.contains(&word));
    interleaf_shell::prints_content(program) || is_git_reader || is_question(command)
}

/// Tells whether exit code 1 of this command is an answer and not a failure.
pub fn is_question(command: &Command) -> bool {
    let program = command.program.as_str();
    match program {
        "git" => is_git_question(command),
        "systemctl" => command.subcommand().is_some_and(|word| word.starts_with("is-")),
        _ => interleaf_shell::answers_by_exit_code(program),
    }
}

fn is_git_question(command: &Command) -> bool {
    match command.subcommand() {
        Some("diff") => command.has_option(&["--exit-code", "--quiet", "--check"]),
        Some("merge-base") => command.has_option(&["--is-ancestor"]),
        Some(
            "show-ref" | "check-ignore" | "grep" | "diff-index" | "diff-files" | "config" | "symbolic-ref",
        ) => true,
        Some("ls-remote" | "rev-parse") => command.has_option(&["--exit-code", "--verify", "-q", "--quiet"]),
        _ => false,
    }
}

/// Tells whether this exit code of a line means "no". That is so if the line ends with a question, or if all
/// commands before the first question only read. In `make && grep -c x log && make deploy` a build may have
/// failed.
pub fn is_negative_answer(commands: &[Command], code: i32) -> bool {
    // systemctl exits with 3 for a unit that is not running.
    let is_no = code == 1 || code == 3 && commands.iter().any(|command| command.program == "systemctl");
    let asked = commands.iter().position(is_question);
    is_no
        && asked.is_some_and(|at| {
            let last = commands.iter().rposition(is_question) == Some(commands.len() - 1);
            last || commands[..at].iter().all(is_reader)
        })
}

/// Returns the purpose of a line: a build, if one of its commands is one.
pub fn of(commands: &[Command]) -> CommandKind {
    if commands.iter().any(is_build) { CommandKind::Build } else { CommandKind::Other }
}

fn is_build(command: &Command) -> bool {
    let program = command.program.as_str();
    let name = program.rsplit_once('.').map_or(program, |(name, _)| name);
    let has_build_word =
        |text: &str| text.split(['-', '_', ':', '.', '/']).any(|part| BUILD_WORDS.contains(&part));
    let first = || command.operands().take(3).filter(|word| !word.contains('/') || word.starts_with("./"));
    BUILD_TOOLS.contains(&program)
        || !is_reader(command)
            && (has_build_word(name) || first().any(has_build_word) || runs_build_tool(command))
}

/// Tells whether a runner of other programs runs a build tool: `python -m pytest`.
fn runs_build_tool(command: &Command) -> bool {
    command.arguments.iter().take(4).any(|word| BUILD_TOOLS.contains(&word.as_str()) || word == "unittest")
}

#[cfg(test)]
#[path = "command_kind_tests.rs"]
mod tests;
