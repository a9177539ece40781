//! The pipeline: from an event to a reply. The layers that answer the event run concurrently under their
//! deadlines. Their answers are merged in the order of the roster, without repetitions and within the budget.
//!
//! No failure of a layer reaches Claude Code: a layer that fails is missing from the reply and named in the
//! log. Only this module decides that.

mod concurrent_run;
mod context_budget;
mod context_text;
mod contract_event;
mod failure_handler;
#[doc(hidden)]
pub mod fuzzing;
mod job_run;
mod layer_execution;
mod reply_merge;
mod thread_heap;

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::claude::{ContextOutput, Event, EventKind, Reply, utf16_len};
use crate::clock::Clock;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::grant::HostContext;
use crate::layer::{EventName, Layer};
use crate::log::{EventRecord, LayerNotes, LayerRecord, Level, Log};
use crate::roster::{Member, Roster};
use crate::sandbox::Sandbox;
use crate::state::{ConversationKey, HOST_OWNER, Scope};
use context_budget::ContextBudget;
use reply_merge::MergedReply;

/// The key of the value that records that a session showed the notice of layers that wait to be accepted.
const NOTICE_KEY: &str = "told of waiting layers";

/// The data and services that are needed to answer an event.
pub struct Pipeline<'a> {
    /// The layers.
    pub roster: &'a Roster,
    /// The budgets.
    pub config: &'a Config,
    /// The data and services that the host functions use.
    pub host: HostContext,
    /// When the event came in; deadlines are counted from this time.
    pub began: Instant,
    /// Whether only refusals and questions before a tool call are answered.
    pub guards_only: bool,
}

impl Pipeline<'_> {
    /// Answers the event. `sandbox` is called only if a layer answers it.
    pub fn answer(&self, event: &Event, sandbox: impl FnOnce() -> Result<Arc<Sandbox>>) -> Reply {
        self.answer_and_record(event, sandbox).0
    }

    /// Answers the event, and returns the record for the log if any layer answers such events.
    pub fn answer_and_record(
        &self,
        event: &Event,
        sandbox: impl FnOnce() -> Result<Arc<Sandbox>>,
    ) -> (Reply, Option<EventRecord>) {
        if event.is_unreadable_tool_call() {
            let reason = event.parse_issue.as_deref().unwrap_or("the event cannot be read");
            return (fallback_reply(self.roster.guards(), event, reason), None);
        }
        self.clean_up_state(event);
        let (mut reply, record) = self.run_layers(event, sandbox);
        if self.guards_only {
            // The process that answers the event in full has its own record.
            return (reply, record.filter(|record| !record.decisions.is_empty()));
        }
        self.add_notice(event, &mut reply);
        (reply, record)
    }

    fn run_layers(
        &self,
        event: &Event,
        sandbox: impl FnOnce() -> Result<Arc<Sandbox>>,
    ) -> (Reply, Option<EventRecord>) {
        let members = self.roster.answering(event_name(event));
        if members.is_empty() {
            return (Reply::default(), None);
        }
        self.prefetch_project(event, &members);
        let sandbox = match sandbox() {
            Ok(sandbox) => sandbox,
            Err(error) => {
                self.host.log.write(Level::Error, None, error.to_string());
                return (fallback_reply(self.roster.guards(), event, &error.message), None);
            }
        };
        let conversation = conversation(event);
        let results = concurrent_run::run_layers(&sandbox, &members, event, &conversation, self);
        let mut merged = reply_merge::merge(&event.name, results.answers, &self.host.log);
        if self.guards_only {
            merged = merged.without_context();
        }
        self.judge_rewritten_input(event, &sandbox, &members, &conversation, &mut merged);
        merged.mark_outdated(|citations| self.host.memories.outdated_citations(citations));
        merged.describe_categories(&self.config.policy);
        let mut record = event_record(event, results.records, &self.host.log);
        let reply = self.choose_context(event, &conversation, merged, &mut record);
        (reply, Some(record))
    }

    /// Lets the layers that decide on tool calls look again at an input that a layer has rewritten. What they
    /// allowed was another call.
    fn judge_rewritten_input(
        &self,
        event: &Event,
        sandbox: &Arc<Sandbox>,
        members: &[&Member],
        conversation: &ConversationKey,
        merged: &mut MergedReply,
    ) {
        let Some((author, input)) = merged.rewritten_input() else { return };
        let Some(rewritten) = event.with_tool_input(input) else { return };
        let decides = |member: &&&Member| {
            member.layer.name != author && (member.layer.is_guard() || member.layer.grants.decides_on_calls())
        };
        let judges: Vec<&Member> = members.iter().filter(decides).copied().collect();
        merged.drop_allowance_of_others(&author);
        if judges.is_empty() {
            return;
        }
        let results = concurrent_run::run_layers(sandbox, &judges, &rewritten, conversation, self);
        merged.add_verdicts(results.answers, &self.host.log);
    }

    /// Deletes state that a session's start makes obsolete: the record of shown memories, if the conversation
    /// was compacted or cleared, because the model no longer has them; and the state of old sessions.
    fn clean_up_state(&self, event: &Event) {
        let EventKind::SessionStart { source, .. } = &event.kind else { return };
        if let Err(error) = self.host.state.delete_old_sessions() {
            // The next session's start does it.
            let message = format!("cannot delete the state of old sessions: {}", error.full());
            self.host.log.write(Level::Info, None, message);
        }
        if matches!(source.as_str(), "compact" | "clear") {
            let cleared = self.host.state.clear_shown(&conversation(event));
            self.log_error("cannot forget which memories were shown", cleared);
            // A project in which nothing is remembered gets no database for this.
            if self.host.state.has_database() {
                let recorded = self.host.state.record_compaction(&event.common.session_id);
                self.log_error("cannot record the compaction", recorded);
            }
        }
    }

    /// Chooses the context, records it as shown, and only then adds it to the reply.
    fn choose_context(
        &self,
        event: &Event,
        conversation: &ConversationKey,
        merged: MergedReply,
        record: &mut EventRecord,
    ) -> Reply {
        let mut reply = merged.reply;
        record.decisions = merged.decisions;
        if !reaches_model(event, &reply) {
            return reply;
        }
        let is_exempt = matches!(event.kind, EventKind::SessionStart { .. } | EventKind::SubagentStart);
        let (state, budget) = (&self.host.state, &self.config.budget);
        let chosen = ContextBudget { state, conversation, budget, is_exempt }.choose(merged.blocks);
        self.log_error("cannot record which memories are shown", chosen.error.map_or(Ok(()), Err));
        if !chosen.shown.is_empty() {
            let whole = chosen.shown.iter().filter(|shown| !shown.as_line);
            let ids: Vec<String> = whole.map(|shown| shown.memory.clone()).collect();
            self.log_error("cannot count the use of memories", self.host.memories.record_uses(&ids));
        }
        record.units = chosen.text.as_deref().map_or(0, utf16_len);
        (record.shown, record.left_out) = (chosen.shown, chosen.left_out);
        reply.context = chosen.text;
        reply
    }

    /// Queries git while the layers are being loaded. At a session's start, git takes as long as everything
    /// else together.
    fn prefetch_project(&self, event: &Event, members: &[&Member]) {
        let is_start = matches!(event.kind, EventKind::SessionStart { .. } | EventKind::SubagentStart);
        if is_start && members.iter().any(|member| member.layer.grants.project) {
            let project = self.host.project.clone();
            drop(thread::Builder::new().spawn(move || project.prefetch()));
        }
    }

    /// Notifies the person, not the model, once per session of layers that wait to be accepted. Does not
    /// notify at the session's start, because a client without a terminal does not show a hook's message
    /// there (seen with 2.1.329).
    fn add_notice(&self, event: &Event, reply: &mut Reply) {
        let Some(notice) = &self.roster.notice else { return };
        let is_start = matches!(event.kind, EventKind::SessionStart { .. });
        let is_shown = Reply::capabilities(&event.name).stop_and_notice && !is_start;
        if !is_shown || !self.is_first_notice(&event.common.session_id) {
            return;
        }
        self.host.log.write(Level::Warn, None, notice);
        reply.add_notice(notice);
    }

    /// Tells whether this process is the one that shows the notice. If that cannot be recorded, no process
    /// shows it, because a notice on every event would be worse.
    fn is_first_notice(&self, session: &str) -> bool {
        let (state, scope) = (&self.host.state, Scope::Session(session));
        matches!(state.get(scope, HOST_OWNER, NOTICE_KEY), Ok(None))
            && state.swap(scope, HOST_OWNER, NOTICE_KEY, None, "yes").unwrap_or(false)
    }

    fn log_error<T>(&self, failed: &str, result: Result<T, Error>) {
        if let Err(error) = result {
            self.host.log.write(Level::Warn, None, format!("{failed}: {}", error.full()));
        }
    }
}

