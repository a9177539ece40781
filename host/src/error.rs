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

/// A failure a person can act on: the culprit and cause in `message`, the remedy in `hint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// Culprit and cause, lower case, without a full stop.
    pub message: String,
    /// What to do about it, where that is known.
    pub hint: Option<String>,
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Self { kind, message: message.to_string(), hint: None }
    }

    /// The caller was not granted this.
    pub fn denied(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Denied, message)
    }

    /// The request itself is wrong.
    pub fn invalid(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Invalid, message)
    }

    /// Somebody else changed it first.
    pub fn conflict(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Conflict, message)
    }

    /// No such thing.
    pub fn not_found(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    /// A limit or a budget is used up.
    pub fn over_budget(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::OverBudget, message)
    }

    /// It cannot be had now.
    pub fn unavailable(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Unavailable, message)
    }

    /// Adds the next step a person can take.
    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    /// The whole error on one line: cause, then remedy.
    pub fn full(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message.clone(),
        }
    }

    /// Puts what was being done in front of what happened.
    #[must_use]
    pub fn context(mut self, doing: impl fmt::Display) -> Self {
        self.message = format!("{doing}: {}", self.message);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
