//! What the person states: preferences, decisions, constraints and tech debt, found by the classifier.

mod accepted;
mod content;
mod statement;

use std::collections::BTreeSet;

use self::accepted::accepted;
use self::content::is_vague;
use self::statement::Statement;
use super::context::Context;
use super::languages;
use super::replies::{Reply, asks};
use super::summary::has_issue_title;
use super::turns::{Said, Turn};
use crate::classifier::{MIN_PROBABILITY, Message, Probabilities, Sentence, Speaker, classify};
use crate::finding::Finding;
use crate::transcript::{Entry, Kind, Role};
use interleaf_classifier::words::likeness;

/// How much more probable a statement is that says in so many words that it lasts. Chosen so that one that the
/// classifier finds unlikely (0.15) is certain.
const LASTING_ODDS: f32 = 16.0;

/// Minimum probability of a sentence that stands beside a statement of the same category and belongs to it: a
/// reason, or what holds instead.
const MIN_PROBABILITY_BESIDE: f32 = 0.35;

/// Maximum number of sentences of a statement.
const MAX_SENTENCES: usize = 3;

/// Maximum number of words of a prompt that only takes back what was said.
const MAX_SHORT_WORDS: usize = 5;

/// Maximum size of a prompt that states something, in bytes. Of real prompts, nine of ten have at most 543
/// characters; longer ones are mostly pasted: issues, logs, another model's text.
const MAX_PROMPT_BYTES: usize = 1_200;

/// Minimum likeness of two statements that are about the same, and of two that say the same.
const ALIKE: f32 = 0.5;
const SAME: f32 = 0.65;

/// Maximum number of statements that a new one is compared with.
const MAX_COMPARED: usize = 100;

/// Returns what the person states.
pub fn statements(context: &Context) -> Vec<Finding> {
    let turns = &context.turns;
    let mut statements: Vec<Statement> = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| &turns[index]);
        let next = turns.get(index + 1).filter(|_| !turn.is_work());
        let is_withdrawn = next.is_some_and(takes_back) || takes_back(turn) && is_short(turn);
        if is_withdrawn || smiles(turn) || is_pasted(context, turn) {
            continue;
        }
        statements.extend(stated(context, turn, before));
        let accepted = before.and_then(|before| accepted(turn, before));
        statements.extend(accepted.filter(|statement| !statement.is_echo(context)));
    }
    superseded(statements).into_iter().map(|statement| statement.finding(context)).collect()
}

/// Tells whether a prompt is mostly somebody else's text: it is long, or holds the title of an issue.
fn is_pasted(context: &Context, turn: &Turn) -> bool {
    let Some(begin) = context.talk.entries.get(turn.at) else { return false };
    let prompt = context.talk.entries[turn.at..].iter();
    let prompt = prompt.take_while(|entry| entry.cursor == begin.cursor && entry.kind == Kind::Text);
    // The host has taken out what was pasted for certain; the title may stand there.
    let is_long = |entry: &Entry| entry.role == Role::User && entry.text.len() > MAX_PROMPT_BYTES;
    prompt.into_iter().any(|entry| is_long(entry) || has_issue_title(&entry.text))
}

/// Tells whether the person takes back what they said before.
fn takes_back(turn: &Turn) -> bool {
    turn.said.first().is_some_and(|said| Reply::of(said, &turn.languages).concedes)
}

/// Tells whether a prompt is too short to state something of its own.
fn is_short(turn: &Turn) -> bool {
    turn.said.iter().map(|said| said.words.len()).sum::<usize>() <= MAX_SHORT_WORDS
}

/// Tells whether something is said with a smile, and nothing was done for it: it is not meant.
fn smiles(turn: &Turn) -> bool {
    let smileys = [":)", ";)", ":-)", ";-)", ":D", "😄", "😂", "🤣", "😉", "😜", "xD"];
    !turn.is_work() && turn.said.iter().any(|said| smileys.iter().any(|smiley| said.text.contains(smiley)))
}

/// Returns what the person states in a turn.
fn stated<'a>(context: &Context, turn: &'a Turn<'a>, before: Option<&'a Turn<'a>>) -> Vec<Statement<'a>> {
    let probabilities = probabilities(turn, before);
    let mut statements: Vec<Statement> = Vec::new();
    let mut last = None;
    for (at, said) in turn.said.iter().enumerate() {
        let (category, probability) = probabilities[at].best();
        let lasting = lasting(said, turn).or_else(|| lasting_behind(turn, at));
        let probability = if lasting.is_some() { raised(probability) } else { probability };
        let any = if lasting.is_some() { probability } else { probabilities[at].any() };
        if any < MIN_PROBABILITY
            || lasting == Some(Lasting::Alone)
            || asks(said)
            || announces(said)
            || context.echoes.has(said.text)
        {
            continue;
        }
        match statements
            .last_mut()
            .filter(|open| last.is_some_and(|last| last + 1 == at) && open.category == category)
        {
            Some(open) if open.sentences.len() < MAX_SENTENCES => {
                open.add(said, probability);
                open.lasts |= lasting.is_some();
            }
            _ => {
                let mut statement = Statement::new(category, probability, said, before);
                statement.lasts = lasting.is_some();
                if is_vague(said) && statement.subject.is_none() {
                    continue;
                }
                statements.push(statement);
            }
        }
        last = Some(at);
    }
    for statement in &mut statements {
        add_neighbors(statement, turn, &probabilities);
    }
    statements
}

