//! Finds secrets inside base64: configuration in Kubernetes, values in pipelines, pasted headers.
//!
//! Every long run is decoded at all four alignments, because it may be truncated or follow the slash of a
//! path. Images, digests and names decode to noise without longer stretches of text; only text is searched.

use interleaf_text::is_invisible;

use super::ascii::{self, BASE64};
use super::rule_tables::Kind;
use super::spans::Span;
use super::unnamed_values;

/// Maximum decoding depth: encoded text may be encoded again.
const MAX_DEPTH: usize = 2;
/// Minimum length of a run: a shorter one cannot hold a secret with its name.
const MIN_RUN_CHARS: usize = 20;
/// Minimum length of a stretch of text within noise, in bytes.
const MIN_TEXT_BYTES: usize = 12;
/// Minimum length of a line that may continue on the next line; encoders break their output at 60 letters or
/// more.
const MIN_BROKEN_LINE_CHARS: usize = 56;
/// Maximum length of a user and a password in base64.
const MAX_PAIR_CHARS: usize = 1024;

/// A function that searches a decoded text, given its decoding depth, and returns the kind of secret for its
/// encoded form.
pub type Search<'s> = dyn Fn(&[u8], usize) -> Option<Kind> + 's;

/// A run of base64, possibly broken over several lines.
struct Run {
    /// Its letters, without the line breaks.
    letters: Vec<u8>,
    /// For each line, the index of its first letter in `letters` and its position in the text.
    lines: Vec<(usize, usize)>,
    /// Its end in the text, padding included.
    end: usize,
}

/// Finds every run that encodes text in which `search` finds something.
pub fn find(bytes: &[u8], depth: usize, search: &Search, found: &mut Vec<Span>) {
    if depth >= MAX_DEPTH {
        return;
    }
    let (mut probe, mut done, mut named_until, mut decoded) = (MIN_RUN_CHARS - 1, 0, 0, Vec::new());
    // Probing every twentieth byte suffices, because no long run fits between two probes.
    while probe < bytes.len() {
        if ascii::is(bytes[probe], BASE64) {
            let end = ascii::run_end(bytes, probe, BASE64);
            let start = ascii::run_start(bytes, end, BASE64, end - done);
            // Most runs are names and paths in one case. Nothing is allocated for them.
            if end - start < MIN_BROKEN_LINE_CHARS && !has_both_cases(&bytes[start..end]) {
                done = end;
                probe = end + MIN_RUN_CHARS;
                continue;
            }
            let run = Run::read(bytes, start);
            if run.letters.len() >= MIN_RUN_CHARS && has_both_cases(&run.letters) {
                unnamed_values::discord_token(bytes, start, found);
                if start >= named_until {
                    named_until = unnamed_values::find(bytes, start, found);
                }
                find_in_run(&run, depth, search, &mut decoded, found);
            }
            done = run.end;
            probe = run.end;
        }
        probe += MIN_RUN_CHARS;
    }
}

/// Returns whether the run has letters of both cases, as encoded text has. Digests and names in paths usually
/// do not.
fn has_both_cases(run: &[u8]) -> bool {
    ascii::has_any(run, ascii::UPPER) && ascii::has_any(run, ascii::LOWER)
}

impl Run {
    /// Reads the run that starts at `start`, with the next lines if they continue it.
    fn read(bytes: &[u8], start: usize) -> Self {
        let mut run = Self { letters: Vec::new(), lines: Vec::new(), end: start };
        let mut from = start;
        loop {
            let end = ascii::run_end(bytes, from, BASE64);
            run.lines.push((run.letters.len(), from));
            run.letters.extend_from_slice(&bytes[from..end]);
            match next_line(bytes, end) {
                Some(next) if end - from >= MIN_BROKEN_LINE_CHARS => from = next,
                _ => {
                    run.end = ascii::run_end(bytes, end, ascii::PAD);
                    return run;
                }
            }
        }
    }

    /// Returns the position of a letter of the run in the text.
    fn position(&self, letter: usize) -> usize {
        let letter = letter.min(self.letters.len() - 1);
        let line = self.lines.partition_point(|&(first, _)| first <= letter) - 1;
        let (first, position) = self.lines[line];
        position + letter - first
    }
}

