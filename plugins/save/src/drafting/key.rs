//! Under which key a draft is written. A model that is asked again, because the first attempt was cut off, finds other
//! words for the same thing; what it rests on stays. So the key is made of the words that it quotes.

use crate::find::{Category, Evidence};

/// The key of a find that rests on this.
pub(super) fn of(session: &str, category: Category, evidence: &[Evidence]) -> String {
    let first = evidence.iter().min_by_key(|evidence| evidence.cursor);
    let (cursor, quote) = first.map_or((0, ""), |evidence| (evidence.cursor, evidence.quote.as_str()));
    format!("{session}/{}/{cursor}/{:016x}", category.as_str(), hash(quote))
}

/// FNV-1a: the same in every version of the program, as the standard library's need not be.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
