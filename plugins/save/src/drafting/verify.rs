//! A second model's judgement of the drafts. A claim that it does not find in the excerpt blocks the draft; so does no
//! word about it. Advice on style has no place in its answer.

use super::answer;
use super::cut::one_line;
use super::refusal::Unfit;

/// For each of so many drafts whether it is supported, or why not.
pub(super) fn verdicts(drafts: usize, answer: &str) -> Result<Vec<Result<(), Unfit>>, String> {
    let answer = answer::object(answer)?;
    let given = answer["verdicts"].as_array().ok_or("the answer has no list of verdicts")?;
    let of = |index: usize| given.iter().filter(move |it| it["index"].as_u64() == Some(index as u64));
    let judged = (0..drafts).map(|index| {
        let (mut all, mut against) = (of(index).peekable(), of(index));
        if all.peek().is_none() {
            return Err(Unfit::new("the model that verifies said nothing about it"));
        }
        // Two verdicts that differ are none in its favour.
        match against.find(|it| it["supported"] != true) {
            Some(verdict) => {
                let claim = one_line(verdict["unsupported_claim"].as_str().unwrap_or_default(), 200);
                Err(Unfit::of("the excerpt does not support it", &claim))
            }
            None => Ok(()),
        }
    });
    Ok(judged.collect())
}
