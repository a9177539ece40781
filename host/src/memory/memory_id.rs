//! Ids of memories: ten random characters, the ids of imports, and the lookup by the beginning of an id.

use super::record::Memory;
use super::store::Store;
use crate::error::{Error, Result};
use interleaf_text::for_terminal;
use sha2::{Digest, Sha256};
use std::borrow::Cow;

/// Crockford's alphabet, which omits letters that look like another letter or a digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Number of characters of an id (50 bits). Among a million memories the probability of a collision is one in
/// a thousand, and the store refuses a duplicate id.
const ID_CHARS: usize = 10;

/// Maximum number of characters of an id: other programs may use longer ones than this one.
pub(super) const MAX_ID_CHARS: usize = 80;

/// Minimum number of characters for a lookup by prefix.
const MIN_PREFIX_CHARS: usize = 4;

/// Number of characters of a short id: ids of this program have ten, imported ones may have more.
const SHORT_ID_CHARS: usize = 12;

/// Maximum number of ids that the error for an ambiguous prefix lists.
const MAX_LISTED_IDS: usize = 20;

/// Maximum number of ids with the same beginning among which a visible one is looked for. Ids are random, so
/// four characters are shared by more only in an import.
const MAX_CANDIDATES: usize = 100;

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

/// Tells whether a text can be the id of a memory. Ids become part of command lines and of text for a model,
/// so they consist of letters, digits, `_` and `-` only, and look like no option.
pub(super) fn is_id(id: &str) -> bool {
    let is_allowed = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'z' | b'_' | b'-');
    (1..=MAX_ID_CHARS).contains(&id.len()) && !id.starts_with('-') && id.bytes().all(is_allowed)
}

/// Returns the id under which an import's id is stored: itself, or for one that [is no id](is_id) always the
/// same other one. So links between imported entries stay, and an entry is imported once.
pub fn of_import(id: &str) -> String {
    match is_id(id) {
        true => id.to_owned(),
        false => id_of_key("import", id),
    }
}

/// Returns an id for a command line that a person may copy. An old store may hold an id that a shell would
/// interpret; it is quoted.
pub fn id_for_command(id: &str) -> Cow<'_, str> {
    match is_id(id) {
        true => Cow::Borrowed(id),
        false => Cow::Owned(format!("'{}'", for_terminal(id).replace('\'', r"'\''"))),
    }
}

/// Returns the beginning of an id that is long enough to name the memory; none for an id that must not stand
/// in text for a model.
pub fn short_id(id: &str) -> Option<&str> {
    is_id(id).then(|| &id[..id.len().min(SHORT_ID_CHARS)])
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

/// Returns the only memory that is visible and whose id begins with `prefix`.
///
/// # Errors
/// As [`find_by_prefix`], without the ids of others.
pub(super) fn find_visible(
    prefix: &str,
    store: &dyn Store,
    is_visible: &dyn Fn(&Memory) -> bool,
) -> Result<Memory> {
    if prefix.chars().count() < MIN_PREFIX_CHARS {
        return Err(unknown(prefix));
    }
    let mut found = None;
    for id in store.ids(prefix, MAX_CANDIDATES)? {
        if let Some(memory) = store.get(&id)?.filter(is_visible)
            && found.replace(memory).is_some()
        {
            return Err(Error::invalid(format!("`{}` is ambiguous", prefix.escape_debug()))
                .hint("give more characters of the id"));
        }
    }
    found.ok_or_else(|| unknown(prefix))
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
pub fn unknown(id: &str) -> Error {
    Error::not_found(format!("no memory has the id `{}`", id.escape_debug()))
        .hint("see `interleaf memory list`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_lower_case_letters_digits_and_two_signs_only() {
        for id in ["a", "new-limit", "old_limit", "7k2m9p4xab", &"a".repeat(80)] {
            assert!(is_id(id) && of_import(id) == id && id_for_command(id) == id, "{id}");
        }
        for id in
            ["", "A", "-rf", "a b", "a;b", "$(reboot)xyz", "a]</interle", "../x", "ü", "a\n", &"a".repeat(81)]
        {
            assert!(!is_id(id) && is_id(&of_import(id)) && short_id(id).is_none(), "{id}");
        }
    }

    #[test]
    fn an_old_id_is_quoted_in_a_command() {
        assert_eq!(id_for_command("x;~/evil.sh"), "'x;~/evil.sh'");
        assert_eq!(id_for_command("a'$(reboot)'\u{1b}b"), "'a'\\''$(reboot)'\\''\u{fffd}b'");
    }
}
