//! The notice that a project without memories could be one that has some: its folder was moved to another
//! disk, cloned anew, or another repository took its path. The person sees it once.

use crate::claude::{Event, EventKind, Reply};
use crate::command::project_command::{candidate_notices, has_no_memories};
use crate::project_context::ProjectContext;
use crate::state::{HOST_OWNER, Scope};

/// The key of the value that records that the notice was shown.
const KEY: &str = "candidates-shown";

/// Adds the notice to the reply to a prompt, unless it was shown before. A client without a terminal does not
/// show a hook's message at the session's start (seen with 2.1.329), so the first prompt shows it.
pub(super) fn add(reply: &mut Reply, event: &Event, context: &ProjectContext) {
    if !matches!(event.kind, EventKind::UserPrompt { .. }) || !has_no_memories(context) {
        return;
    }
    let Ok(state) = context.state() else { return };
    if !matches!(state.get(Scope::Project, HOST_OWNER, KEY), Ok(None)) {
        return;
    }
    let notices = candidate_notices(context);
    // A notice at every prompt would be worse than none, so it is shown only if that can be recorded.
    let is_first = || state.swap(Scope::Project, HOST_OWNER, KEY, None, "yes").unwrap_or(false);
    if notices.is_empty() || !is_first() {
        return;
    }
    for notice in notices {
        reply.add_notice(&format!("Interleaf: {notice}"));
    }
}
