//! Whether what the person said after a fix refuses it.
//!
//! A `no` alone proves nothing: most people say one to what comes next, or to a question that the assistant asked. It
//! is about the fix where it points back (`that's wrong`, `undo it`), where it names what was done, or where nothing
//! else was there to be refused.

use std::collections::BTreeSet;

use crate::rules::replies::{Reply, refuses};
use crate::rules::turns::{Said, Turn};
use crate::word_lists::{ACCEPTING, PLAIN, POINTING_BACK, SETTLING, UNDOING};
use interleaf_classifier::words::{Word, WordList, stems};

/// Words of a refusal with nothing behind it.
const BARE: usize = 3;

/// Whether the person refuses what was done before this turn: `about` is what that was, `before` the turn it stands in.
pub fn refuses_work(turn: &Turn, before: Option<&Turn>, about: &BTreeSet<String>) -> bool {
    let opening: Vec<&Said> = turn.said.iter().take(2).collect();
    let undoes = opening.iter().any(|said| undoes(said, about));
    if undoes || !refuses(turn) || accepts(turn) {
        return undoes;
    }
    let words = opening.iter().map(|said| said.words.len()).sum::<usize>();
    let bare = words <= BARE && turn.said.len() <= 2 && !before.is_some_and(asks);
    let named = opening.iter().any(|said| names(said, about));
    bare || named || opening.iter().any(|said| refers(turn, said))
}

/// Whether a prompt begins with taking what was done.
pub fn accepts(turn: &Turn) -> bool {
    let first = turn.said.first().and_then(|said| said.words.first());
    first.is_some_and(|word| ACCEPTING.has(&word.text))
}

/// Whether the assistant ended with a question: the next `no` answers it.
pub fn asks(turn: &Turn) -> bool {
    turn.answers.last().is_some_and(|said| said.text.trim_end().ends_with(['?', '？']))
}

fn names(said: &Said, about: &BTreeSet<String>) -> bool {
    stems(said.text)
        .iter()
        .any(|stem| about.contains(stem) && !stem.starts_with(|c: char| c.is_ascii_digit()))
}

fn is(word: Option<&Word>, of: &WordList) -> bool {
    word.is_some_and(|word| of.has(&word.text))
}

/// `that's wrong`, `undo it`, `revert the Dockerfile`: what is wanted back has to be what was done.
fn undoes(said: &Said, about: &BTreeSet<String>) -> bool {
    let Some(at) = said.words.iter().position(|word| UNDOING.has(&word.text)) else {
        return false;
    };
    let pointed = said.words.iter().any(|word| POINTING_BACK.has(&word.text));
    at <= 3 && (said.words.len() <= BARE || pointed && said.words.len() <= 12 || names(said, about))
}

/// Whether the refusal itself points back (`dont do that`, but not `stop, that's enough`) or wants something else instead.
fn refers(turn: &Turn, said: &Said) -> bool {
    let reply = Reply::of(said, &turn.languages);
    let noun = is(said.words.first(), &PLAIN) && said.words.get(1).is_some_and(|word| !word.parted);
    let at = said.words.iter().take(5).position(|word| POINTING_BACK.has(&word.text));
    let settles = |at: usize| (1..=2).any(|next| is(said.words.get(at + next), &SETTLING));
    let pointed = at.is_some_and(|at| !settles(at));
    reply.refuses && (reply.instead && !noun || pointed && !(noun && at.is_none_or(|at| at > 1)))
}
