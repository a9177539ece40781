//! Filters false positives: the text around a phrase decides whether the phrase is a signal.
//!
//! "0 errors", a passing `test_error_handling`, `error_handler.rs` in a listing and `--no-error` are not
//! signals; `main.c:3:5: error:` is a stronger signal than the word `error` alone.

use std::ops::Range;

use crate::signals::Signal;

/// Words that negate the next word, or the one after it.
const NEGATIONS: [&str; 8] = ["no", "zero", "without", "0", "0.0", "never", "any", "free"];

/// Words after which an error is only mentioned.
const MENTIONS: [&str; 26] = [
    "not", "if", "on", "when", "handle", "handles", "handling", "handled", "fix", "fixes", "fixed", "fixing",
    "ignore", "ignores", "ignored", "ignoring", "expected", "expects", "allow", "allows", "raises", "throws",
    "return", "returns", "as", "an",
];

/// Endings of lines that report a passed test.
const PASSED_SUFFIXES: [&str; 5] = ["... ok", " passed", " ok", "[ok]", "[pass]"];
/// Beginnings of lines that report a passed test.
const PASSED_PREFIXES: [&str; 9] =
    ["✓", "✔", "√", "ok ", "pass ", "pass:", "--- pass", "[       ok", "[  passed"];

/// Returns the signal of a phrase in its context; none for a false positive.
pub fn confirm(line: &[u8], words: Range<usize>, signal: Signal) -> Option<Signal> {
    if is_passed_line(line) || is_in_name(line, &words, signal) {
        return None;
    }
    match signal {
        Signal::Word | Signal::Tests => error_word(line, &words, signal),
        Signal::ExitLine => (number_next(line, words.end)? > 0).then_some(signal),
        // `retry: 3`, `fallback = "en"` and `timeout: 30` are printed settings.
        Signal::Retry | Signal::Fallback | Signal::Timeout if is_setting(line, &words) => None,
        Signal::Warning | Signal::Timeout | Signal::Missing | Signal::Exception | Signal::Retry => {
            is_real(line, &words).then_some(signal)
        }
        _ => (!is_negated(line, words.start)).then_some(signal),
    }
}

/// Returns the signal of an error word or a test word in its context.
fn error_word(line: &[u8], words: &Range<usize>, signal: Signal) -> Option<Signal> {
    if !is_real(line, words)
        || signal == Signal::Word && (is_harmless_line(line) || is_mention(line, words.start))
    {
        return None;
    }
    if signal == Signal::Word && is_compiler_error(line, words) {
        return Some(Signal::Compiler);
    }
    let count = number_before(line, words.start).or_else(|| number_after(line, words.end));
    let about_tests = ["passed", "test", "tests", "specs", "examples", "suites", "skipped", "succeeded"];
    match count {
        Some(count) if count > 0 && about_tests.iter().any(|word| has_word(line, word)) => {
            Some(Signal::Tests)
        }
        _ => Some(signal),
    }
}

fn is_real(line: &[u8], words: &Range<usize>) -> bool {
    !is_negated(line, words.start)
        && !is_nothing(line, words.end)
        && number_before(line, words.start) != Some(0)
}

/// Tells whether a line is an error message of one of these programs or of a shell.
pub fn is_error_message(line: &str, programs: &[String]) -> bool {
    let shells = ["bash", "sh", "zsh", "/bin/sh", "/bin/bash", "/usr/bin/bash", "fatal", "error"];
    let Some((head, rest)) = line.split_once(':') else { return false };
    let head = head.rsplit('/').next().unwrap_or(head);
    rest.starts_with(' ') && (programs.iter().any(|program| program == head) || shells.contains(&head))
}

/// Tells whether this signal counts in prose about the work.
pub fn is_in_prose(signal: Signal) -> bool {
    use crate::signals::Category;
    matches!(signal.category(), Category::Discovery | Category::Workaround)
        || matches!(signal, Signal::Removal | Signal::Deprecated)
}

/// Tells whether the line as a whole reports success.
pub fn is_passed_line(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let line = text.trim().to_ascii_lowercase();
    PASSED_PREFIXES.iter().any(|prefix| line.starts_with(prefix))
        || PASSED_SUFFIXES.iter().any(|suffix| line.ends_with(suffix))
            && !line.contains("fail")
            && !line.contains("not ok")
}

