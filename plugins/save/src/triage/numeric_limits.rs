//! Recognizes numeric limits: a rate (`20 requests a second`) or a number after a bound (`at most 40`). Their
//! form is similar in all languages.

use super::sentences::Found;

/// Maximum number of words between the number and the unit.
const MAX_WORDS_TO_UNIT: usize = 4;

const EACH: [&str; 13] =
    ["a", "an", "per", "each", "every", "je", "pro", "par", "por", "al", "a la", "die", "in"];

const UNITS: [&str; 30] = [
    "second", "sec", "s", "minute", "min", "hour", "h", "day", "week", "month", "sekunde", "stunde", "tag",
    "woche", "monat", "seconde", "heure", "jour", "semaine", "mois", "segundo", "minuto", "hora", "dia",
    "mes", "minuten", "request", "user", "account", "konto",
];

/// Finds a rate: a number of something per unit.
fn rate(words: &str) -> Option<Found> {
    let mut places = words.match_indices(' ').map(|(at, _)| at + 1).filter(|at| *at < words.len());
    places.find_map(|at| {
        let mut near = words[at..].split_whitespace();
        let number = near.next()?;
        let near: Vec<&str> = near.take(MAX_WORDS_TO_UNIT).collect();
        let each = near.windows(2).any(|pair| EACH.contains(&pair[0]) && UNITS.contains(&pair[1]));
        let is_number = number.starts_with(|letter: char| letter.is_ascii_digit());
        (is_number && each).then_some(("(so many each)", at, at + number.len()))
    })
}

/// Words that bound a number.
const BOUNDS: [&str; 25] = [
    "only",
    "max",
    "maximum",
    "most",
    "than",
    "limit",
    "under",
    "below",
    "up",
    "within",
    "nur",
    "maximal",
    "höchstens",
    "unter",
    "bis",
    "mehr",
    "que",
    "maximum",
    "plus",
    "moins",
    "solo",
    "maximo",
    "menos",
    "hasta",
    "minimum",
];
/// Maximum number of words between a bound and its number.
const MAX_WORDS_TO_NUMBER: usize = 3;

/// First words of a task: "make it at most 3 lines" is not a limit.
const TASK_VERBS: [&str; 20] = [
    "make", "please", "keep", "add", "show", "use", "set", "let", "lets", "give", "write", "change", "mach",
    "bitte", "zeig", "schreib", "ajoute", "montre", "haz", "muestra",
];

/// Finds a rate or a bounded number.
pub(super) fn numeric_limit(words: &str) -> Option<Found> {
    let task = words.split_whitespace().next().is_some_and(|first| TASK_VERBS.contains(&first));
    rate(words).or_else(|| bounded(words)).filter(|_| !task)
}

fn bounded(words: &str) -> Option<Found> {
    let mut last = None;
    for (place, word) in words.split_whitespace().enumerate() {
        if BOUNDS.contains(&word) {
            last = Some(place);
        }
        let number = word.starts_with(|letter: char| letter.is_ascii_digit());
        if number && last.is_some_and(|bound| place - bound <= MAX_WORDS_TO_NUMBER) {
            let at = words.find(&format!(" {word} "))? + 1;
            return Some(("(bounded number)", at, at + word.len()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::sentences::words;
    use super::*;

    #[test]
    fn a_number_per_unit_is_a_rate_and_a_time_is_not() {
        for text in ["20 requests a second", "100 Anfragen pro Minute", "5 appels par seconde", "3 por día"]
        {
            assert!(rate(&words(text)).is_some(), "{text}");
        }
        for text in ["it took 3 seconds", "see you at 10", "version 2 of a library", ""] {
            assert!(rate(&words(text)).is_none(), "{text}");
        }
        assert!(numeric_limit(&words("the printer takes max 40 chars")).is_some());
        assert!(numeric_limit(&words("make it at most 3 lines")).is_none());
    }
}
