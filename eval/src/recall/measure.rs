//! What was shown for the events of a family, beside what they need.

use std::collections::BTreeMap;

use serde::Serialize;

use super::family::Family;
use super::needing_event::NeedingEvent;

/// What was shown for one event.
#[derive(Debug, Clone)]
pub struct Shown {
    pub family: String,
    pub event: NeedingEvent,
    /// The memories that were shown whole, by the ids of the data, in order.
    pub memories: Vec<String>,
    /// The memories of which only the title was shown.
    pub titles: Vec<String>,
    /// The text that they were shown with.
    pub text: String,
}

impl Shown {
    /// Describes what was shown whole for an event of this family.
    pub fn new(family: &Family, event: &NeedingEvent, memories: Vec<String>, text: String) -> Self {
        Self { family: family.name.clone(), event: event.clone(), memories, titles: Vec::new(), text }
    }

    /// Tells whether the event needs a memory.
    pub fn is_needing(&self) -> bool {
        !self.event.needs.is_empty()
    }

    /// Tells whether everything that the event needs was shown whole.
    pub fn is_whole(&self) -> bool {
        self.event.needs.iter().all(|need| self.memories.contains(need))
    }

    /// Tells whether everything that the event needs was shown, whole or by its title.
    pub fn is_in_view(&self) -> bool {
        self.event.needs.iter().all(|need| self.memories.contains(need) || self.titles.contains(need))
    }

    /// Tells whether the answer is right: what is needed, or nothing.
    pub fn is_right(&self) -> bool {
        if self.is_needing() { self.is_in_view() } else { self.text.is_empty() }
    }
}

/// The figures of one way to answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Figures {
    /// Number of events that need a memory.
    pub needing: usize,
    /// Number of events whose memory was shown whole.
    pub whole: usize,
    /// Number of events whose memory was shown whole or by its title.
    pub in_view: usize,
    /// For each kind of event that needs a memory: the number in view, and all.
    pub kinds: BTreeMap<String, (usize, usize)>,
    /// Number of events that need nothing.
    pub silent: usize,
    /// Number of these for which a memory was shown whole.
    pub needless: usize,
    /// Estimated tokens that were shown for these.
    pub wasted_tokens: usize,
    /// Number of memories shown whole, for any event.
    pub shown: usize,
    /// Number of shown memories that their event needs.
    pub needed_shown: usize,
}

impl Figures {
    /// Adds up what was shown.
    pub fn of(all: &[Shown]) -> Self {
        let mut figures = Self::default();
        all.iter().for_each(|shown| figures.add(shown));
        figures
    }

    fn add(&mut self, shown: &Shown) {
        self.shown += shown.memories.len();
        self.needed_shown += shown.memories.iter().filter(|id| shown.event.needs.contains(id)).count();
        if !shown.is_needing() {
            self.silent += 1;
            self.needless += usize::from(!shown.memories.is_empty());
            self.wasted_tokens += tokens(&shown.text);
            return;
        }
        let is_in_view = usize::from(shown.is_in_view());
        let kind = self.kinds.entry(shown.event.kind.clone()).or_default();
        (kind.0, kind.1) = (kind.0 + is_in_view, kind.1 + 1);
        (self.needing, self.in_view) = (self.needing + 1, self.in_view + is_in_view);
        self.whole += usize::from(shown.is_whole());
    }
}

/// Estimates the number of tokens of a text. Tokenizers of large models take some four letters of a Latin
/// script for a token, two to three of another alphabet, and one character of a script without spaces.
pub fn tokens(text: &str) -> usize {
    let twelfths = text.chars().map(|char| match char {
        '\u{0}'..='\u{24f}' => 3,
        '\u{250}'..='\u{10ff}' => 5,
        _ => 12,
    });
    twelfths.sum::<usize>().div_ceil(12)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_estimated_by_script() {
        assert_eq!([tokens(""), tokens("four"), tokens("fünf Worte"), tokens("記憶")], [0, 1, 3, 2]);
    }
}
