//! How sure it is that a memory belongs to a text: its *relevance*, 0 to 1, and the floor below which
//! nothing is shown.
//!
//! Every word of the query has a weight: much if few memories hold it, little if it turns up in any
//! conversation. A memory covers the weight of the words it holds, and its relevance is the share it
//! covers, corrected for chance: what one shared word proves is subtracted from both sides, so sharing one
//! word of several is worth nothing. Silence when nothing belongs here is the point; a miss is cheaper than
//! noise.
//!
//! The constants were measured on commit messages of six public projects: subjects as prompts, 20 to 45
//! words of the bodies as memories. *Found* is how often the right memory is among three; *noise* how often
//! anything is shown for a prompt of another project.
//!
//! | memories | found | noise | found and noise by the plain share |
//! |---|---|---|---|
//! | 1 | 76 % | 0.4 % | 74 %, 0.4 % |
//! | 10 | 66 % | 1.2 % | 71 %, 2.6 % |
//! | 100 | 57 % | 2.2 % | 68 %, 12 % |
//! | 1,000 | 48 % | 4.4 % | 61 %, 29 % |
//! | 4,000 | 41 % | 5.5 % | 56 %, 34 % |

use super::words::{self, Kind, Term};
use crate::error::Result;

/// Below this relevance nothing is shown unasked.
pub const MIN_RELEVANCE: f32 = 0.35;

/// How much of a long text is looked at: its beginning, where the request mostly is, and its end. In
/// characters.
const BEGINNING: usize = 2_000;
const END: usize = 500;

/// For how many different words a store is asked how rare they are, 2 to 3 microseconds each.
const MOST_ASKED: usize = 48;

/// How many words of a query count, heaviest first. Among 1,000 memories, 4, 6, 10 and 16 words found 44, 48,
/// 48 and 48 % for prompts of six words, with noise of 5.6, 4.7, 4.4 and 4.4 %; for prompts of sixty words 13,
/// 19, 17 and 13 %, with noise of 3.8, 2.4, 0.8 and 0.1 %.
const MOST_WORDS: usize = 10;

/// Memories that are not there: what an ordinary word would be rare among if the store were larger. Without
/// them the only memory of a store would make all its words worthless. Ten times more or less move what is
/// found by 2 %.
const BACKGROUND: f64 = 1_000.0;

/// What an everyday word weighs against an ordinary one as rare. With 0.3, two of them cover no more than
/// chance, even in a store of one memory.
const EVERYDAY: f64 = 0.3;

/// What a word that no memory holds weighs against one that is as rare as can be. It says that the prompt is
/// about something else, but it may be a synonym. Among 10 memories, 0.2, 0.4 and 1.0 found 71, 66 and 56 %
/// with noise of 3.2, 1.2 and 0.3 %.
const UNSEEN: f64 = 0.4;

/// The weight that chance is taken to cover: this share of the query, but at least what two everyday words
/// weigh in a store of one memory. A single rare word weighs 0.7 to 0.9.
const CHANCE: f64 = 0.6;
const LEAST_CHANCE: f64 = 0.52;

/// And at most that, and so much more with every factor *e* of the memories: of more memories, more share a
/// word by chance. Without it, noise among 4,000 is 14 %.
const CHANCE_GROWTH: f64 = 0.05;

/// What has to be covered beyond chance where a query is too short to ask for more.
const LEAST_PROOF: f64 = 0.2;

/// What is looked for.
#[derive(Debug, Clone)]
pub struct Query {
    words: Vec<Term>,
}

