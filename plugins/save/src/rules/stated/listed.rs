//! Which sentences of a prompt belong together: items of a list, a ban and what holds in its place.

use crate::rules::turns::Said;

/// Words of a ban; one with never is whole by itself.
pub const BANNING: &[&str] = &["no", "dont", "not", "kein", "keine", "keinen", "nicht", "pas", "nada"];

/// Words that begin or end what holds in place of something banned.
pub const GOING_ON: &[&str] = &[
    "always",
    "only",
    "use",
    "instead",
    "immer",
    "nur",
    "stattdessen",
    "toujours",
    "seulement",
    "siempre",
    "solo",
    "sólo",
    "usa",
];

/// What somebody says of themselves is news, and nothing to be remembered.
pub const OWN: &[&str] =
    &["i", "im", "ive", "ill", "my", "ich", "mein", "meine", "je", "mon", "ma", "yo", "mi"];

/// Words by which a list is counted.
pub const ORDINALS: &[&str] = &[
    "erstens",
    "zweitens",
    "drittens",
    "viertens",
    "first",
    "second",
    "third",
    "firstly",
    "secondly",
    "thirdly",
    "primero",
    "segundo",
    "tercero",
    "premièrement",
    "deuxièmement",
    "troisièmement",
];

/// Whether a sentence is an item of a list.
pub fn is_item(said: &Said) -> bool {
    let digits = said.text.bytes().take_while(u8::is_ascii_digit).count();
    said.text.chars().next().is_some_and(|c| "-*•".contains(c))
        || (1..=2).contains(&digits) && said.text[digits..].starts_with(['.', ')'])
        || said.words.first().is_some_and(|word| ORDINALS.contains(&word.text.as_str()))
}

/// Whether a sentence is short enough to be the rest of another one; in some scripts each letter is a word.
pub fn is_short(said: &Said) -> bool {
    said.words.len() <= if said.text.contains(' ') { 16 } else { 40 }
}
