//! Finds the values below the heading of a column: in tables of Markdown, in CSV, in aligned output, and in
//! the rows that SQL inserts.
//!
//! A heading names all values of its column, so none of them stands beside a name.

use super::ascii::{self, ALPHA, DIGIT};
use super::placeholders;
use super::secret_names::{self, NameClass, SecretName};
use super::spans::Span;
use super::value_shape::{self, MAX_JUDGED_BYTES};
use std::ops::Range;

/// Maximum number of rows below a heading that are read.
const MAX_ROWS: usize = 40;
/// Maximum number of quotes and blanks between the name of a column and the sign that ends its cell.
const MAX_GAP_BYTES: usize = 24;
/// The end of the command before the rows that PostgreSQL dumps.
const COPY_END: &[u8] = b" FROM stdin;";
/// Maximum length of a row.
const MAX_ROW_BYTES: usize = 1000;

/// Finds the values of the column whose heading is around `at`.
pub fn column(bytes: &[u8], at: usize, name: &Range<usize>, secret: SecretName, found: &mut Vec<Span>) {
    if !may_be_heading(bytes, name) {
        return;
    }
    let Some(row) = row_around(bytes, at) else { return };
    if let Some(column) = Column::of_heading(bytes, &row, name) {
        column.push_values(bytes, row.end, secret, found);
    }
}

/// Returns whether what stands directly beside the name may separate columns. Most names fail this cheap
/// check.
fn may_be_heading(bytes: &[u8], name: &Range<usize>) -> bool {
    let after = trim_cell_start(&bytes[name.end..bytes.len().min(name.end + MAX_GAP_BYTES)]);
    let before = trim_cell_end(&bytes[name.start.saturating_sub(MAX_GAP_BYTES)..name.start]);
    let is_edge = |byte: &u8| matches!(byte, b'|' | b',' | b';' | b'\t' | b'\n');
    let starts = before.last().is_none_or(|byte| is_edge(byte) || *byte == b'(');
    let ends = after.first().is_none_or(|byte| is_edge(byte) || *byte == b')');
    let is_apart = || bytes[name.end..].starts_with(b"  ") || bytes[..name.start].ends_with(b"  ");
    starts && ends || is_apart()
}

/// How the cells of a table are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// By this sign, perhaps with quotes around the cells.
    Sign(u8),
    /// By their distance from the beginning of the line.
    Offset,
    /// In brackets after `VALUES`, by commas.
    Inserted,
}

/// A column of a table: its layout and its number, or its distance from the beginning of the line.
#[derive(Debug, Clone, Copy)]
struct Column {
    layout: Layout,
    place: usize,
}

impl Column {
    fn of_heading(bytes: &[u8], row: &Range<usize>, name: &Range<usize>) -> Option<Self> {
        let (before, after) = (&bytes[row.start..name.start], &bytes[name.end..row.end]);
        let (left, right) = (trim_cell_end(before), trim_cell_start(after));
        let edge =
            |text: Option<&u8>| text.copied().filter(|byte| matches!(byte, b'|' | b',' | b';' | b'\t'));
        let (first, last) = (edge(left.last()), edge(right.first()));
        if let Some(sign) = first.or(last)
            && (left.is_empty() || first == Some(sign))
            && (right.is_empty() || last == Some(sign))
            && (sign == b'|' || bytes[row.clone()].iter().all(|&byte| is_of_heading(byte)))
        {
            let place = before.iter().filter(|&&byte| byte == sign).count();
            return Some(Self { layout: Layout::Sign(sign), place });
        }
        let opens = left.last() == Some(&b'(') || first == Some(b',');
        let closes = right.first() == Some(&b')') || last == Some(b',');
        if opens && closes && inserts_rows(after) {
            let list = before.iter().rposition(|&byte| byte == b'(')?;
            let place = before[list..].iter().filter(|&&byte| byte == b',').count();
            return Some(Self { layout: Layout::Inserted, place });
        }
        let is_apart = before.is_empty() || before.ends_with(b"  ");
        let is_last = after.trim_ascii().is_empty();
        let is_label = bytes[row.clone()].iter().any(|byte| matches!(byte, b':' | b'='));
        (!is_label && is_apart && (is_last && before.ends_with(b"  ") || after.starts_with(b"  ")))
            .then_some(Self { layout: Layout::Offset, place: before.len() })
    }

    fn push_values(self, bytes: &[u8], heading_end: usize, secret: SecretName, found: &mut Vec<Span>) {
        let mut from = heading_end + 1;
        if self.layout == Layout::Inserted {
            let heading = &bytes[heading_end.saturating_sub(COPY_END.len())..heading_end];
            if heading == COPY_END {
                let column = Self { layout: Layout::Sign(b'\t'), ..self };
                return column.push_values(bytes, heading_end, secret, found);
            }
            return self.push_inserted(bytes, heading_end, secret, found);
        }
        for _ in 0..MAX_ROWS {
            let Some(row) = row_around(bytes, from).filter(|row| !row.is_empty() && row.start >= from) else {
                return;
            };
            let Some(cell) = self.cell(bytes, &row) else { return };
            // A heading is not repeated. This also keeps the time linear for texts that consist of names.
            if secret_names::classify(&bytes[cell.clone()]).is_some() {
                return;
            }
            if is_value(secret.class, &bytes[cell.clone()]) {
                found.push(Span::new(cell.start, cell.end, secret.kind));
            }
            from = row.end + 1;
        }
    }

