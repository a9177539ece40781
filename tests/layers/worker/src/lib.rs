//! A layer that submits and runs the jobs that the last message of a turn names. Its flush shows how a job
//! survives being killed at any moment: it fixes the batch first, writes memories under keys, and settles the
//! captures last.

mod job_kinds;

use interleaf_layer::prelude::*;

/// The layer.
pub struct Worker;
export_layer!(Worker: user_prompt, stop, session_end, job);

impl user_prompt::Handler for Worker {
    /// `capture ID WORDS` queues the words.
    fn handle(event: user_prompt::Event) -> Result<Reply> {
        if let Some((id, words)) = event.prompt.strip_prefix("capture ").and_then(|rest| rest.split_once(' '))
        {
            let payload = format!("\"{words}\"");
            jobs::push_capture(&jobs::Capture { id: id.to_owned(), payload })?;
        }
        Ok(Reply::silent())
    }
}

impl stop::Handler for Worker {
    /// `ID KIND DELAY WORDS` submits a job; any other message submits a flush.
    fn handle(event: stop::Event) -> Result<Reply> {
        let message = event.last_message.unwrap_or_default();
        let mut words = message.splitn(4, ' ');
        let (id, kind, delay) = (words.next(), words.next(), words.next().and_then(|ms| ms.parse().ok()));
        let (Some(id), Some(kind), Some(delay_ms)) = (id, kind, delay) else {
            return submit_flush(&event.common.session_id);
        };
        let payload = format!("\"{}\"", words.next().unwrap_or_default());
        jobs::submit(&jobs::Request { id: id.to_owned(), kind: kind.to_owned(), payload, delay_ms })?;
        Ok(Reply::silent())
    }
}

impl session_end::Handler for Worker {
    fn handle(event: session_end::Event) -> Result<Reply> {
        submit_flush(&event.common.session_id)
    }
}

/// Submits one flush for each session: its id changes with every flush that was done.
fn submit_flush(session: &str) -> Result<Reply> {
    let done = state::get(Scope::Session, job_kinds::FLUSHES_KEY)?.unwrap_or_default();
    jobs::submit(&jobs::Request::new(format!("flush/{session}/{done}"), "flush"))?;
    Ok(Reply::silent())
}

impl job::Handler for Worker {
    fn run(job: job::Job) -> Result<()> {
        job_kinds::run(&job)
    }
}
