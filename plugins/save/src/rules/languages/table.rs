//! The phrases of a language, as they are written.

/// The phrases of a language.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    /// Frequent words by which the language is recognized.
    pub marks: &'static str,
    /// The letters by which it is recognized, if it has a script of its own.
    pub script: Option<fn(char) -> bool>,
    /// In so many words: this holds from now on, or is to be remembered.
    pub lasting: &'static [&'static str],
    /// At the beginning of a prompt: what was done or proposed is not wanted.
    pub refuses: &'static [&'static str],
    /// At the beginning of a prompt: it is.
    pub agrees: &'static [&'static str],
    /// At the beginning of a prompt: the person takes back what they said.
    pub concedes: &'static [&'static str],
    /// One thing in place of another.
    pub instead: &'static [&'static str],
    /// Why something was as it was: causes, needs.
    pub cause: &'static [&'static str],
    /// A report that something is done or works, or what comes next: no explanation.
    pub report: &'static [&'static str],
}

impl Table {
    /// No phrases.
    pub const EMPTY: Self = Self {
        marks: "",
        script: None,
        lasting: &[],
        refuses: &[],
        agrees: &[],
        concedes: &[],
        instead: &[],
        cause: &[],
        report: &[],
    };
}
