//! One page of a transcript, and the lines that it consists of. Memory stays bounded: a line that is too long
//! is skipped without being held.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Result, Seek, SeekFrom};

use super::line_place::PlaceReader;
use super::tool_reply;
use super::{Entry, EntryKind, Page, entry};
use crate::redact::Redactor;

/// Number of bytes after which a page ends at the next line, whatever it holds: megabytes of the client's
/// bookkeeping may lie between two entries.
const MAX_PAGE_BYTES: u64 = 4 << 20;

/// Maximum length of a line in bytes; longer lines are skipped. The client truncates tool output far below
/// this, so only images are longer.
const MAX_LINE_BYTES: usize = 8 << 20;

/// Size of the read buffer in bytes.
const BUFFER_BYTES: usize = 32 << 10;

/// The limits of a page.
#[derive(Clone, Copy)]
pub(super) struct PageLimits {
    /// Maximum number of entries.
    pub(super) max_entries: usize,
    /// Approximate maximum of text in bytes.
    pub(super) max_bytes: usize,
}

/// Reads the page that begins at `cursor`, as [`Transcript::read`](super::Transcript::read) specifies.
pub(super) fn read(
    mut source: impl Read + Seek,
    cursor: u64,
    limits: PageLimits,
    redactor: &Redactor,
) -> Result<Page> {
    let end = source.seek(SeekFrom::End(0))?;
    let cursor = if cursor > end { 0 } else { cursor };
    // Begin one byte earlier: the byte before the cursor tells whether a line begins there.
    source.seek(SeekFrom::Start(cursor.saturating_sub(1)))?;
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, &mut source);
    let mut page = Page { cursor, ..Page::default() };
    if cursor > 0 {
        let (skipped, found_end) = skip_to_line_end(&mut reader, MAX_PAGE_BYTES)?;
        page.cursor = cursor - 1 + skipped;
        if !found_end {
            page.more = page.cursor < end;
            return Ok(page);
        }
    }
    let begin = page.cursor;
    fill(&mut page, reader, limits, redactor)?;
    name_tool_results(&mut page.entries);
    tool_reply::settle(&mut page.entries, &mut source, begin);
    Ok(page)
}

fn fill(page: &mut Page, mut source: impl BufRead, limits: PageLimits, redactor: &Redactor) -> Result<()> {
    let (mut line, mut places, begin) = (Vec::new(), PlaceReader::default(), page.cursor);
    while page.cursor - begin < MAX_PAGE_BYTES {
        match read_line(&mut source, &mut line, MAX_PAGE_BYTES)? {
            Line::Incomplete => return Ok(()),
            Line::Complete(length) => {
                let entries = entry::entries(&line, page.cursor, redactor, &mut places);
                if !add_entries(page, entries, limits) {
                    page.more = true;
                    return Ok(());
                }
                page.cursor += length;
            }
            Line::TooLong(length) => page.cursor += length,
            Line::Endless(length) => {
                page.cursor += length;
                break;
            }
        }
    }
    page.more = !source.fill_buf()?.is_empty();
    Ok(())
}

/// Adds the entries of a line unless they exceed the limits. The first line with entries always fits.
fn add_entries(page: &mut Page, entries: Vec<Entry>, limits: PageLimits) -> bool {
    let text_bytes = |entries: &[Entry]| entries.iter().map(|entry| entry.text.len()).sum::<usize>();
    let is_full = page.entries.len() + entries.len() > limits.max_entries
        || text_bytes(&page.entries) + text_bytes(&entries) > limits.max_bytes;
    if is_full && !page.entries.is_empty() && !entries.is_empty() {
        return false;
    }
    page.entries.extend(entries);
    true
}

/// Gives each tool result the tool's name if its call is on the same page.
fn name_tool_results(entries: &mut [Entry]) {
    let mut tools: HashMap<String, String> = HashMap::new();
    for entry in entries {
        match (entry.kind, &entry.call, &entry.tool) {
            (EntryKind::ToolCall, Some(call), Some(tool)) => drop(tools.insert(call.clone(), tool.clone())),
            (EntryKind::ToolResult, Some(call), _) => entry.tool = tools.get(call).cloned(),
            _ => {}
        }
    }
}

/// The result of reading a line. The numbers are bytes that were consumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// A line with its end, which is in the buffer.
    Complete(u64),
    /// A line that was too long; its end was found.
    TooLong(u64),
    /// A line that is too long and whose end was not found yet.
    Endless(u64),
    /// A line that is not written to its end yet, or nothing.
    Incomplete,
}

/// Reads the next line into `line`. Of a line that is too long about `max_bytes` are read.
fn read_line(source: &mut impl BufRead, line: &mut Vec<u8>, max_bytes: u64) -> Result<Line> {
    line.clear();
    let mut consumed = 0;
    loop {
        let chunk = source.fill_buf()?;
        if chunk.is_empty() {
            let is_too_long = consumed > MAX_LINE_BYTES as u64;
            return Ok(if is_too_long { Line::Endless(consumed) } else { Line::Incomplete });
        }
        let end = chunk.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        consumed += part.len() as u64;
        let fits = consumed <= MAX_LINE_BYTES as u64;
        if fits {
            line.extend_from_slice(part);
        } else {
            *line = Vec::new();
        }
        let read = part.len();
        source.consume(read);
        match (end, fits) {
            (Some(_), true) => return Ok(Line::Complete(consumed)),
            (Some(_), false) => return Ok(Line::TooLong(consumed)),
            (None, false) if consumed > max_bytes => return Ok(Line::Endless(consumed)),
            (None, _) => {}
        }
    }
}

/// Skips the rest of a line. Returns the number of bytes, and whether the end was found within about
/// `max_bytes`.
fn skip_to_line_end(source: &mut impl BufRead, max_bytes: u64) -> Result<(u64, bool)> {
    let mut consumed = 0;
    while consumed <= max_bytes {
        let chunk = source.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        let end = chunk.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let read = end.unwrap_or(chunk.len());
        source.consume(read);
        consumed += read as u64;
        if end.is_some() {
            return Ok((consumed, true));
        }
    }
    Ok((consumed, false))
}

#[cfg(test)]
#[path = "page_tests.rs"]
mod tests;