/// Creates the log's record of an event: its tool, and its layers with their searches and the objects that
/// they logged.
fn event_record(event: &Event, mut layers: Vec<LayerRecord>, log: &Log) -> EventRecord {
    let mut notes = log.take_layer_notes();
    for record in &mut layers {
        let LayerNotes { objects, searches } = notes.remove(&record.layer).unwrap_or_default();
        (record.logged, record.searches) = (objects, searches);
    }
    let tool = match &event.kind {
        EventKind::PreTool { tool_name, .. }
        | EventKind::PostTool { tool_name, .. }
        | EventKind::ToolFailure { tool_name, .. } => Some(tool_name.clone()),
        _ => None,
    };
    EventRecord { tool, layers, ..EventRecord::default() }
}

/// Tells whether the client would pass context to the model. Otherwise the memories must not be recorded as
/// shown.
fn reaches_model(event: &Event, reply: &Reply) -> bool {
    match Reply::capabilities(&event.name).context {
        ContextOutput::Shown => true,
        ContextOutput::Continues => reply.continue_turn,
        ContextOutput::Hidden => false,
    }
}

/// Returns the reply for the case that no layer can run: only the pinned answers of these guards. A hook that
/// is stuck prints it too.
pub fn fallback_reply<'l>(guards: impl IntoIterator<Item = &'l Layer>, event: &Event, reason: &str) -> Reply {
    let answers = guards.into_iter().filter_map(|layer| failure_handler::pinned_answer(layer, event, reason));
    reply_merge::merge(&event.name, answers.collect(), &Log::in_memory(Clock::System)).reply
}

/// Returns the name of the exported interface that takes this event.
pub fn event_name(event: &Event) -> EventName {
    contract_event::name(event)
}

/// Returns the longest deadline that any layer has for this event.
pub fn max_deadline(roster: &Roster, event: &Event) -> Duration {
    let name = event_name(event);
    let deadlines = roster.answering(name).into_iter().map(|member| member.config.limits.deadline(name));
    deadlines.max().unwrap_or_default()
}

/// Returns the conversation that this event belongs to.
fn conversation(event: &Event) -> ConversationKey {
    let agent = event.common.agent_id.clone().unwrap_or_default();
    ConversationKey { session: event.common.session_id.clone(), agent }
}
