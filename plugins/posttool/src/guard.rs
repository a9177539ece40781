//! Whether words that look like trouble are trouble here: what stands around them decides.
//!
//! "0 errors", a passing `test_error_handling`, `error_handler.rs` in a listing and `--no-error` are none;
//! `main.c:3:5: error:` is more than the word says.

mod numbers;
mod raised;

use std::ops::Range;

use numbers::{number_after, number_before, number_next, says_nothing, sets};
pub use raised::telling_word;

use crate::scan::is_word;
use crate::signals::Signal;

/// Words that turn the next one, or the one after it, into its opposite.
const NONE_OF: [&str; 8] = ["no", "zero", "without", "0", "0.0", "never", "any", "free"];

/// Words after which trouble is spoken of rather than met.
const SPOKEN_OF: [&str; 26] = [
    "not", "if", "on", "when", "handle", "handles", "handling", "handled", "fix", "fixes", "fixed", "fixing",
    "ignore", "ignores", "ignored", "ignoring", "expected", "expects", "allow", "allows", "raises", "throws",
    "return", "returns", "as", "an",
];

/// Ways in which a line says that a test passed.
const PASSED_ENDS: [&str; 5] = ["... ok", " passed", " ok", "[ok]", "[pass]"];
const PASSED_BEGINS: [&str; 9] =
    ["✓", "✔", "√", "ok ", "pass ", "pass:", "--- pass", "[       ok", "[  passed"];

/// What a phrase shows where it stands; none where it means nothing.
pub fn judge(line: &[u8], words: Range<usize>, signal: Signal) -> Option<Signal> {
    if passed(line) || in_a_name(line, &words, signal) {
        return None;
    }
    match signal {
        Signal::Word | Signal::Tests => trouble(line, &words, signal),
        Signal::ExitLine => (number_next(line, words.end)? > 0).then_some(signal),
        // `retry: 3`, `fallback = "en"`, `timeout: 30`: settings that somebody printed.
        Signal::Retry | Signal::Fallback | Signal::Timeout if sets(line, &words) => None,
        Signal::Warning | Signal::Timeout | Signal::Missing | Signal::Exception | Signal::Retry => {
            real(line, &words).then_some(signal)
        }
        _ => (!negated(line, words.start)).then_some(signal),
    }
}

/// Plain words of trouble: weighed by what stands around them.
fn trouble(line: &[u8], words: &Range<usize>, signal: Signal) -> Option<Signal> {
    if !real(line, words) || signal == Signal::Word && (quiet(line) || spoken_of(line, words.start)) {
        return None;
    }
    if signal == Signal::Word && from_a_compiler(line, words) {
        return Some(Signal::Compiler);
    }
    let count = number_before(line, words.start).or_else(|| number_after(line, words.end));
    let about_tests = ["passed", "test", "tests", "specs", "examples", "suites", "skipped", "succeeded"];
    match count {
        Some(count) if count > 0 && about_tests.iter().any(|word| holds_word(line, word)) => {
            Some(Signal::Tests)
        }
        _ => Some(signal),
    }
}

fn real(line: &[u8], words: &Range<usize>) -> bool {
    !negated(line, words.start)
        && !says_nothing(line, words.end)
        && number_before(line, words.start) != Some(0)
}

/// Whether a line is a complaint of one of these programs, or of a shell.
pub fn complains(line: &str, programs: &[String]) -> bool {
    let shells = ["bash", "sh", "zsh", "/bin/sh", "/bin/bash", "/usr/bin/bash", "fatal", "error"];
    let Some((head, rest)) = line.split_once(':') else { return false };
    let head = head.rsplit('/').next().unwrap_or(head);
    rest.starts_with(' ') && (programs.iter().any(|program| program == head) || shells.contains(&head))
}

/// What somebody's account of the work can show.
pub fn is_told(signal: Signal) -> bool {
    use crate::signals::Category;
    matches!(signal.category(), Category::Discovery | Category::Workaround)
        || matches!(signal, Signal::Removal | Signal::Deprecated)
}

