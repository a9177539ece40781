//! **save**: when work pauses or ends. What a session taught is written down: by rules always, and with a model where the
//! person chose one.
//!
//! [`when`] says when a session is looked at; [`flush`] looks at it, a part at a time ([`batch`], [`progress`]): [`rules`]
//! find what they can ([`mining`]), [`triage`] says what a model should look for, [`drafting`] has it do so, given the memories
//! that stand already ([`standing`]), and [`keep`] writes down what remains. `rules`, `triage` and `drafting` know nothing of
//! the host and run in ordinary tests.

mod batch;
pub mod categories;
mod designs;
pub mod drafting;
pub mod find;
mod flush;
mod host;
mod keep;
mod memories;
mod mining;
mod model;
pub mod progress;
mod report;
pub mod rules;
#[cfg(test)]
mod sample;
pub mod settings;
pub mod standing;
pub mod talk;
pub mod triage;
pub mod when;
pub mod whole;

use bindings::exports::interleaf::layer::{job, pre_compact, session_end, stop, subagent_stop};
use bindings::interleaf::layer::types::{Common, Error, Reply};
use progress::Progress;
use when::Order;

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

/// Nothing is said here: what is saved speaks in later sessions.
fn silence() -> Result<Reply, Error> {
    Ok(Reply { context: None, decisions: Vec::new(), notice: None })
}

/// Puts a flush of this conversation off: at once, or until the debounce is over.
fn ask_for_flush(common: &Common, order: &Order, at_once: bool) -> Result<Reply, Error> {
    let agent = common.agent_id.as_deref();
    let progress: Progress = host::kept(&batch::name(batch::FLUSHED, agent))?;
    let delay = match at_once {
        true => 0,
        false => when::delay(host::now(), &progress, host::settings().debounce_seconds),
    };
    host::put_off(when::id(&common.session_id, agent, &progress), order.to_json(), delay)?;
    silence()
}

impl stop::Guest for Save {
    fn handle(event: stop::Event) -> Result<Reply, Error> {
        ask_for_flush(&event.common, &Order::after_turn(event.last_message), false)
    }
}

impl subagent_stop::Guest for Save {
    fn handle(event: subagent_stop::Event) -> Result<Reply, Error> {
        // Whoever sums up a compaction bears no type, and learned nothing that the conversation has not.
        match event.common.agent_type.as_deref() {
            None | Some("") => silence(),
            Some(_) => ask_for_flush(&event.common, &Order::after_turn(event.last_message), false),
        }
    }
}

impl pre_compact::Guest for Save {
    fn handle(event: pre_compact::Event) -> Result<Reply, Error> {
        ask_for_flush(&event.common, &Order::default(), true)
    }
}

impl session_end::Guest for Save {
    fn handle(event: session_end::Event) -> Result<Reply, Error> {
        ask_for_flush(&event.common, &Order::default(), true)
    }
}

impl job::Guest for Save {
    fn run(job: job::Job) -> Result<(), Error> {
        flush::run(&job)
    }
}
