//! The features of a sentence: its words, pairs of words and parts of words, the words of its neighbors, and
//! its place in the message.

use crate::stable_hash;
use crate::words::{Word, is_ideograph};

/// Lengths of the parts of words, in characters.
const PART_CHARS: std::ops::RangeInclusive<usize> = 3..=5;

/// Number of words at the beginning of a sentence that also count by their place.
const FIRST_WORDS: usize = 3;

/// Number of words at the beginning of a neighbor that also count by their place.
const FIRST_WORDS_OF_NEIGHBOR: usize = 2;

/// Number of words of an answer that only accepts or refuses what was proposed.
const SHORT_ANSWER: usize = 5;

/// Somebody who speaks in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    Person,
    /// The coding agent.
    Assistant,
}

/// A sentence with its words.
#[derive(Debug, Clone, Copy)]
pub struct Sentence<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its words.
    pub words: &'a [Word],
}

/// The sentences of a message.
#[derive(Debug, Clone)]
pub struct Message<'a> {
    /// Its sentences.
    pub sentences: Vec<Sentence<'a>>,
    /// Who sent it.
    pub speaker: Speaker,
    /// What the assistant said last before a person's message.
    pub previous: Option<&'a str>,
}

/// Returns the hashes of the features of the sentence at this index, in order and distinct.
pub fn features(message: &Message<'_>, at: usize) -> Vec<u32> {
    let sentence = &message.sentences[at];
    let mut features = Features::default();
    features.add_words(sentence);
    features.add_neighbor('p', at.checked_sub(1).map(|before| &message.sentences[before]));
    features.add_neighbor('n', message.sentences.get(at + 1));
    features.add_place(message, at);
    let mut hashes = features.0;
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// The hashes of features.
#[derive(Default)]
struct Features(Vec<u32>);

impl Features {
    /// Adds a feature of this kind.
    fn add(&mut self, kind: char, value: &str) {
        let hash = stable_hash(&format!("{kind}:{value}"));
        self.0.push((hash ^ (hash >> 32)) as u32);
    }

    fn add_words(&mut self, sentence: &Sentence<'_>) {
        let tokens = tokens(sentence);
        for token in &tokens {
            self.add('w', token);
            self.add_parts(token);
        }
        let mut before = "^";
        for token in tokens.iter().map(String::as_str).chain(["$"]) {
            self.add('b', &format!("{before} {token}"));
            before = token;
        }
        for three in tokens.windows(3).filter(|three| three.iter().all(|token| is_one_ideograph(token))) {
            self.add('t', &three.concat());
        }
        tokens.iter().take(FIRST_WORDS).for_each(|token| self.add('s', token));
    }

    /// Adds the parts of a word, which stand for its other forms.
    fn add_parts(&mut self, token: &str) {
        if !token.chars().all(|c| c.is_alphabetic() && !is_ideograph(c)) {
            return;
        }
        let letters: Vec<char> = format!("<{token}>").chars().collect();
        for length in PART_CHARS {
            for part in letters.windows(length) {
                self.add('c', &part.iter().collect::<String>());
            }
        }
    }

    fn add_neighbor(&mut self, kind: char, neighbor: Option<&Sentence<'_>>) {
        let Some(neighbor) = neighbor else { return self.add(kind, "none") };
        for (place, token) in tokens(neighbor).iter().enumerate() {
            self.add(kind, token);
            if place < FIRST_WORDS_OF_NEIGHBOR {
                self.add(kind, &format!("first {token}"));
            }
        }
    }

    fn add_place(&mut self, message: &Message<'_>, at: usize) {
        let sentence = &message.sentences[at];
        let count = message.sentences.len();
        let asks = |sentence: &Sentence<'_>| sentence.text.contains(['?', '？']);
        let flags = [
            ("assistant", usize::from(message.speaker == Speaker::Assistant)),
            ("sentences", count.min(5)),
            ("place", at.min(3)),
            ("last", usize::from(at + 1 == count)),
            ("question", usize::from(asks(sentence))),
            ("questions", usize::from(message.sentences.iter().any(asks))),
            ("number", usize::from(sentence.text.contains(|c: char| c.is_ascii_digit()))),
            ("words", (sentence.words.len() / 4).min(8)),
            ("code", usize::from(sentence.text.contains('`'))),
            ("colon", usize::from(sentence.text.contains([':', '：']))),
        ];
        for (name, value) in flags {
            self.add('f', &format!("{name} {value}"));
        }
        if let Some(previous) = message.previous {
            let short = sentence.words.len() <= SHORT_ANSWER;
            self.add('f', &format!("answer {} {}", previous.contains(['?', '？']), at == 0 && short));
        }
    }
}

fn is_one_ideograph(token: &str) -> bool {
    let mut chars = token.chars();
    chars.next().is_some_and(is_ideograph) && chars.next().is_none()
}

/// Returns the words of a sentence, numbers as `#`, a comma where a sign stands before a word, and the signs
/// at the end.
fn tokens(sentence: &Sentence<'_>) -> Vec<String> {
    let mut tokens = Vec::new();
    for word in sentence.words {
        if word.parted && !tokens.is_empty() {
            tokens.push(",".to_owned());
        }
        let is_number = word.text.starts_with(|c: char| c.is_ascii_digit());
        tokens.push(if is_number { "#".to_owned() } else { word.text.clone() });
    }
    let end = sentence.text.trim_end().chars().next_back().filter(|c| "?!.…:？！。".contains(*c));
    tokens.extend(end.map(String::from));
    tokens
}