/// Returns the start of the next line, if it consists of base64 only.
fn next_line(bytes: &[u8], end: usize) -> Option<usize> {
    let next = match bytes.get(end..)? {
        [b'\n', ..] => end + 1,
        [b'\r', b'\n', ..] | [b'\\', b'n', ..] => end + 2,
        [b'\\', b'r', b'\\', b'n', ..] => end + 4,
        _ => return None,
    };
    let start = ascii::skip_blanks(bytes, next);
    let stop = ascii::run_end(bytes, ascii::run_end(bytes, start, BASE64), ascii::PAD);
    let is_alone =
        ascii::is_line_end(bytes, stop) || bytes.get(stop).is_some_and(|&byte| ascii::is_quote(byte));
    (stop > start && is_alone).then_some(start)
}

fn find_in_run(run: &Run, depth: usize, search: &Search, decoded: &mut Vec<u8>, found: &mut Vec<Span>) {
    for offset in 0..4 {
        decode(&run.letters[offset..], decoded);
        for_each_text(decoded, |from, to| {
            let Some(kind) = search(&decoded[from..to], depth + 1) else { return };
            // Byte n of the decoded text begins in letter n·4/3 and ends in the one after.
            let (start, end) = (offset + from * 4 / 3, offset + (to * 4).div_ceil(3));
            let end = if to == decoded.len() { run.end } else { run.position(end - 1) + 1 };
            found.push(Span::new(run.position(start), end, kind));
        });
    }
}

/// Calls `visit` with the start and the end of each stretch of text in decoded bytes.
fn for_each_text(decoded: &[u8], mut visit: impl FnMut(usize, usize)) {
    let mut start = 0;
    for (at, &byte) in decoded.iter().chain([&0]).enumerate() {
        if !is_text_byte(byte) {
            if at - start >= MIN_TEXT_BYTES {
                visit(start, at);
            }
            start = at + 1;
        }
    }
}

fn is_text_byte(byte: u8) -> bool {
    (b' '..0x7f).contains(&byte) || matches!(byte, b'\n' | b'\r' | b'\t')
}

/// Decodes base64 of either alphabet. An incomplete group at the end yields only its complete bytes.
fn decode(letters: &[u8], decoded: &mut Vec<u8>) {
    decoded.clear();
    for group in letters.chunks(4) {
        let bits = group.iter().fold(0u32, |bits, &letter| bits << 6 | u32::from(value_of(letter)))
            << (6 * (4 - group.len()));
        let [_, bytes @ ..] = bits.to_be_bytes();
        decoded.extend_from_slice(&bytes[..group.len() * 3 / 4]);
    }
}

fn value_of(letter: u8) -> u8 {
    match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        _ => 63,
    }
}

/// Returns the text that a value encodes, if it encodes one.
pub fn decoded_text(value: &[u8]) -> Option<Vec<u8>> {
    is_encoded_text(value).then(|| {
        let mut decoded = Vec::new();
        decode(&value[..ascii::run_end(value, 0, BASE64)], &mut decoded);
        decoded
    })
}

/// Returns whether the whole value is base64 of a short text, like a password in a Kubernetes secret. Three
/// of four names have the wrong length for base64, and hardly any of the others decodes to text only.
pub fn is_encoded_text(value: &[u8]) -> bool {
    let end = ascii::run_end(value, 0, ascii::ALNUM | ascii::PLUS);
    if end < 12 || !ascii::is_all(&value[end..], ascii::PAD) || !value.len().is_multiple_of(4) {
        return false;
    }
    let mut decoded = Vec::new();
    decode(&value[..end], &mut decoded);
    decoded.iter().all(|&byte| is_text_byte(byte))
}

/// Returns whether the value is a user and a password in base64, as in basic authorization.
pub fn is_credential_pair(value: &[u8]) -> bool {
    let end = ascii::run_end(value, 0, BASE64);
    if !(6..=MAX_PAIR_CHARS).contains(&end) || !ascii::is_all(&value[end..], ascii::PAD) {
        return false;
    }
    let mut decoded = Vec::new();
    decode(&value[..end], &mut decoded);
    let is_text = std::str::from_utf8(&decoded).is_ok_and(|text| !text.contains(is_invisible));
    is_text && decoded.iter().skip(1).any(|&byte| byte == b':')
}
