//! Which commands only look at something.

use interleaf_shell::Command;

use crate::word_lists::{ASKING, LOOKED_AT};

/// Tells whether a command changes nothing but what git keeps.
pub fn is_read_only(command: &Command) -> bool {
    let asks = LOOKED_AT.has(&command.program);
    let asking = asks
        && command
            .subcommand()
            .is_some_and(|word| ASKING.has(word) && (word != "add" || command.program == "git"));
    interleaf_shell::is_read_only_program(&command.program)
        || asking
        || command.has_option(&["--version", "--help"])
        || command.program == "curl" && !command.has_option(&["-X", "-d", "-F", "-T", "--request", "--data"])
        || command.program == "sed" && !command.has_option(&["-i", "--in-place"])
}
