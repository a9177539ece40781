//! The lines of a transcript, one at a time and in bounded memory: of a line that is too long nothing is held.

use std::io::{BufRead, Result};

/// A longer line is passed over, in bytes. What the client writes is far below: it cuts what tools say, and what is
/// left are pictures.
pub(super) const LONGEST: usize = 8 << 20;

/// What was found where a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A line with its end, of so many bytes; it lies in the buffer.
    Line(u64),
    /// A line that was too long; its end was found after so many bytes.
    TooLong(u64),
    /// A line that is too long, so far of so many bytes: there is no end to it yet, or none was looked for.
    Endless(u64),
    /// A line that is not written to its end yet, or nothing.
    Unfinished,
}

/// Reads the next line into `line`. Of one that is too long about `patience` bytes are read.
pub(super) fn next(from: &mut impl BufRead, line: &mut Vec<u8>, patience: u64) -> Result<Found> {
    line.clear();
    let mut passed = 0;
    loop {
        let chunk = from.fill_buf()?;
        if chunk.is_empty() {
            return Ok(if passed > LONGEST as u64 { Found::Endless(passed) } else { Found::Unfinished });
        }
        let end = chunk.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        passed += part.len() as u64;
        let fits = passed <= LONGEST as u64;
        if fits {
            line.extend_from_slice(part);
        } else {
            *line = Vec::new();
        }
        let read = part.len();
        from.consume(read);
        match (end, fits) {
            (Some(_), true) => return Ok(Found::Line(passed)),
            (Some(_), false) => return Ok(Found::TooLong(passed)),
            (None, false) if passed > patience => return Ok(Found::Endless(passed)),
            (None, _) => {}
        }
    }
}

/// Goes to the end of the line that is being read: so many bytes, and whether the end was found within `patience`.
pub(super) fn skip(from: &mut impl BufRead, patience: u64) -> Result<(u64, bool)> {
    let mut passed = 0;
    while passed <= patience {
        let chunk = from.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        let end = chunk.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let read = end.unwrap_or(chunk.len());
        from.consume(read);
        passed += read as u64;
        if end.is_some() {
            return Ok((passed, true));
        }
    }
    Ok((passed, false))
}
