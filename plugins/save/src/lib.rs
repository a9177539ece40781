//! **save**: saves what a session taught, when work pauses or ends. Rules always look for it; a model also
//! does, where the person chose one.
//!
//! When a turn or a subagent ends, the layer schedules a flush after a delay; before a compaction and at the
//! end of a session it schedules one at once ([`schedule`]). The job runs [`flush`]: [`rules`] find what they
//! can, [`triage`] decides what a model should look for, [`drafting`] lets it look, and [`writer`] writes the
//! result. `rules`, `triage` and `drafting` know nothing of the host and run in ordinary tests.

mod batch;
pub mod drafting;
pub mod finding;
mod flush;
mod flush_report;
mod host;
pub mod known_memory;
pub mod merge_summaries;
pub mod progress;
mod rule_input;
pub mod rules;
#[cfg(test)]
mod sample;
pub mod schedule;
pub mod settings;
pub mod transcript;
pub mod triage;
mod writer;

use bindings::exports::interleaf::layer::{job, pre_compact, session_end, stop, subagent_stop};
use bindings::interleaf::layer::types::{Common, Error, Reply};
use progress::Progress;
use schedule::FlushRequest;

/// The generated side of the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "package interleaf:save;
            world save {
                include interleaf:layer/host@0.1.0;
                export interleaf:layer/stop@0.1.0;
                export interleaf:layer/subagent-stop@0.1.0;
                export interleaf:layer/pre-compact@0.1.0;
                export interleaf:layer/session-end@0.1.0;
                export interleaf:layer/job@0.1.0;
            }",
        world: "interleaf:save/save",
        generate_all,
    });

    // Native builds, which only run the tests, have no linker that takes such names.
    #[cfg(target_arch = "wasm32")]
    mod exports_of_the_component {
        use crate::Save;
        super::export!(Save with_types_in super);
    }
}

/// The layer.
pub struct Save;

/// This layer shows nothing: what it saves is shown in later sessions.
fn silent() -> Result<Reply, Error> {
    Ok(Reply { context: None, decisions: Vec::new(), notice: None })
}

/// Schedules a flush of this conversation, at once or after the debounce.
fn schedule_flush(common: &Common, request: &FlushRequest, at_once: bool) -> Result<Reply, Error> {
    let agent = common.agent_id.as_deref();
    let progress: Progress = host::session_value(&progress::key(progress::PROGRESS_KEY, agent))?;
    let delay_ms = match at_once {
        true => 0,
        false => schedule::delay_ms(host::now(), &progress, host::settings().debounce_seconds),
    };
    host::submit_flush(
        schedule::flush_id(&common.session_id, agent, &progress),
        request.to_json(),
        delay_ms,
    )?;
    silent()
}

impl stop::Guest for Save {
    fn handle(event: stop::Event) -> Result<Reply, Error> {
        schedule_flush(&event.common, &FlushRequest::after_turn(event.last_message), false)
    }
}

impl subagent_stop::Guest for Save {
    fn handle(event: subagent_stop::Event) -> Result<Reply, Error> {
        // The agent that summarizes a compaction has no type, and learned nothing that the conversation has
        // not.
        match event.common.agent_type.as_deref() {
            None | Some("") => silent(),
            Some(_) => schedule_flush(&event.common, &FlushRequest::after_turn(event.last_message), false),
        }
    }
}

impl pre_compact::Guest for Save {
    fn handle(event: pre_compact::Event) -> Result<Reply, Error> {
        schedule_flush(&event.common, &FlushRequest::default(), true)
    }
}

impl session_end::Guest for Save {
    fn handle(event: session_end::Event) -> Result<Reply, Error> {
        schedule_flush(&event.common, &FlushRequest::default(), true)
    }
}

impl job::Guest for Save {
    fn run(job: job::Job) -> Result<(), Error> {
        flush::run(&job)
    }
}
