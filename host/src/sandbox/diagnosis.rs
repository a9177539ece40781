//! Why a layer did not answer, in words that name the limit and by how much it was exceeded.

use std::time::Duration;

use wasmtime::Trap;
use wasmtime_wasi::I32Exit;

use super::Limits;
use super::bindings::types;

/// Why a layer did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LayerFailure {
    /// Still running at its deadline.
    Deadline,
    /// It asked for more than a limit allows; in words.
    Limit(String),
    /// It trapped; in words.
    Trap(String),
    /// It ended itself with this code, as a program does.
    Exit(i32),
    /// It answered with an error of its own.
    Refused(String),
    /// It cannot be linked or instantiated; in words.
    Broken(String),
}

impl LayerFailure {
    /// The failure in words; `allowed` is the time the layer had.
    pub fn describe(&self, allowed: Duration) -> String {
        match self {
            Self::Deadline => format!("stopped at its deadline of {} ms", allowed.as_millis()),
            Self::Limit(what) => what.clone(),
            Self::Trap(what) => format!("trapped: {what}"),
            Self::Exit(code) => format!("ended itself with exit code {code} instead of answering"),
            Self::Refused(what) => format!("answered with an error: {what}"),
            Self::Broken(what) => format!("could not be run: {what}"),
        }
    }
}

pub(super) fn words(error: &types::Error) -> String {
    use types::Error as E;
    let (kind, text) = match error {
        E::Denied(text) => ("denied", text),
        E::Invalid(text) => ("invalid", text),
        E::Conflict(text) => ("conflict", text),
        E::NotFound(text) => ("not found", text),
        E::OverBudget(text) => ("over budget", text),
        E::Unavailable(text) => ("unavailable", text),
    };
    format!("{kind}: {text}")
}

/// What the sandbox's error means. A layer that was refused memory usually panics next, so the refusal is the cause.
pub(super) fn diagnose(error: &wasmtime::Error, refused: Option<String>, limits: &Limits) -> LayerFailure {
    let trap = error.downcast_ref::<Trap>();
    match (trap, refused) {
        (Some(Trap::Interrupt), _) => LayerFailure::Deadline,
        (_, Some(limit)) => LayerFailure::Limit(limit),
        (Some(Trap::StackOverflow), None) => {
            let limit = limits.stack;
            LayerFailure::Limit(format!("stack limit of {limit} bytes exceeded: endless recursion?"))
        }
        (Some(trap), None) => LayerFailure::Trap(trap.to_string()),
        (None, None) => match error.downcast_ref::<I32Exit>() {
            Some(I32Exit(code)) => LayerFailure::Exit(*code),
            None => limit_in(&format!("{error:#}"), limits),
        },
    }
}

/// Limits that wasmtime keeps by itself and tells only in words; a test holds that these still are its words.
fn limit_in(error: &str, limits: &Limits) -> LayerFailure {
    if error.contains("fuel allocated for hostcalls has been exhausted") {
        let limit = limits.host_call_bytes;
        return LayerFailure::Limit(format!("host call limit of {limit} bytes exceeded many times over"));
    }
    let counted = ["instance", "memory", "table"].into_iter().find_map(|what| {
        let (_, count) = error.split_once(&format!("{what} count too high at "))?;
        let digits = count.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(count.len());
        Some((what, count[..digits].parse::<usize>().ok()?))
    });
    let Some((what, count)) = counted else { return LayerFailure::Broken(error.to_owned()) };
    let (limit, many) = (limits.instances, if what == "memory" { "memories" } else { &format!("{what}s") });
    LayerFailure::Limit(format!("limit of {limit} {many} exceeded by {}", count.saturating_sub(limit)))
}
