//! The end of a session, replayed from its transcript: the layers that answer it do so now, with the whole
//! transcript at hand.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::claude::Event;
use crate::claude::transcript_files::TranscriptFile;
use crate::error::Result;
use crate::log::Level;
use crate::pipeline::Pipeline;
use crate::project_context::ProjectContext;
use crate::sandbox::Sandbox;
use crate::state::{HOST_OWNER, Scope, State};

/// Time limit for the layers of one replayed event.
const REPLAY_TIME: Duration = Duration::from_secs(10);

/// The key of the session's value that holds up to which growth of the transcript its end was replayed.
const REPLAYED_KEY: &str = "end-replayed-at";

/// Tells whether the end of a session was replayed since its transcript grew last.
pub fn was_replayed(file: &TranscriptFile, state: &State) -> bool {
    let replayed = state.get(Scope::Session(&file.session), HOST_OWNER, REPLAYED_KEY);
    matches!(replayed, Ok(Some(at)) if at == file.modified_at.to_string())
}

/// Lets the layers answer the end of a session, and records that they did. `reason` goes to the log.
///
/// # Errors
/// `Unavailable` if the database cannot be used.
pub fn replay_end(
    file: &TranscriptFile,
    context: &ProjectContext,
    state: &State,
    reason: &str,
) -> Result<()> {
    let session = file.session.as_str();
    let payload = json!({
        "hook_event_name": "SessionEnd", "reason": "other", "session_id": session,
        "transcript_path": file.path.to_string_lossy(), "cwd": context.project.root.to_string_lossy(),
    });
    let event = Event::parse(payload.to_string().as_bytes())?;
    let (began, roster) = (Instant::now(), context.roster());
    let host = context.host_context(&event.name, session, event.transcript(), began + REPLAY_TIME)?;
    host.log.write(Level::Info, None, reason);
    let pipeline = Pipeline { roster: &roster, config: &context.config, host, began, guards_only: false };
    pipeline.answer(&event, || Ok(Arc::new(Sandbox::new(Some(&context.folders.cache))?)));
    state.set(Scope::Session(session), HOST_OWNER, REPLAYED_KEY, &file.modified_at.to_string())
}
