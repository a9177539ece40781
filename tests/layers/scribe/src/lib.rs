//! A layer that runs the JSON list of operations in a prompt, one after another, with the memory functions of
//! the contract. It replies with a JSON list of their results.

mod operation;

use interleaf_layer::prelude::*;
use serde_json::{Value, json};

/// The layer.
pub struct Scribe;
export_layer!(Scribe: user_prompt);

impl user_prompt::Handler for Scribe {
    fn handle(event: user_prompt::Event) -> Result<Reply> {
        let Ok(Value::Array(operations)) = serde_json::from_str(&event.prompt) else {
            return Ok(Reply::silent());
        };
        let answers = operations.iter().map(|operation| answer(operation::run(operation)));
        Ok(Reply::text("Results", Value::Array(answers.collect()).to_string()))
    }
}

fn answer(done: Result<Value>) -> Value {
    let refused = |kind: &str, words: String| json!({ "refused": kind, "words": words });
    match done {
        Ok(done) => done,
        Err(Error::Denied(words)) => refused("denied", words),
        Err(Error::Invalid(words)) => refused("invalid", words),
        Err(Error::Conflict(words)) => refused("conflict", words),
        Err(Error::NotFound(words)) => refused("not-found", words),
        Err(Error::OverBudget(words)) => refused("over-budget", words),
        Err(Error::Unavailable(words)) => refused("unavailable", words),
    }
}
