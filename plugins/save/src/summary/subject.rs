//! The subject of the task: the title of the issue that was pasted, else what the person asked first. An
//! answer to the assistant is no subject: what it had asked about is.

use super::{Subject, tries};
use crate::session::Session;
use crate::session::issue_title::issue_title;
use crate::session::replies::Reply;
use crate::session::turns::{Said, Turn};
use crate::session::wording::cleaned;
use crate::transcript::{Entry, Kind, Role};
use interleaf_text::truncate_at_word;

/// Maximum length of a subject, in characters.
const MAX_SUBJECT_CHARS: usize = 160;

/// Maximum number of words of a `yes, please`, which is about what stood before it, whatever that was.
const MAX_SHORT_WORDS: usize = 4;

/// Returns the subject of the work that began with a change in this turn.
pub fn of(session: &Session, changed: &Turn, changes: &[String]) -> Option<Subject> {
    let begun = begun(session, changed);
    let entries = session.transcript.entries.iter().skip(begun.at);
    let cursor = session.transcript.entries.get(begun.at).map(|entry| entry.cursor);
    let prompt = entries.take_while(|entry| Some(entry.cursor) == cursor && entry.kind == Kind::Text);
    let prompt: Vec<&Entry> = prompt.filter(|entry| entry.role != Role::Assistant).collect();
    if let Some((entry, title)) = prompt.iter().find_map(|entry| Some((entry, issue_title(&entry.text)?))) {
        let evidence = crate::finding::Evidence { quote: title.to_owned(), cursor: entry.cursor };
        // Pasted text is a tool's for the host, and a summary quotes no tool.
        let evidence = (entry.role == Role::User).then_some(evidence);
        return Some(Subject {
            text: truncate_at_word(title.trim(), MAX_SUBJECT_CHARS).into_owned(),
            evidence,
        });
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
    let text = without_disputed_number(session, begun, &text);
    Some(Subject { text: truncate_at_word(text.trim(), MAX_SUBJECT_CHARS).into_owned(), evidence })
}

/// Returns a subject up to the clause with a number, if the person later said another number: it may have
/// been put right.
fn without_disputed_number<'t>(session: &Session, begun: &Turn, text: &'t str) -> &'t str {
    let numbers = |text: &str| -> Vec<String> {
        let words = interleaf_classifier::words::words(text).into_iter().map(|word| word.text);
        words.filter(|word| word.chars().all(|letter| letter.is_ascii_digit())).collect()
    };
    let named = numbers(text);
    let later = session.turns.iter().filter(|turn| turn.at > begun.at).flat_map(|turn| &turn.said);
    let is_disputed =
        !named.is_empty() && later.flat_map(|said| numbers(said.text)).any(|number| !named.contains(&number));
    let digit = text.find(|letter: char| letter.is_ascii_digit()).filter(|_| is_disputed);
    let clause = digit.and_then(|digit| text[..digit].rfind([',', ';', '.', ':', '(']));
    clause.map_or(text, |end| text[..end].trim_end())
}

/// Returns the turn whose prompt is the subject.
fn begun<'a, 'b>(session: &'b Session<'a>, changed: &'b Turn<'a>) -> &'b Turn<'a> {
    let tried = session.turns.iter().find(|turn| tries(session.calls_in(turn))).unwrap_or(changed);
    let looked = session.turns.iter().find(|turn| turn.is_work() && !turn.said.is_empty());
    let mut begun =
        looked.filter(|turn| turn.at < tried.at && leads_to(session, turn, tried)).unwrap_or(tried);
    while let Some(before) = session.turn_before(begun).filter(|before| answers(begun, before)) {
        begun = before;
    }
    begun
}

/// Tells whether nothing but talk stands between a look at something and the work: then it is one piece.
fn leads_to(session: &Session, looked: &Turn, tried: &Turn) -> bool {
    let between = session.turns.iter().filter(|turn| turn.at > looked.at && turn.at <= tried.at);
    looked.said.iter().any(|said| said.words.len() > 2) && between.count() <= MAX_SHORT_WORDS
}

/// Tells whether a prompt only answers: a yes or no to a question or a proposal.
fn answers(turn: &Turn, before: &Turn) -> bool {
    let Some(first) = turn.said.first() else { return false };
    let reply = Reply::of(first, &turn.languages);
    let words: usize = turn.said.iter().map(|said| said.words.len()).sum();
    let answer = reply.agrees || reply.refuses || reply.concedes;
    answer
        && !before.said.is_empty()
        && (before.ends_with_question() || words <= MAX_SHORT_WORDS || reply.refuses)
}
