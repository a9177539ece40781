//! A try that brought no answer: what went wrong, in words for a person, what it may have cost, and whether another try may
//! bring more.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::Value;

use super::Http;
use crate::error::Error;
use crate::llm::client::{Cost, Failure, tame};

/// One try that brought nothing.
pub(super) struct Miss {
    pub failure: Failure,
    /// Whether another try may bring more, and how long the server wants to be left alone.
    pub again: Option<Option<Duration>>,
}

impl Miss {
    pub fn lost(error: Error, cost: Cost) -> Self {
        Self { failure: Failure::new(error, cost), again: None }
    }

    /// Without the key, which a server may send back.
    pub fn without(mut self, key: Option<&str>) -> Self {
        if let Some(key) = key {
            self.failure.error.message = self.failure.error.message.replace(key, "[the key]");
        }
        self
    }
}

impl Http {
    /// No response at all.
    pub(super) fn unsent(&self, error: &reqwest::Error) -> Miss {
        if error.is_timeout() {
            return self.late();
        }
        let cause = tame(&causes(error));
        let unreachable = |cost| {
            let what = format!("{} cannot be asked: {cause}", self.base);
            Miss::lost(Error::unavailable(what).hint("see that the server runs, and to `llm.base_url`"), cost)
        };
        match error.is_connect() {
            true => Miss { again: Some(None), ..unreachable(Cost::Nothing) },
            // It hung up on a question that it may have read.
            false => unreachable(Cost::Prompt),
        }
    }

    pub(super) fn late(&self) -> Miss {
        let what = format!("{} did not answer in time", self.base);
        let hint = "`llm.timeout_seconds` in your config.toml is how long it may take";
        Miss::lost(Error::unavailable(what).hint(hint), Cost::Prompt)
    }

    /// A response that is none.
    pub(super) fn refused(&self, status: StatusCode, patience: Option<Duration>, text: &str) -> Miss {
        let code = status.as_u16();
        let said = words(text);
        let what = match said.is_empty() {
            true => format!("{} answered {code}", self.base),
            false => format!("{} answered {code}: {said}", self.base),
        };
        let busy = code == 429 || status.is_server_error();
        let error = match code {
            300..400 => {
                Error::unavailable(format!("{what}: it redirects to another place, which is not asked"))
                    .hint("`llm.base_url` must name the server itself")
            }
            401 | 403 => Error::unavailable(what)
                .hint(format!("it does not take the key from {}", self.key.describe())),
            404 => Error::invalid(what).hint("see to the model's name and to `llm.base_url`"),
            400..500 if !busy => Error::invalid(what),
            _ => match patience {
                Some(patience) => Error::unavailable(format!(
                    "{what}; it asks to be left alone for {} s",
                    patience.as_secs()
                )),
                None => Error::unavailable(what),
            },
        };
        let failure =
            Failure { refused: matches!(code, 400 | 422 | 501), ..Failure::new(error, Cost::Nothing) };
        Miss { failure, again: (busy && code != 501).then_some(patience) }
    }
}

/// What the server says is wrong: its message, else the beginning of what it sent.
fn words(text: &str) -> String {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let message = [&value["error"]["message"], &value["error"], &value["message"], &value["detail"]];
    let message = message.into_iter().find_map(Value::as_str);
    tame(message.unwrap_or(text))
}

/// The innermost cause is the one that tells.
fn causes(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
