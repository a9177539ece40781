//! The person's own words: what they sent, without what the client sent in their name and what they pasted.

mod foreign;

use foreign::{CLIENT, HEADS, introduces, is_log};

/// Bytes of a prompt above which it is taken for something pasted: only its first and last lines are the person's.
const LONGEST: usize = 3_000;

/// Bytes of such a first or last line.
const LONGEST_LINE: usize = 400;

/// Whether the client sent this in the person's name.
pub fn is_of_client(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(40).flat_map(char::to_lowercase).collect();
    CLIENT.iter().any(|begins| start.starts_with(begins))
}

/// The parts of a prompt that are the person's own, in order.
pub fn own(text: &str) -> Vec<&str> {
    if is_of_client(text) {
        return Vec::new();
    }
    let own = unquoted(text);
    if text.len() > LONGEST { ends(own) } else { own }
}

/// The parts of a text that are no quotation, code or log.
pub fn unquoted(text: &str) -> Vec<&str> {
    let mut reader = Reader::default();
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        if reader.is_own(line) {
            lines.push(line);
        } else if reader.heads == 2 {
            // The first head of a mail was taken for the person's.
            lines.pop();
        }
    }
    joined(text, lines)
}

/// Lines that follow each other are one part again: sentences go over lines.
fn joined<'a>(text: &'a str, lines: Vec<&'a str>) -> Vec<&'a str> {
    let base = text.as_ptr() as usize;
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        let start = line.as_ptr() as usize - base;
        match parts.last_mut() {
            Some((_, end)) if *end == start => *end += line.len(),
            _ => parts.push((start, start + line.len())),
        }
    }
    parts.into_iter().map(|(start, end)| &text[start..end]).collect()
}

/// The first and the last line, where they are short.
fn ends(parts: Vec<&str>) -> Vec<&str> {
    let lines: Vec<&str> =
        parts.into_iter().flat_map(str::lines).filter(|line| !line.trim().is_empty()).collect();
    let ends = lines.first().into_iter().chain(lines.last().filter(|_| lines.len() > 1));
    ends.copied().filter(|line| line.len() <= LONGEST_LINE).collect()
}

#[derive(Default)]
struct Reader {
    fenced: bool,
    /// The rest is a mail.
    mail: bool,
    heads: usize,
    /// The lines up to the next empty one are somebody else's.
    foreign: bool,
    /// Whether one of those was seen.
    seen: bool,
}

impl Reader {
    fn is_own(&mut self, line: &str) -> bool {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            self.fenced = !self.fenced;
            return false;
        }
        self.mail |= self.begins_mail(trimmed);
        if self.fenced || self.mail || trimmed.starts_with(['>', '|']) || trimmed.starts_with("<") {
            return false;
        }
        if trimmed.is_empty() {
            self.foreign &= !self.seen;
            return true;
        }
        if self.foreign {
            self.seen = true;
            return false;
        }
        (self.foreign, self.seen) = (introduces(trimmed), false);
        !(is_log(line) || line.starts_with("    ") || line.starts_with('\t'))
    }

    /// Two heads of a mail, or a line that says who wrote when.
    fn begins_mail(&mut self, line: &str) -> bool {
        let head = line.split_once(": ").map(|(head, _)| head.to_lowercase());
        let is_head = head.is_some_and(|head| HEADS.contains(&head.as_str()));
        self.heads = if is_head { self.heads + 1 } else { 0 };
        let lower = line.to_lowercase();
        let wrote =
            [" wrote:", " schrieb:", " a écrit :", " escribió:", " escreveu:", " ha scritto:", " schreef:"];
        let dated = line.contains('@') || line.bytes().any(|byte| byte.is_ascii_digit());
        self.heads >= 2
            || dated && wrote.iter().any(|end| lower.ends_with(end))
            || line.starts_with("-----Original")
    }
}

#[cfg(test)]
mod tests {
    use super::own;

    fn joined(text: &str) -> String {
        own(text).concat().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pasted_text_is_not_the_persons_own() {
        assert_eq!(joined("look:\n```\nnever use npm\n```\nthanks"), "look: thanks");
        assert_eq!(joined("> always use yarn\nwhat is this"), "what is this");
        assert_eq!(
            joined("the customer wrote:\nalways call me first\nnever mail\n\nfix it"),
            "the customer wrote: fix it"
        );
        assert_eq!(joined("see below\n\nFrom: a@example.org\nSubject: rules\n\nnever do it"), "see below");
        assert_eq!(joined("2026-01-02 12:00:00 never mind\nok"), "ok");
        assert_eq!(joined("<command-name>/x</command-name>"), "");
        assert_eq!(joined("[Request interrupted by user for tool use]"), "");
    }

    #[test]
    fn of_a_very_long_prompt_only_the_ends_count() {
        let long = format!("please read this\n{}\nand fix it", "never use it, always that.\n".repeat(200));

        assert_eq!(own(&long), ["please read this", "and fix it"]);
    }
}
