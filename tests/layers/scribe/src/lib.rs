//! A layer that writes what it is told: a prompt that is a JSON list of operations is done through the contract's memory
//! functions, one after another, and what became of each comes back as a JSON list.

use bindings::exports::interleaf::layer::user_prompt;
use bindings::interleaf::layer::types::{Content, Context, Error, Item, Reply};
use serde_json::{Value, json};

mod operation;
mod words;

/// The generated side of the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../../wit",
        inline: "package interleaf:scribe;
            world scribe {
                include interleaf:layer/host@0.1.0;
                export interleaf:layer/user-prompt@0.1.0;
            }",
        world: "interleaf:scribe/scribe",
        generate_all,
    });

    // Native builds have no linker that takes such names.
    #[cfg(target_arch = "wasm32")]
    mod exports_of_the_component {
        use crate::Scribe;
        super::export!(Scribe with_types_in super);
    }
}

/// The layer.
pub struct Scribe;

impl user_prompt::Guest for Scribe {
    fn handle(event: user_prompt::Event) -> Result<Reply, Error> {
        let Ok(Value::Array(operations)) = serde_json::from_str(&event.prompt) else {
            return Ok(reply(None));
        };
        let answers = operations.iter().map(|operation| answer(operation::run(operation)));
        Ok(reply(Some(Value::Array(answers.collect()))))
    }
}

fn answer(done: Result<Value, Error>) -> Value {
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

fn reply(answers: Option<Value>) -> Reply {
    let item = |answers: Value| Item { content: Content::Text(answers.to_string()), relevance: 1.0 };
    let context = |answers| Context {
        heading: "What became of each".to_owned(),
        items: vec![item(answers)],
        urgent: false,
    };
    Reply { context: answers.map(context), decisions: Vec::new(), notice: None }
}
