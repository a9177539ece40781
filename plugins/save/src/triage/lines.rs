//! A talk as lines: what was said sentence by sentence, without code, and failed tools as one line each. Quoted text
//! (`> …`) is somebody else's, and the client's own blocks are nobody's.

use crate::talk::{Ending, Entry, Kind, Role, Talk};

use super::words::words;

/// Longest line that is looked at; a longer one is no sentence.
const LONGEST: usize = 1000;

/// Beginnings of what the client writes in the person's name.
const CLIENT: [&str; 5] =
    ["[Request interrupted", "<command-", "<local-command", "<task-notification", "<system-reminder"];

/// A sentence, or a tool that failed.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    /// Whose; `Tool` for a failure.
    pub role: Role,
    /// Which entry of the talk it is in.
    pub entry: usize,
    /// Verbatim.
    pub text: &'a str,
    /// What it says.
    pub words: String,
}

/// All lines of a talk, in order.
pub(crate) fn lines(talk: &Talk) -> Vec<Line<'_>> {
    let lines = talk.entries.iter().enumerate().flat_map(|(at, entry)| match (entry.role, entry.kind) {
        (Role::Tool, _) | (_, Kind::ToolResult) => failure(entry, at).into_iter().collect(),
        (_, Kind::Text) => said(entry, at),
        _ => Vec::new(),
    });
    lines.collect()
}

/// Whether the client wrote this in the person's name.
pub(crate) fn is_the_clients(text: &str) -> bool {
    CLIENT.iter().any(|head| text.trim_start().starts_with(head))
}

fn said(entry: &Entry, at: usize) -> Vec<Line<'_>> {
    if is_the_clients(&entry.text) {
        return Vec::new();
    }
    let mut fenced = false;
    let mut found = Vec::new();
    for line in entry.text.lines() {
        let bare = line.trim_start();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && !bare.starts_with('>') {
            found.extend(sentences(line).map(|text| Line {
                role: entry.role,
                entry: at,
                text,
                words: words(&without_code(text)),
            }));
        }
    }
    found
}

/// The line of a failed result that says most: one that speaks of an error, else the last.
fn failure(entry: &Entry, at: usize) -> Option<Line<'_>> {
    if entry.ending != Ending::Failed {
        return None;
    }
    let lines = || entry.text.lines().map(str::trim).filter(|line| !line.is_empty() && line.len() < LONGEST);
    let telling = |line: &&str| line.to_lowercase().contains("error") || line.contains("not found");
    let text = lines().find(telling).or_else(|| lines().next_back())?;
    Some(Line { role: Role::Tool, entry: at, text, words: words(text) })
}

fn sentences(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(['.', '!', '?', '。', '！', '？'])
        .scan(0, |end, piece| {
            *end += piece.len();
            Some(*end)
        })
        .filter(|end| line[*end..].starts_with(char::is_whitespace) || *end == line.len())
        .scan(0, |start, end| {
            let sentence = line[*start..end].trim();
            *start = end;
            Some(sentence)
        })
        .filter(|sentence| !sentence.is_empty() && sentence.len() < LONGEST)
}

fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{failed, talk, user};

    #[test]
    fn sentences_end_with_a_space_behind_and_code_says_nothing() {
        let talk = talk([user("Use v1.2 here. Is `failed` set?\n```\nerror\n```\n> they decided")]);

        let lines = lines(&talk);

        let texts: Vec<&str> = lines.iter().map(|line| line.text).collect();
        assert_eq!(texts, ["Use v1.2 here.", "Is `failed` set?"]);
        assert_eq!(lines[1].words, " is set ");
    }

    #[test]
    fn a_failed_tool_is_the_line_that_tells() {
        let talk = talk([failed("make", "Exit code 2\nerror: no .env\nmake: ***")]);

        assert_eq!(lines(&talk)[0].text, "error: no .env");
    }
}
