//! **save**: when work pauses or ends. What a session taught is written down: by rules always, and with a model where the
//! person chose one.

pub mod drafting;
pub mod find;
#[cfg(test)]
mod sample;
pub mod settings;
pub mod talk;
pub mod triage;

use bindings::exports::interleaf::layer::{
    job, pre_compact, session_end, session_start, stop, subagent_stop,
};
use bindings::interleaf::layer::types::{Error, Reply};

/// The generated side of the contract.
#[allow(missing_docs, unsafe_code, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        inline: "package interleaf:save;
            world save {
                include interleaf:layer/host@0.1.0;
                export interleaf:layer/session-start@0.1.0;
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

fn silence() -> Reply {
    Reply { context: None, decisions: Vec::new(), notice: None }
}

impl session_start::Guest for Save {
    fn handle(_event: session_start::Event) -> Result<Reply, Error> {
        Ok(silence())
    }
}

impl stop::Guest for Save {
    fn handle(_event: stop::Event) -> Result<Reply, Error> {
        Ok(silence())
    }
}

impl subagent_stop::Guest for Save {
    fn handle(_event: subagent_stop::Event) -> Result<Reply, Error> {
        Ok(silence())
    }
}

impl pre_compact::Guest for Save {
    fn handle(_event: pre_compact::Event) -> Result<Reply, Error> {
        Ok(silence())
    }
}

impl session_end::Guest for Save {
    fn handle(_event: session_end::Event) -> Result<Reply, Error> {
        Ok(silence())
    }
}

impl job::Guest for Save {
    fn run(_job: job::Job) -> Result<(), Error> {
        Ok(())
    }
}
