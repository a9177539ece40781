//! Private keys as a whole: from the first line to the last, on one line or many, with either end cut off.
//!
//! The lines of a key are known by their long runs of base64; what stands between two such runs (a line break, one
//! written as `\n`, a line number, a log's prefix) belongs to the key too. A first line without a key behind it is
//! a string in a program and stays.

use super::kinds::Kind;
use super::letters::{self, ALNUM, PLUS, UPPER};
use super::spans::Span;

const PRIVATE_KEY: Kind = Kind::of("private-key");

/// The alphabet of armour.
const ARMOUR: u8 = ALNUM | PLUS;
/// A run this long is a line of a key.
const LINE: usize = 32;
/// So much may stand between two lines, and between the first line and the headers below it.
const BETWEEN: usize = 96;
const HEADERS: usize = 240;

/// The key whose first line has ` BEGIN ` at `at`, in a lure of this length.
pub fn begin(bytes: &[u8], at: usize, lure: usize, found: &mut Vec<Span>) -> usize {
    let start = letters::run_back(bytes, at + 1, letters::DASH, 8);
    let Some(body) = past_label(bytes, at + lure) else { return at + 1 };
    match forward(bytes, body) {
        Some(end) => {
            found.push(Span::new(start, end, PRIVATE_KEY));
            end
        }
        None => body,
    }
}

/// The key whose last line has ` END ` at `at`, where its first line is not there.
pub fn end(bytes: &[u8], at: usize, lure: usize, found: &mut Vec<Span>) -> usize {
    let Some(end) = past_label(bytes, at + lure) else { return at + 1 };
    let last_line = letters::run_back(bytes, at + 1, letters::DASH, 8);
    if let Some(start) = backward(bytes, last_line) {
        found.push(Span::new(start, end, PRIVATE_KEY));
    }
    end
}

/// A key without its first line, known by how the keys of its kind begin: `head` bytes before `at`.
pub fn body(bytes: &[u8], at: usize, head: usize, found: &mut Vec<Span>) -> usize {
    let Some(start) = at.checked_sub(head) else { return at + 1 };
    if head > 0 && !bytes[start..].starts_with(b"MII") {
        return at + 1;
    }
    match forward(bytes, start) {
        Some(end) => {
            found.push(Span::new(start, end, PRIVATE_KEY));
            end
        }
        None => letters::run(bytes, at, ARMOUR),
    }
}

/// PuTTY's keys say how many lines follow.
pub fn putty(bytes: &[u8], at: usize, found: &mut Vec<Span>) -> usize {
    let start = letters::run(bytes, letters::past_blanks(bytes, at + "private-lines:".len()), letters::DIGIT);
    if let Some(end) = forward(bytes, start) {
        found.push(Span::new(start, end, PRIVATE_KEY));
    }
    start
}

/// Past the rest of a first or last line that names a private key, with its dashes.
fn past_label(bytes: &[u8], at: usize) -> Option<usize> {
    let reach = bytes.len().min(at + 64);
    let label = bytes[at.min(reach)..reach]
        .iter()
        .take_while(|&&byte| byte == b' ' || letters::is(byte, UPPER | letters::DIGIT))
        .count();
    let private = bytes[at..at + label].windows(11).any(|window| window == b"PRIVATE KEY");
    let end = letters::run(bytes, at + label, letters::DASH);
    (private && end > at + label).then_some(end)
}

/// Where the key whose body starts here ends, if there is one.
fn forward(bytes: &[u8], body: usize) -> Option<usize> {
    let (mut end, mut reach) = (body, HEADERS);
    loop {
        match next_line(bytes, end, reach) {
            Next::Line(from, stop) if joins(&bytes[end..from]) => (end, reach) = (stop, BETWEEN),
            Next::End(from, stop) if joins(&bytes[end..from]) => {
                return (end > body || is_body(&bytes[body..from])).then_some(stop);
            }
            _ => break,
        }
    }
    let tail = tail(bytes, end, if end > body { 1 } else { 16 });
    tail.or((end > body).then_some(end))
}

/// What comes next in a key.
enum Next {
    /// A line: from, to.
    Line(usize, usize),
    /// The last line: from, to.
    End(usize, usize),
    Nothing,
}

