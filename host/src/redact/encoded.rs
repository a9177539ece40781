//! Secrets wrapped in base64: configuration in Kubernetes, values in pipelines, headers that somebody pasted.
//!
//! Every long run is decoded at all four alignments, because a cut or a slash of a path may stand before it. Images,
//! digests and names decode to noise, in which no text of any length stands; only text is looked into.

use super::kinds::HOME;
use super::letters::{self, BASE64};
use super::lures;
use super::spans::Span;

/// Shorter runs hold no secret with its name.
const LEAST: usize = 20;
/// Text within noise is at least this long.
const TEXT: usize = 12;
/// A line this long may go on below, as encoders break their output (at 60 letters or more).
const BROKEN: usize = 56;
/// How often something wrapped may be wrapped again.
pub const DEEPEST: usize = 2;

/// A run of base64, perhaps broken over lines: its letters, where in the text each piece of them
/// starts, and where it all ends, padding included.
struct Run {
    letters: Vec<u8>,
    pieces: Vec<(usize, usize)>,
    end: usize,
}

/// Every run that holds text in which something is found.
pub fn find(bytes: &[u8], depth: usize, found: &mut Vec<Span>) {
    if depth >= DEEPEST {
        return;
    }
    let (mut probe, mut done) = (LEAST - 1, 0);
    // Only every twentieth byte is looked at: no run that is long enough can lie between.
    while probe < bytes.len() {
        if letters::is(bytes[probe], BASE64) {
            let end = letters::run(bytes, probe, BASE64);
            let start = letters::run_back(bytes, end, BASE64, end - done);
            let run = gather(bytes, start);
            if run.letters.len() >= LEAST && is_mixed(&run.letters) {
                look_into(&run, depth, found);
            }
            done = run.end;
            probe = run.end;
        }
        probe += LEAST;
    }
}

/// Text in base64 has letters of either case; digests and the names in paths do not.
fn is_mixed(run: &[u8]) -> bool {
    run.iter().any(|&byte| letters::is(byte, letters::UPPER))
        && run.iter().any(|&byte| letters::is(byte, letters::LOWER))
}

/// The run that starts here, with the lines below that carry it on.
fn gather(bytes: &[u8], start: usize) -> Run {
    let mut run = Run { letters: Vec::new(), pieces: Vec::new(), end: start };
    let mut from = start;
    loop {
        let end = letters::run(bytes, from, BASE64);
        run.pieces.push((run.letters.len(), from));
        run.letters.extend_from_slice(&bytes[from..end]);
        match below(bytes, end) {
            Some(next) if end - from >= BROKEN => from = next,
            _ => {
                run.end = letters::run(bytes, end, letters::PAD);
                return run;
            }
        }
    }
}

/// Where the line below starts, if it is one of base64 and nothing else.
fn below(bytes: &[u8], end: usize) -> Option<usize> {
    let next = match bytes.get(end..)? {
        [b'\n', ..] => end + 1,
        [b'\r', b'\n', ..] | [b'\\', b'n', ..] => end + 2,
        [b'\\', b'r', b'\\', b'n', ..] => end + 4,
        _ => return None,
    };
    let start = letters::past_blanks(bytes, next);
    let stop = letters::run(bytes, letters::run(bytes, start, BASE64), letters::PAD);
    let alone =
        letters::ends_line(bytes, stop) || bytes.get(stop).is_some_and(|&byte| letters::is_quote(byte));
    (stop > start && alone).then_some(start)
}

fn look_into(run: &Run, depth: usize, found: &mut Vec<Span>) {
    let mut plain = Vec::with_capacity(run.letters.len() / 4 * 3 + 3);
    for offset in 0..4 {
        decode(&run.letters[offset..], &mut plain);
        each_text(&plain, |from, to| {
            let inside = lures::sweep(&plain[from..to], depth + 1);
            let Some(first) = inside.iter().map(|span| span.kind).filter(|&kind| kind != HOME).min() else {
                return;
            };
            // Byte n of the plain text begins in letter n·4/3 and ends in the one after.
            let (start, end) = (offset + from * 4 / 3, offset + (to * 4).div_ceil(3));
            let end = if to == plain.len() { run.end } else { run.place(end - 1) + 1 };
            found.push(Span::new(run.place(start), end, first));
        });
    }
}

impl Run {
    /// Where in the text a letter of the run stands.
    fn place(&self, letter: usize) -> usize {
        let letter = letter.min(self.letters.len() - 1);
        let piece = self.pieces.partition_point(|&(start, _)| start <= letter) - 1;
        let (start, place) = self.pieces[piece];
        place + letter - start
    }
}

/// Calls `see` with every stretch of text in what was decoded.
fn each_text(plain: &[u8], mut see: impl FnMut(usize, usize)) {
    let mut start = 0;
    for (at, &byte) in plain.iter().chain([&0]).enumerate() {
        if !is_text_byte(byte) {
            if at - start >= TEXT {
                see(start, at);
            }
            start = at + 1;
        }
    }
}

fn is_text_byte(byte: u8) -> bool {
    (b' '..0x7f).contains(&byte) || matches!(byte, b'\n' | b'\r' | b'\t')
}

/// Base64 of either alphabet into bytes; what is left over at the end gives what whole bytes it holds.
fn decode(letters: &[u8], plain: &mut Vec<u8>) {
    plain.clear();
    for group in letters.chunks(4) {
        let bits = group.iter().fold(0u32, |bits, &letter| bits << 6 | u32::from(value(letter)))
            << (6 * (4 - group.len()));
        let [_, bytes @ ..] = bits.to_be_bytes();
        plain.extend_from_slice(&bytes[..group.len() * 3 / 4]);
    }
}

fn value(letter: u8) -> u8 {
    match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' | b'-' => 62,
        _ => 63,
    }
}

/// Whether all of it is base64 of a short text, as a password in a secret of Kubernetes is written. Three of four names
/// have the wrong length for it, and of the others hardly one decodes to nothing but text.
pub fn is_text(value: &[u8]) -> bool {
    let end = letters::run(value, 0, letters::ALNUM | letters::PLUS);
    let padded = letters::run(value, end, letters::PAD) == value.len();
    if end < 12 || !padded || !value.len().is_multiple_of(4) {
        return false;
    }
    let mut plain = Vec::new();
    decode(&value[..end], &mut plain);
    plain.iter().all(|&byte| is_text_byte(byte))
}

/// Whether it is a user and a password in base64, as basic authorisation has them.
pub fn is_pair(value: &[u8]) -> bool {
    let end = letters::run(value, 0, BASE64);
    let padded = letters::run(value, end, letters::PAD) == value.len();
    if !(6..=1024).contains(&end) || !padded {
        return false;
    }
    let mut plain = Vec::new();
    decode(&value[..end], &mut plain);
    let text = std::str::from_utf8(&plain).is_ok_and(|text| !text.contains(char::is_control));
    text && plain.iter().skip(1).any(|&byte| byte == b':')
}
