//! What the person states for later sessions, found without a model.
//!
//! Only an explicit act is certain: "from now on …", "remember that …", "make it a rule". The classifier
//! alone was right once in ten on real conversations, and words such as "never" once in four, so a sentence
//! that it finds is a candidate: it becomes a memory if the person [repeats](repetition) it in another
//! session, or if a model reads the session.

mod content;
pub mod remembered;
pub mod repetition;
mod statement;

use self::content::is_vague;
use self::statement::Statement;
use crate::classifier::{MIN_PROBABILITY, Message, Probabilities, Sentence, Speaker, classify};
use crate::finding::Finding;
use crate::languages::{self, Language};
use crate::session::Session;
use crate::session::issue_title::issue_title;
use crate::session::replies::{Reply, asks};
use crate::session::turns::{Said, Turn};
use crate::transcript::{Entry, Kind, Role};
use crate::word_lists::{MODAL, REASONS, USERS};
use interleaf_classifier::words::Word;
use interleaf_layer::memory::Category;

/// Maximum size of a prompt that states something, in bytes. Of real prompts, nine of ten have at most 543
/// characters; longer ones are mostly pasted: issues, logs, another model's text.
const MAX_PROMPT_BYTES: usize = 1_200;

/// Maximum number of words of a prompt that only takes back what was said.
const MAX_SHORT_WORDS: usize = 5;

/// Signs and words of somebody who jokes.
const SMILEYS: [&str; 10] = [":)", ";)", ":-)", ";-)", ":D", "😄", "😂", "🤣", "😉", "😜"];
const LAUGHS: [&str; 4] = ["lol", "haha", "xD", "jk"];

/// Maximum number of words of a sentence that gives the reason for the one before.
const MAX_REASON_WORDS: usize = 30;

/// What the person states in a session.
#[derive(Debug, Default)]
pub struct Statements {
    /// Explicit acts.
    pub explicit: Vec<Finding>,
    /// Sentences that may be statements, the most probable first.
    pub candidates: Vec<Finding>,
}

/// Returns what the person states.
pub fn statements(session: &Session) -> Statements {
    let mut found = Statements::default();
    for (index, turn) in session.turns.iter().enumerate() {
        let next = session.turns.get(index + 1);
        let is_withdrawn = next.is_some_and(|next| takes_back(next, turn)) || is_taking_back(turn);
        if is_withdrawn || smiles(turn) || is_pasted(session, turn) {
            continue;
        }
        let before = index.checked_sub(1).map(|index| &session.turns[index]);
        add_stated(session, turn, before, &mut found);
    }
    found.candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    found
}

/// Adds what the person states in a turn.
fn add_stated(session: &Session, turn: &Turn, before: Option<&Turn>, found: &mut Statements) {
    let probabilities = probabilities(turn, before);
    for (at, said) in turn.said.iter().enumerate() {
        let is_question = asks(said) && !is_request(said, turn);
        if is_question || announces(said) || lasting(said, turn) == Some(Lasting::Alone) {
            continue;
        }
        let is_meant = is_meant_by_next(turn, at) || is_announced(turn, at);
        let is_explicit = (is_meant || lasting(said, turn).is_some())
            && !is_about_users(said)
            && !is_taken_back_by_next(turn, at);
        let (category, probability) = match is_explicit && !is_meant && says_only_when(said, turn) {
            true => (Category::Learning, probabilities[at].any()),
            false => category(&probabilities[at], is_explicit),
        };
        let is_candidate = probability >= MIN_PROBABILITY || is_absolute(&said.words, &turn.languages);
        if !is_explicit && !is_candidate {
            continue;
        }
        let statement = Statement::new(category, probability, said, before);
        if is_vague(said) && statement.subject.is_none() {
            continue;
        }
        let statement = statement.with_reason(turn.said.get(at + 1).filter(|next| is_reason(next, turn)));
        let list = if is_explicit { &mut found.explicit } else { &mut found.candidates };
        list.push(statement.finding(session));
    }
}

/// Returns the category of a sentence, and the probability that it states something at all. What is said to
/// last is a preference, unless the classifier is sure of something else.
fn category(probabilities: &Probabilities, is_explicit: bool) -> (Category, f32) {
    let (category, probability) = probabilities.best();
    match is_explicit && probability < MIN_PROBABILITY {
        true => (Category::Preference, probability),
        false => (category, probabilities.any()),
    }
}

/// Returns the probabilities of the sentences of a turn.
fn probabilities(turn: &Turn, before: Option<&Turn>) -> Vec<Probabilities> {
    let sentences = turn.said.iter().map(|said| Sentence { text: said.text, words: &said.words }).collect();
    let previous = before.and_then(|before| before.answers.last()).map(|said| said.text);
    classify(&Message { sentences, speaker: Speaker::Person, previous })
}

