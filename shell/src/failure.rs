//! How a run failed: the tool's own last error line, and a signature by which the same failure is recognized
//! in another session.

use std::hash::Hasher as _;

use fnv::FnvHasher;
use interleaf_text::truncate_at_word;

use crate::command_line::base_name;
use crate::error_line::last_error;

/// Maximum length of an error line, in characters.
pub const MAX_LINE_CHARS: usize = 160;

/// Endings of files that a line may name. Such a name changes from session to session.
const FILE_ENDINGS: [&str; 22] = [
    "py", "js", "ts", "tsx", "jsx", "mjs", "rs", "c", "h", "cc", "cpp", "go", "java", "kt", "rb", "php",
    "sh", "txt", "json", "toml", "yaml", "md",
];

/// How a run failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The last error line, as the tool said it, of at most [`MAX_LINE_CHARS`] characters.
    pub line: String,
    /// Equal for the same program and the same error, whatever files, numbers and addresses it names.
    pub signature: u64,
    /// Whether the line could not change to its folder, so that nothing ran.
    pub is_of_cd: bool,
    /// Whether a file was missing, which often says that the line ran in another folder than it was meant
    /// for.
    pub is_of_missing_file: bool,
}

impl Failure {
    /// Reads the output of a failed run of `program`.
    pub fn read(program: &str, output: &str) -> Self {
        let of_cd = output.lines().find(|line| is_of_cd(line));
        let line = of_cd.map_or_else(|| last_error(output), str::trim);
        // What stands behind a `cd` that failed did not run.
        let signature = signature(if of_cd.is_some() { "cd" } else { program }, line);
        Self::kept(truncate_at_word(line, MAX_LINE_CHARS).into_owned(), signature)
    }

    /// Returns a failure of which somebody kept the line and the signature.
    pub fn kept(line: String, signature: u64) -> Self {
        Self { is_of_cd: is_of_cd(&line), is_of_missing_file: is_of_missing_file(&line), line, signature }
    }
}

/// Tells whether an error says that a file is missing. A library that cannot be loaded is no file of the
/// project.
fn is_of_missing_file(error: &str) -> bool {
    let says = [
        "No such file or directory",
        "can't open file",
        "cannot open file",
        "not found: ",
        "is not a valid editable requirement",
    ];
    says.iter().any(|text| error.contains(text)) && !error.contains("dlopen(")
}

/// Tells whether a shell says that it cannot change the folder: `(eval):cd:1: no such file…`,
/// `bash: line 1: cd: x: No such…`, `cd: no such file…`.
fn is_of_cd(line: &str) -> bool {
    let lower = line.trim_start().to_lowercase();
    let is_shell = ["(eval):", "bash:", "zsh:", "sh:", "/bin/", "/usr/bin/", "cd:"];
    let says = lower.contains("no such file or directory") || lower.contains("not a directory");
    says && is_shell.iter().any(|shell| lower.starts_with(shell))
        && (lower.starts_with("cd:") || lower.contains(":cd:") || lower.contains(" cd: "))
}

/// Returns a hash of the program's name and the words of the error that do not change from run to run.
pub fn signature(program: &str, error: &str) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(base_name(program).as_bytes());
    for word in error.split(|c: char| c.is_whitespace() || "\"'`()[]<>,;=".contains(c)) {
        let word = stable_word(word);
        if !word.is_empty() {
            hasher.write_u8(0);
            hasher.write(word.to_lowercase().as_bytes());
        }
    }
    hasher.finish()
}

/// Returns a word without what changes from run to run; empty if that is all of it.
fn stable_word(word: &str) -> &str {
    let word = word.trim_start_matches("./").trim_matches(|c: char| ".:!?*_-^~|".contains(c));
    let is_number = word.chars().any(|c| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_hexdigit() || "x.:%smk-".contains(c));
    let is_path = word.contains(['/', '\\']) && !word.contains("://");
    let is_file = word
        .rsplit_once('.')
        .is_some_and(|(_, ending)| FILE_ENDINGS.contains(&ending.split(':').next().unwrap_or_default()));
    if is_number || is_path || is_file { "" } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, other: &str) -> bool {
        signature("python", one) == signature("python", other)
    }

    #[test]
    fn files_numbers_and_addresses_do_not_count() {
        assert!(same(
            "SyntaxError: bad byte in file a/b.py on line 29",
            "SyntaxError: bad byte in file c.py on line 3"
        ));
        assert!(same("KeyError at 0x7f3a", "KeyError at 0x11bc"));
        assert!(same("./app is missing", "app is missing"));
        assert!(same("3 failed in 0.25s", "1 failed in 12.50s"));
    }

    #[test]
    fn names_and_programs_count() {
        assert!(!same("No module named 'django'", "No module named 'flask'"));
        assert!(!same("No module named 'a.b'", "No module named 'a.c'"));
        assert_ne!(signature("python", "SyntaxError"), signature("python3", "SyntaxError"));
        assert_eq!(signature("/usr/bin/make", "no rule"), signature("make", "no rule"));
    }

    #[test]
    fn a_failing_cd_is_recognized() {
        for line in [
            "(eval):cd:1: no such file or directory: testbed",
            "bash: line 1: cd: testbed: No such file or directory",
            "/bin/bash: line 0: cd: x: Not a directory",
            "cd: no such file or directory: x",
        ] {
            assert!(Failure::read("make", line).is_of_cd, "{line}");
        }
        for line in [
            "cat: cd: No such file or directory",
            "abcd: no such file or directory",
            "fatal: cannot change to 'x'",
        ] {
            assert!(!Failure::read("make", line).is_of_cd, "{line}");
        }
    }
}
