//! `interleaf redact`: a filter from standard input to standard output that removes secrets and home folders,
//! and counts them by kind on standard error.
//!
//! Large input is processed in chunks. A chunk ends between two lines that are not inside a block of base64.
//! If a chunk ends inside a private key nevertheless, the redactor recognizes either half. A line of any
//! length is never split.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use super::output::print_message;
use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::redact::Redactor;

/// Minimum number of bytes in a chunk, except for the last.
const MIN_CHUNK_BYTES: usize = 1 << 20;

/// Number of bytes before the end of a chunk that are searched for a place to split.
const SPLIT_SEARCH_BYTES: usize = 1 << 16;

/// Minimum number of bytes of a line without a space that counts as part of a block of base64.
const MIN_BASE64_LINE_BYTES: usize = 40;

/// Remove secrets and home folders from standard input
///
/// The result is written to standard output, and the number of removed items of each kind to standard error.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Do not print the counts
    #[arg(short, long)]
    quiet: bool,
}

/// The number of removed items by kind.
type Counts = BTreeMap<&'static str, usize>;

/// Filters standard input to standard output.
pub fn run(args: &Args, context: &ProjectContext) -> anyhow::Result<()> {
    let redactor = context.config.redactor()?;
    let counts = filter(&redactor, &mut io::stdin().lock(), &mut io::stdout().lock())?;
    if !args.quiet {
        print_message(&summary(&counts));
    }
    Ok(())
}

fn filter(redactor: &Redactor, from: &mut impl Read, to: &mut impl Write) -> anyhow::Result<Counts> {
    let (mut counts, mut buffer, mut chunk_bytes) = (Counts::new(), Vec::new(), MIN_CHUNK_BYTES);
    let mut is_first = true;
    loop {
        let read = from.by_ref().take(chunk_bytes as u64).read_to_end(&mut buffer)?;
        if std::mem::take(&mut is_first) {
            reject_utf_16(&buffer)?;
        }
        let is_last = read < chunk_bytes;
        let end = if is_last { buffer.len() } else { split_position(&buffer) };
        let chunk: Vec<u8> = buffer.drain(..end).collect();
        to.write_all(&redact(redactor, &chunk, &mut counts))?;
        if is_last {
            return Ok(to.flush().map(|()| counts)?);
        }
        // The buffer doubles, so a line of any length is scanned only a few times.
        chunk_bytes = MIN_CHUNK_BYTES.max(buffer.len());
    }
}

/// Refuses UTF-16, because every ASCII character in it contains a zero byte, so no rule would match.
fn reject_utf_16(start: &[u8]) -> Result<()> {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            Err(Error::invalid("standard input is UTF-16, which cannot be redacted")
                .hint("convert it first, for example with iconv -f UTF-16 -t UTF-8"))
        }
        _ => Ok(()),
    }
}

/// Returns the length of the chunk at the start of `buffer`: up to a line break outside a block, otherwise up
/// to the last line break, otherwise 0.
fn split_position(buffer: &[u8]) -> usize {
    let search_start = buffer.len().saturating_sub(SPLIT_SEARCH_BYTES);
    let breaks = || (search_start..buffer.len()).rev().filter(|&at| buffer[at] == b'\n');
    let is_outside_block = |&at: &usize| !is_block(&buffer[at + 1..]) && !is_block(last_line(&buffer[..at]));
    let last = || buffer.iter().rposition(|&byte| byte == b'\n');
    breaks().find(is_outside_block).or_else(last).map_or(0, |at| at + 1)
}

/// Returns the last line, or as much of its end as [`is_block`] needs.
fn last_line(buffer: &[u8]) -> &[u8] {
    let end = &buffer[buffer.len().saturating_sub(MIN_BASE64_LINE_BYTES)..];
    end.rsplit(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// Tells whether the line is long and has no space, or is the header or footer of a key.
fn is_block(line: &[u8]) -> bool {
    let line = &line[..line.len().min(MIN_BASE64_LINE_BYTES)];
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.starts_with(b"----") || (line.len() == MIN_BASE64_LINE_BYTES && !line.contains(&b' '))
}

fn redact(redactor: &Redactor, chunk: &[u8], counts: &mut Counts) -> Vec<u8> {
    let text = bytes_to_text(chunk);
    let (clean, removed) = redactor.redact_and_count(&text);
    removed.into_iter().for_each(|(kind, count)| *counts.entry(kind).or_default() += count);
    text_to_bytes(&clean)
}

fn summary(counts: &Counts) -> String {
    if counts.is_empty() {
        return "removed: nothing".to_owned();
    }
    let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    format!("removed: {}", counts.join(", "))
}

/// First of the 128 characters, at the end of the last private plane, that represent the bytes 0x80 to 0xff.
const FIRST_STAND_IN: u32 = 0x10_ff80;

/// Converts any bytes to text that [`text_to_bytes`] converts back. Bytes that are not UTF-8 become stand-in
/// characters.
fn bytes_to_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(is_stand_in) => Cow::Borrowed(text),
        _ => Cow::Owned(bytes.utf8_chunks().fold(String::with_capacity(bytes.len()), |mut text, chunk| {
            chunk.valid().chars().for_each(|c| push(&mut text, c));
            text.extend(chunk.invalid().iter().copied().map(stand_in));
            text
        })),
    }
}

