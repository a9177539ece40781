//! The line for the person about layers that wait for them: once a session, and never for the model. Not at its start:
//! without a terminal the client shows nobody what a hook has to say there (seen with 2.1.329).

use super::Pipeline;
use crate::claude::{Event, EventKind, Reply};
use crate::log::Level;
use crate::state::Scope;

/// The owner of the host's own values; no layer can bear this name.
const HOST: &str = "!";
const TOLD: &str = "told of waiting layers";

impl Pipeline<'_> {
    /// Adds the line, if this session has not been told.
    pub(super) fn tell(&self, event: &Event, reply: &mut Reply) {
        let Some(notice) = &self.roster.notice else { return };
        let shown = Reply::capabilities(&event.name).stop_and_notice
            && !matches!(event.kind, EventKind::SessionStart { .. });
        if !shown || !self.is_first(&event.common.session_id) {
            return;
        }
        self.host.log.write(Level::Warn, None, notice);
        reply.notice = Some(match reply.notice.take() {
            Some(before) => format!("{before}\n{notice}"),
            None => notice.clone(),
        });
    }

    /// Whether this process is the one that tells. Where that cannot be written down nobody does: a line on every event
    /// would be worse.
    fn is_first(&self, session: &str) -> bool {
        let scope = Scope::Session(session);
        let known = self.host.state.get(scope, HOST, TOLD);
        matches!(known, Ok(None)) && self.host.state.swap(scope, HOST, TOLD, None, "yes").unwrap_or(false)
    }
}
