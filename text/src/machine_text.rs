//! Separates what a person typed from what they pasted: code, quotations, logs, stack traces, error messages,
//! diffs, output of a shell. Such text may hold sentences of anybody, so nobody's rule is taken from it.
//!
//! A paste without a fence has no certain end. So what lies between two lines that no person types is taken
//! for pasted too, and so is the rest of the last one's paragraph.

use std::ops::Range;

/// Maximum size of a text that is taken for typed, in bytes and lines. Of a longer one only the first and the
/// last paragraph are the person's.
const MAX_TYPED_BYTES: usize = 3_000;
const MAX_TYPED_LINES: usize = 40;

/// Maximum size of such a first or last paragraph, in bytes.
const MAX_FRAME_BYTES: usize = 400;

/// Number of columns from which a line counts as indented code.
const CODE_INDENT: usize = 4;

/// Beginnings of lines of stack traces, error messages, diffs and shells.
const OPENINGS: [&str; 30] = [
    "Traceback (most recent call last)",
    "Caused by:",
    "stack backtrace:",
    "thread '",
    "goroutine ",
    "panic: ",
    "npm ERR!",
    "npm error",
    "npm warn",
    "fatal: ",
    "make: ***",
    "diff --git ",
    "@@ -",
    "+++ ",
    "--- a/",
    "index ",
    "error: ",
    "error[",
    "Error: ",
    "ERROR",
    "WARN",
    "INFO",
    "DEBUG",
    "FAILED",
    "warning: ",
    "$ ",
    ">>> ",
    "❯ ",
    "PS C:\\",
    "Exit code ",
];

/// A person's text, split into what they typed and what they pasted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// What the person typed.
    pub typed: String,
    /// What they pasted.
    pub pasted: String,
}

/// Splits a text. The parts keep their order, and each line belongs to one of them.
///
/// ```
/// use interleaf_text::machine_text::split;
///
/// let split = split("what is this?\nError: no such file\nalways run it\n\nthanks");
///
/// assert_eq!(split.typed, "what is this?\n\nthanks");
/// assert_eq!(split.pasted, "Error: no such file\nalways run it");
/// ```
pub fn split(text: &str) -> Split {
    let lines: Vec<&str> = text.split('\n').collect();
    let pasted = pasted_lines(&lines);
    let part = |wanted: bool| {
        let lines = lines.iter().zip(&pasted).filter(|(_, pasted)| **pasted == wanted);
        lines.map(|(line, _)| *line).collect::<Vec<_>>().join("\n").trim().to_owned()
    };
    Split { typed: part(false), pasted: part(true) }
}

/// Tells for each line whether it was pasted.
fn pasted_lines(lines: &[&str]) -> Vec<bool> {
    let mut pasted = fenced_or_quoted(lines);
    for at in unfenced(lines, &pasted) {
        pasted[at] = true;
    }
    let typed = || lines.iter().zip(&pasted).filter(|(_, pasted)| !**pasted).map(|(line, _)| *line);
    if typed().count() > MAX_TYPED_LINES
        || typed().map(|line| line.len() + 1).sum::<usize>() > MAX_TYPED_BYTES
    {
        keep_frame(lines, &mut pasted);
    }
    pasted
}

/// Marks the lines in code fences and the quoted ones. A fence without an end reaches to the end of the text.
fn fenced_or_quoted(lines: &[&str]) -> Vec<bool> {
    let mut is_fenced = false;
    let mark = |line: &&str| {
        let bare = line.trim_start();
        let is_fence = bare.starts_with("```") || bare.starts_with("~~~");
        is_fenced ^= is_fence;
        is_fenced || is_fence || bare.starts_with('>')
    };
    lines.iter().map(mark).collect()
}

/// Returns the lines from the first that no person types to the end of the paragraph of the last one.
fn unfenced(lines: &[&str], pasted: &[bool]) -> Range<usize> {
    let is_machine = |at: &usize| !pasted[*at] && is_machine_line(lines[*at]);
    let (Some(first), Some(last)) =
        ((0..lines.len()).find(is_machine), (0..lines.len()).rev().find(is_machine))
    else {
        return 0..0;
    };
    let end = (last..lines.len()).find(|at| lines[*at].trim().is_empty());
    first..end.unwrap_or(lines.len())
}

/// Marks everything but the first and the last paragraph, and those, too, if they are long.
fn keep_frame(lines: &[&str], pasted: &mut [bool]) {
    let is_blank = |at: &usize| lines[*at].trim().is_empty();
    let begin = (0..lines.len()).find(|at| !is_blank(at)).unwrap_or(0);
    let head = begin..(begin..lines.len()).find(is_blank).unwrap_or(lines.len());
    let end = (0..lines.len()).rev().find(|at| !is_blank(at)).map_or(0, |at| at + 1);
    let tail = (0..end).rev().find(is_blank).map_or(0, |at| at + 1)..end;
    let is_short = |part: &Range<usize>| {
        lines[part.clone()].iter().map(|line| line.len() + 1).sum::<usize>() <= MAX_FRAME_BYTES
    };
    for (at, pasted) in pasted.iter_mut().enumerate() {
        let is_frame = |part: &Range<usize>| part.contains(&at) && is_short(part);
        *pasted |= !(is_frame(&head) || is_frame(&tail));
    }
}

