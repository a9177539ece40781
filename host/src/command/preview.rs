//! What a hook would inject on an occasion: the event goes through the same layers as in a hook, in a session that
//! nobody has had, and leaves no trace.

use std::sync::Arc;
use std::time::Instant;

use crate::claude::{Event, sample};
use crate::database::Database;
use crate::error::Result;
use crate::grant::SHARED_OWNER;
use crate::pipeline::{Pipeline, max_deadline};
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;
use crate::state::{Scope, State};

use super::topics;

/// A moment at which memories may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Occasion {
    /// A session starts (the text does not matter)
    Start,
    /// The text is entered as a prompt
    Prompt,
    /// The text is about to run as a shell command
    Command,
    /// The text is the error of a shell command
    Failure,
}

impl Occasion {
    fn event(self, text: &str) -> String {
        match self {
            Self::Start => sample::session_start("startup"),
            Self::Prompt => sample::prompt(text),
            Self::Command => sample::command(text),
            Self::Failure => sample::failure("", text),
        }
    }
}

/// The context that the model would see; empty for none.
pub fn context(occasion: Occasion, text: &str, context: &ProjectContext) -> Result<String> {
    let began = Instant::now();
    let event = sample::in_folder(&occasion.event(text), &context.project.root.to_string_lossy());
    let event = Event::parse(event.as_bytes())?;
    let roster = context.roster();
    let mut host =
        context.host_context(&event.name, event.transcript(), began + max_deadline(&roster, &event))?;
    let topics = topics::kept(&host.state)?;
    // What was shown and what was spent belongs to no session of anybody's; the project's commands are its own.
    host.state = State::new(Database::in_memory()?, context.clock);
    if let Some(topics) = topics {
        host.state.set(Scope::Project, SHARED_OWNER, topics::KEY, &topics)?;
    }
    let pipeline = Pipeline { roster: &roster, config: &context.config, host, began };
    let reply = pipeline.answer(&event, || Sandbox::new(Some(&context.folders.cache)).map(Arc::new));
    Ok(reply.context.unwrap_or_default())
}
