//! What came of a turn, in the assistant's last words: what was done, and what is left; neither proposals nor good news
//! alone.

use crate::rules::context::Context;
use crate::rules::fixes::is_good;
use crate::rules::languages;
use crate::rules::turns::{Said, Turn};

/// Words of a sentence that says more than that all is well.
const LEAST_TOLD: usize = 5;

/// What the assistant says at the end of a turn: what was done, and what is left.
pub fn outcome<'a>(context: &Context, turn: &'a Turn<'a>) -> (Vec<&'a Said<'a>>, Vec<&'a Said<'a>>) {
    let last = turn.answers.last().map(|said| said.at);
    let after = context.deeds_in(turn).first().map_or(0, |deed| deed.at);
    let said = turn.answers.iter().filter(|said| Some(said.at) == last && said.at > after);
    let tells = said.filter(|said| !is_question(said) && !context.echoes.has(said.text));
    let (left, done): (Vec<&Said>, Vec<&Said>) =
        tells.partition(|said| languages::has(said.text, &said.words, |language| &language.left));
    let done: Vec<&Said> = done.into_iter().filter(|said| !is_promise(said)).collect();
    // Where more is said than that all is well, only that is told.
    let empty = |said: &&Said| said.words.len() < 3 || is_good(said.text) && said.words.len() <= LEAST_TOLD;
    let (empty, full): (Vec<&Said>, Vec<&Said>) = done.into_iter().partition(empty);
    let done = if full.is_empty() { empty } else { full };
    (done.into_iter().take(2).collect(), left.into_iter().take(1).collect())
}

fn is_question(said: &Said) -> bool {
    said.text.trim_end().ends_with(['?', '？'])
}

/// Whether it says what the assistant would do or will do, not what it did.
fn is_promise(said: &Said) -> bool {
    languages::has(said.text, &said.words, |language| &language.promise)
}
