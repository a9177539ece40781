//! Which turn says what the person wanted: the first one with something done for it, be it only looked at. An answer to
//! the assistant is no goal: what it had asked about is.

use crate::rules::context::Context;
use crate::rules::fixes::asks;
use crate::rules::replies::Reply;
use crate::rules::runs::{Run, is_looking};
use crate::rules::turns::Turn;

/// Words of a `yes, please`, which is about what stood before it, whatever that was.
const SHORT: usize = 4;

/// The turn whose prompt is the goal; `first` is the one that is it in any case.
pub fn begun<'a, 'b>(context: &'b Context<'a>, first: &'b Turn<'a>) -> &'b Turn<'a> {
    let tried = context.turns.iter().find(|turn| tries(context, turn)).unwrap_or(first);
    let looked = context.turns.iter().find(|turn| turn.is_work() && !turn.said.is_empty());
    let mut begun =
        looked.filter(|turn| turn.at < tried.at && leads_to(context, turn, tried)).unwrap_or(tried);
    while let Some(before) = context.turn_before(begun).filter(|before| answers(begun, before)) {
        begun = before;
    }
    begun
}

/// Whether nothing but talk stands between a look at something and the work: then it is one piece.
fn leads_to(context: &Context, looked: &Turn, tried: &Turn) -> bool {
    let between = context.turns.iter().filter(|turn| turn.at > looked.at && turn.at <= tried.at);
    looked.said.iter().any(|said| said.words.len() > 2) && between.count() <= SHORT
}

/// Whether a prompt only answers: a yes or no to a question or a proposal.
fn answers(turn: &Turn, before: &Turn) -> bool {
    let Some(first) = turn.said.first() else { return false };
    let reply = Reply::of(first, &turn.languages);
    let words: usize = turn.said.iter().map(|said| said.words.len()).sum();
    let answer = reply.agrees || reply.refuses || reply.concedes;
    answer && !before.said.is_empty() && (asks(before) || words <= SHORT || reply.refuses)
}

/// Whether something was to be changed in this turn, with success or not.
fn tries(context: &Context, turn: &Turn) -> bool {
    let deeds = context.deeds_in(turn);
    let runs = deeds.iter().filter_map(Run::of);
    deeds.iter().any(|deed| deed.written().is_some())
        || runs.into_iter().any(|run| run.commands.iter().any(|command| !is_looking(command)))
}
