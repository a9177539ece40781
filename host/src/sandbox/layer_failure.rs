//! The reason why a layer did not answer: the exceeded limit and by how much, or the trap or error that ended
//! it.

use std::time::Duration;

use wasmtime::Trap;
use wasmtime_wasi::I32Exit;

use super::bindings::types;
use crate::config::Limits;

/// The reason why a layer did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LayerFailure {
    /// The layer was still running at its deadline.
    Deadline,
    /// The layer exceeded the limit that the text names.
    Limit(String),
    /// The layer trapped; the text is wasmtime's.
    Trap(String),
    /// The layer exited with this code, as a program does.
    Exit(i32),
    /// The layer answered with this error.
    Refused(String),
    /// The layer cannot be linked or instantiated; the text gives the reason.
    Broken(String),
}

impl LayerFailure {
    /// Describes the failure in one line. `deadline` is the time limit of the layer.
    pub fn describe(&self, deadline: Duration) -> String {
        match self {
            Self::Deadline => format!("stopped at its deadline of {} ms", deadline.as_millis()),
            Self::Limit(limit) => limit.clone(),
            Self::Trap(trap) => format!("trapped: {trap}"),
            Self::Exit(code) => format!("exited with code {code} instead of answering"),
            Self::Refused(error) => format!("answered with an error: {error}"),
            Self::Broken(cause) => format!("could not be run: {cause}"),
        }
    }

    /// Returns the failure of a layer that answered with an error.
    pub(super) fn from_answer(error: &types::Error) -> Self {
        use types::Error as E;
        let (kind, text) = match error {
            E::Denied(text) => ("denied", text),
            E::Invalid(text) => ("invalid", text),
            E::Conflict(text) => ("conflict", text),
            E::NotFound(text) => ("not found", text),
            E::OverBudget(text) => ("over budget", text),
            E::Unavailable(text) => ("unavailable", text),
        };
        Self::Refused(format!("{kind}: {text}"))
    }

    /// Returns the failure that caused wasmtime's error. `refused` is the limit that the layer's memory or
    /// tables exceeded, if any: a layer that is refused memory usually panics next, so the refusal is the
    /// cause.
    pub(super) fn from_wasmtime(error: &wasmtime::Error, refused: Option<String>, limits: &Limits) -> Self {
        let trap = error.downcast_ref::<Trap>();
        match (trap, refused) {
            (Some(Trap::Interrupt), _) => Self::Deadline,
            (_, Some(limit)) => Self::Limit(limit),
            (Some(Trap::StackOverflow), None) => {
                let limit = limits.stack_bytes;
                Self::Limit(format!("stack limit of {limit} bytes exceeded: endless recursion?"))
            }
            (Some(trap), None) => Self::Trap(trap.to_string()),
            (None, None) => match error.downcast_ref::<I32Exit>() {
                Some(I32Exit(code)) => Self::Exit(*code),
                None => Self::from_text(&format!("{error:#}"), limits),
            },
        }
    }

    /// Returns the failure for an error that wasmtime distinguishes only in its text. The tests with hostile
    /// layers fail if a new release changes the text.
    fn from_text(error: &str, limits: &Limits) -> Self {
        if error.contains("fuel allocated for hostcalls has been exhausted") {
            let limit = limits.host_call_bytes;
            return Self::Limit(format!("host call limit of {limit} bytes exceeded many times over"));
        }
        let counted = ["instance", "memory", "table"].into_iter().find_map(|what| {
            let (_, count) = error.split_once(&format!("{what} count too high at "))?;
            let digits = count.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(count.len());
            Some((what, count[..digits].parse::<u64>().ok()?))
        });
        let Some((what, count)) = counted else { return Self::Broken(error.to_owned()) };
        let (limit, plural) =
            (limits.instances, if what == "memory" { "memories" } else { &format!("{what}s") });
        Self::Limit(format!("limit of {limit} {plural} exceeded by {}", count.saturating_sub(limit)))
    }
}