impl Query {
    /// The words of a text of any length that can find something.
    pub fn new(text: &str) -> Self {
        let mut words = words::terms(&excerpt(text));
        // What tells most is asked first; the order within a kind is that of the text.
        words.sort_by_key(|word| word.kind == Kind::Everyday);
        words.truncate(MOST_ASKED);
        Self { words }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Weighs the words for a store of `memories`, where `frequency` tells how many of them hold a word.
    pub fn weigh(&self, memories: u64, mut frequency: impl FnMut(&str) -> Result<u64>) -> Result<Weighed> {
        let mut weighed = Vec::with_capacity(self.words.len());
        for word in &self.words {
            let holders = frequency(&word.text)?;
            // The parts of an identifier speak for it where the whole is unknown.
            if holders > 0 || word.kind != Kind::Whole {
                weighed.push(Word {
                    text: word.text.clone(),
                    weight: weight(word.kind, holders, memories),
                    holders,
                });
            }
        }
        weighed.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        weighed.truncate(MOST_WORDS);
        Ok(Weighed::new(weighed, memories))
    }
}

/// The beginning and the end of a text.
fn excerpt(text: &str) -> std::borrow::Cow<'_, str> {
    // A character has at most four bytes, so most texts are known to be short without being walked through.
    let Some((cut, _)) = text.char_indices().nth(BEGINNING) else { return text.into() };
    let end = text[cut..].char_indices().rev().nth(END - 1).map_or(cut, |(place, _)| cut + place);
    if end == cut { text.into() } else { format!("{}\n{}", &text[..cut], &text[end..]).into() }
}

/// The weight of a word, 0 to 1: how rare it is among the memories, with as many more in the background.
fn weight(kind: Kind, holders: u64, memories: u64) -> f64 {
    let inverse_frequency = |holders: f64| {
        let others = (BACKGROUND + memories as f64 - holders).max(0.0);
        (1.0 + (others + 0.5) / (holders + 0.5)).ln()
    };
    let rarity = inverse_frequency(holders as f64) / inverse_frequency(0.0);
    rarity * if kind == Kind::Everyday { EVERYDAY } else { 1.0 } * if holders == 0 { UNSEEN } else { 1.0 }
}

/// A query weighed for one store.
#[derive(Debug, Clone)]
pub struct Weighed {
    /// The words that the store knows, the heaviest first.
    known: Vec<Word>,
    /// The weight of all words, known or not.
    total: f64,
    /// The weight that a memory may cover by chance.
    chance: f64,
}

#[derive(Debug, Clone)]
struct Word {
    text: String,
    weight: f64,
    holders: u64,
}

impl Weighed {
    fn new(mut words: Vec<Word>, memories: u64) -> Self {
        let total: f64 = words.iter().map(|word| word.weight).sum();
        let most = LEAST_CHANCE + CHANCE_GROWTH * (memories.max(1) as f64).ln();
        words.retain(|word| word.holders > 0);
        Self { known: words, total, chance: (CHANCE * total).clamp(LEAST_CHANCE, most) }
    }

    /// The words of which a memory must hold at least one to reach the relevance `floor`, rarest first: the
    /// weight of all others together does not. None of them where no memory can.
    pub fn leads(&self, floor: f32) -> impl Iterator<Item = &str> {
        let needed = self.needed(floor);
        let mut rest: f64 = self.known.iter().map(|word| word.weight).sum();
        self.known
            .iter()
            .take_while(move |word| {
                let leads = rest >= needed;
                rest -= word.weight;
                leads
            })
            .map(|word| word.text.as_str())
    }

    /// The weight that a memory with these terms, each named once, covers.
    pub fn cover<'a>(&self, terms: impl Iterator<Item = &'a str>) -> f64 {
        terms
            .filter_map(|term| self.known.iter().find(|word| word.text == term))
            .map(|word| word.weight)
            .sum()
    }

    /// The relevance of a memory that covers so much, 0 to 1.
    pub fn relevance(&self, covered: f64) -> f32 {
        (((covered - self.chance) / self.proof()).clamp(0.0, 1.0)) as f32
    }

    /// What must be covered for a relevance of `floor`; more than nothing even without one.
    fn needed(&self, floor: f32) -> f64 {
        if floor <= 0.0 { f64::MIN_POSITIVE } else { self.chance + f64::from(floor) * self.proof() }
    }

    fn proof(&self) -> f64 {
        (self.total - self.chance).max(LEAST_PROOF)
    }
}
