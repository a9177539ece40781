//! Lines that announce what somebody else wrote: `the customer wrote:`, `from the docs: …`, `shorten this: …`.
//!
//! A head that names a topic is the person's own: `comments: always in English`, `rules for the logs:`.

use super::foreign::INTRODUCING;
use super::sources::{
    FROM, LETTERS, OWN, OWN_FAR, RULES, SOURCES, SOURCES_FAR, SPEECH, TEXTS, TOPIC, WORKING, WORKING_FAR,
};

/// Whose words follow, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Announced {
    /// What stands behind this byte of the line, and no more than the line.
    Here(usize),
    /// The lines that follow, up to an empty one.
    Below,
    /// Everything behind this byte of the line: a text to work on, whatever it says.
    All(usize),
}

/// Words and characters of such a head.
const LONGEST: usize = 12;

/// What a line announces.
pub fn announced(line: &str) -> Option<Announced> {
    let (head, rest) = split(line)?;
    let words: Vec<String> = head
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    if words.len() > LONGEST || head.contains(['?', '？', '。']) {
        return None;
    }
    let below = line[rest..].trim().is_empty();
    if is_text_to_work_on(&words, head) {
        return Some(Announced::All(rest));
    }
    let own = holds(&words, OWN) && !is_received(&words);
    if is_of_somebody(&words, head) && !own {
        return Some(if below { Announced::Below } else { Announced::Here(rest) });
    }
    let source = holds(&words, INTRODUCING) || holds(&words, LETTERS) || is_received(&words);
    (below && source && !names_topic(&words)).then_some(Announced::Below)
}

/// A head and where the rest begins: behind the first colon that stands between words.
fn split(line: &str) -> Option<(&str, usize)> {
    line.char_indices().filter(|(_, c)| matches!(c, ':' | '：')).find_map(|(at, c)| {
        let rest = at + c.len_utf8();
        let parts = c == '：'
            || line[rest..].chars().next().is_none_or(|c| c.is_whitespace() || "\"'“„«「".contains(c));
        parts.then_some((&line[..at], rest))
    })
}

fn holds(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

fn is_text_to_work_on(words: &[String], head: &str) -> bool {
    let first = |list: &[&str]| words.first().is_some_and(|word| list.contains(&word.as_str()));
    let shown = first(&["here", "heres", "hier", "voici", "aquí", "ecco", "eis"]);
    let shown = shown && holds(words, SOURCES) && !holds(words, RULES);
    let work = words.iter().take(5).any(|word| WORKING.contains(&word.as_str()));
    // `simplify the code: never nest` is a rule: a text has to be named, or nothing.
    let text = holds(words, TEXTS) || words.len() <= 2 && !holds(words, &["code"]);
    shown || work && text || WORKING_FAR.iter().any(|word| head.contains(word))
}

fn is_received(words: &[String]) -> bool {
    let got = [
        "got", "received", "getting", "bekam", "bekommen", "llegó", "recibí", "reçu", "recebi", "ricevuto",
        "kam",
    ];
    holds(words, &got)
}

/// Words of somebody: they said so, or a source and whose it is.
fn is_of_somebody(words: &[String], head: &str) -> bool {
    let says = words.last().is_some_and(|word| SPEECH.contains(&word.as_str()));
    let far =
        SOURCES_FAR.iter().any(|word| head.contains(word)) && !OWN_FAR.iter().any(|word| head.contains(word));
    says || far
        || words.iter().enumerate().any(|(at, word)| FROM.contains(&word.as_str()) && is_from(words, at))
}

/// Whether this preposition says from what or whom: `mail from …`, `from the docs`. `comments of the log` names a topic.
fn is_from(words: &[String], at: usize) -> bool {
    let near = |words: &[String], list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let plain = ["from", "aus", "vom", "dal", "dalla", "uit"].contains(&words[at].as_str());
    let behind = &words[at + 1..words.len().min(at + 4)];
    near(&words[at.saturating_sub(3)..at], LETTERS) || (plain || at == 0) && near(behind, SOURCES)
}

/// Whether the matter of a rule is named: `for the client:`.
fn names_topic(words: &[String]) -> bool {
    let topic =
        |at: usize| words[at.saturating_sub(2)..at].iter().any(|word| TOPIC[..6].contains(&word.as_str()));
    let source = |word: &String| SOURCES.contains(&word.as_str()) || INTRODUCING.contains(&word.as_str());
    let named = words.iter().position(source).is_some_and(topic);
    holds(words, RULES) || words.first().is_some_and(|word| TOPIC.contains(&word.as_str())) || named
}