/// Whether the line reports success as a whole.
pub fn passed(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let line = text.trim().to_ascii_lowercase();
    PASSED_BEGINS.iter().any(|begin| line.starts_with(begin))
        || PASSED_ENDS.iter().any(|end| line.ends_with(end))
            && !line.contains("fail")
            && !line.contains("not ok")
}

/// A line of a log that its program calls harmless, or a command that a shell repeats before it runs it.
fn quiet(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&line[..line.len().min(120)]);
    let level = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '=');
        matches!(
            word,
            "INFO" | "DEBUG" | "TRACE" | "info" | "debug" | "level=info" | "level=debug" | "NOTICE"
        )
    };
    text.starts_with("+ ") || text.starts_with("$ ") || text.split_whitespace().take(5).any(level)
}

/// Whether the words are part of a path, an identifier, a flag or code rather than said.
fn in_a_name(line: &[u8], words: &Range<usize>, signal: Signal) -> bool {
    let before = words.start.checked_sub(1).map(|at| line[at]);
    let after = line.get(words.end).copied();
    let next = line.get(words.end + 1).copied();
    let joined = |byte: Option<u8>| byte.is_some_and(is_word);
    let named_before = matches!(before, Some(b'/' | b'-' | b'_' | b'$' | b'@' | b'\\'))
        || before == Some(b'.') && !matches!(signal, Signal::Exception | Signal::Crash | Signal::Compiler);
    let named_after = match after {
        Some(b'/' | b'\\') => true,
        Some(b'-' | b'.') => joined(next),
        Some(b':') => next == Some(b':'),
        Some(b'(') => signal == Signal::Word && !line[words.end..].starts_with(b"(s)"),
        Some(b'>') => signal == Signal::Word,
        _ => false,
    };
    named_before || named_after
}

/// Whether one of the two words before says that there is none.
fn negated(line: &[u8], start: usize) -> bool {
    let mut before = words_before(line, start);
    let (last, earlier) = (before.next(), before.next());
    let none = |word: Option<&str>| {
        word.is_some_and(|word| NONE_OF.iter().any(|none| word.eq_ignore_ascii_case(none)))
    };
    none(last)
        || none(earlier) && last.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

fn spoken_of(line: &[u8], start: usize) -> bool {
    words_before(line, start)
        .next()
        .is_some_and(|word| SPOKEN_OF.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The words before a place, the nearest first, up to the end of a clause.
fn words_before(line: &[u8], start: usize) -> impl Iterator<Item = &str> {
    let from = line[..start].iter().rposition(|byte| b",;:([{|".contains(byte)).map_or(0, |at| at + 1);
    let from = from.max(start.saturating_sub(60));
    let clause = line.get(from..start).unwrap_or_default();
    clause
        .rsplit(|byte| byte.is_ascii_whitespace())
        .filter_map(|word| std::str::from_utf8(word).ok())
        .filter(|word| !word.is_empty())
}

/// `main.c:3:5: error:`, `error[E0308]`, `error TS2345`.
fn from_a_compiler(line: &[u8], words: &Range<usize>) -> bool {
    let word = &line[words.clone()];
    if !word.eq_ignore_ascii_case(b"error") && !word.eq_ignore_ascii_case(b"errors") {
        return false;
    }
    let (before, after) = (line[..words.start].trim_ascii_end(), &line[words.end..]);
    let before = before.strip_suffix(b"fatal").map_or(before, <[u8]>::trim_ascii_end);
    let placed = before.strip_suffix(b":").is_some_and(|place| {
        place.last().is_some_and(u8::is_ascii_digit) && place.contains(&b':') || place.ends_with(b")")
    });
    let code = after.strip_prefix(b"[").or_else(|| after.strip_prefix(b" ")).unwrap_or_default();
    let letters = code.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let digits = code[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    placed && after.starts_with(b":") || (1..=4).contains(&letters) && digits >= 3
}

fn holds_word(line: &[u8], word: &str) -> bool {
    line.split(|byte| !is_word(*byte)).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}