/// Tells whether a sentence only announces something that is not the person's own and was left out.
fn announces(said: &Said) -> bool {
    said.text.trim_end().ends_with([':', '：'])
}

/// How a sentence says that something holds from now on, or is to be remembered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lasting {
    /// It says what, too.
    Here,
    /// It means the sentence before: `keep that in mind`.
    Alone,
}

/// Tells whether and how a sentence says so.
fn lasting(said: &Said, turn: &Turn) -> Option<Lasting> {
    let found = turn.languages.iter().filter_map(|language| languages::find(&language.lasting, &said.words));
    let (from, to) = found.max_by_key(|(from, to)| to - from)?;
    Some(if said.words.len() <= to - from + 1 { Lasting::Alone } else { Lasting::Here })
}

/// Tells whether the next sentence means this one.
fn lasting_behind(turn: &Turn, at: usize) -> Option<Lasting> {
    let next = turn.said.get(at + 1).and_then(|next| lasting(next, turn));
    next.filter(|next| *next == Lasting::Alone).map(|_| Lasting::Here)
}

/// Returns the probability of a sentence that says so. The authors of the examples were asked to write few such
/// sentences, so the classifier trusts the words less than it should.
fn raised(probability: f32) -> f32 {
    let odds = LASTING_ODDS * probability / (1.0 - probability).max(f32::EPSILON);
    odds / (1.0 + odds)
}

/// Returns the probabilities of the sentences of a turn.
fn probabilities(turn: &Turn, before: Option<&Turn>) -> Vec<Probabilities> {
    let sentences = turn.said.iter().map(|said| Sentence { text: said.text, words: &said.words }).collect();
    let previous = before.and_then(|before| before.answers.last()).map(|said| said.text);
    classify(&Message { sentences, speaker: Speaker::Person, previous })
}

/// Adds the sentence before or behind a statement that belongs to it.
fn add_neighbors<'a>(statement: &mut Statement<'a>, turn: &'a Turn<'a>, probabilities: &[Probabilities]) {
    let place = |said: &Said| turn.said.iter().position(|other| std::ptr::eq(other, said));
    let places: Vec<usize> = statement.sentences.iter().filter_map(|said| place(said)).collect();
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return };
    for at in [Some(last + 1), first.checked_sub(1)].into_iter().flatten().filter(|at| *at < turn.said.len())
    {
        let belongs = probabilities[at].of(statement.category) >= MIN_PROBABILITY_BESIDE
            && probabilities[at].best().1 < MIN_PROBABILITY;
        if belongs && statement.sentences.len() < MAX_SENTENCES && !asks(&turn.said[at]) {
            statement.add(&turn.said[at], 0.0);
        }
    }
}

/// Tells whether two statements differ in their numbers, and not in what they are about: `2 spaces in YAML files` and
/// `4 spaces in Python files` hold side by side.
fn same_but_numbers(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let word = |stem: &&String| !stem.starts_with(|c: char| c.is_ascii_digit());
    let own =
        |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).any(|stem| word(&stem));
    !(own(one, other) && own(other, one))
}

/// Keeps the better one of two statements that say the same, and the later one of two that are about the same
/// and differ in a number.
fn superseded(statements: Vec<Statement>) -> Vec<Statement> {
    let mut kept: Vec<(Statement, BTreeSet<String>)> = Vec::new();
    for statement in statements {
        let about = statement.stems();
        // What was said long ago is not compared again: the host knows what is remembered.
        let recent = kept.len().saturating_sub(MAX_COMPARED);
        let alike = |(known, other): &(Statement, _)| {
            known.category == statement.category && likeness(other, &about) >= ALIKE
        };
        match kept[recent..].iter().position(alike).map(|at| at + recent) {
            Some(at) if statement.numbers() != kept[at].0.numbers() => {
                match same_but_numbers(&kept[at].1, &about) {
                    true => kept[at] = (statement, about),
                    false => kept.push((statement, about)),
                }
            }
            Some(at) if likeness(&kept[at].1, &about) >= SAME => {
                if statement.probability > kept[at].0.probability {
                    kept[at] = (statement, about);
                }
            }
            _ => kept.push((statement, about)),
        }
    }
    kept.into_iter().map(|(statement, _)| statement).collect()
}