fn next_line(bytes: &[u8], from: usize, reach: usize) -> Next {
    let limit = bytes.len().min(from + reach);
    let mut at = from;
    while at < limit {
        let stop = letters::run(bytes, at, ARMOUR);
        if stop - at >= LINE {
            return Next::Line(at, letters::run(bytes, stop, letters::PAD));
        }
        if bytes[at..].starts_with(b"----") {
            let label = letters::run(bytes, at, letters::DASH);
            let label = letters::past_blanks(bytes, label);
            let end = letters::has(bytes, label, b"END ").then(|| past_label(bytes, label + 4)).flatten();
            return end.map_or(Next::Nothing, |end| Next::End(at, end));
        }
        at = stop.max(at + 1);
    }
    Next::Nothing
}

/// Whether what stands between two lines joins them: where there are quotes, nothing of a list or an object.
fn joins(between: &[u8]) -> bool {
    let parts = |byte: &u8| matches!(byte, b'{' | b'}' | b'[' | b']' | b'(' | b')' | b':' | b'<' | b'>');
    !between.iter().any(|&byte| letters::is_quote(byte)) || !between.iter().any(parts)
}

/// Whether it is a short body: nothing but armour and line breaks.
fn is_body(between: &[u8]) -> bool {
    let plain =
        |byte: &u8| letters::is(*byte, ARMOUR) || matches!(byte, b'=' | b'\\') || byte.is_ascii_whitespace();
    between.iter().all(plain) && between.iter().filter(|byte| letters::is(**byte, ARMOUR)).count() > 4
}

/// The end of a cut-off last line: the first run below, if it is alone on its line or the text ends with it.
fn tail(bytes: &[u8], from: usize, least: usize) -> Option<usize> {
    let mut at = from;
    while at < from + 16 && is_break(bytes, at) {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    let end = letters::run(bytes, letters::run(bytes, at, ARMOUR), letters::PAD);
    let alone = letters::ends_line(bytes, end) || letters::is_quote(bytes[end]);
    let last = end == bytes.len();
    (at > from && end > at && alone && (last || end - at >= least)).then_some(end)
}

fn is_break(bytes: &[u8], at: usize) -> bool {
    matches!(
        bytes.get(at..).unwrap_or_default(),
        [b'\n' | b'\r' | b' ' | b'\t', ..] | [b'\\', b'n' | b'r' | b't', ..]
    )
}

/// Where the key that ends before `end` starts, if there is any of it.
fn backward(bytes: &[u8], end: usize) -> Option<usize> {
    let mut start = before_break(bytes, end)?;
    while let Some(line) = line_before(bytes, start) {
        start = line;
    }
    // The first line may be cut too, and is then the first thing in the text.
    if before_break(bytes, start) == Some(0) {
        start = 0;
    }
    (start < end).then_some(start)
}

/// The start of the run right above the last line: whole, for it may be the only one left.
fn before_break(bytes: &[u8], end: usize) -> Option<usize> {
    let mut at = end;
    while at > 0
        && end - at < 16
        && (bytes[at - 1].is_ascii_whitespace() || letters::ends_escape(&bytes[..at]))
    {
        at -= if bytes[at - 1].is_ascii_whitespace() { 1 } else { 2 };
    }
    while at > 0 && bytes[at - 1] == b'=' {
        at -= 1;
    }
    let start = letters::run_back(bytes, at, ARMOUR, usize::MAX);
    let alone = start == 0 || bytes[start - 1].is_ascii_whitespace() || letters::ends_escape(&bytes[..start]);
    (at < end && start < at && (alone || at - start >= LINE)).then_some(start)
}

/// The start of a long run that ends within reach before `end`, if no other dashes stand between.
fn line_before(bytes: &[u8], end: usize) -> Option<usize> {
    let floor = end.saturating_sub(BETWEEN);
    let mut at = end;
    while at > floor {
        let start = letters::run_back(bytes, at, ARMOUR, usize::MAX);
        if at - start >= LINE {
            return joins(&bytes[at..end]).then_some(start);
        }
        if bytes[..at].ends_with(b"----") {
            return None;
        }
        at = start.min(at - 1);
    }
    None
}
