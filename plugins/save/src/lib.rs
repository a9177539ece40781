//! **save**: saves memories from a session when work pauses or ends. If the person chose a model, it reads
//! the session; without one, only what the person states by an explicit act is saved, and what tools
//! reported.
//!
//! When a turn or a subagent ends, the layer schedules a flush after a delay; before a compaction and at the
//! end of a session it schedules one at once ([`schedule`]). The job runs [`flush`]: [`rules`] find what
//! stands in the session for certain, [`reading`] has the model read it, and [`writer`] writes the result.
//! `rules` and `reading` do not call the host, so ordinary tests can run them.

pub mod ask_agent;
pub mod classifier;
pub mod content_schema;
pub mod facts;
pub mod finding;
mod flush;
mod flush_input;
mod flush_report;
mod host;
pub mod known_memory;
pub mod languages;
pub mod openspec;
mod phrase;
pub mod programs;
mod progress;
pub mod reading;
mod rule_input;
pub mod rules;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod sample_script;
pub mod schedule;
pub mod session;
pub mod settings;
pub mod statements;
pub mod summary;
pub mod transcript;
mod word_lists;
mod writer;

use interleaf_layer::prelude::*;
use interleaf_layer::state::Scope;

use progress::Progress;
use schedule::FlushRequest;

/// The save layer. It shows nothing itself; the memories it saves are shown in later sessions.
pub struct Save;
export_layer!(Save: stop, subagent_stop, pre_compact, session_end, job);

/// Schedules a flush of this conversation, at once or after the debounce time in seconds.
fn schedule_flush(common: &Common, request: &FlushRequest, debounce: Option<u64>) -> Result<Reply> {
    let agent = common.agent_id.as_deref();
    let progress: Progress = host::stored(Scope::Session, &progress::key(progress::PROGRESS_KEY, agent))?;
    let delay_ms =
        debounce.map_or(0, |debounce| schedule::delay_ms(interleaf_layer::now_ms(), &progress, debounce));
    let id = schedule::flush_id(&common.session_id, agent, &progress);
    host::submit_flush(id, request.to_json(), delay_ms)?;
    Ok(Reply::silent())
}

impl stop::Handler for Save {
    fn handle(event: stop::Event) -> Result<Reply> {
        let settings = host::settings();
        let request = FlushRequest::after_turn(event.last_message);
        let reply = schedule_flush(&event.common, &request, Some(settings.debounce_seconds))?;
        // An agent that goes on because of a hook already was asked before.
        match settings.ask_agent && !event.continued && ask_agent::is_due()? {
            true => Ok(Reply::go_on(ask_agent::REQUEST)),
            false => Ok(reply),
        }
    }
}

impl subagent_stop::Handler for Save {
    fn handle(event: subagent_stop::Event) -> Result<Reply> {
        // The agent that writes the summary of a compaction has no type. It adds nothing to the conversation.
        match event.common.agent_type.as_deref() {
            None | Some("") => Ok(Reply::silent()),
            // Nothing of the subagent comes later, and the end of the session would not flush it.
            Some(_) => schedule_flush(&event.common, &FlushRequest::after_turn(event.last_message), None),
        }
    }
}

impl pre_compact::Handler for Save {
    fn handle(event: pre_compact::Event) -> Result<Reply> {
        schedule_flush(&event.common, &FlushRequest::default(), None)
    }
}

impl session_end::Handler for Save {
    fn handle(event: session_end::Event) -> Result<Reply> {
        schedule_flush(&event.common, &FlushRequest::default(), None)
    }
}

impl job::Handler for Save {
    fn run(job: job::Job) -> Result<()> {
        flush::run(&job)
    }
}
