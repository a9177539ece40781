//! One page of a transcript: from a cursor to as much as is wanted, or as much as may be looked at in one go.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Result, Seek, SeekFrom};

use super::lines::{self, Found};
use super::{Entry, EntryKind, Page, line};
use crate::redact::Redactor;

/// A page looks at so many bytes and then ends with the line, whatever it has found: between two entries may lie
/// megabytes of the client's bookkeeping.
const LOOKED_AT: u64 = 4 << 20;

/// How much a page holds.
#[derive(Clone, Copy)]
pub(super) struct Size {
    /// Most entries.
    pub(super) entries: usize,
    /// About so many bytes of text.
    pub(super) text: usize,
}

/// The page of this transcript that begins at `cursor`: at the next line where that is inside a line, at the beginning
/// where it is beyond the end, because then another transcript has taken the place of the one it was for.
pub(super) fn read(mut from: impl Read + Seek, cursor: u64, size: Size, redactor: &Redactor) -> Result<Page> {
    let end = from.seek(SeekFrom::End(0))?;
    let cursor = if cursor > end { 0 } else { cursor };
    // One byte earlier: whether a line begins at the cursor is told by what stands before it.
    from.seek(SeekFrom::Start(cursor.saturating_sub(1)))?;
    let mut from = BufReader::with_capacity(32 << 10, from);
    let mut page = Page { cursor, ..Page::default() };
    if cursor > 0 {
        let (passed, found) = lines::skip(&mut from, LOOKED_AT)?;
        page.cursor = cursor - 1 + passed;
        if !found {
            page.more = page.cursor < end;
            return Ok(page);
        }
    }
    fill(&mut page, from, size, redactor)?;
    name_results(&mut page.entries);
    Ok(page)
}

fn fill(page: &mut Page, mut from: impl BufRead, size: Size, redactor: &Redactor) -> Result<()> {
    let (mut line, begun) = (Vec::new(), page.cursor);
    while page.cursor - begun < LOOKED_AT {
        match lines::next(&mut from, &mut line, LOOKED_AT)? {
            Found::Unfinished => return Ok(()),
            Found::Line(passed) => {
                if !takes(page, line::entries(&line, page.cursor, redactor), size) {
                    page.more = true;
                    return Ok(());
                }
                page.cursor += passed;
            }
            Found::TooLong(passed) => page.cursor += passed,
            Found::Endless(passed) => {
                page.cursor += passed;
                break;
            }
        }
    }
    page.more = !from.fill_buf()?.is_empty();
    Ok(())
}

/// Whether there was room for a line's entries. There is for one line's, however many they are.
fn takes(page: &mut Page, entries: Vec<Entry>, size: Size) -> bool {
    let text = |entries: &[Entry]| entries.iter().map(|entry| entry.text.len()).sum::<usize>();
    let full =
        page.entries.len() + entries.len() > size.entries || text(&page.entries) + text(&entries) > size.text;
    if full && !page.entries.is_empty() && !entries.is_empty() {
        return false;
    }
    page.entries.extend(entries);
    true
}

/// A result has its tool's name where its call is on the same page.
fn name_results(entries: &mut [Entry]) {
    let mut tools: HashMap<String, String> = HashMap::new();
    for entry in entries {
        match (entry.kind, &entry.call, &entry.tool) {
            (EntryKind::ToolCall, Some(call), Some(tool)) => drop(tools.insert(call.clone(), tool.clone())),
            (EntryKind::ToolResult, Some(call), _) => entry.tool = tools.get(call).cloned(),
            _ => {}
        }
    }
}
