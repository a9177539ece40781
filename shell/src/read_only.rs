//! Lists programs that read, compare or query. They have three properties, and few programs have all of them:
//!
//! - [`prints_content`]: the output is existing text, so an error in it did not happen now.
//! - [`answers_by_exit_code`]: exit code 1 means "no", not a failure.
//! - [`is_read_only_program`]: the program changes nothing, so it cannot have fixed anything.
//!
//! Each program is in exactly one list; the functions combine the lists.

/// Programs that print the contents of files or their arguments, and change nothing.
const READERS: [&str; 31] = [
    "cat", "less", "more", "head", "tail", "ls", "tree", "find", "awk", "cut", "sort", "uniq", "wc", "nl",
    "column", "jq", "xxd", "strings", "echo", "printf", "pwd", "cd", "date", "stat", "file", "basename",
    "dirname", "readlink", "man", "env", "sleep",
];

/// Programs that print like [`READERS`] but do not count as read-only: `sed -i`, `gawk -i`, `yq -i`, `fd -x`
/// and `interleaf` can write. The others are harmless; the save layer's rules were measured without them.
const READERS_THAT_MAY_WRITE: [&str; 11] =
    ["bat", "fd", "sed", "gawk", "tac", "tr", "yq", "hexdump", "realpath", "history", "interleaf"];

/// Programs that answer a question with their exit code. `command` is in a line's commands only as `command
/// -v`.
const PREDICATES: [&str; 11] =
    ["grep", "egrep", "rg", "diff", "test", "[", "which", "type", "command", "pgrep", "false"];

/// Programs like [`PREDICATES`] that do not count as read-only: the save layer's rules were measured without
/// them.
const RARE_PREDICATES: [&str; 12] =
    ["fgrep", "ag", "ack", "zgrep", "ugrep", "cmp", "comm", "[[", "pidof", "fuser", "expr", "hash"];

/// Programs that change nothing but whose output describes the present: an error in it happened now.
const INSPECTORS: [&str; 20] = [
    "true",
    "du",
    "df",
    "ps",
    "printenv",
    "whoami",
    "id",
    "uname",
    "lsof",
    "ss",
    "netstat",
    "ping",
    "dig",
    "md5sum",
    "sha256sum",
    "wait",
    "exit",
    "set",
    "pushd",
    "popd",
];

/// Tells whether the program prints the contents of files or of the shell's history.
pub fn prints_content(program: &str) -> bool {
    READERS.contains(&program) || READERS_THAT_MAY_WRITE.contains(&program)
}

/// Tells whether the program exits with 1 to say "no" or "they differ".
pub fn answers_by_exit_code(program: &str) -> bool {
    PREDICATES.contains(&program) || RARE_PREDICATES.contains(&program)
}

/// Tells whether the program changes nothing, regardless of its arguments.
pub fn is_read_only_program(program: &str) -> bool {
    READERS.contains(&program) || PREDICATES.contains(&program) || INSPECTORS.contains(&program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_is_in_one_list() {
        let lists: [&[&str]; 5] =
            [&READERS, &READERS_THAT_MAY_WRITE, &PREDICATES, &RARE_PREDICATES, &INSPECTORS];
        let mut programs = lists.concat();
        programs.sort_unstable();

        assert!(programs.windows(2).all(|pair| pair[0] != pair[1]), "{programs:?}");
    }
}
