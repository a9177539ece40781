//! Ids of memories: ten random characters, and the lookup by the beginning of an id.

use super::store::Store;
use crate::error::{Error, Result};
use sha2::{Digest, Sha256};

/// Crockford's alphabet, which omits letters that look like another letter or a digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Number of characters of an id (50 bits). Among a million memories the probability of a collision is one in
/// a thousand, and the store refuses a duplicate id.
const ID_CHARS: usize = 10;

/// Minimum number of characters for a lookup by prefix.
const MIN_PREFIX_CHARS: usize = 4;

/// Maximum number of ids that the error for an ambiguous prefix lists.
const MAX_LISTED_IDS: usize = 20;

/// Returns a new random id.
pub(super) fn random() -> Result<String> {
    let mut bytes = [0; ID_CHARS];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::unavailable(format!("cannot get random numbers from the system: {error}")))?;
    Ok(encode(&bytes))
}

/// Returns the id of the memory that `layer` writes under `key`. The id is always the same, so the memory is
/// written once.
pub fn id_of_key(layer: &str, key: &str) -> String {
    let digest = Sha256::new().chain_update(layer).chain_update([0]).chain_update(key).finalize();
    encode(&digest[..ID_CHARS])
}

fn encode(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// Returns the only id that begins with `prefix`.
///
/// # Errors
/// `not-found` if there is none or the prefix is too short, `invalid` if there are several.
pub(super) fn find_by_prefix(prefix: &str, store: &dyn Store) -> Result<String> {
    if prefix.chars().count() < MIN_PREFIX_CHARS {
        let hint = format!("give the whole id, or at least its first {MIN_PREFIX_CHARS} characters");
        return Err(unknown(prefix).hint(hint));
    }
    let mut ids = store.ids(prefix, MAX_LISTED_IDS)?;
    match ids.len() {
        0 => Err(unknown(prefix)),
        1 => Ok(ids.remove(0)),
        _ => Err(Error::invalid(format!("`{prefix}` is ambiguous:{}", titles(&ids, store)?))
            .hint("give more characters of the id")),
    }
}

/// Lists the ids with the titles of their memories, one per line.
fn titles(ids: &[String], store: &dyn Store) -> Result<String> {
    let mut lines = String::new();
    for id in ids {
        let title = store.get(id)?.map_or_else(String::new, |memory| memory.title);
        lines.push_str(&format!("\n  {id}  {title}"));
    }
    Ok(lines)
}

/// Returns the error for an id that no memory has.
pub(super) fn unknown(id: &str) -> Error {
    Error::not_found(format!("no memory has the id `{}`", id.escape_debug()))
        .hint("see `interleaf memory list`")
}
