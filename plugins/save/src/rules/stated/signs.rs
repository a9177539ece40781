//! What a sentence shows, in whatever language it is.

use crate::rules::phrase::Phrase;
use crate::rules::tongue::{self, Tongue};
use crate::rules::turns::Said;
use crate::rules::words::{QUOTED, Word};

/// Pronouns and articles that begin a report, not a wish: `it shows 5 instead of 6`.
const REPORTING: &[&str] = &[
    "it", "the", "this", "that", "there", "he", "she", "they", "i", "my", "a", "an", "im", "es", "er", "das",
    "der", "die", "ich", "mein", "meine", "da", "dort", "il", "elle", "ça", "je", "le", "la", "el", "eso",
    "esto", "ella", "yo", "ele", "ela", "eu", "isso", "lui", "lei", "het", "hij", "zij", "ik", "shows",
    "prints", "gives", "returns", "got", "getting", "seeing", "see", "still", "why", "zeigt", "liefert",
    "gibt", "kommt", "now", "there", "muestra", "affiche", "mostra", "retorna",
];

/// Words before what is not meant.
const NOT: &[&str] = &["not", "nicht", "pas"];

/// Words that stand before a refusal, and are no side of a contrast.
const ANSWERS: &[&str] =
    &["no", "non", "nein", "nee", "nö", "ne", "hm", "hmm", "eh", "ok", "surtout", "nope", "nah", "sorry"];

/// Words behind them where it is something at hand, or nothing is contrasted.
const AT_HAND: &[&str] = &[
    "the", "that", "this", "a", "an", "it", "das", "die", "der", "den", "yet", "sure", "now", "only", "just",
    "here", "there", "be", "so", "mehr", "ganz", "sicher", "jetzt", "le", "la", "les", "ce", "encore", "más",
    "el", "me", "need", "working", "found", "more", "one", "idea", "problem", "too", "good", "de", "d",
];

/// So many of them are articles and pronouns.
const POINTERS: usize = 10;

/// Words that begin what belongs to the sentence before.
const HANGING: &[&str] =
    &["otherwise", "else", "sonst", "ansonsten", "andernfalls", "sinon", "anders", "altrimenti", "senão"];

/// What a sentence shows.
#[derive(Debug, Clone, Copy, Default)]
#[allow(missing_docs, reason = "the fields of the tables")]
pub struct Signs {
    pub lasting: bool,
    pub modal: bool,
    pub wish: bool,
    pub custom: bool,
    pub idle: bool,
    pub scope: bool,
    pub passing: bool,
    pub reason: bool,
    /// It begins with why.
    pub because: bool,
    pub decided: bool,
    pub settled: bool,
    pub undecided: bool,
    pub instead: bool,
    pub task: bool,
    pub limit: bool,
    pub edge: bool,
    pub firm: bool,
    pub number: bool,
    pub defer: bool,
    pub until: bool,
    pub asks: bool,
    pub supposes: bool,
    pub jests: bool,
    pub hearsay: bool,
    pub keep: bool,
    pub refuses: bool,
    pub agrees: bool,
    pub concedes: bool,
    pub reports: bool,
    /// An order to build or check something.
    pub builds: bool,
    /// For this once.
    pub once: bool,
    pub proposes: bool,
    pub habit: bool,
    /// One thing and not the other: `tabs, not spaces`.
    pub contrast: bool,
    /// A few words without articles or pronouns.
    pub bare: bool,
    /// It goes on with the sentence before it: `otherwise …`.
    pub hangs: bool,
    /// It is about something that somebody else said.
    pub quotes: bool,
}

/// What this sentence shows.
pub fn signs(said: &Said, tongues: &[&'static Tongue]) -> Signs {
    let words = &said.words;
    let any = |phrases: fn(&Tongue) -> &[Phrase]| {
        tongues.iter().filter_map(|tongue| tongue::find(phrases(tongue), words)).min()
    };
    let has = |phrases| any(phrases).is_some();
    let first = |phrases| any(phrases).is_some_and(|(at, _)| leads(words, at));
    Signs {
        lasting: has(|t| &t.lasting),
        modal: has(|t| &t.modal),
        wish: has(|t| &t.wish),
        custom: has(|t| &t.custom),
        idle: has(|t| &t.idle),
        scope: has(|t| &t.scope),
        passing: has(|t| &t.passing),
        reason: has(|t| &t.reason),
        because: first(|t| &t.reason),
        decided: has(|t| &t.decided),
        settled: has(|t| &t.settled),
        undecided: has(|t| &t.undecided),
        instead: has(|t| &t.instead),
        task: has(|t| &t.task),
        limit: has(|t| &t.limit),
        edge: has(|t| &t.edge),
        firm: has(|t| &t.firm),
        number: words.iter().any(|word| is_quantity(&word.text)),
        defer: has(|t| &t.defer),
        until: has(|t| &t.until),
        asks: said.text.trim_end_matches(['"', ')', ' ']).ends_with(['?', '？']) || first(|t| &t.asks),
        supposes: has(|t| &t.supposes),
        jests: has(|t| &t.jests),
        hearsay: has(|t| &t.hearsay),
        keep: has(|t| &t.keep),
        refuses: any(|t| &t.refuses).is_some_and(|(at, _)| at <= 1 && leads(words, at)),
        agrees: any(|t| &t.agrees).is_some_and(|(at, _)| at == 0),
        concedes: any(|t| &t.concedes).is_some_and(|(at, _)| at <= 1 && leads(words, at)),
        reports: words
            .iter()
            .find(|word| word.opens)
            .is_some_and(|word| REPORTING.contains(&word.text.as_str())),
        builds: has(|t| &t.builds),
        once: has(|t| &t.once),
        proposes: has(|t| &t.proposes),
        habit: has(|t| &t.habit),
        contrast: contrasts(words),
        bare: words.len() <= 8 && !words.iter().any(|word| AT_HAND[..POINTERS].contains(&word.text.as_str())),
        hangs: words.iter().take(3).any(|word| HANGING.contains(&word.text.as_str())),
        quotes: words.iter().any(|word| word.text == QUOTED),
    }
}

/// Whether a sentence ends with what is not meant: `tabs, not spaces`; `not the first` is said of what is at hand.
fn contrasts(words: &[Word]) -> bool {
    let is_not = |at: &usize| {
        let word = &words[*at];
        NOT.contains(&word.text.as_str()) || *at >= 3 && word.parted && word.text == "no"
    };
    let not = (0..words.len())
        .rev()
        .find(is_not)
        .filter(|at| words[..*at].iter().any(|word| !ANSWERS.contains(&word.text.as_str())));
    not.is_some_and(|at| {
        let rest = &words[at + 1..];
        let clause = rest.iter().position(|word| word.parted).unwrap_or(rest.len());
        (1..=4).contains(&clause) && !rest.iter().take(1).any(|word| AT_HAND.contains(&word.text.as_str()))
    })
}

/// Whether only words that lead to it stand before this word.
fn leads(words: &[Word], at: usize) -> bool {
    words[..at.min(words.len())].iter().all(|word| word.opens) && at <= 3
}

/// A number, also with its unit: `20`, `200kb`.
pub fn is_quantity(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    (1..=9).contains(&digits) && word.len() <= digits + 6
}
