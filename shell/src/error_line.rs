//! The line of an output that says what went wrong.

/// Texts that only programs print that could not go on.
const FATAL: [&str; 8] = [
    "Traceback (most recent call last)",
    "No module named ",
    "command not found",
    "Cannot find module ",
    "error: externally-managed-environment",
    "npm ERR!",
    "Segmentation fault",
    "panicked at ",
];

/// Beginnings of a line that reports an error, in lower case.
const BEGINNINGS: [&str; 10] =
    ["error:", "error[", "error ", "fatal:", "e   ", "err_", "exception:", "failed:", "failure:", "panic:"];

/// Parts of a line that reports an error, in lower case.
const PARTS: [&str; 14] = [
    "no such file or directory",
    "permission denied",
    "not found",
    ": error:",
    ": fatal error:",
    "connection refused",
    "can't open file",
    "cannot find",
    "cannot open",
    "undefined reference",
    "does not exist",
    "is not a valid",
    "requires a different",
    "not recognized",
];

/// Tells whether a program that prints this line cannot have succeeded.
fn is_fatal(line: &str) -> bool {
    FATAL.iter().any(|text| line.contains(text))
}

/// Tells whether this line, at the end of an output, is an error beyond doubt: `KeyError: 'a'`, `fatal: …`.
pub fn is_certain_error(line: &str) -> bool {
    let lower = line.to_lowercase();
    is_exception(line)
        || is_fatal(line)
        || ["error:", "error[", "fatal:"].iter().any(|beginning| lower.starts_with(beginning))
        || lower.ends_with("no such file or directory")
}

/// Tells whether a line is an exception with its message, or its name alone: `a.b.SomeError: message`.
fn is_exception(line: &str) -> bool {
    let name = line.split(':').next().unwrap_or_default().trim_start_matches("E ").trim();
    let ends = ["Error", "Exception"].iter().any(|end| name.ends_with(end));
    ends && !name.contains(' ') && name.chars().all(|c| c.is_alphanumeric() || "._".contains(c))
}

/// Tells whether a line reports an error.
fn is_error(line: &str) -> bool {
    let lower = line.to_lowercase();
    is_certain_error(line)
        || BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
        || PARTS.iter().any(|part| lower.contains(part))
}

/// Returns the last line that reports an error, else the last line with a word; empty if there is none.
pub fn last_error(output: &str) -> &str {
    let words = |line: &&str| line.chars().any(char::is_alphabetic);
    let lines: Vec<&str> = relevant_lines(output).map(str::trim).filter(words).collect();
    let error = lines.iter().rev().find(|line| is_error(line));
    error.or(lines.last()).copied().unwrap_or_default()
}

/// Returns the lines without the reports on site files (`*.pth`) that Python could not run. At its start,
/// Python reports them with a traceback, says that it ignored the rest of the file and goes on
/// (`addpackage` in Lib/site.py).
fn relevant_lines(output: &str) -> impl Iterator<Item = &str> {
    let mut is_report = false;
    output.lines().filter(move |line| {
        is_report |= line.starts_with("Error processing line ") && line.trim_end().ends_with(".pth:");
        let is_relevant = !is_report;
        is_report &= line.trim_end() != "Remainder of file ignored";
        is_relevant
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_error_is_found_among_what_follows_it() {
        for (output, expected) in [
            ("Traceback\n  x\nKeyError: 'a'\n", "KeyError: 'a'"),
            ("a.c:1:2: error: no b\nmake: *** [all] stopped", "a.c:1:2: error: no b"),
            ("zsh: cd: no such file or directory: x", "zsh: cd: no such file or directory: x"),
            ("x\n=====\n3 tests ran\n=====", "3 tests ran"),
            (
                "ERROR: x is not a valid editable requirement.\nnote: see above",
                "ERROR: x is not a valid editable requirement.",
            ),
            (
                "python3: can't open file 'a.py'\nError processing line 1 of /lib/b.pth:\n\n  \
                 Traceback (most recent call last):\n  KeyError: 'c'\n\nRemainder of file ignored\n",
                "python3: can't open file 'a.py'",
            ),
            ("", ""),
            ("====", ""),
        ] {
            assert_eq!(last_error(output), expected);
        }
    }

    #[test]
    fn an_exception_is_a_name_and_not_a_sentence() {
        assert!(
            is_certain_error("django.core.ImproperlyConfigured.Error: x") && is_certain_error("ValueError")
        );
        assert!(!is_certain_error("This is no Error: fine") && !is_certain_error("DeprecationWarning: x"));
    }
}