/// Tells whether a prompt is mostly somebody else's text: it is long, or holds the title of an issue.
fn is_pasted(session: &Session, turn: &Turn) -> bool {
    let Some(begin) = session.transcript.entries.get(turn.at) else { return false };
    let prompt = session.transcript.entries[turn.at..].iter();
    let prompt = prompt.take_while(|entry| entry.cursor == begin.cursor && entry.kind == Kind::Text);
    // The host has taken out what was pasted for certain; the title may stand there.
    let is_long = |entry: &Entry| entry.role == Role::User && entry.text.len() > MAX_PROMPT_BYTES;
    prompt.into_iter().any(|entry| is_long(entry) || issue_title(&entry.text).is_some())
}

/// Tells whether a turn takes back what was said in the one before. If the assistant had asked something,
/// "never mind" answers the question and takes back nothing.
fn takes_back(turn: &Turn, before: &Turn) -> bool {
    !before.is_work() && !before.ends_with_question() && concedes(turn)
}

/// Tells whether a prompt only takes back something, and is too short to state anything itself.
fn is_taking_back(turn: &Turn) -> bool {
    concedes(turn) && turn.said.iter().map(|said| said.words.len()).sum::<usize>() <= MAX_SHORT_WORDS
}

fn concedes(turn: &Turn) -> bool {
    turn.said.first().is_some_and(|said| Reply::of(said, &turn.languages).concedes)
}

/// Tells whether something is said with a smile, and nothing was done for it: it is not meant.
fn smiles(turn: &Turn) -> bool {
    let smiles = |word: &str| {
        let word = word.trim_end_matches(['.', ',', '!']);
        SMILEYS.iter().any(|smiley| word.ends_with(smiley)) || LAUGHS.contains(&word)
    };
    !turn.is_work() && turn.said.iter().any(|said| said.text.split_whitespace().any(smiles))
}

/// Tells whether a sentence only announces something that is not the person's own and was left out.
fn announces(said: &Said) -> bool {
    said.text.trim_end().ends_with([':', '：'])
}

/// Tells whether a sentence gives the reason for the one before: it begins with "because", or with a word
/// that points back.
fn is_reason(said: &Said, turn: &Turn) -> bool {
    let begins = said.words.first().is_some_and(|word| REASONS.has(&word.text));
    begins && said.words.len() <= MAX_REASON_WORDS && !asks(said) && lasting(said, turn).is_none()
}

/// Tells whether a clause begins as rules without exception do: "never …", "nobody …", "do not touch …".
fn is_absolute(words: &[Word], languages: &[&'static Language]) -> bool {
    languages.iter().any(|language| languages::find(&language.absolute, words).is_some())
}

/// Tells whether a question asks to remember something: "can you remember that …?"
fn is_request(said: &Said, turn: &Turn) -> bool {
    let found = turn.languages.iter().filter_map(|language| languages::find(&language.lasting, &said.words));
    found.into_iter().any(|(from, _)| from == 0)
        && said.words.first().is_some_and(|word| MODAL.has(&word.text))
}

/// How a sentence says that something holds from now on, or is to be remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lasting {
    /// It says what, too.
    Here,
    /// It means the sentence before: "make it a rule".
    Alone,
}

/// Tells whether and how a sentence says so.
fn lasting(said: &Said, turn: &Turn) -> Option<Lasting> {
    let phrases = turn.languages.iter().flat_map(|language| [&language.lasting, &language.future]);
    let found = phrases.filter_map(|phrases| languages::find(phrases, &said.words));
    let (from, to) = found.max_by_key(|(from, to)| to - from)?;
    Some(if said.words.len() <= to - from + 1 { Lasting::Alone } else { Lasting::Here })
}

/// Tells whether a sentence only says when: next time, in future. Half of such sentences in real sessions
/// concern the work at hand, so they become learnings, which are found where they fit, and no rules, which
/// every session is shown.
fn says_only_when(said: &Said, turn: &Turn) -> bool {
    !turn.languages.iter().any(|language| languages::find(&language.lasting, &said.words).is_some())
}

/// Tells whether a sentence says how the product behaves: "from now on the user stays signed in".
fn is_about_users(said: &Said) -> bool {
    said.words.iter().any(|word| USERS.has(&word.text))
}

/// Tells whether the next sentence takes this one back: "no wait, scratch that".
fn is_taken_back_by_next(turn: &Turn, at: usize) -> bool {
    turn.said.get(at + 1).is_some_and(|next| Reply::of(next, &turn.languages).concedes)
}

/// Tells whether the sentence before announces this one: "new rule:".
fn is_announced(turn: &Turn, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| turn.said.get(before));
    before.is_some_and(|before| announces(before) && lasting(before, turn).is_some())
}

/// Tells whether the next sentence means this one.
fn is_meant_by_next(turn: &Turn, at: usize) -> bool {
    turn.said.get(at + 1).is_some_and(|next| lasting(next, turn) == Some(Lasting::Alone))
}

#[cfg(test)]
mod tests;
