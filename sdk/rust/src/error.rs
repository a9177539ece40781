//! The error type of host functions and handlers.

use std::fmt;

/// Result of a host function or a handler.
///
/// ```
/// use interleaf_layer::prelude::*;
///
/// fn newest() -> Result<Option<Memory>> {
///     Ok(memory::list(&Filter::new(), Order::Newest, 1)?.pop())
/// }
///
/// assert_eq!(newest(), Ok(None));
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a host function or a handler failed. Each kind carries a message of one sentence.
///
/// An error that a handler returns goes to the log and to `interleaf doctor`, but never to Claude Code.
///
/// ```
/// use interleaf_layer::prelude::*;
///
/// let error = Error::invalid("`branches` is empty");
///
/// assert_eq!(error.to_string(), "invalid: `branches` is empty");
/// assert_eq!(error.message(), "`branches` is empty");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The layer lacks a grant. The message names the line to add.
    Denied(String),
    /// The request itself is wrong.
    Invalid(String),
    /// Another process changed the memory first: read it again and retry.
    Conflict(String),
    /// No item has this id or name.
    NotFound(String),
    /// A limit or a budget is used up.
    OverBudget(String),
    /// The answer is unavailable at the moment. A retry within the same event does not help.
    Unavailable(String),
}

impl Error {
    /// Creates an [`Error::Invalid`].
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Error::invalid("no such branch"), Error::Invalid("no such branch".to_owned()));
    /// ```
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::Invalid(message.into())
    }

    /// Creates an [`Error::NotFound`].
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Error::not_found("no such id").to_string(), "not found: no such id");
    /// ```
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::NotFound(message.into())
    }

    /// Creates an [`Error::Unavailable`].
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Error::unavailable("no model").to_string(), "unavailable: no model");
    /// ```
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::Unavailable(message.into())
    }

    /// Returns the message without the kind.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert_eq!(Error::Denied("add `state = true`".to_owned()).message(), "add `state = true`");
    /// ```
    pub fn message(&self) -> &str {
        let (Self::Denied(message)
        | Self::Invalid(message)
        | Self::Conflict(message)
        | Self::NotFound(message)
        | Self::OverBudget(message)
        | Self::Unavailable(message)) = self;
        message
    }

    /// Tells whether a grant is missing. A layer that does not need the answer can continue in this case.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// assert!(Error::Denied(String::new()).is_denied());
    /// assert!(!Error::invalid("").is_denied());
    /// ```
    pub fn is_denied(&self) -> bool {
        matches!(self, Self::Denied(_))
    }

    /// Returns the same kind of error with `what` before its message.
    ///
    /// ```
    /// # use interleaf_layer::prelude::*;
    /// let error = Error::unavailable("git is not installed").context("cannot read the branch");
    ///
    /// assert_eq!(error.message(), "cannot read the branch: git is not installed");
    /// ```
    #[must_use]
    pub fn context(mut self, what: impl fmt::Display) -> Self {
        let (Self::Denied(message)
        | Self::Invalid(message)
        | Self::Conflict(message)
        | Self::NotFound(message)
        | Self::OverBudget(message)
        | Self::Unavailable(message)) = &mut self;
        *message = format!("{what}: {message}");
        self
    }

    /// Returns the name of the kind, for a message.
    ///
    /// ```
    /// # use interleaf_layer::Error;
    /// assert_eq!(Error::unavailable("the network is down").kind(), "unavailable");
    /// ```
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Denied(_) => "denied",
            Self::Invalid(_) => "invalid",
            Self::Conflict(_) => "conflict",
            Self::NotFound(_) => "not found",
            Self::OverBudget(_) => "over budget",
            Self::Unavailable(_) => "unavailable",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind(), self.message())
    }
}

impl std::error::Error for Error {}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Invalid(error.to_string())
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Self::NotFound(error.to_string()),
            _ => Self::Unavailable(error.to_string()),
        }
    }
}
