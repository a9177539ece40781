//! A component's digest: what it is known by, from the cache to the lock.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// SHA-256, in hexadecimal.
pub fn digest(wasm: &[u8]) -> String {
    Sha256::digest(wasm).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Whether this is a digest as [`digest`] writes them.
pub fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