    /// Adds the values of the rows that begin with a bracket.
    fn push_inserted(self, bytes: &[u8], from: usize, secret: SecretName, found: &mut Vec<Span>) {
        let reach = bytes.len().min(from + MAX_ROW_BYTES * 4);
        let mut next = from;
        for _ in 0..MAX_ROWS {
            let Some(open) = bytes[next..reach].iter().position(|&byte| byte == b'(') else { return };
            let start = next + open + 1;
            let Some(cell) = cells(bytes, start..reach, b',').nth(self.place) else { return };
            let cell = unquoted(bytes, cell);
            if is_value(secret.class, &bytes[cell.clone()]) {
                found.push(Span::new(cell.start, cell.end, secret.kind));
            }
            let Some(close) = bytes[cell.end..reach].iter().position(|&byte| matches!(byte, b')' | b';'))
            else {
                return;
            };
            next = cell.end + close + 1;
        }
    }

    fn cell(self, bytes: &[u8], row: &Range<usize>) -> Option<Range<usize>> {
        let cell = match self.layout {
            Layout::Sign(sign) => cells(bytes, row.clone(), sign).nth(self.place)?,
            _ => {
                let start = row.start + self.place;
                let is_start =
                    start < row.end && bytes[start] > b' ' && (start == 0 || bytes[start - 1] <= b' ');
                is_start.then(|| start..ascii::run_end_where(&bytes[..row.end], start, |byte| byte > b' '))?
            }
        };
        Some(unquoted(bytes, cell))
    }
}

/// Returns the line around `at` without its line break, if it is not too long.
fn row_around(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let floor = at.saturating_sub(MAX_ROW_BYTES);
    let before = memchr::memrchr(b'\n', bytes.get(floor..at)?);
    let start = before.map_or(floor, |last| floor + last + 1);
    let reach = &bytes[at..bytes.len().min(at + MAX_ROW_BYTES)];
    let length = memchr::memchr(b'\n', reach).unwrap_or(reach.len());
    (before.is_some() || floor == 0).then_some(start..at + length)
}

/// Returns the cells of a row; a sign in double quotes does not separate.
fn cells(bytes: &[u8], row: Range<usize>, sign: u8) -> impl Iterator<Item = Range<usize>> {
    let mut next = Some(row.start);
    std::iter::from_fn(move || {
        let start = next?;
        let (mut end, mut quote) = (start, None);
        while end < row.end
            && !(quote.is_none() && (bytes[end] == sign || sign == b',' && bytes[end] == b'\n'))
        {
            quote = match (quote, bytes[end]) {
                (None, byte @ (b'"' | b'\'')) => Some(byte),
                (Some(open), byte) if open == byte => None,
                (quote, _) => quote,
            };
            end += 1;
        }
        next = (end < row.end).then_some(end + 1);
        Some(start..end)
    })
}

/// Returns whether the byte may occur in the headings of separated values, which are names.
fn is_of_heading(byte: u8) -> bool {
    ascii::is(byte, ascii::NAME)
        || matches!(byte, b',' | b';' | b'\t' | b' ' | b'"' | b'\'' | b'\r')
        || byte >= 0x80
}

/// Returns whether the list that ends in this text names the columns of rows that follow.
fn inserts_rows(text: &[u8]) -> bool {
    let rest = memchr::memchr(b')', text).map_or(&text[..0], |end| text[end + 1..].trim_ascii());
    rest.is_empty() || ascii::has_word_at(rest, 0, b"values") || ascii::has_word_at(rest, 0, b"from stdin")
}

fn trim_cell_end(text: &[u8]) -> &[u8] {
    let is_edge = |byte: &u8| matches!(byte, b' ' | b'"' | b'\'' | b'`' | b'*');
    &text[..text.iter().rposition(|byte| !is_edge(byte)).map_or(0, |last| last + 1)]
}

fn trim_cell_start(text: &[u8]) -> &[u8] {
    let is_edge = |byte: &u8| matches!(byte, b' ' | b'"' | b'\'' | b'`' | b'*' | b'\r');
    &text[text.iter().position(|byte| !is_edge(byte)).unwrap_or(text.len())..]
}

/// Returns the cell without blanks and quotes.
fn unquoted(bytes: &[u8], cell: Range<usize>) -> Range<usize> {
    let text = &bytes[cell.clone()];
    let start = cell.end - trim_cell_start(text).len();
    let text = &bytes[start..cell.end];
    let is_edge = |byte: &u8| matches!(byte, b' ' | b'"' | b'\'' | b'`' | b'*' | b'\r' | b')');
    start..start + text.iter().rposition(|byte| !is_edge(byte)).map_or(0, |last| last + 1)
}

/// Returns whether the cell is a secret: a password of any look, or a generated value.
fn is_value(class: NameClass, cell: &[u8]) -> bool {
    let cell = &cell[..cell.len().min(MAX_JUDGED_BYTES)];
    let has = |class| ascii::has_any(cell, class);
    let is_one_word =
        cell.iter().all(|&byte| byte > b' ' && !matches!(byte, b'(' | b'<' | b'{' | b'|' | b'/'));
    let is_mixed = || {
        value_shape::is_mixed(cell) || value_shape::is_composed(cell) || value_shape::has_random_case(cell)
    };
    let is_generated =
        || has(DIGIT) && has(ALPHA) && cell.len() >= 16 && value_shape::mixing_ratio(cell) >= 0.15;
    let is_likely = || match class {
        NameClass::Password | NameClass::ShortPassword => cell.len() >= 6 && is_mixed(),
        NameClass::Token | NameClass::RawKey => is_generated(),
        _ => false,
    };
    is_one_word
        && is_likely()
        && !placeholders::is_placeholder(cell)
        && !placeholders::names_itself(cell)
        && !value_shape::is_number(cell)
        && !value_shape::is_digest(cell)
}
