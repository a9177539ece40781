//! Which numbers of a text say how much or how many. Only such a number is put right by another one: `20
//! requests a second` corrects `10 requests a second`, but `customer 23` is another one than `customer 17`. A
//! number counts as a quantity only if the words around it say so.

use super::tokenizer::{folded_words, is_stop_word};
use interleaf_text::is_ideograph;

/// Beginnings of units in words, and units in letters.
const UNIT_WORDS: [&str; 29] = [
    "percent",
    "prozent",
    "second",
    "sekund",
    "segundo",
    "minut",
    "hour",
    "stunde",
    "hora",
    "heure",
    "day",
    "tag",
    "dia",
    "jour",
    "week",
    "woche",
    "semana",
    "semaine",
    "month",
    "monat",
    "mes",
    "mois",
    "year",
    "jahr",
    "byte",
    "pixel",
    "time",
    "character",
    "space",
];
const UNIT_LETTERS: [&str; 16] =
    ["ms", "s", "min", "h", "d", "b", "kb", "mb", "gb", "tb", "px", "m", "km", "k", "x", "hz"];

/// Signs of units and money.
const SIGNS: [char; 6] = ['€', '$', '£', '¥', '%', '°'];

/// Words behind what is counted: `10 requests a second`, `25 Anfragen pro Minute`.
const PER: [&str; 10] = ["a", "an", "per", "each", "every", "pro", "je", "par", "por", "al"];

/// Words before a quantity, besides stop words.
const BOUNDS: [&str; 12] = [
    "limit",
    "max",
    "maximum",
    "min",
    "minimum",
    "timeout",
    "hochstens",
    "mindestens",
    "maximal",
    "maximo",
    "minimo",
    "tope",
];

/// Tells whether all numbers that only one of the two texts has are quantities.
pub(super) fn differ_in_quantities(one: &str, other: &str) -> bool {
    let (one, other) = (Number::all(one), Number::all(other));
    let is_in = |number: &Number, others: &[Number]| others.iter().any(|it| it.value == number.value);
    let fits = |numbers: &[Number], others: &[Number]| {
        numbers.iter().all(|number| number.is_quantity || is_in(number, others))
    };
    fits(&one, &other) && fits(&other, &one)
}

/// A number in a text.
struct Number {
    value: String,
    is_quantity: bool,
}

impl Number {
    fn all(text: &str) -> Vec<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let numbers = words.iter().enumerate().filter_map(|(at, word)| {
            let (before, value, behind) = parts(word)?;
            let is_quantity = match (before, behind) {
                ("", "") => is_counted(&words, at),
                _ => is_prefix(before) && is_unit(behind),
            };
            Some(Self { value: value.to_owned(), is_quantity })
        });
        numbers.collect()
    }
}

/// Splits a word into what stands before its number, the number, and what stands behind it.
fn parts(word: &str) -> Option<(&str, &str, &str)> {
    let is_mark = |c: char| !c.is_alphanumeric() && !SIGNS.contains(&c);
    let word = word.trim_matches(is_mark);
    let begin = word.find(|c: char| c.is_ascii_digit())?;
    let length = word[begin..].find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let end = length.map_or(word.len(), |length| begin + length);
    Some((&word[..begin], &word[begin..end], &word[end..]))
}

fn is_prefix(before: &str) -> bool {
    before.chars().next_back().is_none_or(|c| SIGNS.contains(&c) || is_ideograph(c))
}

/// Tells whether what follows a number without a blank is its unit: `30s`, `20%`, `5MB`, `20个`.
fn is_unit(behind: &str) -> bool {
    let letters = behind.to_lowercase();
    behind.is_empty()
        || behind.starts_with(|c| SIGNS.contains(&c) || is_ideograph(c))
        || UNIT_LETTERS.contains(&letters.split('/').next().unwrap_or_default())
}

/// Tells whether the words around a number that stands alone make it a quantity.
fn is_counted(words: &[&str], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(|word| folded_words(word).collect::<String>());
    let is_unit_word = |word: &String| UNIT_WORDS.iter().any(|unit| word.starts_with(unit));
    let next = word(at + 1).unwrap_or_default();
    let has_unit = is_unit_word(&next)
        || UNIT_LETTERS.contains(&next.as_str())
        || words.get(at + 1).is_some_and(|word| word.starts_with(SIGNS));
    let is_rate = word(at + 2).is_some_and(|per| PER.contains(&per.as_str()))
        && word(at + 3).as_ref().is_some_and(is_unit_word);
    let before = at.checked_sub(1).and_then(word).unwrap_or_default();
    let is_bound = before.is_empty() || is_stop_word(&before) || BOUNDS.contains(&&*before);
    has_unit || is_rate || is_bound
}

#[cfg(test)]
mod tests {
    use super::differ_in_quantities;

    #[test]
    fn a_number_with_a_unit_a_rate_or_a_bound_is_a_quantity() {
        for (one, other) in [
            ("The vendor allows 10 requests a second", "The vendor allows 20 requests a second"),
            ("Jobs stop after 30 s", "Jobs stop after 45 s"),
            ("Uploads are limited to 20MB", "Uploads are limited to 25MB"),
            ("The session limit is 5", "The session limit is 8"),
            ("Backups stay for 14 Tage", "Backups stay for 90 Tage"),
            ("The rebate is 10%", "The rebate is 15 %"),
            ("连接池上限是20个", "连接池上限是30个"),
        ] {
            assert!(differ_in_quantities(one, other), "{one}");
        }
    }

    #[test]
    fn a_number_that_is_a_name_is_none() {
        for (one, other) in [
            ("Customer 17 wants invoices by post", "Customer 23 wants invoices by post"),
            ("Migration 12 locks the orders table", "Migration 15 locks the orders table"),
            ("Never restart web1 at noon", "Never restart web2 at noon"),
            ("Error E1042 means a dead card", "Error E1043 means a dead card"),
            ("Chapter 3 uses British spelling", "Chapter 4 uses British spelling"),
            ("The table t_order_1 is archived", "The table t_order_2 is archived"),
            ("Kunde 17 zahlt per Rechnung", "Kunde 23 zahlt per Rechnung"),
        ] {
            assert!(!differ_in_quantities(one, other), "{one}");
        }
    }
}