/// Appends a character. A character that is itself a stand-in is written as the stand-ins of its bytes.
fn push(text: &mut String, c: char) {
    if is_stand_in(c) {
        text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(stand_in));
    } else {
        text.push(c);
    }
}

fn text_to_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match is_stand_in(c) {
            true => bytes.push((u32::from(c) - FIRST_STAND_IN) as u8 | 0x80),
            false => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

fn is_stand_in(c: char) -> bool {
    u32::from(c) >= FIRST_STAND_IN
}

/// Returns the character that represents a byte. Only bytes of at least 0x80 can be invalid UTF-8.
fn stand_in(byte: u8) -> char {
    char::from_u32(FIRST_STAND_IN + u32::from(byte & 0x7f)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(input: &[u8]) -> (Vec<u8>, Counts) {
        let mut out = Vec::new();
        let counts =
            filter(&Redactor::BUILT_IN, &mut &input[..], &mut out).expect("writing to memory succeeds");
        (out, counts)
    }

    #[test]
    fn a_secret_is_removed_and_every_other_byte_stays() {
        let before: Vec<u8> = (0..=255).chain(*b"\n").collect();
        let input = [&before[..], b"DB_PASSWORD=tr0ub4dor3x\n\xff\xfe\xc3", &before].concat();

        let (out, counts) = filtered(&input);

        let expected = [&before[..], b"DB_PASSWORD=[SECRET:password]\n\xff\xfe\xc3", &before].concat();
        assert!(out == expected);
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), [("password", 1)]);
    }

    #[test]
    fn secrets_in_many_chunks_are_removed_and_every_other_byte_stays() {
        let line = "an ordinary line of a log\nDB_PASSWORD=tr0ub4dor3x\n";
        let times = 3 * MIN_CHUNK_BYTES / line.len();

        let (out, counts) = filtered(line.repeat(times).as_bytes());

        assert!(out == line.replace("tr0ub4dor3x", "[SECRET:password]").repeat(times).into_bytes());
        assert_eq!(counts["password"], times);
    }

    #[test]
    fn a_line_longer_than_a_chunk_is_not_split() {
        let (long, secret) = ("x ".repeat(MIN_CHUNK_BYTES), "DB_PASSWORD=tr0ub4dor3x");
        let (out, _) = filtered(format!("{long}{secret} {long}").as_bytes());

        assert!(out == format!("{long}DB_PASSWORD=[SECRET:password] {long}").into_bytes());
    }

    #[test]
    fn a_private_key_across_two_chunks_is_removed_as_one() {
        let label = ["RSA", "PRIVATE", "KEY"].join(" ");
        let body = format!("{}\n", "Ab1+".repeat(16)).repeat(20);
        let key = format!("-----BEGIN {label}-----\n{body}-----END {label}-----\n");
        for back in (0..key.len()).step_by(97) {
            let before = "words in a line\n".repeat((MIN_CHUNK_BYTES - back) / 16);

            let (out, _) = filtered(format!("{before}{key}after\n").as_bytes());

            assert!(out == format!("{before}[SECRET:private-key]\nafter\n").into_bytes(), "{back} before");
        }
    }

    #[test]
    fn utf_16_is_refused() {
        let refused = filter(&Redactor::BUILT_IN, &mut &b"\xff\xfea\0"[..], &mut Vec::new());

        assert!(refused.is_err_and(|error| error.to_string().contains("UTF-16")));
    }

    #[test]
    fn any_bytes_survive_the_conversion_to_text_and_back() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&all[..], "ü😀\u{10ff80}\u{10ffff}".as_bytes(), b"\xf4\x8f\xbe", b"a\xffb\xc3", b""]
        {
            assert_eq!(text_to_bytes(&bytes_to_text(bytes)), bytes);
        }
    }
}
