//! The summary in words.

use crate::rules::stated::signs::signs;
use crate::rules::stated::wording::{cleaned, cut, raised};
use crate::rules::turns::{Said, Turn};

/// Characters of the summary, of its goal, of one thing done.
const MOST: usize = 600;
const LONGEST_GOAL: usize = 160;
pub const LONGEST_DONE: usize = 150;

/// An answer that is shorter says only together with the prompt what was done.
const SHORT_ANSWER: usize = 28;

/// What the person wanted, in their words.
pub fn goal(turn: &Turn, changes: &[String]) -> String {
    let real = turn.said.iter().filter(|said| said.words.len() >= 3 && !signs(said, &turn.tongues).jests);
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

/// What was done, with the prompt where the answer alone says too little.
pub fn told(turn: &Turn, done: &[&Said]) -> Option<String> {
    let answer = cut(&done.iter().map(|said| cleaned(said)).collect::<Vec<_>>().join(" "), LONGEST_DONE);
    if answer.is_empty() {
        return None;
    }
    let prompt = turn.said.iter().map(cleaned).find(|text| text.len() > 8 && !text.ends_with('?'));
    Some(match prompt {
        Some(prompt) if answer.chars().count() < SHORT_ANSWER => {
            format!("{}: {answer}", raised(cut(prompt, 80).trim_end_matches('.')))
        }
        _ => answer,
    })
}

/// The summary.
pub fn text(goal: &str, done: &[String], open: &[String], next: &[String], files: &[String]) -> String {
    let stop = |part: &str| {
        if part.ends_with(['.', '!', '?', '…', '。']) { part.to_owned() } else { format!("{part}.") }
    };
    let mut parts = vec![format!("Goal: {}", stop(goal))];
    let trimmed =
        |all: &[String]| all.iter().map(|part| part.trim_end_matches('.')).collect::<Vec<_>>().join("; ");
    if !done.is_empty() {
        parts.push(format!("Done: {}.", trimmed(done)));
    }
    let open: Vec<String> = open.iter().chain(next.iter().rev().take(2)).cloned().collect();
    if !open.is_empty() {
        parts.push(format!("Open: {}.", trimmed(&open)));
    }
    if !files.is_empty() {
        parts.push(format!("Files: {}.", files.join(", ")));
    }
    while parts.join(" ").chars().count() > MOST && parts.len() > 2 {
        parts.pop();
    }
    cut(&parts.join(" "), MOST - 2)
}
