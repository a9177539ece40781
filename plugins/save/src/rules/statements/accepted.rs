//! A proposal of the assistant that the person accepts: from then on it is decided.

use super::statement::Statement;
use crate::classifier::classify_alone;
use crate::rules::replies::{Reply, asks};
use crate::rules::turns::{Said, Turn};
use interleaf_layer::memory::Category;

/// Maximum number of words of a prompt that only accepts. More words say something of their own.
const MAX_WORDS: usize = 4;

/// Number of sentences at the end of an answer among which its proposal is.
const LAST_SENTENCES: usize = 3;

/// Minimum probability that the proposal, if the person had said it, were a decision.
const MIN_PROBABILITY_ACCEPTED: f32 = 0.3;

/// Returns the proposal that this turn accepts. The assistant must have asked: after a report, a yes is no
/// decision.
pub fn accepted<'a>(turn: &'a Turn<'a>, before: &'a Turn<'a>) -> Option<Statement<'a>> {
    let first = turn.said.first()?;
    let question = before.answers.last().filter(|said| asks(said))?;
    if !accepts(turn, question) {
        return None;
    }
    let proposals = before.answers.iter().rev().take(LAST_SENTENCES).filter(|said| !asks(said));
    let (probability, proposal) =
        proposals.map(|said| (decides(said), said)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let accepted = || Statement::new(Category::Decision, probability, proposal, None).accepted_by(first);
    (probability >= MIN_PROBABILITY_ACCEPTED).then(accepted)
}

/// Tells whether a prompt says yes and nothing else.
fn accepts(turn: &Turn, question: &Said) -> bool {
    let first = &turn.said[0];
    let words: usize = turn.said.iter().map(|said| said.words.len()).sum();
    // A yes is too short to tell its language.
    let languages =
        [&turn.languages, &crate::rules::languages::of(question.text), &crate::rules::languages::of("")];
    let agrees = languages.into_iter().any(|languages| Reply::of(first, languages).agrees);
    words <= MAX_WORDS && (agrees || first.text.starts_with(['👍', '✅'])) && !asks(first)
}

/// Returns the probability that a sentence is a decision.
fn decides(said: &Said) -> f32 {
    classify_alone(said.text, &said.words).of(Category::Decision)
}
