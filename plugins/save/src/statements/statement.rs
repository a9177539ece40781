//! Sentences that state one thing, and the finding that is made of them.

use std::collections::BTreeSet;

use super::content::{content, importance, pointed_to};
use crate::finding::{Evidence, Finding, Origin, TENTATIVE_TAG};
use crate::rules::context::Context;
use crate::rules::turns::{Said, Turn};
use crate::rules::wording::{cleaned, cut, text};
use interleaf_classifier::words::{is_quantity, stems};
use interleaf_layer::memory::Category;

/// Minimum probability of a statement that later sessions are shown, if the person also says that it lasts.
/// All others are tentative. Chosen on the development examples: of what is above it, 87 % is right there.
const MIN_CERTAIN_PROBABILITY: f32 = 0.7;

/// Maximum length of what a statement points to, in characters.
const MAX_SUBJECT_CHARS: usize = 200;

/// Sentences of the person that state one thing.
#[derive(Debug, Clone)]
pub struct Statement<'a> {
    pub category: Category,
    /// The probability of its most probable sentence.
    pub probability: f32,
    /// Whether the person says in so many words that it lasts.
    pub lasts: bool,
    /// In the order in which they were said.
    pub sentences: Vec<&'a Said<'a>>,
    /// The sentence before that says what it is about, if it only points there.
    pub subject: Option<&'a Said<'a>>,
    /// The person's yes, if the assistant proposed it.
    accepted_by: Option<&'a Said<'a>>,
}

impl<'a> Statement<'a> {
    /// Returns a statement of one sentence. `before` is the turn that it may point to.
    pub fn new(
        category: Category,
        probability: f32,
        said: &'a Said<'a>,
        before: Option<&'a Turn<'a>>,
    ) -> Self {
        let subject = before.and_then(|before| pointed_to(said, before));
        Self { category, probability, lasts: false, sentences: vec![said], subject, accepted_by: None }
    }

    /// Sets the person's yes to a proposal.
    #[must_use]
    pub fn accepted_by(self, yes: &'a Said<'a>) -> Self {
        Self { accepted_by: Some(yes), ..self }
    }

    /// Tells whether a tool said it before.
    pub fn is_echo(&self, context: &Context) -> bool {
        self.sentences.iter().any(|said| context.echoes.has(said.text))
    }

    /// Adds a sentence.
    pub fn add(&mut self, said: &'a Said<'a>, probability: f32) {
        self.probability = self.probability.max(probability);
        self.sentences.push(said);
        self.sentences.sort_by_key(|said| said.text.as_ptr());
    }

    /// Returns the stems of its words.
    pub fn stems(&self) -> BTreeSet<String> {
        self.sentences.iter().flat_map(|said| stems(said.text)).collect()
    }

    /// Returns its numbers.
    pub fn numbers(&self) -> BTreeSet<&str> {
        let words = self.sentences.iter().flat_map(|said| &said.words);
        words.map(|word| word.text.as_str()).filter(|word| is_quantity(word)).collect()
    }

    /// Tells whether it is a rule for all work that follows.
    pub fn is_rule(&self) -> bool {
        self.category == Category::Preference && self.is_certain()
    }

    /// A probability alone makes nothing certain: on real sessions, one in ten of what the classifier held for
    /// certain was right.
    fn is_certain(&self) -> bool {
        self.lasts && self.probability >= MIN_CERTAIN_PROBABILITY
    }

    /// Returns the finding.
    pub fn finding(self, context: &Context) -> Finding {
        let text = self.text();
        let evidence: Vec<Evidence> = self
            .sentences
            .iter()
            .copied()
            .chain(self.subject)
            .chain(self.accepted_by)
            .map(Said::evidence)
            .collect();
        Finding {
            category: self.category,
            title: None,
            content: content(&self, &text),
            tags: self.tags(),
            files: context.files_in(&text),
            confidence: self.probability,
            importance: importance(&self),
            origin: Origin::Assistant,
            score: self.probability,
            cues: Vec::new(),
            about: None,
            key: context.key(self.category, &evidence[0]),
            evidence,
            text,
        }
    }

    fn tags(&self) -> Vec<String> {
        match (self.is_certain(), self.is_rule()) {
            (false, _) => vec![TENTATIVE_TAG.to_owned()],
            (true, true) => vec!["convention".to_owned()],
            (true, false) => Vec::new(),
        }
    }

    fn text(&self) -> String {
        let said = text(&self.sentences);
        if self.accepted_by.is_some() {
            return format!("Decided: {said}");
        }
        match self.subject {
            Some(subject) => format!("{said} (About: {})", cut(cleaned(subject), MAX_SUBJECT_CHARS)),
            None => said,
        }
    }
}
