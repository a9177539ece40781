//! The one error type: what kind of failure it is, what happened, and what to do next.
//!
//! The kinds are those of the contract (`wit/types.wit`), so an error crosses from the host into a layer
//! without being translated into something vaguer. Kinds decide behaviour; the words are for people.

use std::fmt;

/// What kind of failure this is; the same six words as `error` in the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The caller was not granted this.
    Denied,
    /// The request itself is wrong and will stay wrong.
    Invalid,
    /// Somebody else changed it first.
    Conflict,
    /// No such thing.
    NotFound,
    /// A limit or a budget is used up.
    OverBudget,
    /// It cannot be had now: not built yet, not reachable, broken on disk.
    Unavailable,
}

/// A failure a person can act on: the culprit and cause in `what`, the remedy in `next`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// Culprit and cause, lower case, without a full stop.
    pub what: String,
    /// What to do about it, where that is known.
    pub next: Option<String>,
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    fn new(kind: ErrorKind, what: impl fmt::Display) -> Self {
        Self { kind, what: what.to_string(), next: None }
    }

    /// The caller was not granted this.
    pub fn denied(what: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Denied, what)
    }

    /// The request itself is wrong.
    pub fn invalid(what: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Invalid, what)
    }

    /// Somebody else changed it first.
    pub fn conflict(what: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Conflict, what)
    }

    /// No such thing.
    pub fn not_found(what: impl fmt::Display) -> Self {
        Self::new(ErrorKind::NotFound, what)
    }

    /// A limit or a budget is used up.
    pub fn over_budget(what: impl fmt::Display) -> Self {
        Self::new(ErrorKind::OverBudget, what)
    }

    /// It cannot be had now.
    pub fn unavailable(what: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Unavailable, what)
    }

    /// Adds the next step a person can take.
    #[must_use]
    pub fn hint(mut self, next: impl fmt::Display) -> Self {
        self.next = Some(next.to_string());
        self
    }

    /// The whole error on one line: cause, then remedy.
    pub fn full(&self) -> String {
        match &self.next {
            Some(next) => format!("{}; {next}", self.what),
            None => self.what.clone(),
        }
    }

    /// Puts what was being done in front of what happened.
    #[must_use]
    pub fn during(mut self, doing: impl fmt::Display) -> Self {
        self.what = format!("{doing}: {}", self.what);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Error {}
