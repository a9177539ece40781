//! The subject of the task: the title of the issue that was pasted, else what the person asked first. An
//! answer to the assistant is no subject: what it had asked about is.

use super::{Subject, tries};
use crate::rules::context::Context;
use crate::rules::corrections::Amendment;
use crate::rules::replies::Reply;
use crate::rules::turns::{Said, Turn};
use crate::rules::wording::{cleaned, cut};
use crate::transcript::{Entry, Kind, Role};

/// Maximum length of a subject, in characters.
const MAX_SUBJECT_CHARS: usize = 160;

/// Maximum number of words of a `yes, please`, which is about what stood before it, whatever that was.
const MAX_SHORT_WORDS: usize = 4;

/// Keys before a title in a pasted issue, in lower case.
const TITLE_KEYS: [&str; 6] =
    ["title", "subject", "summary", "issue", "problem_statement", "problem statement"];

/// Headings of the parts of an issue, in lower case. They are no titles.
const PARTS: [&str; 12] = [
    "description",
    "steps to reproduce",
    "reproduce",
    "how to reproduce",
    "expected",
    "expected behavior",
    "expected behaviour",
    "actual behavior",
    "environment",
    "context",
    "summary",
    "background",
];

/// Returns the subject of the work that began with a change in this turn.
pub fn of(
    context: &Context,
    changed: &Turn,
    amendments: &[Amendment],
    changes: &[String],
) -> Option<Subject> {
    let begun = begun(context, changed);
    let entries = context.talk.entries.iter().skip(begun.at);
    let cursor = context.talk.entries.get(begun.at).map(|entry| entry.cursor);
    let prompt = entries.take_while(|entry| Some(entry.cursor) == cursor && entry.kind == Kind::Text);
    let prompt: Vec<&Entry> = prompt.filter(|entry| entry.role != Role::Assistant).collect();
    if let Some((entry, title)) = prompt.iter().find_map(|entry| Some((entry, title(&entry.text)?))) {
        let evidence = crate::finding::Evidence { quote: title.to_owned(), cursor: entry.cursor };
        // Pasted text is a tool's for the host, and a summary quotes no tool.
        let evidence = (entry.role == Role::User).then_some(evidence);
        return Some(Subject { text: cut(title, MAX_SUBJECT_CHARS), evidence });
    }
    // A sentence that held a secret says little without it.
    let is_told = |said: &&Said| said.words.len() >= 3 && !said.text.contains("[SECRET:");
    let real: Vec<&str> = begun.said.iter().filter(is_told).map(cleaned).collect();
    let text = match (real.is_empty(), changes.first()) {
        (true, Some(change)) => format!("the OpenSpec change {change}"),
        (true, None) => begun.said.first()?.text.to_owned(),
        (false, _) => real.join(" "),
    };
    let evidence = begun.said.iter().find(|said| cleaned(said).len() > 2).map(Said::evidence);
    // A number that the person put right later.
    let later = amendments.iter().filter(|amendment| amendment.at > begun.at);
    let text = later.fold(text, |text, amendment| amendment.applied(&text));
    Some(Subject { text: cut(&text, MAX_SUBJECT_CHARS), evidence })
}

/// Tells whether a prompt holds an issue with its title.
pub fn has_issue_title(prompt: &str) -> bool {
    title(prompt).is_some()
}

/// Returns the title of an issue that a prompt holds: the first heading, or the value of a key such as
/// `title:`. A prompt of one line holds none.
fn title(text: &str) -> Option<&str> {
    if text.trim().lines().count() < 2 {
        return None;
    }
    text.lines().map(str::trim).find_map(|line| heading(line).or_else(|| keyed(line)))
}

fn heading(line: &str) -> Option<&str> {
    let text = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?.trim();
    let is_part = PARTS.contains(&text.trim_end_matches(':').to_lowercase().as_str());
    (!is_part && text.split_whitespace().count() > 1).then_some(text)
}

fn keyed(line: &str) -> Option<&str> {
    let (key, value) = line.trim_start_matches(['*', '-', ' ']).split_once(':')?;
    let value = value.trim_matches(['*', '"', '\'', ' ']);
    let is_key = TITLE_KEYS.contains(&key.trim_matches(['*', '"']).to_lowercase().as_str());
    (is_key && value.split_whitespace().count() > 1).then_some(value)
}

/// Returns the turn whose prompt is the subject.
fn begun<'a, 'b>(context: &'b Context<'a>, changed: &'b Turn<'a>) -> &'b Turn<'a> {
    let tried = context.turns.iter().find(|turn| tries(context.deeds_in(turn))).unwrap_or(changed);
    let looked = context.turns.iter().find(|turn| turn.is_work() && !turn.said.is_empty());
    let mut begun =
        looked.filter(|turn| turn.at < tried.at && leads_to(context, turn, tried)).unwrap_or(tried);
    while let Some(before) = context.turn_before(begun).filter(|before| answers(begun, before)) {
        begun = before;
    }
    begun
}

/// Tells whether nothing but talk stands between a look at something and the work: then it is one piece.
fn leads_to(context: &Context, looked: &Turn, tried: &Turn) -> bool {
    let between = context.turns.iter().filter(|turn| turn.at > looked.at && turn.at <= tried.at);
    looked.said.iter().any(|said| said.words.len() > 2) && between.count() <= MAX_SHORT_WORDS
}

/// Tells whether a prompt only answers: a yes or no to a question or a proposal.
fn answers(turn: &Turn, before: &Turn) -> bool {
    let Some(first) = turn.said.first() else { return false };
    let reply = Reply::of(first, &turn.languages);
    let words: usize = turn.said.iter().map(|said| said.words.len()).sum();
    let answer = reply.agrees || reply.refuses || reply.concedes;
    answer && !before.said.is_empty() && (asks(before) || words <= MAX_SHORT_WORDS || reply.refuses)
}

/// Tells whether the assistant ended with a question.
fn asks(turn: &Turn) -> bool {
    turn.answers.last().is_some_and(|said| said.text.trim_end().ends_with(['?', '？']))
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn the_title_of_a_pasted_issue_is_found() {
        for (text, expected) in [
            (
                "Fix this:\n  repo: a/b\n  problem_statement: Rounding is off\nDescription\nx",
                Some("Rounding is off"),
            ),
            ("please solve\n\n# Rounding is off\n\n## Description\nx", Some("Rounding is off")),
            ("**Title:** Rounding is off\nbody", Some("Rounding is off")),
            ("## Steps to reproduce\n1. a", None),
            ("title: one line only", None),
            ("do this\nand that", None),
        ] {
            assert_eq!(title(text), expected, "{text}");
        }
    }
}
