//! From an event to a reply: the layers that answer it run side by side under their deadlines, and what they say is
//! folded in roster order, freed of repetitions and held to the budget.
//!
//! Nothing that goes wrong in here reaches Claude Code. A layer that fails is missing from the reply and named in
//! the log; this is the only place that decides so.

mod account;
mod budget;
mod call;
mod failure;
mod fold;
mod job;
mod notice;
mod render;
mod turns;

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crate::claude::{ContextOutput, Event, EventKind, Reply, utf16_len};
use crate::clock::Clock;
use crate::config::Config;
use crate::grant::HostContext;
use crate::layer::{EventName, Member, Roster};
use crate::log::{EventRecord, Level, Log};
use crate::sandbox::Sandbox;
use crate::state::ConversationKey;

/// Everything an event needs.
pub struct Pipeline<'a> {
    /// The layers.
    pub roster: &'a Roster,
    /// Budgets.
    pub config: &'a Config,
    /// What the host functions work on.
    pub host: HostContext,
    /// When the event came in.
    pub began: Instant,
}

impl Pipeline<'_> {
    /// Answers the event. `sandbox` is made only if a layer answers it.
    pub fn answer(
        &self,
        event: &Event,
        sandbox: impl FnOnce() -> crate::error::Result<Arc<Sandbox>>,
    ) -> Reply {
        self.answer_and_account(event, sandbox).0
    }

    /// Answers the event, and tells what came of it where a layer answers such events. Nothing of it is in the log yet.
    pub fn answer_and_account(
        &self,
        event: &Event,
        sandbox: impl FnOnce() -> crate::error::Result<Arc<Sandbox>>,
    ) -> (Reply, Option<EventRecord>) {
        self.forget(event);
        let (mut reply, account) = self.ask_layers(event, sandbox);
        self.tell(event, &mut reply);
        (reply, account)
    }

    fn ask_layers(
        &self,
        event: &Event,
        sandbox: impl FnOnce() -> crate::error::Result<Arc<Sandbox>>,
    ) -> (Reply, Option<EventRecord>) {
        let members = self.roster.answering(call::name(event));
        if members.is_empty() {
            return (Reply::default(), None);
        }
        self.foresee(event, &members);
        let sandbox = match sandbox() {
            Ok(sandbox) => sandbox,
            Err(error) => return (self.give_up(event, &error), None),
        };
        let conversation = conversation(event);
        let turns = turns::run(&sandbox, &members, event, &conversation, self);
        let mut fold = fold::fold(turns.answers, &self.host.log);
        fold.describe(&self.config.policy);
        let mut account = account::begin(event, turns.parts, &self.host.log);
        let reply = self.spend(event, &conversation, fold, &mut account);
        (reply, Some(account))
    }

    /// After a compaction or `/clear` the model no longer has what it was shown. A session's start is also when what
    /// old sessions left behind is swept out.
    fn forget(&self, event: &Event) {
        let EventKind::SessionStart { source, .. } = &event.kind else { return };
        self.note("old sessions could not be forgotten", self.host.state.delete_old_sessions());
        if matches!(source.as_str(), "compact" | "clear") {
            self.note(
                "what was shown could not be forgotten",
                self.host.state.clear_shown(&conversation(event)),
            );
        }
    }

    /// Chooses what of the context is shown, marks it as shown, and only then lets it out.
    fn spend(
        &self,
        event: &Event,
        conversation: &ConversationKey,
        fold: fold::Fold,
        account: &mut EventRecord,
    ) -> Reply {
        let mut reply = fold.reply;
        account.decisions = fold.decisions;
        if !shows_context(event, &reply) {
            return reply;
        }
        let exempt = matches!(event.kind, EventKind::SessionStart { .. } | EventKind::SubagentStart);
        let spending =
            budget::Spending { state: &self.host.state, conversation, budget: &self.config.budget, exempt };
        let chosen = spending.choose(fold.blocks);
        self.note("what was shown could not be marked", chosen.trouble.map_or(Ok(()), Err));
        if !chosen.shown.is_empty() {
            let memories: Vec<String> = chosen.shown.iter().map(|shown| shown.memory.clone()).collect();
            self.note("what was shown could not be counted", self.host.memories.used(&memories));
        }
        account.units = chosen.text.as_deref().map_or(0, utf16_len);
        (account.shown, account.left_out) = (chosen.shown, chosen.left_out);
        reply.context = chosen.text;
        reply
    }

    /// Git takes as long as everything else of a session's start together, so it is asked while the layers are being
    /// loaded.
    fn foresee(&self, event: &Event, members: &[&Member]) {
        let begins = matches!(event.kind, EventKind::SessionStart { .. } | EventKind::SubagentStart);
        if begins && members.iter().any(|member| member.layer.grants.project) {
            let project = self.host.project.clone();
            drop(thread::Builder::new().spawn(move || project.prefetch()));
        }
    }

    fn give_up(&self, event: &Event, error: &crate::error::Error) -> Reply {
        self.host.log.write(Level::Error, None, error.to_string());
        fallback_reply(self.roster, event, &error.message)
    }

    fn note<T>(&self, what: &str, result: crate::error::Result<T>) {
        if let Err(error) = result {
            self.host.log.write(Level::Warn, None, format!("{what}: {error}"));
        }
    }
}

/// Whether the client would hand context to the model. What it would not show must not be marked as shown.
fn shows_context(event: &Event, reply: &Reply) -> bool {
    match Reply::capabilities(&event.name).context {
        ContextOutput::Shown => true,
        ContextOutput::Continues => reply.continue_turn,
        ContextOutput::Hidden => false,
    }
}

/// What is answered when no layer can be asked: the answers that are pinned for gates, and nothing else. Also the last
/// words of a hook that is stuck.
pub fn fallback_reply(roster: &Roster, event: &Event, why: &str) -> Reply {
    let name = call::name(event);
    let members = roster.answering(name).into_iter();
    let answers = members.filter_map(|member| failure::pinned(&member.layer, name, why)).collect();
    fold::fold(answers, &Log::in_memory(Clock::System)).reply
}

/// Which exported interface takes this event.
pub fn event_name(event: &Event) -> EventName {
    call::name(event)
}

/// The longest that any layer may take over this event.
pub fn max_deadline(roster: &Roster, event: &Event) -> Duration {
    let name = call::name(event);
    let limits = roster.answering(name).into_iter().map(|member| member.config.limits.deadline(name));
    limits.max().unwrap_or_default()
}

/// Whose context this event speaks into.
fn conversation(event: &Event) -> ConversationKey {
    let agent = event.common.agent_id.clone().unwrap_or_default();
    ConversationKey { session: event.common.session_id.clone(), agent }
}
