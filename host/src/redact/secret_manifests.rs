//! Finds the values in a secret of Kubernetes: whatever their names are, all of them are secret.

use super::ascii;
use super::placeholders;
use super::rule_tables::Kind;
use super::spans::Span;
use super::value_span;
use std::ops::Range;

/// Maximum number of bytes of a manifest that are read before and after its kind.
const MAX_MANIFEST_BYTES: usize = 4096;
/// Maximum number of bytes of a manifest in JSON that are read before and after its kind.
const MAX_JSON_BYTES: usize = 1500;
/// Maximum number of bytes between a command and its literal.
const MAX_COMMAND_BYTES: usize = 400;
/// Minimum length of a value.
const MIN_VALUE_BYTES: usize = 4;

const SECRET: Kind = Kind::of("secret");

/// Names whose values are not secret.
const PUBLIC_NAMES: &[&str] =
    &["ca.crt", "database", "db", "host", "hostname", "namespace", "port", "tls.crt", "user", "username"];

/// Finds the values of the manifest whose kind is at `at`.
pub fn find(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let end = at + anchor_len;
    if ascii::is_at(bytes, end, ascii::NAME) {
        return end;
    }
    let (start, stop) = (document_start(bytes, at), document_end(bytes, end));
    let mut block_indent = None;
    let mut line_start = start;
    while line_start < stop {
        let length = bytes[line_start..stop].iter().position(|&byte| byte == b'\n');
        let line = line_start..length.map_or(stop, |length| line_start + length);
        let indent = ascii::skip_blanks(bytes, line.start) - line.start;
        let text = bytes[line.clone()].trim_ascii();
        block_indent = match block_indent {
            Some(block) if indent > block || text.is_empty() => {
                push_value(bytes, line.clone(), found);
                Some(block)
            }
            _ => matches!(text, b"data:" | b"stringData:").then_some(indent),
        };
        line_start = line.end + 1;
    }
    stop
}

/// Finds the values of the manifest in JSON whose kind is at `at`.
pub fn find_json(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let end = at + anchor_len;
    let (start, stop) = (at.saturating_sub(MAX_JSON_BYTES), bytes.len().min(end + MAX_JSON_BYTES));
    for field in [&b"\"data\""[..], b"\"stringData\""] {
        let Some(offset) = memchr::memmem::find(&bytes[start..stop], field) else { continue };
        let from = start + offset + field.len();
        let object =
            bytes[from..stop].iter().position(|&byte| byte == b'}').map_or(stop, |length| from + length);
        push_members(bytes, from..object, found);
    }
    end
}

/// Adds every second string of an object without nested ones: the values.
fn push_members(bytes: &[u8], object: Range<usize>, found: &mut Vec<Span>) {
    let quotes: Vec<usize> =
        memchr::memchr_iter(b'"', &bytes[object.clone()]).map(|at| object.start + at).collect();
    for member in quotes.chunks_exact(4) {
        let (name, value) = (&bytes[member[0] + 1..member[1]], member[2] + 1..member[3]);
        let is_public = ascii::is_one_of(name, PUBLIC_NAMES);
        let is_value = value.len() >= MIN_VALUE_BYTES && !placeholders::is_placeholder(&bytes[value.clone()]);
        if is_value && !is_public {
            found.push(Span::new(value.start, value.end, SECRET));
        }
    }
}

/// Finds the value of `kubectl create secret … --from-literal=name=value`, whose anchor is at `at`.
pub fn literal(bytes: &[u8], at: usize, anchor_len: usize, found: &mut Vec<Span>) -> usize {
    let start = at + anchor_len;
    let before = &bytes[at.saturating_sub(MAX_COMMAND_BYTES)..at];
    let name = ascii::run_end(bytes, start, ascii::NAME);
    if !ascii::contains(before, b"secret") || bytes.get(name) != Some(&b'=') {
        return start;
    }
    let is_public = ascii::is_one_of(&bytes[start..name], PUBLIC_NAMES);
    let value = value_span::value_at(bytes, name + 1, false).map(|value| value.range);
    if let Some(value) = value.filter(|value| value.len() >= MIN_VALUE_BYTES && !is_public)
        && !placeholders::is_placeholder(&bytes[value.clone()])
    {
        found.push(Span::new(value.start, value.end, SECRET));
    }
    start
}

fn document_start(bytes: &[u8], at: usize) -> usize {
    let floor = at.saturating_sub(MAX_MANIFEST_BYTES);
    let separator = bytes[floor..at].windows(4).rposition(|window| window == b"\n---");
    let start = separator.map_or(floor, |position| floor + position + 4);
    start + bytes[start..at].iter().position(|&byte| byte == b'\n').map_or(0, |position| position + 1)
}

fn document_end(bytes: &[u8], from: usize) -> usize {
    let limit = bytes.len().min(from + MAX_MANIFEST_BYTES);
    bytes[from..limit].windows(4).position(|window| window == b"\n---").map_or(limit, |end| from + end)
}

/// Adds the value of a line `name: value`.
fn push_value(bytes: &[u8], line: Range<usize>, found: &mut Vec<Span>) {
    let start = ascii::skip_blanks(bytes, line.start);
    let name = ascii::run_end(&bytes[..line.end], start, ascii::NAME);
    let is_public = ascii::is_one_of(&bytes[start..name], PUBLIC_NAMES);
    if name == start || is_public || bytes.get(name) != Some(&b':') {
        return;
    }
    let from = ascii::skip_blanks(bytes, name + 1).min(line.end);
    let text = bytes[from..line.end].trim_ascii_end();
    let is_quoted = text.len() > 2 && ascii::is_quote(text[0]) && text.last() == Some(&text[0]);
    let value = if is_quoted { from + 1..from + text.len() - 1 } else { from..from + text.len() };
    let is_value = value.len() >= MIN_VALUE_BYTES && !placeholders::is_placeholder(&bytes[value.clone()]);
    if is_value && !matches!(bytes[from], b'|' | b'>' | b'!' | b'&') {
        found.push(Span::new(value.start, value.end, SECRET));
    }
}
