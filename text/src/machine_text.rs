//! Separates what a person typed from what they pasted: code, quotations, logs, stack traces, error messages,
//! diffs, output of a shell, pages, chats, mails. Such text may hold sentences of anybody, so nobody's rule
//! is taken from it. The host decides this once for everything that reads a transcript.
//!
//! A fence and a quotation end where CommonMark ends them. Any other paste has no certain end. So what lies
//! between two lines that no person types is pasted too, and around them only short paragraphs are the
//! person's: the first one, and those that address the agent.

mod line_shape;
mod wording;

use std::ops::Range;

use self::line_shape::{Shape, is_greeting, is_title, shape};
use self::wording::{announces, is_mail_head};
use crate::code_fences::fenced;
use crate::{strip_invisible, unified_line_ends};

/// Maximum size of a text that is taken for typed, in bytes and lines. Of a longer one only the first and the
/// last paragraph can be the person's.
const MAX_TYPED_BYTES: usize = 3_000;
const MAX_TYPED_LINES: usize = 40;

/// Maximum size of a stretch of paragraphs that do not address the agent, in bytes.
const MAX_STRETCH_BYTES: usize = 600;

/// Maximum size of a paragraph beside pasted text that is taken for typed, in bytes.
const MAX_FRAME_BYTES: usize = 400;

/// Maximum size of a list that is taken for typed, in items and bytes.
const MAX_LIST_ITEMS: usize = 10;
const MAX_LIST_BYTES: usize = 600;

/// A person's text, split into what they typed and what they pasted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// What the person typed.
    pub typed: String,
    /// What they pasted.
    pub pasted: String,
    /// Whether a part of what they typed may be pasted, too: a list, or a line with a label.
    pub is_doubtful: bool,
}

/// Splits a text. The parts keep their order, and each line belongs to one of them.
///
/// ```
/// use interleaf_text::machine_text::split;
///
/// let split = split("what is this?\nError: no such file\nalways run it\n\nthanks");
///
/// assert_eq!(split.typed, "what is this?\n\nthanks");
/// assert_eq!(split.pasted, "Error: no such file\nalways run it");
/// ```
pub fn split(text: &str) -> Split {
    let text = unified_line_ends(text);
    let lines: Vec<&str> = text.split('\n').collect();
    let authors = Prompt::read(&lines);
    let part = |is_pasted: bool| {
        let lines = lines.iter().zip(&authors);
        let lines = lines.filter(|(_, author)| (**author == Author::Pasted) == is_pasted);
        lines.map(|(line, _)| *line).collect::<Vec<_>>().join("\n").trim().to_owned()
    };
    let is_doubtful = authors.contains(&Author::Doubtful);
    Split { typed: part(false), pasted: part(true), is_doubtful }
}

/// Who wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author {
    Person,
    /// Probably the person.
    Doubtful,
    Pasted,
}

/// A prompt while the authors of its lines are found out.
struct Prompt<'a> {
    lines: &'a [String],
    shapes: Vec<Shape>,
    authors: Vec<Author>,
    /// Lines of a paste whose end is not known.
    is_open_ended: Vec<bool>,
}

impl<'a> Prompt<'a> {
    /// Finds the author of each line.
    fn read(lines: &[&str]) -> Vec<Author> {
        let lines: Vec<String> = lines.iter().map(|line| strip_invisible(line)).collect();
        let fenced = fenced(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let mut prompt = Prompt::new(&lines, &fenced);
        prompt.mark_mail();
        prompt.mark_labels();
        prompt.mark_titles();
        prompt.mark_lists();
        prompt.mark_announced();
        prompt.mark_between(&fenced);
        prompt.mark_around();
        prompt.mark_long();
        prompt.authors
    }

    fn new(lines: &'a [String], fenced: &[bool]) -> Self {
        let mut is_quoted = false;
        let is_enclosed = |(line, fenced): (&String, &bool)| {
            // A line without a mark continues the quotation's paragraph.
            is_quoted =
                !fenced && !line.trim().is_empty() && (is_quoted || line.trim_start().starts_with('>'));
            *fenced || is_quoted
        };
        let enclosed: Vec<bool> = lines.iter().zip(fenced).map(is_enclosed).collect();
        let shapes: Vec<Shape> = lines.iter().map(|line| shape(line)).collect();
        let author = |enclosed: &bool| if *enclosed { Author::Pasted } else { Author::Person };
        let is_machine = |(shape, enclosed): (&Shape, &bool)| !enclosed && *shape == Shape::Machine;
        Prompt {
            lines,
            authors: enclosed.iter().map(author).collect(),
            is_open_ended: shapes.iter().zip(&enclosed).map(is_machine).collect(),
            shapes,
        }
    }

    /// Tells whether the line has text that is not known to be pasted.
    fn is_candidate(&self, at: usize) -> bool {
        self.authors[at] != Author::Pasted && !self.is_open_ended[at] && self.shapes[at] != Shape::Blank
    }

    /// Returns the runs of lines that are not known to be pasted.
    fn paragraphs(&self) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        for at in (0..self.lines.len()).filter(|at| self.is_candidate(*at)) {
            match found.last_mut() {
                Some(last) if last.end == at => last.end += 1,
                _ => found.push(at..at + 1),
            }
        }
        found
    }

