//! One pass over a text: which signals are in it, and on which lines.
//!
//! Each word is compared with the phrases of its first letter; only where one fits does [`guard`] look
//! at what stands around it. A clean text costs a few steps a word.

use std::ops::Range;

use crate::guard;
use crate::phrases::{self, Form, Phrase};
use crate::signals::Signal;

/// So much of a text is looked at from either end, in bytes. A command's output has 30,000 characters at most; what
/// is longer came from somewhere else, and its ends tell.
const MOST_OF_END: usize = 128 << 10;

/// So much of a line, in bytes, and so many doubtful places in it: what stands around each is looked at, so without a
/// limit a line of a thousand errors would take a million steps.
const MOST_OF_LINE: usize = 4 << 10;
const MOST_JUDGED: usize = 16;

/// So many lines are kept for the excerpt.
const MOST_HITS: usize = 400;

/// A signal on a line.
#[derive(Debug, Clone)]
pub struct Hit {
    /// What it shows.
    pub signal: Signal,
    /// The line's bytes in the text.
    pub line: Range<usize>,
    /// The words that showed it.
    pub words: Range<usize>,
}

/// Which signals a text may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading<'a> {
    /// What a program printed while it worked: all of them.
    Output,
    /// Somebody's account of what was done: what was found out, not what went wrong.
    Prose,
    /// What programs of these names printed that only read or compare: their own complaints.
    Complaints(&'a [String]),
}

/// The signals in a text, in its order.
pub fn scan(text: &str, reading: Reading<'_>) -> Vec<Hit> {
    let mut hits = Vec::new();
    let mut ours = false;
    for line in lines(text) {
        let words = text[line.clone()].trim_start();
        if words.starts_with("<interleaf-memory") || words.starts_with("</interleaf-memory") {
            // What was remembered before has not happened again.
            ours = words.starts_with("<i");
        }
        let read = match reading {
            Reading::Complaints(programs) => guard::complains(words, programs),
            Reading::Output | Reading::Prose => true,
        };
        if read && !ours && hits.len() < MOST_HITS {
            scan_line(text, line, reading, &mut hits);
        }
    }
    hits
}

/// The lines of a text; of a very long one, those at its ends.
pub fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let skipped = (text.len() > 2 * MOST_OF_END).then(|| MOST_OF_END..text.len() - MOST_OF_END);
    let mut at = 0;
    text.split('\n').filter_map(move |line| {
        let range = at..at + line.len();
        at = range.end + 1;
        let long = range.len() > MOST_OF_END;
        let inside = skipped.as_ref().is_some_and(|skipped| skipped.contains(&range.start));
        if long || inside { None } else { Some(range) }
    })
}

fn scan_line(text: &str, line: Range<usize>, reading: Reading<'_>, hits: &mut Vec<Hit>) {
    let bytes = &text.as_bytes()[line.clone()];
    let bytes = &bytes[..bytes.len().min(MOST_OF_LINE)];
    let (mut at, mut judged) = (0, 0);
    while at < bytes.len() && judged < MOST_JUDGED {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|byte| is_word(**byte)).count();
        let Some((signal, words)) = at_word(bytes, at..end) else {
            at = end;
            continue;
        };
        judged += 1;
        at = words.end.max(end);
        let read = reading != Reading::Prose || guard::is_told(signal);
        if let Some(signal) = read.then(|| guard::judge(bytes, words.clone(), signal)).flatten() {
            let words = line.start + words.start..line.start + words.end;
            hits.push(Hit { signal, line: line.clone(), words });
        }
    }
}

/// What the word at this place may show, alone or with those that follow it.
fn at_word(line: &[u8], word: Range<usize>) -> Option<(Signal, Range<usize>)> {
    let fitting = phrases::beginning_with(line[word.start]).filter(|phrase| fits(line, word.start, phrase));
    // The longest says most: `no such file` is more than `no such`.
    let longest = fitting.max_by_key(|phrase| phrase.text.len());
    match longest {
        Some(phrase) => Some((phrase.signal, word.start..word.start + phrase.text.len())),
        None => guard::telling_word(line, word.clone()).map(|signal| (signal, word)),
    }
}

/// Whether the phrase stands here, with a border after it.
fn fits(line: &[u8], at: usize, phrase: &Phrase) -> bool {
    let (text, rest) = (phrase.text.as_bytes(), &line[at..]);
    // Most words differ in their second byte, and most of the time of a clean text is spent here.
    if rest.len() < 2
        || rest[1] | 0x20 != text[1] | 0x20
        || rest.len() < text.len()
        || !rest[..text.len()].eq_ignore_ascii_case(text)
    {
        return false;
    }
    let ends_in_word = text.last().is_some_and(|byte| is_word(*byte));
    let border = !ends_in_word || rest.get(text.len()).is_none_or(|byte| !is_word(*byte));
    border && (phrase.form == Form::Anywhere || opens(line, at, phrase))
}

/// At the beginning of a line, in upper case as a program writes it: `Killed`, `FAIL`.
fn opens(line: &[u8], at: usize, phrase: &Phrase) -> bool {
    let blank = line[..at].iter().all(|byte| matches!(byte, b' ' | b'\t' | b'-'));
    let alone = phrase.text.ends_with([' ', '\t']) || {
        let rest = &line[at + phrase.text.len()..];
        rest.iter().all(|byte| !is_word(*byte)) || rest.starts_with(b" (") || rest.starts_with(b": ")
    };
    let letter = line[at..].iter().find(|byte| byte.is_ascii_alphabetic());
    blank && alone && letter.is_some_and(u8::is_ascii_uppercase)
}

/// Whether a byte is part of a word. Letters beyond ASCII are.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals(text: &str) -> Vec<Signal> {
        scan(text, Reading::Output).into_iter().map(|hit| hit.signal).collect()
    }

    #[test]
    fn the_longest_phrase_counts_and_once() {
        assert_eq!(signals("cat: x: No such file or directory"), [Signal::Missing]);
        assert_eq!(signals("bash: foo: command not found"), [Signal::NoCommand]);
    }

    #[test]
    fn a_word_has_borders() {
        for text in
            ["terror", "errorless", "errored_out", "préerror", "KILLED_AT", "the killed process", "failbit"]
        {
            assert_eq!(signals(text), [], "{text}");
        }
        assert_eq!(signals("Killed"), [Signal::Memory]);
        assert_eq!(signals("  Killed (signal 9)"), [Signal::Memory]);
    }

    #[test]
    fn nothing_in_any_bytes_panics() {
        let mut seed = 1u64;
        for _ in 0..2_000 {
            let bytes: Vec<u8> = (0..60)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    b"error: \n\t0/.-_\"'(=\xc3\xa4E[:<>no1 failed"[(seed >> 33) as usize % 35]
                })
                .collect();
            let text = String::from_utf8_lossy(&bytes);
            for hit in scan(&text, Reading::Output) {
                assert!(text.get(hit.line).is_some());
            }
        }
    }

    #[test]
    fn of_a_very_long_text_both_ends_are_read() {
        let text = format!("error: first\n{}\npanic: last", "clean line\n".repeat(60_000));

        assert_eq!(signals(&text), [Signal::Word, Signal::Crash]);
    }

    #[test]
    fn what_interleaf_showed_has_not_happened_again() {
        assert_eq!(
            signals("<interleaf-memory layer=\"recall\">\n- fatal error\n</interleaf-memory>\nfine"),
            []
        );
    }
}