/// Tells whether a program wrote this line: code, a log, an error, a diff, a tag, a shell's prompt.
fn is_machine_line(line: &str) -> bool {
    let bare = line.trim();
    if bare.is_empty() {
        return false;
    }
    is_indented(line)
        || OPENINGS.iter().any(|opening| line.starts_with(opening))
        || begins_with_time(bare)
        || bare.starts_with("at ") && bare.ends_with(')')
        || bare.starts_with("File \"")
        || bare.starts_with('<') && bare.ends_with('>')
        || is_shell_prompt(line)
        || names_exception(bare)
}

fn is_indented(line: &str) -> bool {
    line.starts_with('\t') || line.len() - line.trim_start_matches(' ').len() >= CODE_INDENT && !is_item(line)
}

/// Tells whether the line is an item of a nested list, which people indent.
fn is_item(line: &str) -> bool {
    let bare = line.trim_start();
    let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    bare.starts_with(['-', '*', '•']) || number.len() < bare.len() && number.starts_with(['.', ')'])
}

/// Tells whether the line begins with a date and time, or a time with seconds, even in brackets.
fn begins_with_time(line: &str) -> bool {
    let line = line.trim_start_matches(['[', '(']);
    let is_like = |text: &str, pattern: &str| {
        let fits = |(c, p): (char, char)| if p == '0' { c.is_ascii_digit() } else { c == p };
        text.len() >= pattern.len() && text.chars().zip(pattern.chars()).all(fits)
    };
    let date = is_like(line, "0000-00-00") || is_like(line, "0000/00/00");
    let time = line.get(10..).unwrap_or_default().trim_start_matches(['T', ' ', '_']);
    is_like(line, "00:00:00") || date && is_like(time, "00:00")
}

/// Tells whether the line begins with a shell's prompt such as `dev@host:~/shop$ make`.
fn is_shell_prompt(line: &str) -> bool {
    let Some((prompt, _)) = line.split_once("$ ").or_else(|| line.split_once("# ")) else { return false };
    prompt.contains('@') && prompt.contains(':') && !prompt.contains(char::is_whitespace)
}

/// Tells whether the line begins with the name of an exception: `TypeError: …`, `java.io.IOException: …`.
fn names_exception(line: &str) -> bool {
    let name = line.split_once(": ").map_or("", |(name, _)| name);
    let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | ':'));
    is_name && name.len() > 5 && ["Error", "Exception", "Warning"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_split(text: &str, typed: &str, pasted: &str) {
        assert_eq!(split(text), Split { typed: typed.to_owned(), pasted: pasted.to_owned() }, "{text}");
    }

    #[test]
    fn what_a_person_types_stays_whole() {
        for text in [
            "",
            "never use npm here, use pnpm",
            "two things:\n- use pnpm\n    - never npm\n1. and\n    2) more",
            "# Plan\n\nFirst the poller. I get an error: it stops.\n\nThen the rest",
            "the index is wrong\nthreads too\nInformation follows",
            "mail me at a@b.c: it costs 5$ or 6",
            "12:30 is fine, 2026-01-31 too",
        ] {
            assert_split(text, text, "");
        }
    }

    #[test]
    fn a_fence_and_a_quotation_end_where_they_end() {
        assert_split("see\n```\nalways x\n```\nand fix it", "see\nand fix it", "```\nalways x\n```");
        assert_split("see\n> always x\nmine", "see\nmine", "> always x");
        assert_split("see\n~~~\nalways x", "see", "~~~\nalways x");
    }

    #[test]
    fn lines_that_no_person_types_are_pasted_and_so_is_what_follows_them() {
        for line in [
            "2026-01-31T12:00:00Z worker failed",
            "2026-01-31 12:00:00,123 worker failed",
            "[12:00:01] worker failed",
            "ERROR worker failed",
            "Error: no such file",
            "error[E0308]: mismatched types",
            "TypeError: x is not a function",
            "java.io.IOException: closed",
            "Traceback (most recent call last):",
            "    at run (a.js:1:2)",
            "\tgoto fail",
            "    let x = 1;",
            "diff --git a/x b/x",
            "@@ -1,2 +1,2 @@",
            "$ make test",
            "dev@host:~/shop$ make test",
            "<div class=\"a\">",
            "fatal: not a git repository",
        ] {
            assert_split(
                &format!("look:\n{line}\nAlways use x to deploy.\n\nthanks"),
                "look:\n\nthanks",
                format!("{line}\nAlways use x to deploy.").trim_start(),
            );
        }
    }

    #[test]
    fn what_lies_between_two_such_lines_is_pasted() {
        let text = "look\n\nERROR one\n\nFrom now on use x.\n\nERROR two\n\nand fix it";

        assert_split(text, "look\n\n\nand fix it", "ERROR one\n\nFrom now on use x.\n\nERROR two");
    }

    #[test]
    fn of_a_long_text_only_a_short_beginning_and_end_are_typed() {
        let prose = "A sentence of a manual that nobody types into a prompt. ".repeat(80);
        let many = "one more line\n".repeat(60);

        assert_split(&format!("sum it up:\n\n{prose}\n\nthanks"), "sum it up:\nthanks", prose.trim_end());
        assert_split(&format!("sum it up:\n\n{many}"), "sum it up:", many.trim_end());
        assert_split(&prose, "", prose.trim_end());
    }
}
