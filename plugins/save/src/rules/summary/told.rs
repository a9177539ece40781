//! The summary in words.

use crate::classifier::{MIN_PROBABILITY, classify_alone};
use crate::finding::Evidence;
use crate::rules::replies::{Reply, asks};
use crate::rules::turns::{Said, Turn};
use crate::rules::wording::{cleaned, cut, raised};

/// What is told.
#[derive(Debug, Default)]
pub struct Story {
    /// What the person wanted.
    pub goal: String,
    /// What was done, in order.
    pub done: Vec<String>,
    /// What does not work yet.
    pub open: Vec<String>,
    /// What the assistant would do next.
    pub next: Vec<String>,
    /// Files that were written.
    pub files: Vec<String>,
    /// Where it was said.
    pub evidence: Vec<Evidence>,
}

/// Things done, and next ones, that are told.
const MOST_DONE: usize = 4;
const MOST_NEXT: usize = 2;

/// Characters of the summary, of its goal, of one thing done.
const MOST: usize = 600;
const LONGEST_GOAL: usize = 160;
pub const LONGEST_DONE: usize = 150;

/// An answer that is shorter says only together with the prompt what was done.
const SHORT_ANSWER: usize = 28;

/// Characters of a prompt that is told, at least and at most.
const LEAST_PROMPT: usize = 8;
const LONGEST_PROMPT: usize = 80;

/// Words of an answer that says nothing but that it is done.
const EMPTY_ANSWER: usize = 2;

/// Signs at the end of what is told, in place of which the summary has its own.
const STOPS: [char; 6] = ['.', '。', ';', '；', ':', '，'];

/// What the person wanted, in their words.
pub fn goal(turn: &Turn, changes: &[String]) -> String {
    let real = turn.said.iter().filter(|said| said.words.len() >= 3);
    let text: Vec<&str> = real.map(cleaned).collect();
    match (text.is_empty(), changes.first()) {
        (true, Some(change)) => format!("the OpenSpec change {change}"),
        (true, None) => turn
            .said
            .first()
            .map_or_else(|| "going on with earlier work".to_owned(), |said| cut(said.text, LONGEST_GOAL)),
        _ => cut(&text.join(" "), LONGEST_GOAL),
    }
}

/// What was done, with the prompt where the answer alone says too little; nothing where only a command was run and went
/// well, as asked: that is over.
pub fn told(turn: &Turn, done: &[&Said], wrote: bool, goal: &str) -> Option<String> {
    let answer = cut(&done.iter().map(|said| cleaned(said)).collect::<Vec<_>>().join(" "), LONGEST_DONE);
    if answer.is_empty() {
        return None;
    }
    if answer.chars().count() >= SHORT_ANSWER {
        return Some(raised(&answer));
    }
    let empty = done.iter().all(|said| said.words.len() <= EMPTY_ANSWER);
    let prompt = turn.said.iter().find(|said| is_task(turn, said, empty)).filter(|_| wrote).map(cleaned);
    let prompt = prompt.filter(|prompt| !goal.contains(prompt));
    let prompt = prompt.map(|prompt| raised(cut(prompt, LONGEST_PROMPT).trim_end_matches(STOPS)));
    match prompt {
        Some(prompt) if empty => Some(prompt),
        Some(prompt) => Some(format!("{prompt}: {answer}")),
        None => (wrote && !empty).then_some(answer),
    }
}

/// Whether a sentence says what was to be done: no question, no answer, and no rule or limit, which is told elsewhere.
fn is_task(turn: &Turn, said: &Said, strictly: bool) -> bool {
    let reply = Reply::of(said, &turn.languages);
    let answers = reply.agrees || reply.refuses || asks(said);
    cleaned(said).len() > LEAST_PROMPT && !answers && !(strictly && is_statement(said))
}

/// Tells whether a sentence is a rule, a decision or a limit rather than a task.
fn is_statement(said: &Said) -> bool {
    classify_alone(said.text, &said.words).best().1 >= MIN_PROBABILITY
}

impl Story {
    /// In words; of what does not fit, the end is left out.
    pub fn text(&self) -> String {
        let done = &self.done[self.done.len().saturating_sub(MOST_DONE)..];
        let open: Vec<String> =
            self.open.iter().chain(self.next.iter().rev().take(MOST_NEXT)).cloned().collect();
        let stop = if self.goal.ends_with(['.', '!', '?', '…', '。', '！', '？']) { "" } else { "." };
        let mut parts = vec![format!("Goal: {}{stop}", self.goal)];
        parts.extend(
            [("Done", joined(done)), ("Open", joined(&open)), ("Files", self.files.join(", "))]
                .into_iter()
                .filter(|(_, text)| !text.is_empty())
                .map(|(name, text)| format!("{name}: {text}.")),
        );
        while parts.join(" ").chars().count() > MOST && parts.len() > 2 {
            parts.pop();
        }
        cut(&parts.join(" "), MOST - 2)
    }
}

fn joined(parts: &[String]) -> String {
    parts.iter().map(|part| part.trim_end_matches(STOPS).trim_end()).collect::<Vec<_>>().join("; ")
}
