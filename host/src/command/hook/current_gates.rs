//! The gates of the project in which the session's current folder lies, if that is not the session's project.
//!
//! A variable names the session's project, and its project's settings might set that variable; a command
//! changes the current folder. So the gates of both projects answer, and neither silences the other.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::claude::{Event, Reply};
use crate::layer::FileScope;
use crate::pipeline::{Pipeline, fallback_reply};
use crate::project::Project;
use crate::project_context::ProjectContext;
use crate::roster::{GateRegistry, RegisteredGate, Roster};
use crate::sandbox::Sandbox;

/// The gates of another project than the session's.
pub(super) struct CurrentGates {
    context: ProjectContext,
    pub(super) roster: Roster,
}

impl CurrentGates {
    /// Finds the gates of the current folder's project; `None` if it has none or is the session's project.
    pub(super) fn find(folder: &Path, session: &ProjectContext, registry: &GateRegistry) -> Option<Self> {
        let project = Project::locate(folder).identify(&session.folders.data);
        if project.id == session.project.id {
            return None;
        }
        let gates = registry.gates_of(&project).filter(|gate| gate.scope() == FileScope::Project);
        let names: Vec<&str> = gates.map(RegisteredGate::name).collect();
        if names.is_empty() {
            return None;
        }
        let context = ProjectContext::find(folder).ok()?;
        let files = context.file_layers_for_hook(registry);
        let mut roster = Roster::with_files(Vec::new(), files, &context.config);
        // The user's own gates are in the session's roster, too.
        roster.retain(|layer| layer.is_guard() && names.contains(&layer.name.as_ref()));
        Some(Self { context, roster })
    }

    /// Returns their refusals and questions.
    pub(super) fn answer(&self, event: &Event, began: Instant, deadline: Duration) -> Reply {
        let (session, transcript) = (&event.common.session_id, event.transcript());
        let Ok(host) = self.context.host_context(&event.name, session, transcript, began + deadline) else {
            return fallback_reply(self.roster.guards(), event, "its project cannot be read");
        };
        let pipeline =
            Pipeline { roster: &self.roster, config: &self.context.config, host, began, guards_only: true };
        pipeline.answer(event, || Ok(Arc::new(Sandbox::new(Some(&self.context.folders.cache))?)))
    }
}
