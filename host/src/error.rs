//! The error type of the whole program: a kind, a message and a hint.
//!
//! The kinds are those of the contract (`wit/types.wit`), so an error of the host has the same meaning in a
//! layer. Code branches on the kind; the message and the hint are for people.

use std::fmt;

/// The kind of a failure: the six cases of `error` in the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The caller lacks the grant.
    Denied,
    /// The request itself is wrong; repeating it fails again.
    Invalid,
    /// Another writer changed the same thing first.
    Conflict,
    /// The requested thing does not exist.
    NotFound,
    /// A limit or a budget is used up.
    OverBudget,
    /// The requested thing is not available now: not built yet, not reachable, or damaged on disk.
    Unavailable,
}

/// A failure that a person can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The kind of failure.
    pub kind: ErrorKind,
    /// The failing thing and the cause, in lower case, without a full stop.
    pub message: String,
    /// The next step to take, if one is known.
    pub hint: Option<String>,
}

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    fn new(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Self { kind, message: message.to_string(), hint: None }
    }

    /// Creates an error of kind [`ErrorKind::Denied`].
    pub fn denied(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Denied, message)
    }

    /// Creates an error of kind [`ErrorKind::Invalid`].
    pub fn invalid(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Invalid, message)
    }

    /// Creates an error of kind [`ErrorKind::Conflict`].
    pub fn conflict(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Conflict, message)
    }

    /// Creates an error of kind [`ErrorKind::NotFound`].
    pub fn not_found(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::NotFound, message)
    }

    /// Creates an error of kind [`ErrorKind::OverBudget`].
    pub fn over_budget(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::OverBudget, message)
    }

    /// Creates an error of kind [`ErrorKind::Unavailable`].
    pub fn unavailable(message: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Unavailable, message)
    }

    /// Sets the next step that a person can take.
    #[must_use]
    pub fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = Some(hint.to_string());
        self
    }

    /// Returns message and hint on one line, separated by a semicolon.
    pub fn full(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message.clone(),
        }
    }

    /// Adds a file, a name or an activity to the beginning of the message.
    #[must_use]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.message = format!("{context}: {}", self.message);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
