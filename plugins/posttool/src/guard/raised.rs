//! Words that are no phrase and tell all the same: what programs raise by name, the status of an answer, places in Go.

use std::ops::Range;

use super::in_a_name;
use super::numbers::number;
use crate::signals::Signal;

/// Words ending in `Error`, `Exception` or `Warning`, as programs name what they raise, with a colon or nothing after.
pub fn telling_word(line: &[u8], word: Range<usize>) -> Option<Signal> {
    let bytes = &line[word.clone()];
    let ends = bytes.ends_with(b"Error") || bytes.ends_with(b"Exception") || bytes.ends_with(b"Warning");
    if !ends && bytes.len() != 3 && bytes != b"go" {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    match text {
        "go" if is_go_place(line, &word) => return Some(Signal::Compiler),
        _ if text.len() == 3 => return status(line, &word, text),
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
        (Some(_), true) => Some(named(text)),
        _ => None,
    }
}

/// What an exception of this name is about.
fn named(text: &str) -> Signal {
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

/// A number from 400 to 599 where it is the status of an answer: after `HTTP/1.1`, `status`, `code`, or before its
/// reason.
fn status(line: &[u8], word: &Range<usize>, text: &str) -> Option<Signal> {
    let in_range = matches!(text.as_bytes()[0], b'4' | b'5') && number(text).is_some();
    if !in_range || in_a_name(line, word, Signal::Http) {
        return None;
    }
    let before = String::from_utf8_lossy(&line[..word.start]).to_ascii_lowercase();
    let before = before.trim_end_matches([' ', ':', '=', '"', '(', '[']);
    let told = ["status", "status code", "status_code", "statuscode", "http", "response code", "error"];
    let http =
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
    let reasoned = reasons.iter().any(|words| reason.trim_start().starts_with(words));
    (http || reasoned || told.iter().any(|words| before.ends_with(words))).then_some(Signal::Http)
}

/// The Go compiler says no more than the place: `./main.go:10:2: undefined: x`.
fn is_go_place(line: &[u8], word: &Range<usize>) -> bool {
    let mut rest = line[word.end..].splitn(4, |byte| *byte == b':');
    let mut digits =
        || rest.next().is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
    let named = line[..word.start].ends_with(b".") && line[word.end..].starts_with(b":");
    named && !digits() && digits() && digits() && rest.next().is_some_and(|message| message.starts_with(b" "))
}
