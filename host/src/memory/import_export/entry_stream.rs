//! Reads the entries of an import one by one, so that a file of any size needs little memory.

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use serde::de::{Deserializer as _, SeqAccess, Visitor};
use serde_json::Value;

use crate::error::{Error, Result};

/// Maximum size of one entry, in bytes. A memory of maximum size has less, even with its whole history.
const MAX_ENTRY_BYTES: u64 = 16 << 20;

/// Called with the position of an entry, counted from 1, and the entry.
pub(super) type OnEntry<'a> = &'a mut dyn FnMut(usize, Result<Value>) -> Result<()>;

/// Calls `on_entry` with every entry of a JSON list or of JSON Lines.
///
/// # Errors
/// Every error of `on_entry`; `invalid` if the list is not valid JSON, `unavailable` if the input cannot be
/// read.
pub(super) fn for_each(input: impl Read, on_entry: OnEntry) -> Result<()> {
    let mut input = BufReader::new(input);
    match is_list(&mut input)? {
        true => read_list(input, on_entry),
        false => read_lines(input, on_entry),
    }
}

/// Converts the error of an entry that is not an object of the right types.
pub(super) fn no_memory(error: serde_json::Error) -> Error {
    Error::invalid(format!("not a memory: {error}"))
}

/// Tells whether the first character that is not white space opens a JSON list.
fn is_list(input: &mut impl BufRead) -> Result<bool> {
    loop {
        let buffer = input.fill_buf().map_err(unreadable)?;
        let spaces = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match buffer.get(spaces) {
            Some(byte) => return Ok(*byte == b'['),
            None if buffer.is_empty() => return Ok(false),
            None => input.consume(spaces),
        }
    }
}

fn read_lines(mut input: impl BufRead, on_entry: OnEntry) -> Result<()> {
    let mut line = Vec::new();
    for position in 1.. {
        line.clear();
        let length = input.by_ref().take(MAX_ENTRY_BYTES).read_until(b'\n', &mut line).map_err(unreadable)?;
        if length == 0 {
            break;
        }
        if length as u64 == MAX_ENTRY_BYTES && !line.ends_with(b"\n") {
            input.skip_until(b'\n').map_err(unreadable)?;
            on_entry(position, Err(Error::over_budget(too_large())))?;
        } else if !line.trim_ascii().is_empty() {
            on_entry(position, serde_json::from_slice(&line).map_err(no_memory))?;
        }
    }
    Ok(())
}

fn read_list(input: impl Read, on_entry: OnEntry) -> Result<()> {
    let left = Cell::new(MAX_ENTRY_BYTES);
    let mut parser = serde_json::Deserializer::from_reader(BufReader::new(Limited { input, left: &left }));
    let mut failed = None;
    let list = List { left: &left, on_entry, failed: &mut failed };
    let read = parser.deserialize_seq(list).and_then(|()| parser.end());
    match failed {
        Some(error) => Err(error),
        None => read.map_err(invalid_list),
    }
}

/// An input of which only `left` more bytes are read.
struct Limited<'a, R> {
    input: R,
    left: &'a Cell<u64>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 {
            return Err(io::Error::other(too_large()));
        }
        let length = self.input.by_ref().take(self.left.get()).read(buffer)?;
        self.left.set(self.left.get() - length as u64);
        Ok(length)
    }
}

/// Visits the entries of a list.
struct List<'a, 'b> {
    left: &'a Cell<u64>,
    on_entry: OnEntry<'b>,
    failed: &'a mut Option<Error>,
}

impl<'de> Visitor<'de> for List<'_, '_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<(), A::Error> {
        for position in 1.. {
            let Some(entry) = list.next_element()? else { break };
            self.left.set(MAX_ENTRY_BYTES);
            if let Err(error) = (self.on_entry)(position, Ok(entry)) {
                *self.failed = Some(error);
                return Err(serde::de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

fn too_large() -> String {
    format!("the entry is larger than {} MiB", MAX_ENTRY_BYTES >> 20)
}

fn invalid_list(error: serde_json::Error) -> Error {
    if error.is_io() {
        return unreadable(error.into());
    }
    Error::invalid(format!("cannot parse the list: {error}"))
        .hint("give a JSON list, or one JSON object per line")
}

fn unreadable(error: io::Error) -> Error {
    Error::unavailable(format!("cannot read the input: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: impl Read) -> (Vec<(usize, bool)>, Result<()>) {
        let mut entries = Vec::new();
        let read = for_each(input, &mut |position, entry| {
            entries.push((position, entry.is_ok()));
            Ok(())
        });
        (entries, read)
    }

    /// Returns an entry whose text has this size.
    fn entry(bytes: u64) -> impl Read {
        (&b"{\"text\": \""[..]).chain(io::repeat(b'x').take(bytes)).chain(&b"\"}"[..])
    }

    #[test]
    fn entries_of_lists_and_of_lines_are_numbered() {
        for input in ["[1, 2]", " \n[1,2]\n", "1\n2", "1\n2\n"] {
            assert_eq!(read(input.as_bytes()), (vec![(1, true), (2, true)], Ok(())), "{input:?}");
        }
        assert_eq!(read(&b"1\n\nx\n4"[..]).0, [(1, true), (3, false), (4, true)]);
        assert_eq!(read(&b""[..]), (vec![], Ok(())));
    }

    #[test]
    fn a_list_that_breaks_off_is_an_error_after_its_entries() {
        for input in ["[1, 2", "[1, 2,", "[1, 2] 3", "[1, 2}"] {
            let (entries, read) = read(input.as_bytes());

            assert_eq!(entries, [(1, true), (2, true)], "{input}");
            assert!(read.is_err_and(|error| error.message.starts_with("cannot parse the list")), "{input}");
        }
    }

    #[test]
    fn an_error_of_the_caller_ends_the_reading() {
        let mut seen = 0;
        let read = for_each(&b"[1, 2, 3]"[..], &mut |_, _| {
            seen += 1;
            Err(Error::unavailable("full"))
        });

        assert_eq!((seen, read), (1, Err(Error::unavailable("full"))));
    }

    #[test]
    fn a_line_that_is_too_large_is_refused_and_the_next_one_is_read() {
        let input = entry(MAX_ENTRY_BYTES).chain(&b"\n2"[..]);

        assert_eq!(read(input), (vec![(1, false), (2, true)], Ok(())));
    }

    #[test]
    fn a_list_may_be_larger_than_its_largest_entry() {
        let input = (&b"["[..]).chain(entry(MAX_ENTRY_BYTES / 2)).chain(&b","[..]);
        let input = input.chain(entry(MAX_ENTRY_BYTES / 2)).chain(&b","[..]).chain(entry(9)).chain(&b"]"[..]);
        assert_eq!(read(input), (vec![(1, true), (2, true), (3, true)], Ok(())));

        let (entries, read) = read((&b"[1, "[..]).chain(entry(MAX_ENTRY_BYTES)).chain(&b"]"[..]));
        assert_eq!(entries, [(1, true)]);
        assert!(read.is_err_and(|error| error.message.contains("larger than 16 MiB")));
    }
}
