//! How a text is stored: compressed with Zstandard if that makes it shorter.

use std::cell::RefCell;

use rusqlite::types::ValueRef;
use zstd::bulk::{Compressor, Decompressor};

use crate::error::{Error, Result};

/// The first byte of a text that is stored as it is, and of a compressed one.
const PLAIN: u8 = 0;
const COMPRESSED: u8 = 1;

/// Minimum length of a text that is compressed, in bytes. A shorter one does not become shorter.
const MIN_COMPRESSED_BYTES: usize = 96;

/// Maximum length of a stored text, in bytes.
pub(super) const MAX_TEXT_BYTES: usize = 64 << 10;

/// The level of compression: a higher one makes short texts hardly shorter.
const LEVEL: i32 = 3;

thread_local! {
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = RefCell::new(Compressor::new(LEVEL).ok());
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = RefCell::new(Decompressor::new().ok());
}

/// Returns the text as it is stored. It must not be longer than [`MAX_TEXT_BYTES`].
pub(super) fn pack(text: &str) -> Vec<u8> {
    let compressed = (text.len() >= MIN_COMPRESSED_BYTES).then(|| compressed(text)).flatten();
    match compressed {
        Some(bytes) if bytes.len() < text.len() => [&[COMPRESSED], bytes.as_slice()].concat(),
        _ => [&[PLAIN], text.as_bytes()].concat(),
    }
}

fn compressed(text: &str) -> Option<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|compressor| compressor.as_mut()?.compress(text.as_bytes()).ok())
}

/// Returns a stored text.
///
/// # Errors
/// `Unavailable` if it is damaged.
pub(super) fn unpack(stored: &[u8]) -> Result<String> {
    let damaged = || Error::unavailable("a recorded text is damaged");
    let bytes = match stored.split_first() {
        Some((&PLAIN, text)) => text.to_vec(),
        Some((&COMPRESSED, bytes)) => decompressed(bytes).ok_or_else(damaged)?,
        _ => return Err(damaged()),
    };
    String::from_utf8(bytes).map_err(|_| damaged())
}

fn decompressed(bytes: &[u8]) -> Option<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|decompressor| decompressor.as_mut()?.decompress(bytes, MAX_TEXT_BYTES).ok())
}

/// Returns the text in a column; `None` for NULL.
///
/// # Errors
/// As for [`unpack`].
pub(super) fn unpack_column(row: &rusqlite::Row<'_>, index: usize) -> Result<Option<String>> {
    match row.get_ref(index)? {
        ValueRef::Blob(stored) => unpack(stored).map(Some),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back_as_it_was() {
        for text in ["", "ls", &"cargo test ".repeat(3_000), &"ä€😀".repeat(500)] {
            assert_eq!(unpack(&pack(text)).expect("stored"), text);
        }
    }

    #[test]
    fn a_long_text_becomes_shorter_and_a_short_one_one_byte_longer() {
        assert!(pack(&"the tests fail in CI, ".repeat(50)).len() < 100);
        assert_eq!(pack("ls").len(), 3);
    }

    #[test]
    fn a_damaged_text_is_an_error() {
        for stored in [&[][..], &[7, 1], &[COMPRESSED, 1, 2, 3], &[PLAIN, 0xff]] {
            assert!(unpack(stored).is_err(), "{stored:?}");
        }
    }
}
