//! `interleaf redact`: a filter from standard input to standard output that takes out secrets and home folders, and
//! says on standard error how many of which kind.
//!
//! Large input is worked on in pieces, cut between lines where no block of base64 goes on; either half of a private key
//! that is cut nevertheless is known as one. A line is never cut, however long it is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use crate::error::{Error, Result};
use crate::project_context::ProjectContext;
use crate::redact::Redactor;

/// Bytes that are looked at in one piece, at least.
const PIECE: usize = 1 << 20;
/// How far before the end of a piece a good place to cut is looked for.
const BACK: usize = 1 << 16;
/// A line this long without a space may be one of a block.
const BLOCK: usize = 40;

/// Filters standard input.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Do not say on standard error what was taken out
    #[arg(short, long)]
    quiet: bool,
}

/// How many of each kind were taken out.
type Counts = BTreeMap<&'static str, usize>;

/// Filters standard input to standard output.
pub fn run(args: &Args, context: &ProjectContext) -> anyhow::Result<()> {
    let redactor = Redactor::new(&context.config.redact)?;
    let counts = filter(&redactor, &mut io::stdin().lock(), &mut io::stdout().lock())?;
    if !args.quiet {
        writeln!(io::stderr(), "{}", summary(&counts))?;
    }
    Ok(())
}

fn filter(redactor: &Redactor, from: &mut impl Read, to: &mut impl Write) -> anyhow::Result<Counts> {
    let (mut counts, mut held, mut room) = (Counts::new(), Vec::new(), PIECE);
    let mut first = true;
    loop {
        let read = from.by_ref().take(room as u64).read_to_end(&mut held)?;
        if std::mem::take(&mut first) {
            refuse_wide(&held)?;
        }
        let last = read < room;
        let end = if last { held.len() } else { cut(&held) };
        let piece: Vec<u8> = held.drain(..end).collect();
        to.write_all(&clean(redactor, &piece, &mut counts))?;
        if last {
            return Ok(to.flush().map(|()| counts)?);
        }
        // What grows doubles, so that a line of any length is looked at a few times only.
        room = PIECE.max(held.len());
    }
}

/// UTF-16 has a zero byte in every character of a secret, so nothing would be found in it.
fn refuse_wide(start: &[u8]) -> Result<()> {
    match start {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            Err(Error::invalid("standard input is UTF-16, in which no secret would be found")
                .hint("convert it first, for instance with iconv -f UTF-16 -t UTF-8"))
        }
        _ => Ok(()),
    }
}

/// Behind which byte the piece ends: a line break before a line that belongs to no block, else the last one, else at
/// none at all.
fn cut(held: &[u8]) -> usize {
    let floor = held.len().saturating_sub(BACK);
    let breaks = || (floor..held.len()).rev().filter(|&at| held[at] == b'\n');
    let good = breaks().find(|&at| !is_block(&held[at + 1..]) && !is_block(last_line(&held[..at])));
    let last = || held.iter().rposition(|&byte| byte == b'\n');
    good.or_else(last).map_or(0, |at| at + 1)
}

fn last_line(held: &[u8]) -> &[u8] {
    let reach = &held[held.len().saturating_sub(BLOCK)..];
    reach.rsplit(|&byte| byte == b'\n').next().unwrap_or_default()
}

/// Whether the line that begins or lies here is long and without a space, or the bar of a key.
fn is_block(line: &[u8]) -> bool {
    let line = &line[..line.len().min(BLOCK)];
    let line = line.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.starts_with(b"----") || (line.len() == BLOCK && !line.contains(&b' '))
}

fn clean(redactor: &Redactor, piece: &[u8], counts: &mut Counts) -> Vec<u8> {
    let text = as_text(piece);
    let (clean, taken) = redactor.redact_and_count(&text);
    taken.into_iter().for_each(|(kind, count)| *counts.entry(kind).or_default() += count);
    of_text(&clean)
}

fn summary(counts: &Counts) -> String {
    if counts.is_empty() {
        return "taken out: nothing".to_owned();
    }
    let counts: Vec<String> = counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    format!("taken out: {}", counts.join(", "))
}

/// The first of 128 characters at the very end of the last private plane, for the bytes from 0x80 on.
const FIRST: u32 = 0x10_ff80;

