//! Short digests: keys of rows for what the client names with long ids.

/// Returns the first eight bytes of the BLAKE3 digest, as SQLite stores numbers. Two of a million keys are
/// the same with a probability of 1 in 40 million.
pub fn short_digest(bytes: &[u8]) -> i64 {
    let digest = blake3::hash(bytes);
    let mut first = [0; 8];
    first.copy_from_slice(&digest.as_bytes()[..8]);
    i64::from_le_bytes(first)
}
