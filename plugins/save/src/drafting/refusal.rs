//! Why a draft is not written: the principle, which the log tells, and the words, which only who asks is told.

use crate::find::Category;

/// A draft that is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What it was to be.
    pub category: Category,
    /// What it called itself.
    pub title: String,
    /// Why not.
    pub why: Unfit,
}

/// Why something is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// The principle: nobody's words.
    pub because: &'static str,
    /// What it was that did not fit, in the words of the session or of a model.
    pub words: String,
}

impl Unfit {
    pub(super) const fn new(because: &'static str) -> Self {
        Self { because, words: String::new() }
    }

    pub(super) fn of(because: &'static str, words: &str) -> Self {
        Self { because, words: words.to_owned() }
    }
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.because)?;
        match self.words.as_str() {
            "" => Ok(()),
            words => write!(formatter, ": {words}"),
        }
    }
}