    fn mark(&mut self, range: Range<usize>, author: Author) {
        self.authors[range].fill(author);
    }

    /// A mail begins with two lines of its head. At least the first paragraph below them is its body.
    fn mark_mail(&mut self) {
        let is_head = |at: usize| self.is_candidate(at) && is_mail_head(&self.lines[at]);
        let Some(start) = (1..self.lines.len()).find(|at| is_head(at - 1) && is_head(*at)) else { return };
        let after = self.paragraphs().into_iter().filter(|paragraph| paragraph.end > start);
        let end = after.take(2).last().map_or(self.lines.len(), |body| body.end);
        self.is_open_ended[start - 1..end].fill(true);
    }

    /// A file of keys and a chat have several labels. A single one is the person's if it names a topic, or if
    /// it begins a message of one paragraph: `deploys: …`.
    fn mark_labels(&mut self) {
        let is_label = |at: usize| self.is_candidate(at) && matches!(self.shapes[at], Shape::Label { .. });
        let labels: Vec<usize> = (0..self.lines.len()).filter(|at| is_label(*at)).collect();
        let paragraphs = self.paragraphs();
        let begins_alone =
            |at: usize| labels == [at] && matches!(&paragraphs[..], [only] if only.start == at);
        for &at in &labels {
            let with_it = paragraphs.iter().find(|paragraph| paragraph.contains(&at));
            let is_single = labels.iter().filter(|at| with_it.is_some_and(|it| it.contains(at))).count() == 1;
            let is_topic = self.shapes[at] == Shape::Label { is_topic: true };
            self.authors[at] = Author::Doubtful;
            self.is_open_ended[at] = !(is_single && is_topic || begins_alone(at));
        }
    }

    /// Behind the first paragraph, a heading or the greeting of a letter begins a page or a letter.
    fn mark_titles(&mut self) {
        let paragraphs = self.paragraphs();
        for (index, paragraph) in paragraphs.iter().enumerate().skip(1) {
            let line = &self.lines[paragraph.start];
            let is_title = paragraph.len() == 1 && index + 1 < paragraphs.len() && is_title(line);
            if self.shapes[paragraph.start] == Shape::Prose && (is_title || is_greeting(line)) {
                self.is_open_ended[paragraph.start] = true;
            }
        }
    }

    /// A short list below a line that announces it may be the person's.
    fn mark_lists(&mut self) {
        let mut at = 0;
        while at < self.lines.len() {
            if !self.is_candidate(at) || self.shapes[at] != Shape::Item {
                at += 1;
                continue;
            }
            let list = at..self.list_end(at);
            let is_own = self.announcing(at).is_some_and(|head| !wording::announces_source(head));
            if is_own && self.is_short_list(list.clone()) {
                self.mark(list.clone(), Author::Doubtful);
            } else {
                self.is_open_ended[list.clone()].fill(true);
            }
            at = list.end;
        }
    }

