//! The person's own words: what they sent, without what the client sent in their name and what they pasted.

mod announced;
mod dismissed;
mod foreign;
mod letter;
mod quoted;
mod sources;

use interleaf_text::code_fences::fenced;

use self::announced::{Announced, announced};
use self::foreign::{CLIENT, HEADS, WHOLE_CLIENT_MESSAGE, is_comment, is_log};

/// Bytes of a prompt above which it is taken for something pasted: only its first and last lines are the person's.
const LONGEST: usize = 3_000;

/// Bytes of such a first or last line.
const LONGEST_LINE: usize = 400;

/// Whether the client sent this in the person's name.
pub fn is_of_client(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(40).flat_map(char::to_lowercase).collect();
    CLIENT.iter().any(|begins| start.starts_with(begins))
        || start.trim_end() == WHOLE_CLIENT_MESSAGE
        || interleaf_text::client_text::is_client_message(text)
}

/// The parts of a prompt that are the person's own, in order.
pub fn own(text: &str) -> Vec<&str> {
    if is_of_client(text) {
        return Vec::new();
    }
    let quotations = quoted::quotations(text);
    let own = parts(text, Reader { of_person: true, ..Reader::default() });
    let own = own.into_iter().flat_map(|part| without(text, part, &quotations)).flat_map(dismissed::kept);
    let own = own.filter(|part| !part.trim().is_empty()).collect();
    if text.len() > LONGEST { ends(own) } else { own }
}

/// The parts of a text that are no quotation, code or log.
pub fn unquoted(text: &str) -> Vec<&str> {
    parts(text, Reader::default())
}

fn parts(text: &str, mut reader: Reader) -> Vec<&str> {
    let mut lines = Vec::new();
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    let fenced = fenced(&all.iter().map(|line| line.trim_end_matches('\n')).collect::<Vec<_>>());
    let letters = if reader.of_person { letter::letters(&all) } else { Vec::new() };
    for (at, line) in all.iter().enumerate() {
        if letters.iter().any(|letter| letter.contains(&at)) {
            reader.foreign = false;
            continue;
        }
        if fenced[at] {
            continue;
        }
        let own = reader.own(line);
        if !own.is_empty() {
            lines.push(own);
        } else if reader.heads == 2 {
            // The first head of a mail was taken for the person's.
            lines.pop();
        }
    }
    joined(text, lines)
}

/// A part without the quotations in it.
fn without<'a>(text: &'a str, part: &'a str, quotations: &[(usize, usize)]) -> Vec<&'a str> {
    let first = part.as_ptr() as usize - text.as_ptr() as usize;
    let (mut start, end) = (first, first + part.len());
    let mut found = Vec::new();
    for (from, to) in quotations.iter().filter(|(from, to)| *from < end && *to > first) {
        found.push(&text[start..(*from).clamp(start, end)]);
        start = (*to).clamp(start, end);
    }
    found.push(&text[start..end]);
    found
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

/// Whether a line is nothing but an element of HTML or XML: `<p>always</p>`, but not `<Card /> must stay small`.
fn is_markup(line: &str) -> bool {
    line.starts_with('<') && line.ends_with('>')
}

/// Whether a line is an item of a list, which may be nested.
fn is_list_item(line: &str) -> bool {
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|sign| line.starts_with(sign))
        || numbered.len() < line.len() && numbered.starts_with(['.', ')'])
}

#[derive(Default)]
struct Reader {
    /// It reads what the person sent, who may have pasted something.
    of_person: bool,
    /// The rest is a mail.
    mail: bool,
    heads: usize,
    /// The lines up to the next empty one are somebody else's.
    foreign: bool,
    /// Whether one of those was seen.
    seen: bool,
}

impl Reader {
    /// As much of the line as is the person's own, from its beginning.
    fn own<'a>(&mut self, line: &'a str) -> &'a str {
        let trimmed = line.trim();
        self.mail |= self.begins_mail(trimmed);
        if self.mail || trimmed.starts_with(['>', '|']) || is_markup(trimmed) {
            return "";
        }
        if trimmed.is_empty() {
            self.foreign &= !self.seen;
            return line;
        }
        if self.foreign {
            self.seen = true;
            self.foreign = !letter::closes(trimmed);
            return "";
        }
        let comment = self.of_person && is_comment(trimmed);
        let indented = line.starts_with("    ") || line.starts_with('\t');
        if comment || is_log(line) || indented && !is_list_item(trimmed) {
            return "";
        }
        self.announces(line)
    }

    /// The line up to what it announces.
    fn announces<'a>(&mut self, line: &'a str) -> &'a str {
        (self.foreign, self.seen) = (false, false);
        match announced(line) {
            Some(Announced::Below) => self.foreign = true,
            Some(Announced::Here(at)) if self.of_person => return &line[..at],
            Some(Announced::All(at)) if self.of_person => {
                self.mail = true;
                return &line[..at];
            }
            _ => {}
        }
        line
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
mod tests;
