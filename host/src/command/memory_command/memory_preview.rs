//! The preview of the context that a hook would inject, with the reasons for it.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use serde_json::json;

use crate::claude::{Event, sample_event, utf16_len};
use crate::command::hidden_memories::{self, HiddenMemory};
use crate::command::log_format::Titles;
use crate::command::output::Output;
use crate::command::search_report::{SearchReport, searches};
use crate::command::topics_command::{TOPICS_KEY, stored_topics};
use crate::database::Database;
use crate::error::{Error, Result};
use crate::grant::SHARED_OWNER;
use crate::log::EventRecord;
use crate::memory::Occasion;
use crate::pipeline::{Pipeline, event_name, max_deadline};
use crate::project_context::ProjectContext;
use crate::roster::Roster;
use crate::sandbox::Sandbox;
use crate::state::{Scope, State};

/// A moment at which a hook may inject memories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Moment {
    /// A session starts (the text is ignored)
    Start,
    /// The text is entered as a prompt
    Prompt,
    /// The text is about to run as a shell command
    Command,
    /// The text is the error of a shell command
    Failure,
}

impl Moment {
    /// Returns the occasion of a search for the text; `None` for a start, which has no text.
    fn occasion(self) -> Option<Occasion> {
        match self {
            Self::Start => None,
            Self::Prompt => Some(Occasion::Prompt),
            Self::Command => Some(Occasion::Command),
            Self::Failure => Some(Occasion::Failure),
        }
    }

    fn event_json(self, text: &str) -> String {
        match self {
            Self::Start => sample_event::session_start("startup"),
            Self::Prompt => sample_event::prompt(text),
            Self::Command => sample_event::command(text),
            Self::Failure => sample_event::failure("", text),
        }
    }
}

/// What a hook would inject, and why.
struct Preview {
    /// The context; empty for none.
    context: String,
    /// The record of the event; absent if no layer answers it.
    record: Option<EventRecord>,
    /// What no hook shows, although it would fit.
    hidden: Vec<HiddenMemory>,
}

/// Prints what a hook would inject at this moment; if that is nothing, the reason, to standard error.
pub(super) fn run(
    moment: Moment,
    text: &str,
    json: bool,
    context: &ProjectContext,
    out: &mut Output,
) -> anyhow::Result<()> {
    if moment != Moment::Start && text.trim().is_empty() {
        let error = Error::invalid("there is no text for which a hook could inject something");
        return Err(error
            .hint("write the text of the prompt, the command or the error behind the options")
            .into());
    }
    let mut preview = preview(moment, text, context)?;
    preview.hidden = preview.hidden_memories(moment, text, context)?;
    if json {
        return preview.print_json(out);
    }
    if !preview.context.is_empty() {
        return Ok(writeln!(out, "{}", preview.context)?);
    }
    Ok(preview.print_reason(context, &mut Output::standard_error())?)
}

/// Sends the event through the same layers as a hook, in a separate session, and changes nothing.
fn preview(moment: Moment, text: &str, context: &ProjectContext) -> Result<Preview> {
    let event = sample_event::in_folder(&moment.event_json(text), &context.project.root.to_string_lossy());
    let event = Event::parse(event.as_bytes())?;
    let roster = context.roster();
    let sandbox = Arc::new(Sandbox::new(Some(&context.folders.cache))?);
    compile_layers(&event, &roster, &sandbox)?;
    let began = Instant::now();
    let deadline = began + max_deadline(&roster, &event);
    let session = &event.common.session_id;
    let mut host = context.host_context(&event.name, session, event.transcript(), deadline)?;
    let topics = stored_topics(&host.state)?;
    // Memories shown and budget spent in real sessions must not count, but the project's topics must.
    host.state = State::new(Database::in_memory()?, context.clock);
    host.memories = host.memories.for_preview();
    if let Some(topics) = topics {
        host.state.set(Scope::Project, SHARED_OWNER, TOPICS_KEY, &topics)?;
    }
    let pipeline = Pipeline { roster: &roster, config: &context.config, host, began, guards_only: false };
    let (reply, record) = pipeline.answer_and_record(&event, || Ok(sandbox));
    Ok(Preview { context: reply.context.unwrap_or_default(), record, hidden: Vec::new() })
}

/// Compiles the layers that answer the event and are not in the cache. A hook would leave them out.
fn compile_layers(event: &Event, roster: &Roster, sandbox: &Sandbox) -> Result<()> {
    let members = roster.answering(event_name(event));
    let available = members.into_iter().filter(|member| member.unavailable.is_none());
    for member in available {
        sandbox.load(&member.layer)?;
    }
    Ok(())
}

impl Preview {
    fn searches(&self) -> Vec<SearchReport<'_>> {
        self.record.as_ref().map(|record| searches(record, None)).unwrap_or_default()
    }

    /// Returns what the event would show if no hook left it out. Where no layer searched, nothing fits.
    fn hidden_memories(
        &self,
        moment: Moment,
        text: &str,
        context: &ProjectContext,
    ) -> Result<Vec<HiddenMemory>> {
        let memories = context.memories()?;
        match moment.occasion() {
            None => hidden_memories::at_start(&memories),
            Some(_) if self.searches().is_empty() => Ok(Vec::new()),
            Some(occasion) => hidden_memories::fitting(occasion, text, &memories),
        }
    }

    fn print_reason(&self, context: &ProjectContext, out: &mut Output) -> std::io::Result<()> {
        let reports = self.searches();
        if reports.is_empty() && self.hidden.is_empty() {
            return writeln!(out, "A hook would inject nothing: no layer searched for memories.");
        }
        writeln!(out, "A hook would inject nothing.")?;
        let titles = Titles::of(context);
        reports.iter().try_for_each(|report| report.print(&titles, out))?;
        hidden_memories::print(&self.hidden, out)
    }

    fn print_json(&self, out: &mut Output) -> anyhow::Result<()> {
        out.json(&json!({
            "units": utf16_len(&self.context), "context": self.context, "searches": self.searches(),
            "hidden": self.hidden,
        }))
    }
}
