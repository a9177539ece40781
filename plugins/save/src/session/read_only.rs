//! Which commands and tools only look at something.

use interleaf_shell::Command;

use crate::word_lists::{ASKING, LOOKED_AT};

/// Tools that change no file. Of all others, nobody knows.
const READ_ONLY_TOOLS: [&str; 14] = [
    "Read",
    "Grep",
    "Glob",
    "LS",
    "WebFetch",
    "WebSearch",
    "NotebookRead",
    "TodoWrite",
    "TodoRead",
    "TaskCreate",
    "TaskUpdate",
    "TaskList",
    "AskUserQuestion",
    "ToolSearch",
];

/// Tells whether a tool changes nothing.
pub fn is_read_only_tool(tool: &str) -> bool {
    READ_ONLY_TOOLS.contains(&tool)
}

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
