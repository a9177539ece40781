//! A call of the shell, as the client reports it.

/// How the client says that a call of the shell ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reported {
    /// With exit status 0.
    Succeeded,
    /// With another exit status.
    Failed,
    /// A person or the client stopped it, or did not allow it.
    Interrupted,
}

/// A call of the shell, as a transcript holds it.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The command line.
    pub line: &'a str,
    /// What it printed. The client begins a failure with `Exit code N`.
    pub output: &'a str,
    /// What the client says of its end.
    pub reported: Reported,
    /// Whether the client did not wait for it.
    pub in_background: bool,
}
