//! Finds the signals in a text and their lines, in one pass.
//!
//! Each word is compared with the phrases that begin with its first three letters. Only if one matches,
//! [`false_positives`] examines the text around it, so clean text costs a few steps per word.

use std::ops::Range;

use crate::false_positives::{self, is_word};
use crate::signals::{Form, Phrase, Signal, phrases_starting_with};

/// Number of bytes read at either end of a text. A command's output has at most 30,000 characters; a longer
/// text comes from another tool, and its ends suffice.
const MAX_END_BYTES: usize = 128 << 10;

/// Maximum number of bytes read from a line.
const MAX_LINE_BYTES: usize = 4 << 10;
/// Maximum number of phrases examined in a line. The text around each is read, so without a limit a line of a
/// thousand errors would take a million steps.
const MAX_PHRASES_PER_LINE: usize = 16;

/// Maximum number of hits kept.
const MAX_HITS: usize = 400;

/// A signal on a line.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The kind of signal.
    pub signal: Signal,
    /// The line's bytes in the text.
    pub line: Range<usize>,
    /// The bytes of the matched words in the text.
    pub words: Range<usize>,
}

/// The signals to look for in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanMode<'a> {
    /// All signals, for the output of a program.
    Output,
    /// Findings but not failures, for prose about the work.
    Prose,
    /// Error messages of these programs, for the output of programs that only read or compare.
    ErrorMessages(&'a [String]),
}

/// Returns the signals of a text, in the order of the text.
pub fn scan(text: &str, mode: ScanMode<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut is_own_block = false;
    for line in lines(text) {
        let words = text[line.clone()].trim_start();
        if words.starts_with("<interleaf-memory") || words.starts_with("</interleaf-memory") {
            // Skip text that Interleaf itself injected.
            is_own_block = words.starts_with("<i");
        }
        let is_read = match mode {
            ScanMode::ErrorMessages(programs) => false_positives::is_error_message(words, programs),
            ScanMode::Output | ScanMode::Prose => true,
        };
        if is_read && !is_own_block && hits.len() < MAX_HITS {
            scan_line(text, line, mode, &mut hits);
        }
    }
    hits
}

/// Returns the lines of a text; for a very long text, those at its ends.
pub fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let skipped = (text.len() > 2 * MAX_END_BYTES).then(|| MAX_END_BYTES..text.len() - MAX_END_BYTES);
    let mut at = 0;
    text.split('\n').filter_map(move |line| {
        let range = at..at + line.len();
        at = range.end + 1;
        let is_too_long = range.len() > MAX_END_BYTES;
        let is_skipped = skipped.as_ref().is_some_and(|skipped| skipped.contains(&range.start));
        if is_too_long || is_skipped { None } else { Some(range) }
    })
}

fn scan_line(text: &str, line: Range<usize>, mode: ScanMode<'_>, hits: &mut Vec<Hit>) {
    let bytes = &text.as_bytes()[line.clone()];
    let bytes = &bytes[..bytes.len().min(MAX_LINE_BYTES)];
    let (mut at, mut examined) = (0, 0);
    while at < bytes.len() && examined < MAX_PHRASES_PER_LINE {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
        let Some((signal, words)) = phrase_at(bytes, at..end) else {
            at = end;
            continue;
        };
        examined += 1;
        at = words.end.max(end);
        let is_read = mode != ScanMode::Prose || false_positives::is_in_prose(signal);
        if let Some(signal) =
            is_read.then(|| false_positives::confirm(bytes, words.clone(), signal)).flatten()
        {
            let words = line.start + words.start..line.start + words.end;
            hits.push(Hit { signal, line: line.clone(), words });
        }
    }
}

/// Returns the signal of the phrase that begins with this word, or of the word alone.
fn phrase_at(line: &[u8], word: Range<usize>) -> Option<(Signal, Range<usize>)> {
    let matching =
        phrases_starting_with(&line[word.start..]).filter(|phrase| matches(line, word.start, phrase));
    // The longest phrase is the most specific: `no such file` before `no such`.
    let longest = matching.max_by_key(|phrase| phrase.text.len());
    match longest {
        Some(phrase) => Some((phrase.signal, word.start..word.start + phrase.text.len())),
        None => false_positives::signal_word(line, word.clone()).map(|signal| (signal, word)),
    }
}

/// Tells whether the phrase begins at this position and ends at a word boundary.
fn matches(line: &[u8], at: usize, phrase: &Phrase) -> bool {
    let (text, rest) = (phrase.text.as_bytes(), &line[at..]);
    if rest.len() < text.len() || !rest[..text.len()].eq_ignore_ascii_case(text) {
        return false;
    }
    let ends_in_word = text.last().is_some_and(|byte| is_word(*byte));
    let ends_at_boundary = !ends_in_word || rest.get(text.len()).is_none_or(|byte| !is_word(*byte));
    ends_at_boundary && (phrase.form == Form::Anywhere || is_at_line_start(line, at, phrase))
}

/// Tells whether the phrase begins the line with a capital letter, as programs write it: `Killed`, `FAIL`.
fn is_at_line_start(line: &[u8], at: usize, phrase: &Phrase) -> bool {
    let is_first = line[..at].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'-'));
    let is_separate = phrase.text.ends_with([' ', '\t']) || {
        let rest = &line[at + phrase.text.len()..];
        rest.iter().all(|byte| !is_word(*byte)) || rest.starts_with(b" (") || rest.starts_with(b": ")
    };
    let letter = line[at..].iter().find(|byte| byte.is_ascii_alphabetic());
    is_first && is_separate && letter.is_some_and(u8::is_ascii_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(text: &str) -> Vec<Signal> {
        scan(text, ScanMode::Output).into_iter().map(|hit| hit.signal).collect()
    }

    #[test]
    fn the_longest_phrase_counts_once() {
        assert_eq!(signals("cat: x: No such file or directory"), [Signal::Missing]);
        assert_eq!(signals("bash: foo: command not found"), [Signal::NoCommand]);
    }

    #[test]
    fn a_phrase_ends_at_word_boundaries() {
        for text in
            ["terror", "errorless", "errored_out", "préerror", "KILLED_AT", "the killed process", "failbit"]
        {
            assert_eq!(signals(text), [], "{text}");
        }
        assert_eq!(signals("Killed"), [Signal::Memory]);
        assert_eq!(signals("  Killed (signal 9)"), [Signal::Memory]);
    }

    #[test]
    fn random_bytes_do_not_make_the_scanner_panic() {
        let mut seed = 1u64;
        for _ in 0..2_000 {
            let bytes: Vec<u8> = (0..60)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    b"error: \n\t0/.-_\"'(=\xc3\xa4E[:<>no1 failed"[(seed >> 33) as usize % 35]
                })
                .collect();
            let text = String::from_utf8_lossy(&bytes);
            for hit in scan(&text, ScanMode::Output) {
                assert!(text.get(hit.line).is_some());
            }
        }
    }

    #[test]
    fn both_ends_of_a_very_long_text_are_read() {
        let text = format!("error: first\n{}\npanic: last", "clean line\n".repeat(60_000));

        assert_eq!(signals(&text), [Signal::Word, Signal::Crash]);
    }

    #[test]
    fn text_that_interleaf_injected_is_skipped() {
        assert_eq!(
            signals("<interleaf-memory layer=\"recall\">\n- fatal error\n</interleaf-memory>\nfine"),
            []
        );
    }
}
