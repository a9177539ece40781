//! A statement of the person, and the finding that is made of it.

use super::content::{content, importance, pointed_to};
use crate::finding::{Evidence, Finding, Origin, RULE_TAG, TENTATIVE_TAG};
use crate::programs::programs;
use crate::session::Session;
use crate::session::turns::{Said, Turn};
use crate::session::wording::{cleaned, text};
use interleaf_layer::memory::Category;
use interleaf_text::truncate_at_word;

/// Maximum length of what a statement points to, in characters.
const MAX_SUBJECT_CHARS: usize = 200;

/// A sentence that states something.
#[derive(Debug, Clone)]
pub struct Statement<'a> {
    /// The category.
    pub category: Category,
    /// The probability that it states something.
    pub probability: f32,
    /// The sentence, and the one that gives its reason.
    pub sentences: Vec<&'a Said<'a>>,
    /// The sentence before that says what it is about, if it only points there.
    pub subject: Option<&'a Said<'a>>,
}

impl<'a> Statement<'a> {
    /// Creates a statement of one sentence. `before` is the turn that it may point to.
    pub fn new(
        category: Category,
        probability: f32,
        said: &'a Said<'a>,
        before: Option<&'a Turn<'a>>,
    ) -> Self {
        let subject = before.and_then(|before| pointed_to(said, before));
        Self { category, probability, sentences: vec![said], subject }
    }

    /// Adds the sentence that gives its reason.
    #[must_use]
    pub fn with_reason(mut self, reason: Option<&'a Said<'a>>) -> Self {
        self.sentences.extend(reason);
        self
    }

    /// Returns the finding.
    pub fn finding(self, session: &Session) -> Finding {
        let text = self.text();
        let evidence: Vec<Evidence> =
            self.sentences.iter().copied().chain(self.subject).map(Said::evidence).collect();
        let is_rule = self.category == Category::Preference;
        let is_certain = self
            .sentences
            .iter()
            .all(|said| session.transcript.entries.get(said.at).is_some_and(|it| it.certain));
        // What nobody is sure that a person typed is shown to no session.
        let tag = if is_certain { is_rule.then_some(RULE_TAG) } else { Some(TENTATIVE_TAG) };
        Finding {
            category: self.category,
            title: None,
            content: content(self.category, self.subject.map(|said| said.text), &text),
            tags: tag.map(str::to_owned).into_iter().chain(programs(&text)).collect(),
            files: session.files_in(&text),
            confidence: 0.9,
            importance: importance(self.category),
            origin: Origin::Assistant,
            score: self.probability,
            cues: Vec::new(),
            about: None,
            key: session.key(self.category, &evidence[0]),
            evidence,
            text,
        }
    }

    fn text(&self) -> String {
        let said = text(&self.sentences);
        match self.subject {
            Some(subject) => {
                format!("{said} (About: {})", truncate_at_word(cleaned(subject), MAX_SUBJECT_CHARS))
            }
            None => said,
        }
    }
}
