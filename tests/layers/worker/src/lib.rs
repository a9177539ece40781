//! A layer that puts work off as it is told, and does it as it is told: what a turn ends with names the job. Its flush is
//! the pattern of a job that may be cut off anywhere: a batch that is fixed first, memories under keys, captures settled
//! last.

use bindings::exports::interleaf::layer::{job, session_end, stop, user_prompt};
use bindings::interleaf::layer::types::{Error, Reply};
use bindings::interleaf::layer::{jobs, state};

mod deeds;
mod flush;

/// The generated side of the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../../wit",
        inline: "package interleaf:worker;
            world worker {
                include interleaf:layer/host@0.1.0;
                export interleaf:layer/user-prompt@0.1.0;
                export interleaf:layer/stop@0.1.0;
                export interleaf:layer/session-end@0.1.0;
                export interleaf:layer/job@0.1.0;
            }",
        world: "interleaf:worker/worker",
        generate_all,
    });

    // Native builds have no linker that takes such names.
    #[cfg(target_arch = "wasm32")]
    mod exports_of_the_component {
        use crate::Worker;
        super::export!(Worker with_types_in super);
    }
}

/// The layer.
pub struct Worker;

fn silence() -> Result<Reply, Error> {
    Ok(Reply { context: None, decisions: Vec::new(), notice: None })
}

impl user_prompt::Guest for Worker {
    /// `capture ID WORDS` queues the words.
    fn handle(event: user_prompt::Event) -> Result<Reply, Error> {
        if let Some((id, words)) = event.prompt.strip_prefix("capture ").and_then(|rest| rest.split_once(' '))
        {
            let payload = format!("\"{words}\"");
            jobs::push_capture(&jobs::Capture { id: id.to_owned(), payload })?;
        }
        silence()
    }
}

impl stop::Guest for Worker {
    /// `ID KIND DELAY WORDS` puts off a job; a turn that ends with anything else has its captures flushed.
    fn handle(event: stop::Event) -> Result<Reply, Error> {
        let message = event.last_message.unwrap_or_default();
        let mut words = message.splitn(4, ' ');
        let (id, kind, delay) = (words.next(), words.next(), words.next().and_then(|ms| ms.parse().ok()));
        let (Some(id), Some(kind), Some(delay_ms)) = (id, kind, delay) else {
            return put_off_flush(&event.common.session_id);
        };
        let payload = format!("\"{}\"", words.next().unwrap_or_default());
        jobs::submit(&jobs::Request { id: id.to_owned(), kind: kind.to_owned(), payload, delay_ms })?;
        silence()
    }
}

impl session_end::Guest for Worker {
    fn handle(event: session_end::Event) -> Result<Reply, Error> {
        put_off_flush(&event.common.session_id)
    }
}

/// One flush in waiting for each session: its name changes with every one that was done.
fn put_off_flush(session: &str) -> Result<Reply, Error> {
    let done = state::get(state::Scope::Session, flush::DONE)?.unwrap_or_default();
    let request = jobs::Request {
        id: format!("flush/{session}/{done}"),
        kind: "flush".to_owned(),
        payload: "null".to_owned(),
        delay_ms: 0,
    };
    jobs::submit(&request)?;
    silence()
}

impl job::Guest for Worker {
    fn run(job: job::Job) -> Result<(), Error> {
        match job.kind.as_str() {
            "flush" => flush::run(&job),
            _ => deeds::run(&job),
        }
    }
}
