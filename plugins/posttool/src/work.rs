//! What a shell command is for: work whose bare failure counts, a question whose exit code 1 means "no", or reading.

use topics::Command;

/// First words of git that read.
const GIT_READS: [&str; 9] =
    ["log", "show", "diff", "blame", "grep", "shortlog", "reflog", "cat-file", "ls-files"];

/// Words that name work: in a program's name, its first words, or a script's.
const WORK: [&str; 26] = [
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

/// Programs that do nothing else.
const WORKERS: [&str; 46] = [
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

/// What commands are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// To build, to test, to deploy.
    Work,
    /// Anything else.
    Other,
}

/// Whether a command only reads or compares, so that its output is somebody's text.
pub fn reads(command: &Command) -> bool {
    let program = command.program.as_str();
    let reads_git = program == "git" && command.subcommand().is_some_and(|word| GIT_READS.contains(&word));
    topics::prints_content(program) || reads_git || asks(command)
}

/// Whether exit code 1 of this command is an answer and no failure.
pub fn asks(command: &Command) -> bool {
    let program = command.program.as_str();
    match program {
        "git" => asks_git(command),
        "systemctl" => command.subcommand().is_some_and(|word| word.starts_with("is-")),
        _ => topics::answers_by_exit_code(program),
    }
}

fn asks_git(command: &Command) -> bool {
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

/// Whether exit code 1 of the whole line means "no": one of its commands asks, and none that came before it works. In
/// `make && grep x log` the work may have failed as well.
pub fn means_no(commands: &[Command], code: i32) -> bool {
    // systemctl says 3 for what is not running.
    let no = code == 1 || code == 3 && commands.iter().any(|command| command.program == "systemctl");
    let asked = commands.iter().position(asks);
    no && asked.is_some_and(|at| {
        let last = commands.iter().rposition(asks) == Some(commands.len() - 1);
        last || commands[..at].iter().all(reads)
    })
}

/// What the line is for: work, if one of its commands is.
pub fn of(commands: &[Command]) -> Work {
    if commands.iter().any(works) { Work::Work } else { Work::Other }
}

fn works(command: &Command) -> bool {
    let program = command.program.as_str();
    let name = program.rsplit_once('.').map_or(program, |(name, _)| name);
    let named = |text: &str| text.split(['-', '_', ':', '.', '/']).any(|part| WORK.contains(&part));
    let first = || command.operands().take(3).filter(|word| !word.contains('/') || word.starts_with("./"));
    WORKERS.contains(&program) || !reads(command) && (named(name) || first().any(named) || modules(command))
}

/// `python -m pytest`, and runners of other programs.
fn modules(command: &Command) -> bool {
    command.arguments.iter().take(4).any(|word| WORKERS.contains(&word.as_str()) || word == "unittest")
}
