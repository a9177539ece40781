//! What memories are called: ids that nobody has to think of, and that need not be typed in full.

use super::store::Store;
use crate::error::{Error, Result};
use sha2::{Digest, Sha256};

/// Crockford's alphabet: no letter that is mistaken for another or for a digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// 50 bits: among a million memories, a chance of one in a thousand that any two are called the same, which
/// the store refuses.
const LENGTH: usize = 10;

/// Fewer characters would be a guess.
const SHORTEST_PREFIX: usize = 4;

/// How many are named when several are meant.
const MOST_NAMED: usize = 20;

/// A new id.
pub(super) fn random() -> Result<String> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::unavailable(format!("the system gives no random numbers ({error})")))?;
    Ok(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())
}

/// The id of what `layer` writes under `key`: always the same, so that it is written once.
pub fn id_of_key(layer: &str, key: &str) -> String {
    let digest = Sha256::new().chain_update(layer).chain_update([0]).chain_update(key).finalize();
    digest.iter().take(LENGTH).map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// The only id that begins with `prefix`.
///
/// # Errors
/// `not-found` where there is none or the prefix is too short to count, `invalid` where there are several.
pub(super) fn only_match(prefix: &str, store: &dyn Store) -> Result<String> {
    if prefix.chars().count() < SHORTEST_PREFIX {
        let hint = format!("give the whole id, or at least {SHORTEST_PREFIX} characters of it");
        return Err(missing(prefix).hint(hint));
    }
    let mut ids = store.ids(prefix, MOST_NAMED)?;
    match ids.len() {
        0 => Err(missing(prefix)),
        1 => Ok(ids.remove(0)),
        _ => Err(Error::invalid(format!("`{prefix}` may be any of{}", named(&ids, store)?))
            .hint("give more of the id")),
    }
}

/// The ids with the titles of their memories, a line each.
fn named(ids: &[String], store: &dyn Store) -> Result<String> {
    let mut lines = String::new();
    for id in ids {
        let title = store.get(id)?.map_or_else(String::new, |memory| memory.title);
        lines.push_str(&format!("\n  {id}  {title}"));
    }
    Ok(lines)
}

/// There is no such memory.
pub(super) fn missing(id: &str) -> Error {
    Error::not_found(format!("there is no memory `{}`", id.escape_debug()))
        .hint("see `interleaf memory list`")
}
