//! Commands that change nothing, and what is said where the exit code says nothing.

use interleaf_classifier::words::{WordList, word_list};
use std::sync::LazyLock;
use topics::Command;

/// Subcommands that change nothing.
pub static ASKING: WordList = LazyLock::new(|| {
    word_list(
        "status log diff show blame remote rev-parse ls-files logs inspect images get describe list ls view \
         outdated info why tree version help ps branch plan grep add commit",
    )
});

/// What a program says that fails behind a pipe, where its exit code is lost.
pub const FAILING: &[&str] = &[
    "\nmake: *** ",
    "error: could not compile",
    "Traceback (most recent call last)",
    "npm ERR!",
    "npm error",
    "BUILD FAILED",
    "panicked at",
    "FAILURE: Build failed",
    "ELIFECYCLE",
    "command not found",
    "FAILED (",
    "error TS",
    "\nFAIL ",
    "\nFAILED ",
    "test result: FAILED",
    "fatal error:",
];

/// What the client says when it did not run a command.
pub const REFUSED: &[&str] = &[
    "permission to use",
    "requires approval",
    "haven't granted",
    "hook error",
    "blocked by",
    "was blocked",
    "<tool_use_error>",
];

/// Whether a command changes nothing but what git keeps.
pub fn is_looking(command: &Command) -> bool {
    let asks = matches!(
        command.program.as_str(),
        "git"
            | "docker"
            | "podman"
            | "kubectl"
            | "npm"
            | "pnpm"
            | "yarn"
            | "pip"
            | "cargo"
            | "terraform"
            | "systemctl"
            | "gh"
    );
    let asking = asks
        && command
            .subcommand()
            .is_some_and(|word| ASKING.contains(&word) && (word != "add" || command.program == "git"));
    topics::is_read_only_program(&command.program)
        || asking
        || command.has_option(&["--version", "--help"])
        || command.program == "curl" && !command.has_option(&["-X", "-d", "-F", "-T", "--request", "--data"])
        || command.program == "sed" && !command.has_option(&["-i", "--in-place"])
}