/// Tells whether a line is a log line of a harmless level, or a command that a shell echoes.
fn is_harmless_line(line: &[u8]) -> bool {
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

/// Tells whether the words are part of a path, an identifier, a flag or code.
fn is_in_name(line: &[u8], words: &Range<usize>, signal: Signal) -> bool {
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

/// Tells whether one of the two words before is a negation.
fn is_negated(line: &[u8], start: usize) -> bool {
    let mut before = words_before(line, start);
    let (last, earlier) = (before.next(), before.next());
    let none = |word: Option<&str>| {
        word.is_some_and(|word| NEGATIONS.iter().any(|none| word.eq_ignore_ascii_case(none)))
    };
    none(last)
        || none(earlier) && last.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

fn is_mention(line: &[u8], start: usize) -> bool {
    words_before(line, start)
        .next()
        .is_some_and(|word| MENTIONS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// Returns the words before a position, the nearest first, back to the beginning of the clause.
fn words_before(line: &[u8], start: usize) -> impl Iterator<Item = &str> {
    let from = line[..start].iter().rposition(|byte| b",;:([{|".contains(byte)).map_or(0, |at| at + 1);
    let from = from.max(start.saturating_sub(60));
    let clause = line.get(from..start).unwrap_or_default();
    clause
        .rsplit(|byte| byte.is_ascii_whitespace())
        .filter_map(|word| std::str::from_utf8(word).ok())
        .filter(|word| !word.is_empty())
}

/// Tells whether an error word comes from a compiler: `main.c:3:5: error:`, `error[E0308]`, `error TS2345`.
fn is_compiler_error(line: &[u8], words: &Range<usize>) -> bool {
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

fn has_word(line: &[u8], word: &str) -> bool {
    line.split(|byte| !is_word(*byte)).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

/// Values that mean "none".
const EMPTY_VALUES: [&str; 9] = ["0", "null", "none", "nil", "false", "no", "undefined", "[]", "{}"];

/// Tells whether the value that follows means "none": `errors: 0`, `"error": null`.
fn is_nothing(line: &[u8], end: usize) -> bool {
    let Some(value) = value(line, end) else { return false };
    EMPTY_VALUES.iter().any(|nothing| {
        let (this, rest) = value.split_at(nothing.len().min(value.len()));
        let rest = String::from_utf8_lossy(rest);
        let over = rest.trim_start().chars().next().is_none_or(|c| ",;)}]|\"'.".contains(c))
            || rest.starts_with(char::is_whitespace) && *nothing == "0";
        this.eq_ignore_ascii_case(nothing.as_bytes()) && over
    })
}

/// Returns the text after a name and its colon or equals sign.
fn value(line: &[u8], end: usize) -> Option<&[u8]> {
    let rest = line.get(end..)?;
    let rest = rest.strip_prefix(b"(s)").unwrap_or(rest);
    let rest =
        rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest).trim_ascii_start();
    let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))?.trim_ascii_start();
    Some(rest.strip_prefix(b"\"").unwrap_or(rest))
}

/// Tells whether a single word is followed by a value, as in a printed setting.
fn is_setting(line: &[u8], words: &Range<usize>) -> bool {
    let one = !line[words.clone()].contains(&b' ');
    one && value(line, words.end).is_some_and(|value| {
        value.first().is_some_and(|first| first.is_ascii_digit() || b"\"'[{".contains(first))
            || [&b"true"[..], b"false"].iter().any(|word| value.starts_with(word))
            || line.get(words.end) == Some(&b'"')
    })
}

/// Returns the number that follows, after white space and a colon or equals sign.
fn number_next(line: &[u8], end: usize) -> Option<u64> {
    let rest = line.get(end..)?.trim_ascii_start();
    let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"=")).unwrap_or(rest).trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    number(std::str::from_utf8(&rest[..digits]).ok()?)
}

/// Returns the number after a name: 3 of `failed: 3`.
fn number_after(line: &[u8], end: usize) -> Option<u64> {
    let value = value(line, end)?;
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    number(std::str::from_utf8(&value[..digits]).ok()?)
}

/// Returns the number before a word: 3 of `3 failed`.
fn number_before(line: &[u8], start: usize) -> Option<u64> {
    let word = words_before(line, start).next()?;
    number(word.rsplit(['=', '\u{1b}', 'm']).next()?)
}

/// Parses a text that consists of digits.
fn number(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Returns the signal of a single word that is not a phrase: a raised `…Error`, `…Exception` or `…Warning`
/// that ends the line or is followed by a colon, an HTTP status, or a position in Go code.
pub fn signal_word(line: &[u8], word: Range<usize>) -> Option<Signal> {
    let bytes = &line[word.clone()];
    let ends = bytes.ends_with(b"Error") || bytes.ends_with(b"Exception") || bytes.ends_with(b"Warning");
    if !ends && bytes.len() != 3 && bytes != b"go" {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    match text {
        "go" if is_go_position(line, &word) => return Some(Signal::Compiler),
        _ if text.len() == 3 => return status_signal(line, &word, text),
        _ => {}
    }
    let rest = &line[word.end..];
    let raised = rest.is_empty()
        || rest[0] == b'\r'
        || [&b": "[..], b" ["].iter().any(|next| rest.starts_with(next))
        || rest == b":";
    let ends =
        ["Error", "Exception", "Warning"].iter().find(|end| text.len() > end.len() && text.ends_with(**end));
    match (ends, raised) {
        (Some(&"Warning"), true) if text.starts_with("Deprecation") => Some(Signal::Deprecated),
        (Some(&"Warning"), true) => Some(Signal::Warning),
        (Some(_), true) => Some(exception_signal(text)),
        _ => None,
    }
}

/// Returns the signal of an exception of this name.
fn exception_signal(text: &str) -> Signal {
    match text {
        "SyntaxError" | "IndentationError" | "ParseError" => Signal::Syntax,
        "ImportError" | "ModuleNotFoundError" => Signal::Import,
        "AssertionError" => Signal::Tests,
        "MemoryError" | "OutOfMemoryError" => Signal::Memory,
        "TimeoutError" => Signal::Timeout,
        "PermissionError" => Signal::Permission,
        "FileNotFoundError" => Signal::Missing,
        "ConnectionError" | "ConnectionRefusedError" | "ConnectionResetError" => Signal::Connection,
        _ => Signal::Exception,
    }
}

/// Returns the HTTP signal of a number from 400 to 599 that is a status: it follows `HTTP/1.1`, `status` or
/// `code`, or precedes its reason phrase.
fn status_signal(line: &[u8], word: &Range<usize>, text: &str) -> Option<Signal> {
    let in_range = matches!(text.as_bytes()[0], b'4' | b'5') && number(text).is_some();
    if !in_range || is_in_name(line, word, Signal::Http) {
        return None;
    }
    let before = String::from_utf8_lossy(&line[..word.start]).to_ascii_lowercase();
    let before = before.trim_end_matches([' ', ':', '=', '"', '(', '[']);
    let introductions =
        ["status", "status code", "status_code", "statuscode", "http", "response code", "error"];
    let follows_http =
        before.rsplit(|c: char| c.is_whitespace()).next().is_some_and(|word| word.starts_with("http/"));
    let reason = String::from_utf8_lossy(&line[word.end..]).to_ascii_lowercase();
    let reasons = [
        "not found",
        "forbidden",
        "unauthorized",
        "bad request",
        "conflict",
        "gone",
        "method not",
        "unprocessable",
        "internal server",
        "bad gateway",
        "service unavail",
        "gateway time",
        "too many",
    ];
    let has_reason = reasons.iter().any(|words| reason.trim_start().starts_with(words));
    (follows_http || has_reason || introductions.iter().any(|words| before.ends_with(words)))
        .then_some(Signal::Http)
}

/// Tells whether `go` ends a path that is followed by a position. The Go compiler marks its errors in no
/// other way: `./main.go:10:2: undefined: x`.
fn is_go_position(line: &[u8], word: &Range<usize>) -> bool {
    let mut rest = line[word.end..].splitn(4, |byte| *byte == b':');
    let mut digits =
        || rest.next().is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
    let named = line[..word.start].ends_with(b".") && line[word.end..].starts_with(b":");
    named && !digits() && digits() && digits() && rest.next().is_some_and(|message| message.starts_with(b" "))
}

/// Tells whether a byte is part of a word. All bytes beyond ASCII are.
pub fn is_word(byte: u8) -> bool {
    // The scanner asks for every byte.
    static WORD_BYTES: [bool; 256] = word_bytes();
    WORD_BYTES[usize::from(byte)]
}

const fn word_bytes() -> [bool; 256] {
    let mut are_word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        are_word[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' || byte >= 0x80;
        byte += 1;
    }
    are_word
}
