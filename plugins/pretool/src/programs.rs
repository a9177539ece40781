//! What programs do with their arguments: print them, or run them as code.

use interleaf_shell::Command;

/// Programs that run code of a language that is not parsed here, from an argument or from standard input.
const INTERPRETERS: [&str; 26] = [
    "python",
    "python2",
    "python3",
    "perl",
    "ruby",
    "node",
    "nodejs",
    "deno",
    "bun",
    "php",
    "lua",
    "luajit",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "tclsh",
    "expect",
    "osascript",
    "gdb",
    "lldb",
    "vim",
    "nvim",
    "ed",
    "ex",
    "emacs",
];

/// Programs that read and print like those that `topics` lists, but also run what their arguments say.
const READERS_THAT_RUN: [&str; 8] = ["awk", "gawk", "sed", "gsed", "fd", "interleaf", "env", "find"];

/// Programs that create, change and copy files, as the client's own tools do. Their arguments are paths and
/// pieces of text, which share words with many memories by chance.
const FILE_EDITORS: [&str; 14] = [
    "sed", "gsed", "awk", "gawk", "tee", "cp", "mv", "ln", "mkdir", "touch", "install", "patch", "cd",
    "pushd",
];

/// Programs whose arguments are texts for people.
const MESSENGERS: [&str; 7] = ["gh", "glab", "hub", "jj", "logger", "notify-send", "say"];

/// Subcommands of git whose arguments are names and texts.
const GIT_WITH_TEXT: [&str; 17] = [
    "add", "blame", "branch", "checkout", "commit", "diff", "grep", "log", "merge", "mv", "notes", "push",
    "rm", "show", "stash", "status", "tag",
];

/// Tells whether a program runs code that is not parsed here.
pub fn runs_code(command: &Command) -> bool {
    let program = command.program.as_str();
    let version = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&program) || INTERPRETERS.contains(&version)
}

/// Tells whether a program only reads or changes files of the work tree, so that no memory would prevent a
/// mistake with it.
pub fn is_everyday(command: &Command) -> bool {
    let program = command.program.as_str();
    interleaf_shell::is_read_only_program(program) || FILE_EDITORS.contains(&program)
}

/// Tells whether a program prints or compares its arguments and runs none of them.
pub fn takes_text(command: &Command) -> bool {
    let program = command.program.as_str();
    let reads = interleaf_shell::prints_content(program)
        || interleaf_shell::answers_by_exit_code(program)
        || interleaf_shell::is_read_only_program(program);
    reads && !READERS_THAT_RUN.contains(&program) || MESSENGERS.contains(&program) || is_text_of_git(command)
}

/// A git command takes text, unless one of its settings is a command: `git -c alias.x='!make'`.
fn is_text_of_git(command: &Command) -> bool {
    command.program == "git"
        && command.subcommand().is_some_and(|verb| GIT_WITH_TEXT.contains(&verb))
        && !command.arguments.iter().any(|word| word == "-c" || word.starts_with("--config-env"))
}

/// Tells whether the name of the program is only known when the line runs.
pub fn is_opaque(command: &Command) -> bool {
    is_opaque_word(&command.program)
}

/// Tells whether a word stands for another one: it has a variable, a substitution or a wildcard.
pub fn is_opaque_word(word: &str) -> bool {
    let is_test = matches!(word, "[" | "[[");
    !is_test && word.contains(['$', '`', '*', '?', '['])
}