/// The bytes as text.
fn as_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(stands_in) => Cow::Borrowed(text),
        _ => Cow::Owned(bytes.utf8_chunks().fold(String::with_capacity(bytes.len()), |mut text, chunk| {
            chunk.valid().chars().for_each(|letter| push(&mut text, letter));
            text.extend(chunk.invalid().iter().copied().map(stand_in));
            text
        })),
    }
}

/// A character that is used for a byte and stands in the text itself is written as its bytes.
fn push(text: &mut String, letter: char) {
    if stands_in(letter) {
        text.extend(letter.encode_utf8(&mut [0; 4]).bytes().map(stand_in));
    } else {
        text.push(letter);
    }
}

/// The bytes that the text was made of.
fn of_text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        match stands_in(letter) {
            true => bytes.push((u32::from(letter) - FIRST) as u8 | 0x80),
            false => bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

fn stands_in(letter: char) -> bool {
    u32::from(letter) >= FIRST
}

/// Only bytes from 0x80 on can be no UTF-8.
fn stand_in(byte: u8) -> char {
    char::from_u32(FIRST + u32::from(byte & 0x7f)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(input: &[u8]) -> (Vec<u8>, Counts) {
        let mut out = Vec::new();
        let counts = filter(&Redactor::BUILT_IN, &mut &input[..], &mut out).expect("memory takes everything");
        (out, counts)
    }

    #[test]
    fn a_secret_goes_and_every_other_byte_stays() {
        let before: Vec<u8> = (0..=255).chain(*b"\n").collect();
        let input = [&before[..], b"DB_PASSWORD=tr0ub4dor3x\n\xff\xfe\xc3", &before].concat();

        let (out, counts) = filtered(&input);

        let expected = [&before[..], b"DB_PASSWORD=[SECRET:password]\n\xff\xfe\xc3", &before].concat();
        assert!(out == expected);
        assert_eq!(counts.into_iter().collect::<Vec<_>>(), [("password", 1)]);
    }

    #[test]
    fn input_of_many_pieces_loses_every_secret_and_nothing_else() {
        let line = "an ordinary line of a log\nDB_PASSWORD=tr0ub4dor3x\n";
        let times = 3 * PIECE / line.len();

        let (out, counts) = filtered(line.repeat(times).as_bytes());

        assert!(out == line.replace("tr0ub4dor3x", "[SECRET:password]").repeat(times).into_bytes());
        assert_eq!(counts["password"], times);
    }

    #[test]
    fn a_line_of_many_pieces_is_not_cut() {
        let (long, secret) = ("x ".repeat(PIECE), "DB_PASSWORD=tr0ub4dor3x");
        let (out, _) = filtered(format!("{long}{secret} {long}").as_bytes());

        assert!(out == format!("{long}DB_PASSWORD=[SECRET:password] {long}").into_bytes());
    }

    #[test]
    fn a_key_that_lies_over_the_end_of_a_piece_goes_whole() {
        let label = ["RSA", "PRIVATE", "KEY"].join(" ");
        let body = format!("{}\n", "Ab1+".repeat(16)).repeat(20);
        let key = format!("-----BEGIN {label}-----\n{body}-----END {label}-----\n");
        for back in (0..key.len()).step_by(97) {
            let before = "words in a line\n".repeat((PIECE - back) / 16);

            let (out, _) = filtered(format!("{before}{key}after\n").as_bytes());

            assert!(out == format!("{before}[SECRET:private-key]\nafter\n").into_bytes(), "{back} before");
        }
    }

    #[test]
    fn utf_16_is_refused_with_a_way_out() {
        let refused = filter(&Redactor::BUILT_IN, &mut &b"\xff\xfea\0"[..], &mut Vec::new());

        assert!(refused.is_err_and(|error| error.to_string().contains("UTF-16")));
    }

    #[test]
    fn any_bytes_come_back_as_they_were() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in [&all[..], "ü😀\u{10ff80}\u{10ffff}".as_bytes(), b"\xf4\x8f\xbe", b"a\xffb\xc3", b""]
        {
            assert_eq!(of_text(&as_text(bytes)), bytes);
        }
    }
}