    /// Returns the line before which ends with a colon and only has blank lines behind it.
    fn announcing(&self, at: usize) -> Option<&'a str> {
        let before = (0..at).rev().find(|at| self.shapes[*at] != Shape::Blank)?;
        let line: &'a str = &self.lines[before];
        (self.is_candidate(before) && self.shapes[before] != Shape::Item && announces(line)).then_some(line)
    }

    /// Returns the end of the list that begins at `at`: items, the rest of their paragraphs, and further
    /// items behind blank lines.
    fn list_end(&self, at: usize) -> usize {
        let mut end = at;
        for next in at..self.lines.len() {
            match self.shapes[next] {
                Shape::Blank => {}
                _ if !self.is_candidate(next) => break,
                Shape::Item => end = next + 1,
                _ if end == next => end = next + 1,
                _ => break,
            }
        }
        end
    }

    fn is_short_list(&self, list: Range<usize>) -> bool {
        let items = list.clone().filter(|at| self.shapes[*at] == Shape::Item).count();
        items <= MAX_LIST_ITEMS && self.bytes(&list) <= MAX_LIST_BYTES
    }

    /// Prose below a line that announces something is the person's only if the line announces their rules.
    fn mark_announced(&mut self) {
        for paragraph in self.paragraphs() {
            let is_prose = |at: &usize| self.shapes[*at] == Shape::Prose;
            let announced = paragraph.clone().filter(is_prose);
            let announced = announced.filter_map(|at| self.announcing(at).map(|head| (at, head))).next();
            let Some((at, head)) = announced else { continue };
            let end = (at..paragraph.end).find(|at| self.shapes[*at] == Shape::Item).unwrap_or(paragraph.end);
            match wording::announces_own(head) {
                true => self.mark(at..end, Author::Doubtful),
                false => self.is_open_ended[at..end].fill(true),
            }
        }
    }

    /// What lies between two pasted lines is pasted, and so is the rest of the last one's paragraph unless a
    /// fence ends there.
    fn mark_between(&mut self, fenced: &[bool]) {
        let is_paste = |at: &usize| fenced[*at] || self.is_open_ended[*at];
        let Some(first) = (0..self.lines.len()).find(is_paste) else { return };
        let last = (first..self.lines.len()).rev().find(is_paste).unwrap_or(first);
        let mut end = last + 1;
        if !fenced[last] {
            while end < self.lines.len() && self.shapes[end] != Shape::Blank {
                end += 1;
            }
        }
        self.mark(first..end, Author::Pasted);
    }

    /// Beside a paste without a certain end, only short paragraphs are the person's: the first, those before
    /// the paste that address the agent, and the last if it does.
    fn mark_around(&mut self) {
        let Some(paste) = self.is_open_ended.iter().position(|open| *open) else { return };
        let paragraphs = self.paragraphs();
        let first_text = self.shapes.iter().position(|shape| *shape != Shape::Blank);
        let mut is_kept = false;
        for (index, paragraph) in paragraphs.iter().enumerate() {
            let is_first = Some(paragraph.start) == first_text;
            let is_framing = paragraph.start < paste || index + 1 == paragraphs.len();
            let is_own = is_first || is_framing && self.addresses_agent(paragraph);
            // A list goes with the line that announces it.
            is_kept = match self.shapes[paragraph.start] {
                Shape::Item => is_kept,
                _ => self.bytes(paragraph) <= MAX_FRAME_BYTES && is_own,
            };
            if !is_kept {
                self.mark(paragraph.clone(), Author::Pasted);
            }
        }
    }

    /// People type little at once. Of a long text only its short beginning and end are the person's, and of
    /// paragraphs that make a long stretch without addressing the agent none.
    fn mark_long(&mut self) {
        let paragraphs = self.paragraphs();
        let bytes: usize = paragraphs.iter().map(|paragraph| self.bytes(paragraph)).sum();
        let lines: usize = paragraphs.iter().map(ExactSizeIterator::len).sum();
        let pasted = match &paragraphs[..] {
            _ if bytes > MAX_TYPED_BYTES || lines > MAX_TYPED_LINES => self.inside_frame(&paragraphs),
            [only] if bytes > MAX_STRETCH_BYTES => return self.mark(only.clone(), Author::Doubtful),
            [] | [_] => return,
            _ => self.long_stretches(&paragraphs),
        };
        pasted.into_iter().for_each(|paragraph| self.mark(paragraph, Author::Pasted));
    }

    /// Returns all paragraphs except the first and the last, and those, too, if they are long or address
    /// nobody.
    fn inside_frame(&self, paragraphs: &[Range<usize>]) -> Vec<Range<usize>> {
        let is_frame = |at: usize, it: &Range<usize>| {
            (at == 0 || at + 1 == paragraphs.len()) && self.bytes(it) <= MAX_FRAME_BYTES && self.is_own(it)
        };
        let inside = paragraphs.iter().enumerate().filter(|(at, it)| !is_frame(*at, it));
        inside.map(|(_, paragraph)| paragraph.clone()).collect()
    }

    /// Returns the paragraphs of each long stretch in which none is the person's own.
    fn long_stretches(&self, paragraphs: &[Range<usize>]) -> Vec<Range<usize>> {
        let stretches = paragraphs.chunk_by(|one, two| self.is_own(one) == self.is_own(two));
        let bytes = |stretch: &[Range<usize>]| stretch.iter().map(|it| self.bytes(it)).sum::<usize>();
        let is_long = |stretch: &&[Range<usize>]| {
            stretch.first().is_some_and(|it| !self.is_own(it)) && bytes(stretch) > MAX_STRETCH_BYTES
        };
        stretches.filter(is_long).flatten().cloned().collect()
    }

    /// Tells whether a paragraph addresses the agent or is a list, which goes with the line that announces
    /// it.
    fn is_own(&self, paragraph: &Range<usize>) -> bool {
        self.shapes[paragraph.start] == Shape::Item || self.addresses_agent(paragraph)
    }

    /// Tells whether a paragraph is short and addresses the agent.
    fn addresses_agent(&self, paragraph: &Range<usize>) -> bool {
        self.bytes(paragraph) <= MAX_STRETCH_BYTES
            && wording::addresses_agent(&self.lines[paragraph.clone()].join("\n"))
    }

    fn bytes(&self, range: &Range<usize>) -> usize {
        self.lines[range.clone()].iter().map(|line| line.len() + 1).sum()
    }
}

#[cfg(test)]
mod tests;
